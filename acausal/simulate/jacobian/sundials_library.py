"""The SUNDIALS library inside the scikit-sundae wheel, for calls by pointer.

scikit-sundae itself, which passes every evaluation through Python, is not loaded: CVODE gets the addresses of machine
code. Where the library is not found as expected, the solvers of SciPy remain.
"""

import ctypes
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int32, c_long, c_void_p
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path

from acausal.base.caches import once

_INDEX = c_int32
"""The wheel's index type (scikit-sundae 1.x)."""
_FOLDERS = "scikit_sundae.libs", "sksundae/.dylibs"
"""Where wheels have their libraries: for Linux and, without `lib` in their names, for Windows; for macOS."""

_SIGNATURES: dict[str, tuple[object, tuple[object, ...]]] = {
    "SUNContext_ClearErrHandlers": (c_int, (c_void_p,)),
    "SUNContext_Free": (c_int, (POINTER(c_void_p),)),
    "N_VMake_Serial": (c_void_p, (_INDEX, c_void_p, c_void_p)),
    "N_VEnableFusedOps_Serial": (c_int, (c_void_p, c_int)),
    "N_VGetArrayPointer_Serial": (c_void_p, (c_void_p,)),
    "N_VDestroy_Serial": (None, (c_void_p,)),
    "SUNDenseMatrix": (c_void_p, (_INDEX, _INDEX, c_void_p)),
    "SUNBandMatrix": (c_void_p, (_INDEX, _INDEX, _INDEX, c_void_p)),
    "SUNLinSol_Dense": (c_void_p, (c_void_p, c_void_p, c_void_p)),
    "SUNLinSol_Band": (c_void_p, (c_void_p, c_void_p, c_void_p)),
    "SUNSparseMatrix": (c_void_p, (_INDEX, _INDEX, _INDEX, c_int, c_void_p)),
    "SUNSparseMatrix_Data": (c_void_p, (c_void_p,)),
    "SUNSparseMatrix_IndexValues": (c_void_p, (c_void_p,)),
    "SUNSparseMatrix_IndexPointers": (c_void_p, (c_void_p,)),
    "SUNDenseMatrix_Data": (c_void_p, (c_void_p,)),
    "SUNBandMatrix_Data": (c_void_p, (c_void_p,)),
    "SUNBandMatrix_LDim": (_INDEX, (c_void_p,)),
    "SUNMatDestroy_Sparse": (None, (c_void_p,)),
    "SUNMatDestroy_Dense": (None, (c_void_p,)),
    "SUNMatDestroy_Band": (None, (c_void_p,)),
    "SUNLinSolFree_Dense": (c_int, (c_void_p,)),
    "SUNLinSolFree_Band": (c_int, (c_void_p,)),
    "CVodeCreate": (c_void_p, (c_int, c_void_p)),
    "CVodeInit": (c_int, (c_void_p, c_void_p, c_double, c_void_p)),
    "CVodeReInit": (c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSVtolerances": (c_int, (c_void_p, c_double, c_void_p)),
    "CVodeSetJacEvalFrequency": (c_int, (c_void_p, c_long)),
    "CVodeSetLinearSolver": (c_int, (c_void_p, c_void_p, c_void_p)),
    "CVodeSetJacFn": (c_int, (c_void_p, c_void_p)),
    "CVodeSetLinSysFn": (c_int, (c_void_p, c_void_p)),
    "CVodeSetUserData": (c_int, (c_void_p, c_void_p)),
    "CVodeSetMaxNumSteps": (c_int, (c_void_p, c_long)),
    "CVodeSetMaxHnilWarns": (c_int, (c_void_p, c_int)),
    "CVodeSetMaxOrd": (c_int, (c_void_p, c_int)),
    "CVodeSetMaxErrTestFails": (c_int, (c_void_p, c_int)),
    "CVodeSetMaxConvFails": (c_int, (c_void_p, c_int)),
    "CVodeSetMinStep": (c_int, (c_void_p, c_double)),
    "CVodeSetMaxStep": (c_int, (c_void_p, c_double)),
    "CVodeSetInitStep": (c_int, (c_void_p, c_double)),
    "CVodeSetStopTime": (c_int, (c_void_p, c_double)),
    "CVodeRootInit": (c_int, (c_void_p, c_int, c_void_p)),
    "CVodeSetNoInactiveRootWarn": (c_int, (c_void_p,)),
    "CVode": (c_int, (c_void_p, c_double, c_void_p, POINTER(c_double), c_int)),
    "CVodeGetRootInfo": (c_int, (c_void_p, c_void_p)),
    "CVodeGetDky": (c_int, (c_void_p, c_double, c_int, c_void_p)),
    "CVodeGetNumSteps": (c_int, (c_void_p, POINTER(c_long))),
    "CVodeGetNumJacEvals": (c_int, (c_void_p, POINTER(c_long))),
    "CVodeFree": (None, (POINTER(c_void_p),)),
    "CVodeGetReturnFlagName": (c_char_p, (c_long,)),
}


class Sundials:
    """The functions by their names.

    Only `CVode` itself runs without the interpreter's lock: to give it up for the many calls that take no time
    costs threads more than these calls (two threads were as slow as one).
    """

    def __init__(self, core: ctypes.PyDLL, cvode: ctypes.PyDLL, solve: "ctypes._FuncPointer") -> None:
        self._core = core
        self._cvode = cvode
        for name, (result, arguments) in _SIGNATURES.items():
            library = core if name.startswith("SUNContext") else cvode
            function = solve if name == "CVode" else getattr(library, name)
            function.restype, function.argtypes = result, arguments
            self.__dict__[name] = function
        self._check_vectors()

    def __getattr__(self, name: str) -> "ctypes._FuncPointer":
        return getattr(self._core if name.startswith("SUNContext") else self._cvode, name)  # type: ignore[no-any-return]

    def address(self, name: str) -> int:
        """Of a function, for machine code."""
        return ctypes.cast(getattr(self, name), c_void_p).value or 0

    def context(self) -> c_void_p:
        """A new context, silent: failures are reported by status."""
        context = c_void_p()
        self._core.SUNContext_Create(c_int(0), byref(context))
        self.SUNContext_ClearErrHandlers(context)
        return context

    @cached_property
    def superlu(self) -> ctypes.CDLL | None:
        """SuperLU_MT, None where it is missing; loaded only for large sparse matrices, as it brings OpenBLAS along."""
        return _linear_solver("superlumt", "SuperLUMT", (c_void_p, c_void_p, c_int, c_void_p))

    @cached_property
    def lapack(self) -> ctypes.CDLL | None:
        """LAPACK's factorization of dense matrices, None where it is missing; loaded only for large ones."""
        return _linear_solver("lapackdense", "LapackDense", (c_void_p, c_void_p, c_void_p))

    def _check_vectors(self) -> None:
        """OSError unless vectors are as `runtime/cvode/callbacks.Vector` has them: numbers behind 8 bytes."""
        numbers = (c_double * 3)(1.0, 2.0, 3.0)
        context = self.context()
        vector = self.N_VMake_Serial(3, ctypes.addressof(numbers), context)
        content = c_void_p.from_address(vector).value
        assert content is not None
        found = c_void_p.from_address(content + 8).value
        self.N_VDestroy_Serial(vector)
        self.SUNContext_Free(byref(context))
        if found != ctypes.addressof(numbers):
            raise OSError("the vectors of this SUNDIALS library are not as expected")


@once
def sundials_library() -> Sundials | None:
    """The library, None where it is not there or not as expected."""
    try:
        core, cvode = _path("sundials_core"), _path("sundials_cvode")
        if core is None or cvode is None:
            return None
        return Sundials(ctypes.PyDLL(str(core)), ctypes.PyDLL(str(cvode)), ctypes.CDLL(str(cvode)).CVode)
    except (ImportError, OSError, AttributeError):
        return None


def is_installed() -> bool:
    """True if scikit-sundae is installed, with whatever library."""
    return find_spec("sksundae") is not None


def use_one_thread() -> None:
    """Keeps SuperLU_MT and OpenBLAS to the calling thread.

    Its OpenMP takes no heed of the number of threads it is given, and those of small matrices wait for each other for
    milliseconds, spinning.
    """
    found = _path("gomp") or _path("omp") or _path("vcomp")
    if found is not None:
        ctypes.CDLL(str(found)).omp_set_num_threads(c_int(1))
    blas = _path("openblas")
    if blas is not None:
        ctypes.CDLL(str(blas)).openblas_set_num_threads(c_int(1))


def _linear_solver(name: str, function: str, arguments: tuple[object, ...]) -> ctypes.CDLL | None:
    """A library of one linear solver."""
    found = _path(f"sundials_sunlinsol{name}")
    if found is None:
        return None
    try:
        library = ctypes.CDLL(str(found))
        make, free = getattr(library, f"SUNLinSol_{function}"), getattr(library, f"SUNLinSolFree_{function}")
        make.restype, make.argtypes, free.argtypes = c_void_p, arguments, (c_void_p,)
    except (OSError, AttributeError):
        return None
    return library


def _path(name: str) -> Path | None:
    """Path of a library of the wheel."""
    spec = find_spec("sksundae")
    if spec is None or spec.origin is None:
        return None
    site = Path(spec.origin).parent.parent
    found = [path for folder in _FOLDERS for path in sorted((site / folder).glob(f"*{name}*"))]
    return next((path for path in found if path.name.removeprefix("lib").startswith(name)), None)
