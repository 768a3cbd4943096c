"""IPOPT through its C interface: the library that the wheel of CasADi contains.

A. Wächter, L. T. Biegler, On the implementation of an interior-point filter line-search algorithm for large-scale
nonlinear programming, Mathematical Programming 106 (2006) 25-57. The interface is `IpStdCInterface.h` of IPOPT 3.14.
"""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_void_p
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from acausal.analyses.optimize.found import Found
from acausal.analyses.optimize.transcription import Transcription
from acausal.base.caches import once

if TYPE_CHECKING:
    from collections.abc import Callable

    from scipy.sparse import csr_array

    from acausal.codegen.executable import Array

_NUMBERS, _INTS = POINTER(c_double), POINTER(c_int)
_F = CFUNCTYPE(c_bool, c_int, _NUMBERS, c_bool, _NUMBERS, c_void_p)
_GRADIENT = CFUNCTYPE(c_bool, c_int, _NUMBERS, c_bool, _NUMBERS, c_void_p)
_G = CFUNCTYPE(c_bool, c_int, _NUMBERS, c_bool, c_int, _NUMBERS, c_void_p)
_JACOBIAN = CFUNCTYPE(c_bool, c_int, _NUMBERS, c_bool, c_int, c_int, _INTS, _INTS, _NUMBERS, c_void_p)
_HESSIAN = CFUNCTYPE(
    c_bool, c_int, _NUMBERS, c_bool, c_double, c_int, _NUMBERS, c_bool, c_int, _INTS, _INTS, _NUMBERS, c_void_p
)
INFINITE = 2e19
"""IPOPT takes bounds beyond 1e19 for none."""
MESSAGES = {
    0: "solved",
    1: "solved to an acceptable accuracy",
    2: "the constraints cannot be satisfied",
    3: "steps have become too small",
    4: "the unknowns grow without bound",
    -1: "the limit of iterations is reached",
    -2: "no feasible point was found",
    -13: "values that are not finite",
}


@once
def library() -> ctypes.CDLL | None:
    """The library, or None where CasADi is not installed."""
    spec = find_spec("casadi")
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent
    for name in ("libipopt.so.3", "libipopt.3.dylib", "libipopt-3.dll", "libipopt.dll"):
        path = folder / name
        if path.exists():
            try:
                return _declared(ctypes.CDLL(str(path)))
            except OSError:
                return None
    return None


def _declared(found: ctypes.CDLL) -> ctypes.CDLL:
    found.CreateIpoptProblem.restype = c_void_p
    found.CreateIpoptProblem.argtypes = [
        c_int, _NUMBERS, _NUMBERS, c_int, _NUMBERS, _NUMBERS, c_int, c_int, c_int,
        _F, _G, _GRADIENT, _JACOBIAN, _HESSIAN,
    ]  # fmt: skip
    found.FreeIpoptProblem.argtypes = [c_void_p]
    found.FreeIpoptProblem.restype = None
    found.AddIpoptStrOption.argtypes = [c_void_p, c_char_p, c_char_p]
    found.AddIpoptNumOption.argtypes = [c_void_p, c_char_p, c_double]
    found.AddIpoptIntOption.argtypes = [c_void_p, c_char_p, c_int]
    found.IpoptSolve.argtypes = [c_void_p, *[_NUMBERS] * 6, c_void_p]
    found.IpoptSolve.restype = c_int
    return found


def solve(problem: Transcription, start: "Array", tolerance: float, iterations: int) -> Found:
    """The solution found from a start."""
    import numpy as np

    ipopt = library()
    assert ipopt is not None
    n, m = problem.size, len(problem.low)
    calls = _Calls(problem)
    bounds = [np.clip(a, -INFINITE, INFINITE) for a in (problem.lower, problem.upper, problem.low, problem.high)]
    pointers = [a.ctypes.data_as(_NUMBERS) for a in bounds]
    functions = calls.functions()
    handle = ipopt.CreateIpoptProblem(
        n, pointers[0], pointers[1], m, pointers[2], pointers[3], *calls.counts, 0, *functions
    )
    try:
        for name, text in (("sb", "yes"), ("mu_strategy", "adaptive"), ("fixed_variable_treatment", "make_parameter")):
            ipopt.AddIpoptStrOption(handle, name.encode(), text.encode())
        ipopt.AddIpoptIntOption(handle, b"print_level", 0)
        ipopt.AddIpoptIntOption(handle, b"max_iter", iterations)
        ipopt.AddIpoptNumOption(handle, b"tol", tolerance)
        y, g, value = start.copy(), np.zeros(m), c_double(0.0)
        numbers = [np.zeros(m), np.zeros(n), np.zeros(n)]
        status = ipopt.IpoptSolve(
            handle, y.ctypes.data_as(_NUMBERS), g.ctypes.data_as(_NUMBERS), ctypes.byref(value),
            *[a.ctypes.data_as(_NUMBERS) for a in numbers], None,
        )  # fmt: skip
    finally:
        ipopt.FreeIpoptProblem(handle)
    if calls.raised is not None:
        raise calls.raised
    return Found(y, "ipopt", status in (0, 1), MESSAGES.get(status, f"status {status}"), calls.iterations)


class _Pattern:
    """The places of the entries of a matrix; of a symmetric one those of its lower triangle."""

    def __init__(self, matrix: "csr_array", *, lower: bool = False) -> None:
        import numpy as np

        found = matrix.tocoo()
        chosen = found.row >= found.col if lower else np.ones(len(found.row), dtype=bool)
        self.rows, self.columns = found.row[chosen].astype(np.int32), found.col[chosen].astype(np.int32)

    def put(self, rows: object, columns: object) -> None:
        """The places into arrays of IPOPT."""
        for pointer, places in ((rows, self.rows), (columns, self.columns)):
            _array(pointer, len(places))[:] = places

    def values(self, matrix: "csr_array") -> "Array":
        """The entries at the places."""
        import numpy as np

        return np.asarray(matrix[self.rows, self.columns]).ravel()


def _array(pointer: object, count: int) -> "Array":
    import numpy as np

    found: Array = np.ctypeslib.as_array(cast("Any", pointer), (count,))
    return found


class _Calls:
    """The functions that IPOPT calls; it calls those of matrices without values first, for their patterns."""

    def __init__(self, problem: Transcription) -> None:
        self._problem = problem
        self.raised: BaseException | None = None
        self.iterations = 0
        self._jacobian = _Pattern(problem.jacobian_pattern())
        self._hessian = _Pattern(problem.hessian_pattern(), lower=True)
        self.counts = len(self._jacobian.rows), len(self._hessian.rows)

    def functions(self) -> tuple[object, ...]:
        """Objective, constraints, gradient, Jacobian and Hessian."""
        guarded = self._guarded
        return (
            _F(guarded(self._objective)), _G(guarded(self._constraints)), _GRADIENT(guarded(self._gradient)),
            _JACOBIAN(guarded(self._jacobian_values)), _HESSIAN(guarded(self._hessian_values)),
        )  # fmt: skip

    def _guarded(self, made: "Callable[..., Array | None]") -> "Callable[..., bool]":
        """Errors cannot pass through C; False where a value is not finite."""
        import numpy as np

        def call(*args: Any) -> bool:  # noqa: ANN401 - arguments of C
            out = args[-2]
            try:
                found = made(*args)
            except BaseException as error:  # raised again behind C
                self.raised = error
                return False
            if found is None:
                return True
            _array(out, len(found))[:] = found
            return bool(np.isfinite(found).all())

        return call

    def _point(self, x: object) -> "Array":
        return _array(x, self._problem.size).copy()

    def _objective(self, _n: int, x: object, *_: object) -> "Array":
        import numpy as np

        return np.array([self._problem.objective(self._point(x))])

    def _gradient(self, _n: int, x: object, *_: object) -> "Array":
        self.iterations += 1
        return self._problem.gradient(self._point(x))

    def _constraints(self, _n: int, x: object, *_: object) -> "Array":
        return self._problem.constraints(self._point(x))

    def _jacobian_values(self, *args: Any) -> "Array | None":  # noqa: ANN401 - arguments of C
        x, (rows, columns, out) = args[1], args[-4:-1]
        if not out:
            self._jacobian.put(rows, columns)
            return None
        return self._jacobian.values(self._problem.jacobian(self._point(x)))

    def _hessian_values(self, *args: Any) -> "Array | None":  # noqa: ANN401 - arguments of C
        x, factor, multipliers, (rows, columns, out) = args[1], args[3], args[5], args[-4:-1]
        if not out:
            self._hessian.put(rows, columns)
            return None
        weights = _array(multipliers, len(self._problem.low)).copy()
        return self._hessian.values(self._problem.hessian(self._point(x), weights, factor))
