"""Check of the SUNDIALS library for `acausal doctor`."""

import ctypes
import math

from acausal.runtime.cvode.callbacks import NORMAL
from acausal.simulate.cvode.memory import SolverMemory
from acausal.simulate.jacobian.storage import dense_matrix
from acausal.simulate.jacobian.sundials_library import Sundials, sundials_library

_SLOPE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_double, *[ctypes.c_void_p] * 3)


def check_cvode() -> str:
    """Solve y' = -y, y(0) = 1 to t = 1, where y is 1/e; RuntimeError where that fails."""
    library = sundials_library()
    if library is None:
        raise RuntimeError("the SUNDIALS library in scikit-sundae is missing or another version")
    status, end = _decayed(library)
    if status or abs(end - math.exp(-1)) > 1e-6:
        raise RuntimeError(f"y' = -y gives {end} instead of {math.exp(-1)} (status {status})")
    sparse = "no sparse matrices" if library.superlu is None else "SuperLU for sparse matrices"
    return f"solves y' = -y; {sparse}"


def _decayed(library: Sundials) -> tuple[int, float]:
    """CVODE's status, and y at t = 1."""
    import numpy as np

    def decay(_t: float, y: int, slope: int, _user: object) -> int:
        here, out = [ctypes.c_double.from_address(library.N_VGetArrayPointer_Serial(x)) for x in (y, slope)]
        out.value = -here.value
        return 0

    function = _SLOPE(decay)
    y, absolute, reached = np.ones(1), np.array([1e-10]), ctypes.c_double()
    memory = SolverMemory(library, "BDF", 1)
    states = memory.vector(y)
    library.CVodeInit(memory.cvode, ctypes.cast(function, ctypes.c_void_p), 0.0, states)
    library.CVodeSVtolerances(memory.cvode, 1e-8, memory.vector(absolute))
    matrix = memory.matrix(states, dense_matrix(1))
    library.CVodeSetLinearSolver(memory.cvode, matrix.solver, matrix.matrix)
    status = library.CVode(memory.cvode, 1.0, states, ctypes.byref(reached), NORMAL)
    return int(status), float(y[0])
