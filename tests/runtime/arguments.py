"""Arguments of kernels: copies for Python, in memory for machine code, and their content for comparisons."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import copysign
from typing import Any, NamedTuple

import numpy as np

from acausal.runtime.kernel.language import Struct
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import RoutineType, Scalar, StructType, Type

ARRAYS = {Scalar.REALS: np.float64, Scalar.INTS: np.int64, Scalar.CINTS: np.int32}
SCALARS = {
    Scalar.REAL: ctypes.c_double,
    Scalar.INT: ctypes.c_int64,
    Scalar.BOOL: ctypes.c_bool,
    Scalar.CINT: ctypes.c_int,
    Scalar.NOTHING: None,
}

Content = dict[str, object]
"""Numbers, and arrays of them, by names such as `e.values`."""
Routine = Callable[[str, RoutineType, Sequence[Any], Sequence[Any]], int | None]
"""Of a routine's name and type, its numbers and its arrays."""


class Place(NamedTuple):
    """A number, array or routine among arguments: an argument itself, or a field of a structure."""

    name: str
    kind: Type
    value: Any
    struct: Struct | None = None
    field: str = ""

    def now(self) -> Any:
        """Its value."""
        return self.value if self.struct is None else getattr(self.struct, self.field)


def places(function: Function, arguments: Sequence[object]) -> Iterator[Place]:
    """All numbers, arrays and routines among arguments; each structure once."""
    seen: set[int] = set()
    for (name, kind), value in zip(function.parameters, arguments, strict=True):
        yield from _places(Place(name, kind, value), seen)


def _places(place: Place, seen: set[int]) -> Iterator[Place]:
    if not isinstance(place.kind, StructType):
        yield place
    elif id(place.value) not in seen:
        seen.add(id(place.value))
        for name, (_, kind) in fields(type(place.value)).items():
            inner = Place(f"{place.name}.{name}", kind, getattr(place.value, name), place.value, name)
            yield from _places(inner, seen)


def content(function: Function, arguments: Sequence[object]) -> Content:
    """All numbers."""
    return {place.name: number(place) for place in places(function, arguments) if is_data(place.kind)}


def is_data(kind: Type) -> bool:
    """Whether these are numbers."""
    return not isinstance(kind, RoutineType) and kind is not Scalar.ADDRESS


def number(place: Place) -> object:
    """The number, or an array of them."""
    value = place.now()
    if place.kind in ARRAYS:
        return np.array(value, ARRAYS[place.kind]).reshape(-1)  # type: ignore[index]
    return float(value) if place.kind is Scalar.REAL else int(value)


def copied(function: Function, arguments: Sequence[Any], routines: Callable[[str, RoutineType], object]) -> list[Any]:
    """Copies in arrays of NumPy; what is one array stays one; routines are others, by their names."""
    known: dict[int, object] = {}

    def copy(name: str, kind: Type, value: Any) -> Any:
        if isinstance(kind, RoutineType):
            return None if value is None else routines(name, kind)
        if kind not in ARRAYS and not isinstance(kind, StructType):
            return value.item() if isinstance(value, np.generic) else value
        if kind in ARRAYS:
            whole, start = whole_array(value)
            if id(whole) not in known:
                known[id(whole)] = np.array(whole, ARRAYS[kind]).reshape(-1)
            array = known[id(whole)]
            return array if whole is value else array[start : start + len(value)]  # type: ignore[index]
        if id(value) not in known:
            known[id(value)] = _copied(value, copy)
        return known[id(value)]

    return [copy(name, kind, value) for (name, kind), value in zip(function.parameters, arguments, strict=True)]


def whole_array(value: Any) -> tuple[Any, int]:
    """The array of which this is a part, and where it begins there."""
    whole = value
    while isinstance(getattr(whole, "base", None), np.ndarray):
        whole = whole.base
    return whole, 0 if whole is value else (value.ctypes.data - whole.ctypes.data) // value.itemsize


def _copied(struct: Struct, copy: Callable[..., Any]) -> Struct:
    found = fields(type(struct)).items()
    return type(struct)(**{name: copy(name, kind, getattr(struct, name)) for name, (_, kind) in found})


@dataclass
class Memory:
    """Arguments in memory, as machine code sees them."""

    function: Function
    arguments: Sequence[object]
    routine: Routine
    _arrays: dict[int, Any] = field(default_factory=dict)
    _addresses: dict[int, int] = field(default_factory=dict)
    _parts: dict[int, Any] = field(default_factory=dict)
    _words: dict[int, Any] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)

    def call(self, address: int) -> object:
        """The result of the function at this address, with the arguments as they were before the first call."""
        given, before = self._prepared
        for array, numbers in before:
            array[:] = numbers
        found = self._prototype(address)(*given)
        return bool(found & 1) if self.function.result is Scalar.BOOL else found

    @cached_property
    def _prepared(self) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """What the function is given, and all memory with what is in it at first."""
        given = [self._given(*p, value) for p, value in zip(self.function.parameters, self.arguments, strict=True)]
        return given, [(array, array.copy()) for array in (*self._arrays.values(), *self._words.values())]

    @cached_property
    def _prototype(self) -> Any:
        function = self.function
        kinds = [SCALARS.get(kind, ctypes.c_void_p) for _, kind in function.parameters]  # type: ignore[arg-type]
        is_truth = function.result is Scalar.BOOL
        result = ctypes.c_uint8 if is_truth else SCALARS[function.result]  # type: ignore[index]
        return ctypes.CFUNCTYPE(result, *kinds)

    def content(self) -> Content:
        """All numbers as they are now."""
        found: Content = {}
        for name, numbers in self._numbers.items():
            found[name] = numbers.copy() if numbers.ndim else numbers.item()
        return found

    def write(self, values: Content) -> None:
        """Some of the numbers."""
        for name, value in values.items():
            self._numbers[name][...] = value

    @cached_property
    def _numbers(self) -> dict[str, Any]:
        """Where the numbers are: parts of arrays, words of structures, and arguments, which stay as they are."""
        found = {}
        for place in places(self.function, self.arguments):
            if place.kind in ARRAYS:
                found[place.name] = self._parts[id(place.value)]
            elif is_data(place.kind):
                found[place.name] = np.array(number(place)) if place.struct is None else self._field(place)
        return found

    def _field(self, place: Place) -> Any:
        """The word of a field, which is a number."""
        words = self._words[id(place.struct)]
        number = fields(type(place.struct))[place.field][0]  # type: ignore[arg-type]
        return (words.view(np.float64) if place.kind is Scalar.REAL else words)[number : number + 1].reshape(())

    def _given(self, name: str, kind: Type, value: Any) -> Any:
        """A number, or an address."""
        if isinstance(kind, StructType):
            return self._struct(value)
        if isinstance(kind, RoutineType):
            return 0 if value is None else self._callback(name, kind)
        if kind in ARRAYS:
            return self._array(kind, value)
        return 0 if kind is Scalar.ADDRESS else value

    def _array(self, kind: Type, value: Any) -> int:
        whole, start = whole_array(value)
        if id(whole) not in self._arrays:
            self._arrays[id(whole)] = array = np.array(whole, ARRAYS[kind]).reshape(-1)
            self._addresses[id(whole)] = int(array.ctypes.data)
        array = self._arrays[id(whole)]
        self._parts[id(value)] = array[start : start + len(value)]
        return self._addresses[id(whole)] + start * int(array.itemsize)

    def _struct(self, value: Struct) -> int:
        if id(value) not in self._words:
            words = self._words[id(value)] = np.zeros(len(fields(type(value))), dtype=np.int64)
            for name, (position, kind) in fields(type(value)).items():
                column = words.view(np.float64) if kind is Scalar.REAL else words
                column[position] = self._given(name, kind, getattr(value, name))
        return int(self._words[id(value)].ctypes.data)

    def _callback(self, name: str, kind: RoutineType) -> int:
        """A C function that calls the routine."""

        def called(*given: Any) -> int | None:
            numbers = [v for k, v in zip(kind.parameters, given, strict=True) if k in SCALARS]
            arrays = [self._from(v or 0) for k, v in zip(kind.parameters, given, strict=True) if k in ARRAYS]
            return self.routine(name, kind, numbers, arrays)

        kinds = [SCALARS.get(k, ctypes.c_void_p) for k in kind.parameters]
        found = ctypes.CFUNCTYPE(SCALARS[kind.result], *kinds)(called)
        self._kept.append(found)
        return ctypes.cast(found, ctypes.c_void_p).value or 0

    def _from(self, address: int) -> Any:
        """The elements of an array from the one at this address on."""
        for key, array in self._arrays.items():
            distance = address - self._addresses[key]
            if 0 <= distance <= array.nbytes:
                return array[distance // array.itemsize :]
        raise AssertionError(address)


def differences(one: Content, other: Content) -> list[str]:
    """Names of what is not the same; NaNs are all alike, as IEEE 754 does not say which one an operation gives."""
    assert one.keys() == other.keys()
    return [name for name in one if not is_same(one[name], other[name])]


def is_same(one: Any, other: Any) -> bool:
    """Whether numbers, or lists and arrays of them, agree to the bit."""
    if isinstance(one, np.ndarray):
        return one.tobytes() == other.tobytes() or is_same(one.tolist(), other.tolist())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if one == other:
        return one != 0 or copysign(1, one) == copysign(1, other)
    return bool(one != one and other != other)
