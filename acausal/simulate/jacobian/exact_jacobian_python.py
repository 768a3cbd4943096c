"""The exact Jacobian for the solvers of SciPy: the numbers of `runtime/cvode/jacobian`."""

import ctypes
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, memory_of
from acausal.codegen.native.kernel_addresses import kernel_address
from acausal.runtime.branches.tracked import tracked_routine
from acausal.runtime.cvode.cvode_context import ExactContext
from acausal.runtime.cvode.jacobian import exact_entries
from acausal.runtime.kernel.signature import fields
from acausal.simulate.jacobian.exact_filler import entry_fields
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.codegen.native.exact_jacobian import ExactJacobian

_ENTRIES = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_double, *[ctypes.c_void_p] * 3, ctypes.c_int64)


class ExactArray:
    """NaN stands for all entries where a block has no solution, 0 for one that is no finite number, as for CVODE."""

    def __init__(self, system: System, exact: "ExactJacobian") -> None:
        self._system, self._exact = system, exact
        self._motion = memory_of(tracked_routine(system.program, "derivatives", 0))
        self._memory = ContextMemory(tuple(fields(ExactContext)), entry_fields(system, exact, self._motion))
        self._function = _ENTRIES(kernel_address(exact_entries))

    def __call__(self, t: float, y: "Array") -> "Array":
        """The matrix (n, n), as SciPy wants it."""
        import numpy as np

        found = np.zeros((len(y), len(y)))
        found[self._exact.rows, self._exact.columns] = self._entries(t, y)
        return found

    def _entries(self, t: float, y: "Array") -> "Array":
        """The entries in the order of `exact`."""
        import numpy as np

        system, memory = self._system, self._memory
        memory.array("given")[:] = y
        _, p, m = system.arrays
        count = system.program.memory
        status = self._function(memory.address, t, system.routine_inputs, address_of(p), address_of(m), count)
        if system.inputs is not None:
            system.inputs.check()
        entries: Array = memory.array("entries")
        return np.full(len(entries), np.nan) if status else entries
