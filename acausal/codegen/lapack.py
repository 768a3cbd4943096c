"""The address of LAPACK's dgesv inside SciPy."""

import ctypes

from acausal.base.diagnostics import InternalError


def dgesv_address() -> int:
    """The C function `void dgesv(int*, int*, double*, int*, int*, double*, int*, int*)` with 32-bit int."""
    from scipy.linalg import cython_lapack

    capsule = cython_lapack.__pyx_capi__["dgesv"]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule)
    if name.count(b"int *") != 6:
        raise InternalError("lapack", f"dgesv of this SciPy is {name.decode()}")
    address = pointer_of(capsule, name)
    assert isinstance(address, int)
    return address
