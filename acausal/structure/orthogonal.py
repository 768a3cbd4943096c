"""Columns that are far from depending on each other, by modified Gram-Schmidt orthogonalization with pivoting.

(G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013, sections 5.2.8 and 5.4.2.)
"""

from collections.abc import Iterable, Sequence

from acausal.structure.null_space import Vector

LEAST_VOLUME = 0.2
"""Columns with a smaller volume, as a share of that of the best ones, are ill-conditioned."""


def pivots(columns: Iterable[Vector], count: int, first: int = 0) -> list[int] | None:
    """The columns that are taken first, each the largest of what is left; None where there are not enough.

    The `first` ones are taken before all others.
    """
    left = dict(enumerate(columns))
    chosen: list[int] = []
    for number in range(count):
        sizes = {i: _square(column) for i, column in left.items() if i < first or number >= first}
        best = max(sizes, key=sizes.__getitem__, default=None)
        if best is None or sizes[best] <= 1e-20:
            return None
        chosen.append(best)
        pivot = left.pop(best)
        for column in left.values():
            _take_out(column, pivot, sizes[best])
    return sorted(chosen)


def volume(columns: Sequence[Vector]) -> float:
    """The absolute value of the determinant."""
    left = [dict(column) for column in columns]
    volume = 1.0
    for i, pivot in enumerate(left):
        size = _square(pivot)
        volume *= size**0.5
        for column in left[i + 1 :] if size else ():
            _take_out(column, pivot, size)
    return volume


def _square(column: Vector) -> float:
    return sum([x * x for x in column.values()])


def _take_out(column: Vector, pivot: Vector, size: float) -> None:
    """Makes the column orthogonal to the pivot, whose square is `size`."""
    factor = sum([x * column[row] for row, x in pivot.items() if row in column]) / size
    if factor:
        for row, x in pivot.items():
            column[row] = column.get(row, 0.0) - factor * x
