"""Indices as they are written, from the positions of elements row by row."""

from math import prod

from acausal.ir.expr import Shape


def show_indices(array: Shape, positions: tuple[int, ...], part: Shape) -> str:
    """`2, 1:3` for the elements of an array at these positions, which make a part of this shape.

    Positions that are no rows, columns or blocks, as those of a diagonal, are listed.
    """
    numbers = [_along(axis, array, positions) for axis in range(len(array))]
    if prod(map(len, numbers)) != len(positions) or any(n[-1] - n[0] + 1 != len(n) for n in numbers):
        return ", ".join(str(i + 1) for i in positions)
    single = len(part) - sum(len(n) > 1 for n in numbers)  # dimensions of one element that are kept
    shown = []
    for size, found in zip(array, numbers, strict=True):
        if len(found) == 1 and single <= 0:
            shown.append(str(found[0]))
            continue
        single -= len(found) == 1
        shown.append(":" if len(found) == size else f"{found[0]}:{found[-1]}")
    return ", ".join(shown)


def _along(axis: int, array: Shape, positions: tuple[int, ...]) -> list[int]:
    """The different indices along one dimension, from 1."""
    stride = prod(array[axis + 1 :])
    return sorted({i // stride % array[axis] + 1 for i in positions})
