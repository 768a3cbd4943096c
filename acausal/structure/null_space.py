"""The rank of a sparse matrix of numbers, and what depends on what where it is deficient.

    [1 1 0]      row 2 is 2 times row 0:      dependent rows {0: -2, 2: 1}
    [0 0 1]      columns 0 and 1 are free:    null vector {0: -1, 1: 1}
    [2 2 0]

Gaussian elimination row by row, columns chosen for size and sparsity (threshold pivoting: I. S. Duff,
A. M. Erisman, J. K. Reid, Direct Methods for Sparse Matrices, 1986, section 5.4).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

Vector = dict[int, float]

NOTHING = 1e-10
"""Entries that cancellation leaves below this share of what was subtracted count as 0: so a small number does
not vanish beside large ones, as a capacitance of 1e-12 beside the 1 of its current."""
SMALL = 1e-9
"""An entry of a null vector below this share of the largest counts as 0."""
THRESHOLD = 0.1
MOST = 500_000
"""Operations, then the question is given up."""


@dataclass(frozen=True, slots=True)
class NullSpace:
    """Combinations of rows that vanish, and of columns; as many of both for a square matrix."""

    rows: tuple[Vector, ...]
    columns: tuple[Vector, ...]


def null_space(matrix: Sequence[Vector], columns: int) -> NullSpace | None:
    """The null space from both sides, empty for a regular matrix; None where it would take too long."""
    scaled, row_size, column_size = _balanced(matrix, columns)
    pivots: list[tuple[int, Vector, Vector, Vector]] = []
    pivot_of: dict[int, int] = {}
    crowd = [0] * columns
    for row in scaled:
        for column in row:
            crowd[column] += 1
    vanished: list[Vector] = []
    work = 0
    for number in sorted(range(len(scaled)), key=lambda r: len(scaled[r])):
        row, combination = dict(scaled[number]), {number: 1.0}
        sizes = {c: abs(x) for c, x in row.items()}
        queue = [pivot_of[c] for c in row if c in pivot_of]
        heapify(queue)
        while queue:
            column, other, other_sizes, made_of = pivots[heappop(queue)]
            factor = row.pop(column, 0.0)
            if abs(factor) <= NOTHING * sizes.get(column, 0.0):
                continue
            work += len(other) + len(made_of)
            for c, x in other.items():
                if c not in row and c in pivot_of:
                    heappush(queue, pivot_of[c])
                row[c] = row.get(c, 0.0) - factor * x
                sizes[c] = max(sizes.get(c, 0.0), abs(factor) * other_sizes[c])
            for r, x in made_of.items():
                combination[r] = combination.get(r, 0.0) - factor * x
        if work > MOST:
            return None
        row = {c: x for c, x in row.items() if abs(x) > NOTHING * sizes[c]}
        if not row:
            vanished.append(_natural(combination, row_size))
            continue
        least = THRESHOLD * max(map(abs, row.values()))
        column = min((c for c, x in row.items() if abs(x) >= least), key=lambda c: (crowd[c], c))
        size = row.pop(column)
        pivot_of[column] = len(pivots)
        shares = {c: sizes[c] / abs(size) for c in row}
        pivots.append((column, _times(row, 1 / size), shares, _times(combination, 1 / size)))
    free = [c for c in range(columns) if c not in pivot_of]
    return NullSpace(tuple(vanished), tuple([_natural(_free(c, pivots), column_size) for c in free]))


def _balanced(matrix: Sequence[Vector], columns: int) -> tuple[list[Vector], list[float], list[float]]:
    """Rows and columns divided so that their largest entries are near 1, and by what."""
    rows = [{c: x for c, x in row.items() if x} for row in matrix]
    column_size = [0.0] * columns
    for row in rows:
        size = max(map(abs, row.values()), default=1.0)
        for c, x in row.items():
            column_size[c] = max(column_size[c], abs(x) / size)
    column_size = [s or 1.0 for s in column_size]
    rows = [{c: x / column_size[c] for c, x in row.items()} for row in rows]
    row_size = [max(map(abs, row.values()), default=1.0) for row in rows]
    return [_times(row, 1 / size) for row, size in zip(rows, row_size, strict=True)], row_size, column_size


def _free(column: int, pivots: Sequence[tuple[int, Vector, Vector, Vector]]) -> Vector:
    """The null vector that has 1 in a column without pivot."""
    vector = {column: 1.0}
    for pivot, row, _, _ in reversed(pivots):
        value = -sum(x * vector[c] for c, x in row.items() if c in vector)
        if value:
            vector[pivot] = value
    return vector


def _times(vector: Vector, factor: float) -> Vector:
    return {k: x * factor for k, x in vector.items()}


def _natural(vector: Vector, sizes: Sequence[float]) -> Vector:
    """The vector of the matrix as given, in order, its largest entry 1; what counts as nothing is left out before."""
    least = SMALL * max(map(abs, vector.values()))
    natural = {k: x / sizes[k] for k, x in sorted(vector.items()) if abs(x) > least}
    return _times(natural, 1 / max(natural.values(), key=abs))
