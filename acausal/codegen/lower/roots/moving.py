"""Walk through the expressions below root functions that move, and through the steps that compute them."""

from collections.abc import Callable, Iterable, Iterator

from acausal.ir.expr import MOVES, Expr


def moving(
    roots: Iterable[Expr], definition: Callable[[Expr], Iterable[Expr]], most: int | None = None
) -> Iterator[Expr]:
    """Each expression that moves once, so many at most; `definition` gives what computes a variable, or nothing."""
    seen: set[Expr] = set()
    waiting = list(roots)
    while waiting and (most is None or len(seen) < most):
        node = waiting.pop()
        if node in seen or not node.flags & MOVES:
            continue
        seen.add(node)
        waiting += node.args
        waiting += definition(node)
        yield node
