"""The constraints of an optimal control: collocation, functionals and paths as rows of constant matrices.

With Radau IIA, as in L. T. Biegler, Nonlinear Programming, 2010, chapter 10.
"""

from math import inf
from typing import TYPE_CHECKING

from acausal.analyses.optimize.control_problem import Grid, Problem
from acausal.analyses.optimize.radau import NODES, STAGES, WEIGHTS
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from acausal.codegen.executable import Array

STAGE_COUNT = len(NODES)


@dataclass(frozen=True, slots=True, eq=False)
class ConstraintRows:
    """low <= of_rows @ (rows of all nodes) + linear @ unknowns + constant <= high.

    From row `outer_at` on, constraints on functionals are added.
    """

    low: "Array"
    high: "Array"
    constant: "Array"
    of_rows: "csr_array"
    linear: "csr_array"
    outer_at: int


def constraint_rows(
    grid: Grid, problem: Problem, scale: "Array", row_count: int, sizes: tuple[int, int]
) -> ConstraintRows:
    """All constraints, those on functionals last.

    A node has `row_count` rows; `sizes` are the number of the first functional's unknown and that of all unknowns.
    """
    import numpy as np

    made = _Rows(1 + STAGE_COUNT * grid.intervals, row_count)
    _collocate(made, grid, scale)
    for k in range(len(problem.functionals)):
        _define(made, grid, problem, k, sizes[0] + k)
    first = row_count - len(problem.paths)
    for k, constraint in enumerate(problem.paths):
        for node in range(made.node_count):
            row = made.begin(constraint.low, constraint.high)
            made.add(row, node, first + k, 1.0)
    outer_at = len(made.low)
    for constraint in problem.constraints:
        made.begin(constraint.low, constraint.high)
    low, high, constant = (np.array(x) for x in (made.low, made.high, made.constant))
    of_rows = made.matrix(made.of_rows, made.node_count * row_count)
    return ConstraintRows(low, high, constant, of_rows, made.matrix(made.linear, sizes[1]), outer_at)


def _collocate(made: "_Rows", grid: Grid, scale: "Array") -> None:
    """Stage i of an interval is the state before it and the weighted rates of all its stages."""
    n, h = len(grid.start), 1.0 / grid.intervals
    for interval in range(grid.intervals):
        first = 1 + interval * STAGE_COUNT
        for stage in range(STAGE_COUNT):
            for i in range(n):
                row = made.begin(0.0, 0.0)
                made.linear.append((row, (first + stage - 1) * n + i, 1.0))
                if interval:
                    made.linear.append((row, (first - 2) * n + i, -1.0))
                else:
                    made.constant[row] = -grid.start[i] / scale[i]
                for j, a in enumerate(STAGES[stage]):
                    made.add(row, first + j, i, -h * a / scale[i])


def _define(made: "_Rows", grid: Grid, problem: Problem, k: int, column: int) -> None:
    """The unknown in `column` is the value of functional k; of `max` it is no less than any value."""
    kind, at = problem.functionals[k].kind, problem.rows[k]
    if kind in ("max", "min"):
        for node in range(made.node_count):
            row = made.begin(0.0, inf) if kind == "max" else made.begin(-inf, 0.0)
            made.linear.append((row, column, 1.0))
            made.add(row, node, at, -1.0)
        return
    row = made.begin(0.0, 0.0)
    made.linear.append((row, column, 1.0))
    if kind == "integral":
        for interval in range(grid.intervals):
            for j, w in enumerate(WEIGHTS):
                made.add(row, 1 + interval * STAGE_COUNT + j, at, -w / grid.intervals)
        return
    made.add(row, made.node_count - 1 if kind == "final" else 0, at, -1.0)


class _Rows:
    """Constraints under construction: bounds, constant parts, entries of the matrices."""

    def __init__(self, node_count: int, row_count: int) -> None:
        self.node_count, self._row_count = node_count, row_count
        self.low: list[float] = []
        self.high: list[float] = []
        self.constant: list[float] = []
        self.of_rows: list[tuple[int, int, float]] = []
        self.linear: list[tuple[int, int, float]] = []

    def begin(self, low: float, high: float) -> int:
        """The number of a new constraint."""
        self.low.append(low)
        self.high.append(high)
        self.constant.append(0.0)
        return len(self.low) - 1

    def add(self, constraint: int, node: int, row: int, factor: float) -> None:
        """A row of a node times a factor, as a term of a constraint."""
        self.of_rows.append((constraint, node * self._row_count + row, factor))

    def matrix(self, entries: list[tuple[int, int, float]], width: int) -> "csr_array":
        """A matrix (constraints, width) with these entries."""
        from scipy.sparse import csr_array

        rows, columns, values = zip(*entries, strict=True) if entries else ((), (), ())
        return csr_array((values, (rows, columns)), shape=(len(self.low), width))
