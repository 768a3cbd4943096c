"""`x[i]`, `x[1:3]`, `x[:, 2]`: elements and parts of arrays, counted from 1."""

from collections.abc import Iterator, Sequence
from itertools import product

from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.shape_errors import show_shape
from acausal.elaborate.values.structural import structural_integer
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape


def positions(shape: Shape, part: ast.Part, indices: Sequence[Expr], scope: Scope) -> tuple[tuple[int, ...], Shape]:
    """The flat positions of the part in an array of this shape, and the shape of the part.

    `indices` are the finished expressions of the indices, bounds of slices one by one.
    T005 where an index is none, there are too many or too few, or one is out of bounds.
    """
    if len(part.indices) != len(shape):
        count = f"{len(part.indices)} {'index' if len(part.indices) == 1 else 'indices'}"
        raise mistake(
            "T005",
            f"{part.name} is {show_shape(shape)} and has {count} here",
            part.span,
            hint=f"write {len(shape)}; `:` stands for all of a dimension" if shape else "omit the index",
        )
    values = iter(indices)
    if len(shape) == 1 and not isinstance(part.indices[0], ast.Slice):  # nearly all
        return (_range(part.indices[0], values, shape[0], part, scope).start,), ()
    ranges = [_range(item, values, limit, part, scope) for item, limit in zip(part.indices, shape, strict=True)]
    kept = tuple([len(r) for r, item in zip(ranges, part.indices, strict=True) if isinstance(item, ast.Slice)])
    strides = _strides(shape)
    return tuple([sum(i * s for i, s in zip(at, strides, strict=True)) for at in product(*ranges)]), kept


def _range(item: ast.Expression | ast.Slice, values: Iterator[Expr], limit: int, part: ast.Part, scope: Scope) -> range:
    """The positions of one dimension, from 0."""
    if not isinstance(item, ast.Slice):
        at = structural_integer(next(values), item.span, scope, "an index")
        if not 1 <= at <= limit:
            raise mistake("T005", f"{part.name} has no element {at}", item.span, f"this is {at}", hint=_bounds(limit))
        return range(at - 1, at)
    first, last = 1, limit
    if item.start is not None:
        first = structural_integer(next(values), item.start.span, scope, "an index")
    if item.stop is not None:
        last = structural_integer(next(values), item.stop.span, scope, "an index")
    if first < 1 or last > limit or last < first - 1:
        raise mistake("T005", f"{part.name} has no elements {first}:{last}", item.span, hint=_bounds(limit))
    return range(first - 1, last)


def _bounds(limit: int) -> str:
    return f"it has elements 1 to {limit} here" if limit else "it has no elements here"


def _strides(shape: Shape) -> tuple[int, ...]:
    strides: list[int] = []
    stride = 1
    for length in reversed(shape):
        strides.append(stride)
        stride *= length
    return tuple(reversed(strides))
