"""Constants, and declarations of what another module defines, as LLVM assembly."""

from collections.abc import Callable

from acausal.base.caches import once
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.llvm.types import item_text, number_text, type_text
from acausal.runtime.kernel.signature import fields, signature, type_of
from acausal.runtime.kernel.types import RoutineType, Scalar


def print_constant(name: str, value: Struct) -> list[str]:
    """A structure that does not change; its arrays are lists, routines the names of functions."""
    lines, parts = [], []
    for field, (_, kind) in fields(type(value)).items():
        content = getattr(value, field)
        if isinstance(kind, RoutineType):
            parts.append(f"ptr @{content}")
        elif kind in (Scalar.REALS, Scalar.INTS):
            item, numbers = item_text(kind), [number_text(number) for number in content]
            elements = ", ".join([f"{item} {number}" for number in numbers])
            lines.append(f"@{name}_{field} = private constant [{len(numbers)} x {item}] [{elements}]")
            parts.append(f"ptr @{name}_{field}")
        else:
            parts.append(f"{type_text(kind)} {number_text(content)}")
    kinds = ", ".join([part.partition(" ")[0] for part in parts])
    return [*lines, f"@{name} = private constant {{ {kinds} }} {{ {', '.join(parts)} }}"]


@once
def declaration(kernel: Callable[..., object]) -> str:
    """A kernel that another module defines."""
    parameters, result = signature(kernel)
    kinds = ", ".join([type_text(type_of(kind) or Scalar.NOTHING) for _, kind in parameters])
    return f"declare {type_text(type_of(result) or Scalar.NOTHING)} @{kernel.__name__}({kinds})"


@once
def routine_declaration(name: str, protocol: type) -> str:
    """A C function of this type that another module defines."""
    kind = type_of(protocol)
    assert isinstance(kind, RoutineType)
    return f"declare {type_text(kind.result)} @{name}({', '.join([type_text(k) for k in kind.parameters])})"
