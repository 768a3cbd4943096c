"""The types of kernels: scalars, arrays, structures, routines."""

from enum import Enum

from acausal.base.frozen import record
from acausal.runtime.kernel.language import Struct


class Scalar(Enum):
    """Types but structures and routines; arrays stand for the address of their first element."""

    REAL = "Real"
    INT = "Int"
    BOOL = "Bool"
    REALS = "Reals"
    INTS = "Ints"
    CINTS = "CInts"
    CINT = "CInt"
    ADDRESS = "Address"
    NOTHING = "None"


@record(frozen=True, slots=True)
class StructType:
    """The address of a structure."""

    struct: type[Struct]


@record(frozen=True, slots=True)
class InnerArray:
    """An array of Real inside a structure, of this length."""

    length: int


@record(frozen=True, slots=True)
class RoutineType:
    """The address of a C function, with the names of its parameters and a line about it."""

    name: str
    parameters: tuple[Scalar, ...]
    result: Scalar
    names: tuple[str, ...]
    summary: str


Type = Scalar | StructType | InnerArray | RoutineType


def shown(kind: Type) -> str:
    """A type, for messages."""
    if isinstance(kind, StructType):
        return kind.struct.__name__
    if isinstance(kind, InnerArray):
        return f"an array of {kind.length}"
    return kind.value if isinstance(kind, Scalar) else kind.name
