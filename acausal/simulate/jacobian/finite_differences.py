"""The sparse Jacobian by differences (`runtime/cvode/jacobian`), where the solver is called through Python."""

import ctypes
from typing import TYPE_CHECKING

from acausal.base.caches import once
from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.kernel_addresses import Kernels, kernel_addresses
from acausal.runtime.cvode.cvode_context import DifferencesContext
from acausal.runtime.kernel.signature import fields
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.simulate.jacobian.sundials_matrix import group_fields
from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix

    from acausal.codegen.executable import Array

_NAMES = "move_group", "take_group"
_MOVE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p)
_TAKE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)


class Differences:
    """`fill` is the `jacfn` of scikit-sundae for the sparse matrix `pattern`."""

    def __init__(self, system: System, plan: NewtonMatrix) -> None:
        self._system, self._plan = system, plan
        self._memory = ContextMemory(tuple(fields(DifferencesContext)), group_fields(plan, tolerances(system, 1.0)))
        move, take = [_addresses()[name] for name in _NAMES]
        self._move, self._take = _MOVE(move), _TAKE(take)

    @property
    def pattern(self) -> "csc_matrix":
        """Ones where the Jacobian has entries."""
        import numpy as np
        from scipy.sparse import csc_matrix

        plan = self._plan
        return csc_matrix((np.ones(len(plan.rows)), plan.rows, plan.first_of_column), shape=(plan.size, plan.size))

    def fill(self, t: float, y: "Array", base: "Array", values: "Array") -> None:
        """The entries at a point where the derivatives are `base`; NaN where a block has no solution."""
        memory, here, there = self._memory, address_of(y), address_of(base)
        moved, slopes = memory.array("moved"), memory.array("slopes")
        memory.fill({"values": address_of(values)})
        moved[:] = y
        for group in range(self._plan.groups):
            self._move(memory.address, group, here)
            self._system.slope(t, moved, slopes)
            self._take(memory.address, group, here, there)


@once
def _addresses() -> dict[str, int]:
    return kernel_addresses(_NAMES, _kernels)


def _kernels() -> Kernels:
    from acausal.runtime.cvode import jacobian

    return jacobian.move_group, jacobian.take_group
