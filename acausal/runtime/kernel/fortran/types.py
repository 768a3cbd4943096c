"""Types of kernels in Fortran: arrays are pointers whose first element is number 0."""

import math

from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.types import RoutineType, Scalar, Type, shown

_SCALARS = {Scalar.REAL: "real(dp)", Scalar.INT: "integer(i8)", Scalar.BOOL: "logical", Scalar.CINT: "integer(i4)"}
_ARRAYS = {Scalar.REALS: "real(dp)", Scalar.INTS: "integer(i8)", Scalar.CINTS: "integer(i4)"}


def is_pointer(kind: Type) -> bool:
    """True if it is assigned by `=>`."""
    return kind in _ARRAYS


def declared(kind: Type, name: str, attributes: str = "") -> str:
    """A variable; KernelError for types that are not printed yet: structures."""
    if isinstance(kind, RoutineType):
        return f"procedure({kind.name}_routine) :: {name}"
    if isinstance(kind, Scalar) and kind in _SCALARS:
        return f"{_SCALARS[kind]}{attributes and ', value'} :: {name}"
    if isinstance(kind, Scalar) and kind in _ARRAYS:
        return f"{_ARRAYS[kind]}, pointer{attributes} :: {name}(:)"
    raise KernelError(f"{name}: no Fortran for {shown(kind)}")


def literal_text(value: float) -> str:
    """A number."""
    if isinstance(value, bool):
        return ".true." if value else ".false."
    if isinstance(value, int):
        return f"{value}_i8"
    if math.isnan(value):
        return "nan_value()"
    if math.isinf(value):
        return "infinity()" if value > 0 else "-infinity()"
    return f"{value!r}_dp"
