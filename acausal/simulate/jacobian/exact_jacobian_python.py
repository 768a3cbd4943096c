"""The exact Jacobian where a solver is called through Python: the numbers that `runtime/jacobian` brings to CVODE."""

import ctypes
from typing import TYPE_CHECKING

from acausal.runtime.blocks.beside import take_regular_point
from acausal.runtime.blocks.tracked import tracked_routine
from acausal.simulate.jacobian.exact_filler import places
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.codegen.native.exact_jacobian import ExactJacobian
_ROUTINE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_double, *[ctypes.c_void_p] * 5)


class ExactArray:
    """NaN stands for all entries where a block has no solution, 0 for one that is no finite number, as for CVODE."""

    def __init__(self, system: System, exact: "ExactJacobian") -> None:
        import numpy as np

        self._system, self._exact = system, exact
        self._entries = np.zeros(len(exact.rows))
        self._memory = np.zeros(exact.memory_size)
        self._function = _ROUTINE(exact.address)
        self._motion = tracked_routine(system.program, "derivatives", None)

    def __call__(self, t: float, y: "Array") -> "Array":
        """The matrix (n, n), as SciPy wants it."""
        import numpy as np

        found = np.zeros((len(y), len(y)))
        found[self._exact.rows, self._exact.columns] = self.entries(t, y)
        return found

    def entries(self, t: float, y: "Array") -> "Array":
        """The entries in the order of `exact`, with the states in their own."""
        import numpy as np

        u, p, m = self._system.arrays_at(t)
        count = self._system.program.memory
        self._memory[:count] = m[:count]
        states = np.empty(len(y))
        work = m[self._motion.interpolation_start :]
        at = take_regular_point(self._motion, t, y, m, work, states, self._memory)
        if self._function(at, *[a.ctypes.data for a in (states, u, p, self._memory, self._entries)]):
            return np.full(len(self._entries), np.nan)
        return np.where(np.isfinite(self._entries), self._entries, 0.0)


class ExactColumns:
    """`fill` is the `jacfn` of scikit-sundae for the matrix of a plan: (n, n), or the entries of a sparse one."""

    def __init__(self, system: System, exact: "ExactJacobian", plan: NewtonMatrix) -> None:
        self._array, self._plan = ExactArray(system, exact), plan
        self._places = places(exact, plan, 0) if plan.kind == "sparse" else None
        self._rows, self._columns = plan.place[exact.rows], plan.place[exact.columns]

    def fill(self, t: float, y: "Array", base: "Array", values: "Array") -> None:  # noqa: ARG002 - as scikit-sundae calls
        """The matrix at a point; NaN where a block has no solution."""
        entries = self._array.entries(t, y[self._plan.place])
        values[:] = 0.0
        if self._places is None:
            values[self._rows, self._columns] = entries
        else:
            values[self._places] = entries
