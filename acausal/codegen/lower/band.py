"""Linear blocks whose matrix is a narrow band once rows and columns are put into another order.

A ring of 51 stages leaves 51 tearing variables, each coupled with the two beside it: 2 % of the matrix is not zero.
"""

from collections.abc import Sequence

from acausal.base.frozen import dataclass
from acausal.structure.cuthill_mckee import reverse_cuthill_mckee

BAND_FROM = 8
"""Smaller blocks are not worth it."""
NARROW = 0.5
"""The largest length of a row, room included, as a share of the size."""


@dataclass(frozen=True, slots=True)
class Band:
    """Positions of equations and unknowns, and the diagonals below and above the main one."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    lower: int
    upper: int

    @property
    def row_length(self) -> int:
        """Numbers kept of a row."""
        return 2 * self.lower + self.upper + 1


def find_band(zeros: Sequence[bool], size: int) -> Band | None:
    """The band that a matrix is, by its entries that are zero, row by row; None where it is too wide.

    Rows and columns are put into an order together: the vertices of one graph, an edge for each entry.
    """
    if size < BAND_FROM:
        return None
    entries = [divmod(k, size) for k in range(size * size) if not zeros[k]]
    if len(entries) > NARROW * size * size:
        return None
    graph: list[list[int]] = [[] for _ in range(2 * size)]
    for row, column in entries:
        graph[row].append(size + column)
        graph[size + column].append(row)
    rows, columns = [0] * size, [0] * size
    placed = 0
    for place, vertex in enumerate(reverse_cuthill_mckee(graph)):
        if vertex < size:
            rows[vertex] = placed
            placed += 1
        else:
            columns[vertex - size] = place - placed
    distances = [columns[column] - rows[row] for row, column in entries]
    band = Band(tuple(rows), tuple(columns), max(0, -min(distances, default=0)), max(0, max(distances, default=0)))
    return band if band.row_length <= NARROW * size else None
