"""LAPACK's solver of SUNDIALS, but for matrices that `runtime/cvode/matrix_sum` solves with less work.

The matrices are made by `runtime/cvode/newton_system`, which CVODE calls in place of its own function.
"""

import ctypes
from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.kernel_addresses import Kernels, kernel_addresses
from acausal.runtime.kernel.signature import fields

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues

_NAMES = "set_up_sum", "solve_sum", "newton_system"
_MOST_FUNCTIONS = 24
"""So many functions a solver has at most."""
_CONTENT = 3
"""Words of the content of LAPACK's solver: number of states, pivots, last status."""


def _kernels() -> Kernels:
    from acausal.runtime.cvode.matrix_sum import set_up_sum, solve_sum
    from acausal.runtime.cvode.newton_system import newton_system

    return set_up_sum, solve_sum, newton_system


class SumSolver:
    """Serves one solver of LAPACK: its functions are replaced, and its content is continued by that of ours.

    `function` is the address of what makes the matrix, `address` that of the content, `jacobian` the Jacobian.
    """

    def __init__(self, library: ctypes.CDLL, solver: int, entries: int, size: int) -> None:
        """OSError where the solver is not as expected."""
        import numpy as np

        from acausal.runtime.cvode.cvode_context import NewtonContent

        own = kernel_addresses(_NAMES, _kernels)
        self.function = own["newton_system"]
        self.jacobian = np.zeros(size * size)
        theirs = {name: _address(library, f"SUNLinSol{name}_LapackDense") for name in ("Setup", "Solve")}
        self._head = (ctypes.c_uint64 * 3).from_address(solver)
        self._content = self._head[0]
        table = self._head[1] or self._head[2]  # from SUNDIALS 7.5 on a word for Python stands between
        if not table:
            raise OSError("the solvers of this SUNDIALS library are not as expected")
        functions = (ctypes.c_uint64 * _MOST_FUNCTIONS).from_address(table)
        places = {name: _place(functions, address) for name, address in theirs.items()}
        content = (ctypes.c_int64 * _CONTENT).from_address(self._content)
        found: FieldValues = {
            **dict(zip(("length", "pivots", "last_flag"), content, strict=True)),
            "solver": solver,
            "set_up": theirs["Setup"],
            "solve": ctypes.addressof(functions) + 8 * places["Solve"],
            "by_factors": theirs["Solve"],
            "by_sum": own["solve_sum"],
            "size": size,
            "entries": entries,
            "jacobian": self.jacobian,
            **{name: np.zeros(size) for name in ("diagonal", "left", "right", "errors")},
        }
        self._memory = ContextMemory(tuple(fields(NewtonContent)), found)
        functions[places["Setup"]] = own["set_up_sum"]
        self._head[0] = self.address = self._memory.address

    def begin(self, *, is_exact: bool) -> "FieldValues":
        """The field of `CvodeContext`; without an exact Jacobian differences are made."""
        self._memory.fill({"has_exact": int(is_exact)})
        return {"newton": self.address}

    def give_back(self) -> None:
        """The solver gets its own content again, which it frees."""
        self._head[0] = self._content


def _address(library: ctypes.CDLL, name: str) -> int:
    try:
        return ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0
    except AttributeError:
        raise OSError(f"{name} is missing") from None


def _place(functions: "ctypes.Array[ctypes.c_uint64]", address: int) -> int:
    """The place of a function among those of a solver; OSError where it is not there."""
    for place in range(_MOST_FUNCTIONS):
        if functions[place] == address:
            return place
    raise OSError("the solvers of this SUNDIALS library are not as expected")
