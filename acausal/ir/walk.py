"""Walks through expressions that do not recurse: nodes, leaves and variables, each once."""

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter

from acausal.ir.expr import VARIES, Expr

_serial = attrgetter("serial")


def postorder(roots: Iterable[Expr], stop: Callable[[Expr], bool] | None = None) -> Iterator[Expr]:
    """Every node below the roots once, arguments first; nodes for which `stop` holds are left out."""
    seen: set[Expr] = set()
    for root in roots:
        if root in seen or (stop is not None and stop(root)):
            continue
        nodes, arguments = [root], [iter(root.args)]
        while nodes:
            for arg in arguments[-1]:
                if arg in seen or (stop is not None and stop(arg)):
                    continue
                if arg.args:
                    nodes.append(arg)
                    arguments.append(iter(arg.args))
                    break
                seen.add(arg)
                yield arg
            else:
                arguments.pop()
                node = nodes.pop()
                seen.add(node)
                yield node


def marked(roots: Iterable[Expr], mark: int) -> list[Expr]:
    """Every node below the roots that has the flag once, arguments first."""
    seen: set[Expr] = set()
    found: list[Expr] = []
    for root in roots:
        if root in seen or not root.flags & mark:
            continue
        nodes, arguments = [root], [iter(root.args)]
        while nodes:
            for arg in arguments[-1]:
                if arg.flags & mark and arg not in seen:
                    if arg.args:
                        nodes.append(arg)
                        arguments.append(iter(arg.args))
                        break
                    seen.add(arg)
                    found.append(arg)
            else:
                arguments.pop()
                node = nodes.pop()
                seen.add(node)
                found.append(node)
    return found


def leaves_of(roots: Iterable[Expr], mark: int) -> list[Expr]:
    """The leaves below the roots that have the flag, in the order of `postorder`."""
    seen: set[Expr] = set()
    found: list[Expr] = []
    stack = [root for root in roots if root.flags & mark]
    stack.reverse()
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node.args:
            stack += [a for a in node.args[::-1] if a.flags & mark]
        else:
            found.append(node)
    return found


def variables_of(roots: Iterable[Expr]) -> tuple[Expr, ...]:
    """The variables (and derivatives) in the expressions, in the order of first creation."""
    found: dict[Expr, None] = {}
    seen: set[Expr] = set()
    stack = list(roots)
    while stack:
        node = stack.pop()
        if node.op == "variable":
            found[node] = None
        elif node.args and node.flags & VARIES and node not in seen:
            seen.add(node)
            stack += node.args
    return tuple(sorted(found, key=_serial)) if len(found) > 1 else tuple(found)
