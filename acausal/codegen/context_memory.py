"""Structures of `runtime` in memory: fields of 8 bytes, which hold numbers and addresses of arrays."""

from typing import TYPE_CHECKING, Any, TypeVar, cast

from acausal.base.caches import once
from acausal.codegen.address import address_of
from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import Scalar, Type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    FieldValues = Mapping[str, int | float | NDArray[Any]]
    """Fields by their names."""


S = TypeVar("S", bound=Struct)


class ContextMemory:
    """One structure; it holds the arrays that its fields point to."""

    def __init__(self, names: "Sequence[str]", values: "FieldValues") -> None:
        import numpy as np

        self.values: dict[str, int | float | NDArray[Any]] = {}
        self._places = {name: i for i, name in enumerate(names)}
        self.words = np.zeros(len(names), dtype=np.int64)
        self.numbers = self.words.view(np.float64)
        self.address = int(self.words.ctypes.data)
        self.fill(values)

    def fill(self, values: "FieldValues") -> None:
        """Sets these fields."""
        for name, value in values.items():
            i = self._places[name]
            if isinstance(value, float):
                self.numbers[i] = value
            else:
                self.words[i] = value if isinstance(value, int) else address_of(value)
        self.values.update(values)

    def place(self, name: str) -> int:
        """The number of a field."""
        return self._places[name]

    def has(self, name: str) -> bool:
        """True if a field has been set."""
        return name in self.values

    def array(self, name: str) -> "NDArray[Any]":
        """An array that a field points to."""
        found = self.values[name]
        assert not isinstance(found, int | float)
        return found


class StructView:
    """A structure in memory as kernels that Python runs see it: `struct_view` makes a class for each structure."""

    def __init__(self, memory: ContextMemory) -> None:
        self._memory = memory
        self._numbers: Any = memory.numbers.data
        self._words: Any = memory.words.data


def struct_view(memory: ContextMemory, struct: type[S]) -> S:
    """The memory of a structure with all its fields, in their order."""
    return cast("S", _view_class(struct)(memory))


@once
def _view_class(struct: type[Struct]) -> type[StructView]:
    """Fields are properties: reading one takes a fifth of the time that `__getattr__` would take."""
    members = {name: _field(name, kind, place) for place, (name, (_, kind)) in enumerate(fields(struct).items())}
    return type(struct.__name__, (StructView,), members)


def _field(name: str, kind: Type, place: int) -> property:
    def number(self: StructView) -> float:
        found: float = self._numbers[place]
        return found

    def set_number(self: StructView, value: float) -> None:
        self._numbers[place] = value

    def word(self: StructView) -> int:
        found: int = self._words[place]
        return found

    def set_word(self: StructView, value: int) -> None:
        self._words[place] = value

    if kind is Scalar.REAL:
        return property(number, set_number)
    return property(word, set_word) if kind is Scalar.INT else property(lambda self: self._memory.array(name))


def memory_of(struct: Struct) -> ContextMemory:
    """A structure of numbers, addresses and arrays, with its values."""
    import numpy as np

    values = {name: getattr(struct, name) for name in fields(type(struct))}
    arrays = {name: np.array(value, dtype=np.int64) for name, value in values.items() if isinstance(value, list)}
    return ContextMemory(tuple(values), {**values, **arrays})


def zeros_of(struct: type[S]) -> "tuple[ContextMemory, S]":
    """A structure of numbers, all of them zero: its memory, and how Python sees it."""
    names = tuple(fields(struct))
    memory = ContextMemory(names, dict.fromkeys(names, 0.0))
    return memory, struct_view(memory, struct)
