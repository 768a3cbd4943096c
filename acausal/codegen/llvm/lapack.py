"""The addresses of LAPACK's functions inside SciPy."""

import ctypes

from acausal.base.diagnostics import InternalError

INTEGERS = {"dgesv": 6, "dgesvd": 7}
"""Number of arguments that are `int *`: they have 32 bits."""


def lapack_address(function: str) -> int:
    """A C function `void f(...)`, all arguments of which are pointers: char, int and double."""
    from scipy.linalg import cython_lapack

    capsule = cython_lapack.__pyx_capi__[function]
    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule)
    if name.count(b"int *") != INTEGERS[function]:
        raise InternalError("lapack", f"{function} of this SciPy is {name.decode()}")
    address = pointer_of(capsule, name)
    assert isinstance(address, int)
    return address
