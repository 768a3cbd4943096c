"""Linear blocks whose matrix is a narrow band once rows and columns are put into another order.

A ring of 51 stages leaves 51 tearing variables, each coupled with the two beside it: 2 % of the matrix is not zero.
"""

from dataclasses import dataclass

from acausal.codegen.llvm.lines import Lines, number
from acausal.ir.program import LinearSolve
from acausal.structure.cuthill_mckee import reverse_cuthill_mckee

BAND_FROM = 8
"""Smaller blocks are not worth it."""
NARROW = 0.5
"""The largest length of a row, room included, as a share of the size."""

_ZEROS = (number(0.0), number(-0.0))


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


def find_band(values: list[str], size: int) -> Band | None:
    """The band that a matrix is, given row by row; None where it is too wide.

    Rows and columns are put into an order together: the vertices of one graph, an edge for each entry.
    """
    if size < BAND_FROM:
        return None
    entries = [divmod(k, size) for k, value in enumerate(values[: size * size]) if value not in _ZEROS]
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


def solve_band(lines: Lines, values: list[str], solve: LinearSolve, band: Band) -> list[str]:
    """The solution; `values` are A row by row, then b."""
    n, length = solve.size, band.row_length
    matrix, right = lines.place(0), lines.place(n * length)
    lines.used["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"] = None
    lines.used["declare i32 @solve_band(i64, i64, i64, ptr, ptr)"] = None
    lines.lines.append(f"  call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * n * length}, i1 false)")
    for i, row in enumerate(band.rows):
        for j, column in enumerate(band.columns):
            value = values[i * n + j]
            if value not in _ZEROS:
                lines.fill(row * length + column - row + band.lower, value)
        lines.fill(n * length + row, values[n * n + i])
    arguments = f"i64 {n}, i64 {band.lower}, i64 {band.upper}, ptr {matrix}, ptr {right}"
    lines.unless_solved(f"call i32 @solve_band({arguments})", solve.block)
    return [lines.load("m", lines.memory + n * length + column) for column in band.columns]
