"""Checks of expressions: operators, arguments, shapes, kinds, and the leaves they may contain."""

from collections.abc import Callable, Iterable, Iterator
from math import prod

from acausal.ir.expr import Expr
from acausal.ir.ops import ARRAY_OPS, EVENT_OPS, LEAVES, OPS
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder

BOOLEAN_LEAVES = ("boolean", "initial", "sample")
_CONNECTIVES = ("and", "or", "not")
_SAME = ("array_add", "array_neg", "elementwise", "array_if", "der", "map")
"""Array operators whose array arguments have the shape of the result."""


def expression_faults(pool: Pool) -> Iterator[str]:
    """Faults of all nodes of the pool that have not been checked yet: nodes never change."""
    nodes = pool.made_since(pool.verified)
    pool.verified += len(nodes)
    for node in nodes:
        for fault in _node_faults(pool, node):
            yield f"{fault} in `{show_expr(node)}`"


class Leaves:
    """The leaves that expressions of a stage may have: `known` is true for one that is declared."""

    def __init__(self, pool: Pool, known: Callable[[Expr], bool]) -> None:
        self._pool, self._known = pool, known
        self._sound: set[Expr] = set()

    def faults(self, roots: Iterable[Expr]) -> list[str]:
        """Leaves that are not declared, and expressions of another pool; parts seen before are sound."""
        found = []
        for node in postorder(roots, self._sound.__contains__):
            if not self._pool.owns(node):
                found.append(f"`{show_expr(node)}` is of another pool")
            elif not node.args and node.op in ("variable", "parameter", "frozen") and not self._known(node):
                found.append(f"no {node.op.replace('frozen', 'frozen value')} {show_expr(node)} is declared")
            elif not found:
                self._sound.add(node)
        return found


def _node_faults(pool: Pool, node: Expr) -> Iterator[str]:
    if not all(map(pool.owns, node.args)):
        yield "an argument of another pool"
    if node.op in LEAVES:
        if node.args:
            yield f"a leaf {node.op} with arguments"
    elif node.op in OPS:
        yield from _operator_faults(node)
    elif node.op in ARRAY_OPS:
        check = _ARRAY_CHECKS.get(node.op)
        if check is not None and not check(node):
            yield f"{node.op} of shape {node.shape} takes shapes {[a.shape for a in node.args]}"
    elif node.op not in EVENT_OPS:
        yield f"no operator {node.op}"


def _operator_faults(node: Expr) -> Iterator[str]:
    row, args = OPS[node.op], node.args
    if row.arity is not None and len(args) != row.arity:
        yield f"{node.op} with {len(args)} arguments"
    elif node.shape or any(a.shape for a in args):
        yield f"{node.op}, an operator on scalars, with arrays"
    elif node.op in _CONNECTIVES:
        if any(is_number(a) for a in args):
            yield f"{node.op} of a number"
    elif node.op == "if":
        if is_number(args[0]):
            yield "a condition that is a number"
        if {is_condition(a) and not is_number(a) for a in args[1:]} == {True, False} and any(map(is_number, args[1:])):
            yield "branches of two kinds"
    elif node.op not in ("noevent", "==", "<>") and any(is_condition(a) for a in args):
        yield f"{node.op} of a condition"


def is_condition(node: Expr) -> bool:
    """Return True for a certain condition; of variables, parameters and frozen values the kind is not known."""
    return node.op in BOOLEAN_LEAVES or (node.op in OPS and OPS[node.op].boolean)


def is_number(node: Expr) -> bool:
    """Return True for a certain number."""
    if node.op in ("const", "time"):
        return True
    return node.op in OPS and not OPS[node.op].boolean and node.op not in ("if", "noevent")


def _index(node: Expr) -> bool:
    positions, size = node.value, prod(node.args[0].shape)
    return (
        isinstance(positions, tuple)
        and len(positions) == prod(node.shape)
        and all(isinstance(i, int) and 0 <= i < size for i in positions)
    )


def _matmul(node: Expr) -> bool:
    left, right = (a.shape for a in node.args)
    return bool(left and right) and left[-1] == right[0] and node.shape == (*left[:-1], *right[1:])


_ARRAY_CHECKS: dict[str, Callable[[Expr], bool]] = {
    "index": _index,
    "matmul": _matmul,
    "array": lambda n: all(not a.shape for a in n.args) and len(n.args) in (1, prod(n.shape)),
    "scale": lambda n: not n.args[0].shape and n.args[1].shape == n.shape,
    "transpose": lambda n: n.shape == n.args[0].shape[::-1],
    "cross": lambda n: n.shape == (3,) and all(a.shape == (3,) for a in n.args),
    "skew": lambda n: n.shape == (3, 3) and n.args[0].shape == (3,),
    "outer": lambda n: n.shape == n.args[0].shape + n.args[1].shape,
    "diag": lambda n: n.shape == n.args[0].shape * 2,
    "inverse": lambda n: len(n.shape) == 2 and n.shape[0] == n.shape[1] and n.shape == n.args[0].shape,
    "reduce": lambda n: not n.shape and bool(n.args[0].shape),
} | {op: lambda n: all(a.shape in ((), n.shape) for a in n.args) for op in _SAME}
