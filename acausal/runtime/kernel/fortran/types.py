"""Types of kernels in Fortran: arrays are pointers whose first element is number 0; addresses are those of C.

A structure is a derived type, which extends that of its base.
"""

import math
from collections.abc import Iterator

from acausal.runtime.kernel.c.types import base_of, own_fields
from acausal.runtime.kernel.fortran.layout import comment
from acausal.runtime.kernel.fortran.names import fortran_name
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.scope import KernelError
from acausal.runtime.kernel.signature import first_line
from acausal.runtime.kernel.types import InnerArray, RoutineType, Scalar, StructType, Type, shown

_SCALARS = {
    Scalar.REAL: "real(dp)",
    Scalar.INT: "integer(i8)",
    Scalar.BOOL: "logical",
    Scalar.CINT: "integer(i4)",
    Scalar.ADDRESS: "type(c_ptr)",
}
_ARRAYS = {Scalar.REALS: "real(dp)", Scalar.INTS: "integer(i8)", Scalar.CINTS: "integer(i4)"}
_ZEROS = {Scalar.REAL: "0.0_dp", Scalar.INT: "0_i8", Scalar.ADDRESS: "c_null_ptr"}


def is_pointer(kind: Type) -> bool:
    """True if it is assigned by `=>`."""
    return kind in _ARRAYS or isinstance(kind, StructType)


def type_name(struct: type[Struct]) -> str:
    """The derived type of a structure."""
    return f"{struct.__name__}_type"


def declared(kind: Type, name: str, attributes: str = "") -> str:
    """A variable, or a parameter if it has attributes."""
    if isinstance(kind, RoutineType):
        return f"procedure({kind.name}_routine) :: {name}"
    if isinstance(kind, StructType):
        own = ", target, intent(inout)" if attributes else ", pointer"
        return f"type({type_name(kind.struct)}){own} :: {name}"
    if isinstance(kind, Scalar) and kind in _SCALARS:
        return f"{_SCALARS[kind]}{attributes and ', value'} :: {name}"
    if isinstance(kind, Scalar) and kind in _ARRAYS:
        return f"{_ARRAYS[kind]}, pointer{attributes} :: {name}(:)"
    raise KernelError(f"{name}: no Fortran for {shown(kind)}")


def array_type(kind: Type) -> str:
    """The type of the elements of an array."""
    assert isinstance(kind, Scalar)
    return _ARRAYS[kind]


def type_declaration(struct: type[Struct]) -> Iterator[str]:
    """The derived type of a structure."""
    base = base_of(struct)
    if first_line(struct):
        yield comment(first_line(struct), 1)
    yield f"  type{f', extends({type_name(base)})' if base else ''} :: {type_name(struct)}"
    for name, (_, kind) in own_fields(struct).items():
        yield f"    {_field(kind, fortran_name(name))}"
    yield f"  end type {type_name(struct)}"


def _field(kind: Type, name: str) -> str:
    if isinstance(kind, InnerArray):
        return f"real(dp) :: {name}(0:{kind.length - 1})"
    if isinstance(kind, RoutineType):
        return f"procedure({kind.name}_routine), pointer, nopass :: {name} => null()"
    if isinstance(kind, StructType) or kind in _ARRAYS:
        return f"{declared(kind, name)} => null()"
    assert isinstance(kind, Scalar)
    return f"{declared(kind, name)} = {_ZEROS[kind]}"


def path_to_base(struct: type[Struct], base: type[Struct]) -> str:
    """The part of a structure that is its base, in a derived type that extends others."""
    found, names = struct, []
    while found is not base:
        inner = base_of(found)
        assert inner is not None
        names.append(type_name(inner))
        found = inner
    return "%".join(names)


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
