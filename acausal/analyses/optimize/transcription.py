"""Optimal control as a nonlinear program, by direct collocation on equal intervals with Radau IIA.

Unknowns are scaled: states at all stages, values of the controls at both ends of each interval (linear in between;
one value where they are constant), the duration if it is free, and a number for each functional. Every row of every
node is linear in the constraints: c(y) = K*rows(S*y + z0) + L*y + outer(functionals), so that the Jacobian is
K*diag(J)*S + L and the Hessian S'*diag(H)*S with matrices K, S, L that do not change.
(L. T. Biegler, Nonlinear Programming, 2010, chapter 10.)
"""

from math import inf
from typing import TYPE_CHECKING

from acausal.analyses.optimize.constraint_rows import STAGE_COUNT, constraint_rows
from acausal.analyses.optimize.control_problem import Grid, Problem
from acausal.analyses.optimize.functionals import Evaluation
from acausal.analyses.optimize.node_functions import NodeFunctions
from acausal.analyses.optimize.radau import NODES, WEIGHTS

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from acausal.codegen.executable import Array


class Transcription:
    """The nonlinear program: minimize `objective(y)` with `low <= constraints(y) <= high`, `lower <= y <= upper`.

    The unknowns y are scaled numbers; `nodes(y)` gives back the numbers of the nodes.
    """

    def __init__(self, functions: NodeFunctions, grid: Grid, problem: Problem, scale: "Array") -> None:
        import numpy as np

        self._functions, self._problem, self.grid, self._scale = functions, problem, grid, scale
        self._n, self._m = len(grid.start), len(grid.controls)
        self._per_control = 2 if grid.is_linear else 1
        count = grid.intervals
        self.nodes_count = 1 + STAGE_COUNT * count
        stages = (np.arange(count)[:, None] + np.array(NODES)[None, :]).ravel() / count
        self.tau = np.concatenate([[0.0], stages])
        self._states_at = 0
        self._controls_at = STAGE_COUNT * count * self._n
        self._duration_at = self._controls_at + count * self._m * self._per_control
        self._functionals_at = self._duration_at + 1
        self.size = self._functionals_at + len(problem.leaves)
        self._map_nodes()
        self._make_bounds()
        made = constraint_rows(grid, problem, scale, functions.rows, (self._functionals_at, self.size))
        self.low, self.high, self.outer_at = made.low, made.high, made.outer_at
        self._of_rows, self._linear, self._constant = made.of_rows, made.linear, made.constant
        self._outer = Evaluation(
            problem.pool, [problem.objective, *[c.expr for c in problem.constraints]], problem.leaves
        )
        self._last: tuple[Array, Array, Array] | None = None

    def scaled_by(self, states: "Array", controls: "Array", duration: float) -> "Transcription":
        """The same with unknowns in units of typical values: those of a guess, or of finite bounds."""
        import numpy as np

        def sizes(values: "Array", bounds: "Array") -> "Array":
            limits = np.where(np.isfinite(bounds), np.abs(bounds), 0.0)
            found = np.maximum(np.abs(values).max(axis=0), limits.max(axis=1))
            return np.asarray(np.where(found > 0, found, 1.0))

        flat = controls.reshape(-1, self._m)
        parts = sizes(states, self.grid.states), sizes(flat, self.grid.controls), [duration]
        return Transcription(self._functions, self.grid, self._problem, np.concatenate(parts))

    # ------------------------------------------------------------ layout

    def _control(self, interval: int, k: int, c: float) -> list[tuple[int, float]]:
        """Unknowns and their shares of a control within an interval."""
        first = self._controls_at + (interval * self._m + k) * self._per_control
        return [(first, 1.0)] if self._per_control == 1 else [(first, 1.0 - c), (first + 1, c)]

    def _map_nodes(self) -> None:
        import numpy as np
        from scipy.sparse import csr_array

        n, m, size = self._n, self._m, self._functions.size
        entries: list[tuple[int, int, float]] = []
        base = np.zeros((self.nodes_count, size))
        base[0, :n] = self.grid.start
        for node in range(self.nodes_count):
            interval, stage = divmod(max(node - 1, 0), STAGE_COUNT)
            first = node * size
            if node:
                entries += [(first + i, (node - 1) * n + i, self._scale[i]) for i in range(n)]
            at = NODES[stage] if node else 0.0
            for k in range(m):
                entries += [(first + n + k, j, w * self._scale[n + k]) for j, w in self._control(interval, k, at)]
            entries.append((first + size - 1, self._duration_at, self._scale[-1]))
        rows, columns, values = zip(*entries, strict=True)
        shape = (self.nodes_count * size, self.size)
        self._map: csr_array = csr_array((values, (rows, columns)), shape=shape)
        self._base = base.ravel()

    def _make_bounds(self) -> None:
        import numpy as np

        grid, count = self.grid, self.grid.intervals
        stages = STAGE_COUNT * count
        rest = np.full(len(self._problem.leaves), inf)
        parts = []
        for side, sign in ((0, -1.0), (1, 1.0)):
            states = np.tile(grid.states[:, side] / self._scale[: self._n], stages)
            controls = np.repeat(grid.controls[:, side] / self._scale[self._n : -1], self._per_control)
            duration = [grid.duration[side] / self._scale[-1]]
            parts.append(np.concatenate([states, np.tile(controls, count), duration, sign * rest]))
        self.lower, self.upper = parts

    # ------------------------------------------------------------ values

    def nodes(self, y: "Array") -> "Array":
        """The numbers (nodes, states + controls + 1) of all nodes."""
        found: Array = (self._map @ y + self._base).reshape(self.nodes_count, -1)
        return found

    def control_values(self, y: "Array") -> "Array":
        """Controls (intervals, 2, controls) at both ends of each interval."""
        import numpy as np

        part = y[self._controls_at : self._duration_at].reshape(self.grid.intervals, self._m, self._per_control)
        ends = part if self._per_control == 2 else np.repeat(part, 2, axis=2)
        found: Array = ends.transpose(0, 2, 1) * self._scale[self._n : -1]
        return found

    def duration(self, y: "Array") -> float:
        """The duration of the run."""
        return float(y[self._duration_at] * self._scale[-1])

    def unknowns(self, states: "Array", controls: "Array", duration: float) -> "Array":
        """Unknowns for states (nodes, states), controls (intervals, 2, controls) and a duration."""
        import numpy as np

        y = np.zeros(self.size)
        y[: self._controls_at] = (states[1:] / self._scale[: self._n]).ravel()
        ends = controls if self._per_control == 2 else controls.mean(axis=1, keepdims=True)
        y[self._controls_at : self._duration_at] = (ends / self._scale[self._n : -1]).transpose(0, 2, 1).ravel()
        y[self._duration_at] = duration / self._scale[-1]
        y = np.clip(y, self.lower, self.upper)
        rows, _ = self._rows(y)
        for k, functional in enumerate(self._problem.functionals):
            column = rows[:, self._problem.rows[k]]
            y[self._functionals_at + k] = self._number(functional.kind, column)
        return y

    def _number(self, kind: str, column: "Array") -> float:
        import numpy as np

        if kind == "integral":
            weights = np.tile(np.array(WEIGHTS), self.grid.intervals) / self.grid.intervals
            return float(weights @ column[1:])
        chosen = {"max": np.max, "min": np.min}.get(kind)
        return float(column[0 if kind == "first" else -1] if chosen is None else chosen(column))

    def _rows(self, y: "Array") -> "tuple[Array, Array]":
        """Rows of all nodes and their slopes, remembered for the last point."""
        if self._last is None or not (self._last[0] == y).all():
            self._last = (y.copy(), *self._functions(self.nodes(y), self.tau))
        return self._last[1], self._last[2]

    def _outer_values(self, y: "Array") -> "tuple[Array, Array]":
        values, slopes = self._outer(y[None, self._functionals_at :])
        return values[0], slopes[0]

    def objective(self, y: "Array") -> float:
        """The number to be minimized."""
        return float(self._outer_values(y)[0][0])

    def gradient(self, y: "Array") -> "Array":
        """Gradient of the number to be minimized (size,)."""
        import numpy as np

        found = np.zeros(self.size)
        found[self._functionals_at :] = self._outer_values(y)[1][0]
        return found

    def constraints(self, y: "Array") -> "Array":
        """Values of the constraints."""
        found: Array = self._of_rows @ self._rows(y)[0].ravel() + self._linear @ y + self._constant
        found[self.outer_at :] += self._outer_values(y)[0][1:]
        return found

    def jacobian(self, y: "Array") -> "csr_array":
        """Slopes (constraints, size) of the constraints; the same pattern at all points."""
        return self._assembled(self._of_rows, self._rows(y)[1], self._map, self._linear, self._outer_values(y)[1][1:])

    def jacobian_pattern(self) -> "csr_array":
        """Ones where the Jacobian may have entries."""
        import numpy as np

        slopes = np.ones((self.nodes_count, self._functions.rows, self._functions.size))
        outer = np.ones((len(self.low) - self.outer_at, len(self._problem.leaves)))
        return self._assembled(abs(self._of_rows), slopes, abs(self._map), abs(self._linear), outer)

    def _assembled(
        self, of_rows: "csr_array", slopes: "Array", map_: "csr_array", linear: "csr_array", outer: "Array"
    ) -> "csr_array":
        from scipy.sparse import csr_array, hstack, vstack

        inner = of_rows @ _diagonal(slopes) @ map_ + linear
        below = hstack([csr_array((len(outer), self._functionals_at)), csr_array(outer)])
        return csr_array(vstack([inner[: self.outer_at], below]))

    def hessian(self, y: "Array", multipliers: "Array", factor: float = 1.0) -> "csr_array":
        """Second derivatives (size, size) of factor*objective + multipliers*constraints."""
        weights = (self._of_rows.T @ multipliers).reshape(self.nodes_count, -1)
        blocks = self._functions.hessian(self.nodes(y), self.tau, weights, self._scale)
        return self._sandwich(blocks, self._map, self._outer_hessian(y, factor, multipliers[self.outer_at :]))

    def hessian_pattern(self) -> "csr_array":
        """Ones where the Hessian may have entries."""
        import numpy as np

        size, count = self._functions.size, len(self._problem.leaves)
        return self._sandwich(np.ones((self.nodes_count, size, size)), abs(self._map), np.ones((count, count)))

    def _sandwich(self, blocks: "Array", map_: "csr_array", outer: "Array") -> "csr_array":
        """S'*diag(blocks)*S and what the functionals add."""
        from scipy.sparse import block_diag, csr_array

        empty = csr_array((self._functionals_at, self._functionals_at))
        return csr_array(map_.T @ _diagonal(blocks) @ map_ + block_diag([empty, csr_array(outer)]))

    def _outer_hessian(self, y: "Array", factor: float, multipliers: "Array") -> "Array":
        """The part of the functionals, by differences of exact slopes."""
        import numpy as np

        s = y[self._functionals_at :]
        step = 6e-6 * np.maximum(1.0, np.abs(s))
        moved = np.concatenate([s + np.diag(step), s - np.diag(step)])
        weights = np.concatenate([[factor], multipliers])
        slopes = np.einsum("rij,i->rj", self._outer(moved)[1], weights)
        found = (slopes[: len(s)] - slopes[len(s) :]) / (2 * step)[:, None]
        return np.asarray((found + found.T) / 2)


def _diagonal(blocks: "Array") -> "csr_array":
    """Blocks (count, rows, columns) on the diagonal of a sparse matrix."""
    import numpy as np
    from scipy.sparse import bsr_array, csr_array

    count, rows, columns = blocks.shape
    made = bsr_array((blocks, np.arange(count), np.arange(count + 1)), shape=(count * rows, count * columns))
    return csr_array(made)
