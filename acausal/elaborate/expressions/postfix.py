"""Expressions of the text in the order in which they are worked out, made once for each text.

    2*x[1] + f(y)      ->      2, x[1], *, y, f, +

A class or function is written once and meant often: the orders are kept between calls, those of libraries between
translations, as their trees are.
"""

from collections.abc import Callable, Iterator
from dataclasses import field
from itertools import chain
from typing import Any

from acausal.base.caches import Memo
from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir import ast
from acausal.ir.expr import Shape

Nodes = tuple[ast.Expression, ...]
# the node's type is known by the table
Children = Callable[[Any], Nodes]

KEPT = 5000
"""Texts whose order is kept."""


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """`x[2, 1:3]`, whose indices are numbers: `places` are the positions and the shape of the result by that of x."""

    span: Span
    reference: ast.Reference
    numbers: tuple[ast.Number, ...]
    places: dict[Shape, tuple[tuple[int, ...], Shape]] = field(default_factory=dict)


Step = tuple[ast.Expression | Element, int]
"""A node, and how many of the values before it are its operands."""


def operands_of(node: ast.Expression) -> Nodes:
    """The nodes that stand in a node."""
    return _CHILDREN[type(node)](node)


def parts_of(node: ast.Expression) -> Nodes:
    """All nodes that stand in a node; the item of a comprehension is no operand, as it has a value for each number."""
    return (node.item, *operands_of(node)) if isinstance(node, ast.Comprehension) else operands_of(node)


def all_parts(node: ast.Expression) -> Iterator[ast.Expression]:
    """The node and all nodes below it."""
    stack = [node]
    while stack:
        item = stack.pop()
        yield item
        stack += parts_of(item)


def postfix(node: ast.Expression) -> tuple[Step, ...]:
    """The nodes below and the node itself, each behind its operands."""
    kept = _KEPT.get(id(node))
    if kept is None:
        kept = _KEPT.keep(id(node), (node, _ordered(node)))
    return kept[1]


_KEPT: Memo[int, tuple[ast.Expression, tuple[Step, ...]]] = Memo(KEPT)
"""By identity, as comparing nodes compares all below; holding the node keeps its identity from being another's."""


def _ordered(node: ast.Expression) -> tuple[Step, ...]:
    order: list[Step] = []
    stack = [node]
    while stack:
        item = stack.pop()
        children = operands_of(item)
        if children and isinstance(item, ast.Reference) and all(isinstance(c, ast.Number) for c in children):
            order.append((Element(item.span, item, children), 0))  # type: ignore[arg-type]  # numbers only
            continue
        order.append((item, len(children)))
        stack.extend(children)
    order.reverse()
    return tuple(order)


def _none(_: ast.Expression) -> Nodes:
    return ()


def _indices(node: ast.Reference) -> Nodes:
    return _bounds(node.parts[-1].indices)


def _bounds(indices: tuple[ast.Expression | ast.Slice, ...]) -> Nodes:
    found: list[ast.Expression] = []
    for item in indices:
        if isinstance(item, ast.Slice):
            found += [e for e in (item.start, item.stop) if e is not None]
        else:
            found.append(item)
    return tuple(found)


_CHILDREN: dict[type, Children] = {
    ast.Number: _none,
    ast.Quantity: _none,
    ast.String: _none,
    ast.Boolean: _none,
    ast.Reference: _indices,
    ast.Call: lambda n: n.arguments,
    ast.Unary: lambda n: (n.operand,),
    ast.Sum: lambda n: n.operands,
    ast.Product: lambda n: n.operands,
    ast.Power: lambda n: (n.base, n.exponent),
    ast.Compare: lambda n: (n.left, n.right),
    ast.Logic: lambda n: n.operands,
    ast.IfExpression: lambda n: (*chain.from_iterable(n.branches), n.otherwise),
    ast.ArrayLiteral: lambda n: tuple(chain.from_iterable(n.rows)),
    ast.Comprehension: lambda n: (n.start, n.stop),
    ast.Indexed: lambda n: (n.operand, *_bounds(n.indices)),
}
