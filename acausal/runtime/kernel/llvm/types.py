"""Types, numbers and names of operators in LLVM assembly."""

import struct

from acausal.runtime.kernel.tree import Literal
from acausal.runtime.kernel.types import Scalar, Type

_TYPES = {
    Scalar.REAL: "double",
    Scalar.INT: "i64",
    Scalar.BOOL: "i1",
    Scalar.CINT: "i32",
    Scalar.NOTHING: "void",
}
OPERATIONS = {"+": "add", "-": "sub", "*": "mul", "/": "div", "&": "and", "^": "xor", "<<": "shl"}
_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
INTRINSICS = {
    "abs": "llvm.fabs.f64",
    "floor": "llvm.floor.f64",
    "nearest": "llvm.rint.f64",
    "sqrt": "llvm.sqrt.f64",
    "fma": "llvm.fma.f64",
}


def type_text(kind: Type) -> str:
    """The type of a value; of arrays and structures a pointer."""
    return _TYPES.get(kind, "ptr") if isinstance(kind, Scalar) else "ptr"


def item_text(array: Type) -> str:
    """The type of the elements of an array."""
    return {Scalar.REALS: "double", Scalar.INTS: "i64"}.get(array, "i32") if isinstance(array, Scalar) else "ptr"


def relation(op: str, kind: Type) -> str:
    """The instruction of a comparison."""
    name = _RELATIONS[op]
    if kind is Scalar.REAL:
        return f"fcmp {'une' if op == '!=' else 'o' + name}"
    return f"icmp {name if op in ('==', '!=') else 's' + name}"


def literal_text(literal: Literal) -> str:
    """A number, to the bit, or a truth value."""
    return number_text(literal.value)


def number_text(value: float) -> str:
    """A number to the bit, or a truth value."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return str(value)
    return real_text(value)


def real_text(value: float) -> str:
    """A number of type double, to the bit."""
    return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
