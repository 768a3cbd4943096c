"""`[s, t, u]` a vector, `[v; w]` a longer vector, `[v, w]` columns, `[A, B; C, D]` blocks."""

from collections.abc import Sequence
from itertools import chain

from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.shape_errors import show_shape
from acausal.elaborate.values.arrays import array_of, items_of
from acausal.elaborate.values.types import need, type_of
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape

Rows = list[list[tuple[ast.Expression, Expr]]]


def array_literal(node: ast.ArrayLiteral, items: Sequence[Expr], scope: Scope) -> Expr:
    """The array of the items; T001 where rows or blocks do not fit together."""
    values = iter(items)
    rows = [[(item, next(values)) for item in row] for row in node.rows if row]
    if items:
        kind = type_of(items[0], scope)
        for item, value in chain.from_iterable(rows):
            need(kind, "the first item of the array has this type", value, item.span, scope)
    if all(not e.shape for e in items):
        return _of_scalars(rows, items, scope)
    if len(items) == 1:
        return items[0]
    if all(len(row) == 1 for row in rows) and all(len(e.shape) <= 1 for e in items):
        return _end_to_end(items, scope)
    return _blocks(rows, items, scope)


def _of_scalars(rows: Rows, items: Sequence[Expr], scope: Scope) -> Expr:
    widths = [len(row) for row in rows]
    if len(rows) <= 1 or set(widths) == {1}:
        return array_of(scope.pool, items, (len(items),))
    for row, width in zip(rows, widths, strict=True):
        if width != widths[0]:
            span = row[0][0].span.to(row[-1][0].span)
            hint = "all rows must have the same number of items"
            raise mistake("T001", f"this row has {width} items, the first has {widths[0]}", span, hint=hint)
    return array_of(scope.pool, items, (len(rows), widths[0]))


def _end_to_end(items: Sequence[Expr], scope: Scope) -> Expr:
    length = sum(_height(e.shape) for e in items)
    if all(e.op == "array" or not e.shape for e in items):
        return array_of(scope.pool, [x for e in items for x in items_of(scope.pool, e)], (length,))
    return scope.pool.node("stack", tuple(items), (1,) * len(items), (length,))


def _blocks(rows: Rows, items: Sequence[Expr], scope: Scope) -> Expr:
    """A matrix of blocks: those of a row are equally high, the rows equally wide."""
    widths = []
    for row in rows:
        height = _height(row[0][1].shape)
        for item, value in row:
            if len(value.shape) > 2 or _height(value.shape) != height:
                message = f"adjacent blocks must have the same number of rows; the first of this row has {height}"
                hint = "a semicolon separates rows of blocks"
                raise mistake("T001", message, item.span, f"this is {show_shape(value.shape)}", hint=hint)
        widths.append(sum(_width(value.shape) for _, value in row))
        if widths[-1] != widths[0]:
            span = row[0][0].span.to(row[-1][0].span)
            raise mistake(
                "T001",
                f"these blocks are {widths[-1]} columns wide, the ones above {widths[0]}",
                span,
                hint="make all rows equally wide",
            )
    shape = (sum(_height(row[0][1].shape) for row in rows), widths[0])
    if all(e.op == "array" or not e.shape for e in items):
        return array_of(scope.pool, [x for row in rows for x in _lines(row, scope)], shape)
    return scope.pool.node("stack", tuple(items), tuple([len(row) for row in rows]), shape)


def _lines(row: list[tuple[ast.Expression, Expr]], scope: Scope) -> list[Expr]:
    """The items of a row of blocks, line by line."""
    lines: list[list[Expr]] = [[] for _ in range(_height(row[0][1].shape))]
    for _, block in row:
        width = _width(block.shape)
        for number, item in enumerate(items_of(scope.pool, block)):
            lines[number // width].append(item)
    return [item for line in lines for item in line]


def _height(shape: Shape) -> int:
    return shape[0] if shape else 1


def _width(shape: Shape) -> int:
    return shape[1] if len(shape) > 1 else 1
