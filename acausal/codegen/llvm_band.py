"""Linear blocks whose matrix is a narrow band once rows and columns are put into another order.

A ring of 51 stages leaves 51 tearing variables, each coupled with the two beside it: 2 % of the matrix is not zero.
"""

from dataclasses import dataclass

from acausal.codegen.llvm_lines import Lines, number
from acausal.ir.graph import Incidence
from acausal.ir.program import LinearSolve
from acausal.structure.matching import match
from acausal.structure.narrow import narrow, symmetric, width

BAND_FROM = 8
"""Smaller blocks are not worth it."""
NARROW = 0.5
"""The largest length of a row, room included, as a share of the size."""

_ZEROS = (number(0.0), number(-0.0))


@dataclass(frozen=True, slots=True)
class Band:
    """Where equation i and unknown j stand, and the diagonals below and above the main one."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    lower: int
    upper: int

    @property
    def row_length(self) -> int:
        """Numbers kept of a row."""
        return 2 * self.lower + self.upper + 1


def find_band(values: list[str], size: int) -> Band | None:
    """The band that a matrix is, given row by row; None where it is too wide, or singular by its structure."""
    if size < BAND_FROM:
        return None
    pattern = [[j for j in range(size) if values[i * size + j] not in _ZEROS] for i in range(size)]
    if sum(map(len, pattern)) > NARROW * size * size:
        return None
    row_of = match(Incidence(tuple(map(tuple, pattern)), size)).eq_of_var
    ordered = [pattern[i] for i in row_of if i is not None]
    if len(ordered) < size:
        return None
    columns = [0] * size
    for place, column in enumerate(narrow(symmetric(ordered))):
        columns[column] = place
    rows = [0] * size
    for column, row in enumerate(row_of):
        rows[row or 0] = columns[column]
    lower, upper = width(ordered, columns)
    band = Band(tuple(rows), tuple(columns), lower, upper)
    return band if band.row_length <= NARROW * size else None


def solve_band(lines: Lines, values: list[str], solve: LinearSolve, band: Band) -> list[str]:
    """The solution; `values` are A row by row, then b."""
    n, length = solve.size, band.row_length
    matrix, right = lines.place(0), lines.place(n * length)
    lines.used["declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"] = None
    lines.used["declare i32 @acausal_band(i64, i64, i64, ptr, ptr)"] = None
    lines.lines.append(f"  call void @llvm.memset.p0.i64(ptr {matrix}, i8 0, i64 {8 * n * length}, i1 false)")
    for i, row in enumerate(band.rows):
        for j, column in enumerate(band.columns):
            value = values[i * n + j]
            if value not in _ZEROS:
                lines.fill(row * length + column - row + band.lower, value)
        lines.fill(n * length + row, values[n * n + i])
    arguments = f"i64 {n}, i64 {band.lower}, i64 {band.upper}, ptr {matrix}, ptr {right}"
    lines.unless_solved(f"call i32 @acausal_band({arguments})", solve.block)
    return [lines.load("m", lines.memory + n * length + column) for column in band.columns]
