"""Rates and expressions at the nodes of a collocation, with exact derivatives, for all nodes in one call.

A node has the numbers z = (states, controls, duration T) at the instant t = start + T*tau. Its rows are T*dx/dt, T
times the integrands, then the other expressions; so the duration may be an unknown.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acausal.analyses.optimize.functionals import Evaluation
from acausal.base.diagnostics import Diagnostic, LimitError
from acausal.base.frozen import dataclass
from acausal.codegen.native.batch import call_by_rows
from acausal.codegen.native.exact_jacobian import compile_tangent
from acausal.codegen.tangent.model_jacobian import model_jacobian
from acausal.codegen.tangent.seeds import Seeds
from acausal.ir.expr import Expr
from acausal.ir.names import show_derivative, show_name
from acausal.ir.pool import Pool
from acausal.simulate.run.operating_point import OperatingPoint

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST = 200_000
"""Instructions of the code of a Jacobian."""
STEP = 6e-6
"""Relative step of the differences of exact gradients: the cube root of the accuracy of numbers."""


@dataclass(frozen=True, slots=True)
class Expressions:
    """Integrands and other expressions in variables, whose leaves are by name."""

    pool: Pool
    leaves: dict[str, Expr]
    integrands: tuple[Expr, ...]
    others: tuple[Expr, ...]


class NodeFunctions:
    """Rows (nodes, rows) and their slopes along z (nodes, rows, states + controls + 1)."""

    def __init__(self, point: OperatingPoint, controls: Sequence[str], asked: Expressions) -> None:
        import numpy as np

        program = point.system.program
        self._executable = point.system.executable
        self._start = point.t
        u, p, m = point.system.arrays_at(point.t)
        self._u, self._p, self._m = u.copy(), p[None].copy(), m.copy()
        self._n = len(program.state_slots)
        frozen = len(program.table.frozen)
        inputs = [show_name(name) for name, _ in program.input_slots]
        self._places = np.array([frozen + inputs.index(name) for name in controls], dtype=np.intp)
        self.size = self._n + len(controls) + 1
        self.rows = self._n + len(asked.integrands) + len(asked.others)
        self._timed = self._n + len(asked.integrands)
        self._stored_size = program.stored_size
        self._leaves = [_Leaf(point, name) for name in asked.leaves]
        stored = [leaf.position for leaf in self._leaves if leaf.position is not None]
        self._stored = np.array(stored, dtype=np.intp)
        self._evaluation = Evaluation(asked.pool, [*asked.integrands, *asked.others], list(asked.leaves.values()))
        seeds = Seeds({int(place): self._n + k for k, place in enumerate(self._places)}, time=self.size - 1)
        made = model_jacobian(program, seeds, stored, MOST)
        if made is None:
            raise LimitError(Diagnostic("L019", f"the Jacobian of {program.name} has more than {MOST} operations"))
        self._tangent = compile_tangent(program, made)

    def __call__(self, z: "Array", tau: "Array") -> "tuple[Array, Array]":
        """Values and slopes of the rows; NaN where a system of equations has no solution."""
        import numpy as np

        count, n, duration = len(z), self._n, z[:, -1]
        t = self._start + duration * tau
        with np.errstate(all="ignore"):
            rates, stored, slopes = self._model(t, z)
            slopes[:, :, -1] *= tau[:, None]
            rows = np.empty((count, self.rows))
            jacobian = np.zeros((count, self.rows, self.size))
            rows[:, :n], jacobian[:, :n] = rates, slopes[:, :n]
            if self.rows > n:
                values, along = self._leaf_values(t, tau, stored, slopes[:, n:])
                found, partials = self._evaluation(values)
                rows[:, n:], jacobian[:, n:] = found, partials @ along
            timed = slice(0, self._timed)
            jacobian[:, timed] *= duration[:, None, None]
            jacobian[:, timed, -1] += rows[:, timed]
            rows[:, timed] *= duration[:, None]
        return rows, jacobian

    def hessian(self, z: "Array", tau: "Array", weights: "Array", scale: "Array") -> "Array":
        """Second derivatives (nodes, size, size) of the weighted rows: differences of exact gradients.

        `scale` (size,) are typical sizes of the numbers of a node.
        """
        import numpy as np

        count, size = z.shape
        step = STEP * np.maximum(np.abs(z).max(axis=0), scale)
        moved = np.broadcast_to(z, (2, size, count, size)).copy()
        for k in range(size):
            moved[0, k, :, k] += step[k]
            moved[1, k, :, k] -= step[k]
        _, slopes = self(moved.reshape(-1, size), np.tile(tau, 2 * size))
        gradients = np.einsum("dknrz,nr->dknz", slopes.reshape(2, size, count, self.rows, size), weights)
        found = (gradients[0] - gradients[1]) / (2 * step)[:, None, None]
        return np.asarray((found.transpose(1, 0, 2) + found.transpose(1, 2, 0)) / 2)

    def _model(self, t: "Array", z: "Array") -> "tuple[Array, Array, Array]":
        """dx/dt, stored variables, and the slopes of both along z, in which the last column is time."""
        import numpy as np

        count, n = len(z), self._n
        y = np.ascontiguousarray(z[:, :n])
        u = np.tile(self._u, (count, 1))
        u[:, self._places] = z[:, n:-1]
        memory = self._executable.program.memory_size
        rates, stored = np.full((count, n), np.nan), np.full((count, self._stored_size), np.nan)
        entries = np.full((count, len(self._tangent.rows)), np.nan)
        outputs = [(self._executable.address("derivatives"), memory, rates)]
        if len(self._stored):
            outputs.append((self._executable.address("variables"), memory, stored))
        outputs.append((self._tangent.address, self._tangent.memory_size, entries))
        for address, size, out in outputs:
            assert address is not None
            if out.size:
                call_by_rows(address, max(size, memory), t, y, u, self._p, self._m, out)
        slopes = np.zeros((count, n + len(self._stored), self.size))
        slopes[:, self._tangent.rows, self._tangent.columns] = entries
        return rates, stored[:, self._stored], slopes

    def _leaf_values(self, t: "Array", tau: "Array", stored: "Array", slopes: "Array") -> "tuple[Array, Array]":
        """Values (nodes, leaves) of the variables, and their slopes along z."""
        import numpy as np

        values = np.empty((len(t), len(self._leaves)))
        along = np.zeros((len(t), len(self._leaves), self.size))
        number = 0
        for k, leaf in enumerate(self._leaves):
            if leaf.position is not None:
                values[:, k], along[:, k] = leaf.factor * stored[:, number], leaf.factor * slopes[:, number]
                number += 1
            elif leaf.is_time:
                values[:, k], along[:, k, -1] = leaf.factor * t, leaf.factor * tau
            else:
                values[:, k] = leaf.factor
        return values, along


class _Leaf:
    """Where the values of a variable are: among the stored ones, time, or a number."""

    def __init__(self, point: OperatingPoint, name: str) -> None:
        program, p = point.system.program, point.system.arrays[1]
        slots = {show_derivative(*slot.symbol): slot for slot in program.variable_slots}
        self.position: int | None = None
        self.factor = 1.0
        slot = slots.get(name)
        self.is_time = name == "time" or (slot is not None and slot.kind == "time")
        if slot is None:
            numbers = {show_name(s.name): float(p[i]) for i, s in enumerate(program.parameter_slots)}
            self.factor = 1.0 if self.is_time else numbers[name]
            return
        self.factor = slot.sign
        if slot.kind == "stored":
            self.position = slot.position
        elif slot.kind == "parameter":
            self.factor *= float(p[slot.position])
        elif slot.kind == "constant":
            self.factor *= slot.value
