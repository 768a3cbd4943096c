"""Arguments of kernels: copies for Python, in memory for machine code, and their content for comparisons."""

import ctypes
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from acausal.runtime.language import Struct
from acausal.runtime.signature import fields
from acausal.runtime.tree import Function, RoutineType, Scalar, StructType, Type

ARRAYS = {Scalar.REALS: np.float64, Scalar.INTS: np.int64, Scalar.CINTS: np.int32}
SCALARS = {
    Scalar.REAL: ctypes.c_double,
    Scalar.INT: ctypes.c_int64,
    Scalar.BOOL: ctypes.c_bool,
    Scalar.CINT: ctypes.c_int,
    Scalar.NOTHING: None,
}

Content = dict[str, object]
"""Numbers, and lists of them, by names such as `e.values`."""
Routine = Callable[[str, Sequence[object], Sequence[Any]], int]
"""Of a routine's name, its numbers and its arrays."""


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
    """The number, or the list of them."""
    value = place.now()
    if place.kind in ARRAYS:
        return list(value.tolist() if hasattr(value, "tolist") else value)
    return float(value) if place.kind is Scalar.REAL else int(value)


def copied(arguments: Sequence[object], routines: dict[str, object] | None = None) -> list[Any]:
    """A copy, its arrays as lists, those that are the same one kept so; routines replaced by others of their names."""
    known: dict[int, object] = {}

    def copy(value: Any, name: str = "") -> Any:
        if isinstance(value, int | float | np.number) or value is None:
            return value.item() if isinstance(value, np.number) else value
        if callable(value) and not isinstance(value, Struct):
            return (routines or {}).get(name)
        if id(value) not in known:
            known[id(value)] = _filled(value, copy)
        return known[id(value)]

    return [copy(argument) for argument in arguments]


def _filled(value: Any, copy: Callable[..., Any]) -> object:
    if not isinstance(value, Struct):
        return list(value.tolist() if hasattr(value, "tolist") else value)
    result = object.__new__(type(value))
    result.__dict__.update({name: copy(inner, name) for name, inner in vars(value).items() if not name.startswith("_")})
    return result


@dataclass
class Memory:
    """Arguments in memory, as machine code sees them."""

    function: Function
    arguments: Sequence[object]
    routine: Routine
    _arrays: dict[int, Any] = field(default_factory=dict)
    _words: dict[int, Any] = field(default_factory=dict)
    _by_address: dict[int, Any] = field(default_factory=dict)
    _kept: list[object] = field(default_factory=list)

    def call(self, address: int) -> object:
        """The result of the function at this address."""
        function = self.function
        given = [self._given(kind, value) for (_, kind), value in zip(function.parameters, self.arguments, strict=True)]
        kinds = [SCALARS.get(kind, ctypes.c_void_p) for _, kind in function.parameters]  # type: ignore[arg-type]
        is_truth = function.result is Scalar.BOOL
        result = ctypes.c_uint8 if is_truth else SCALARS[function.result]  # type: ignore[index]
        found = ctypes.CFUNCTYPE(result, *kinds)(address)(*given)
        return bool(found & 1) if is_truth else found

    def content(self) -> Content:
        """All numbers as they are now."""
        found: Content = {}
        for place in places(self.function, self.arguments):
            if place.kind in ARRAYS:
                found[place.name] = self._arrays[id(place.value)].tolist()
            elif is_data(place.kind):
                found[place.name] = number(place) if place.struct is None else self._field(place).item()
        return found

    def write(self, values: Content) -> None:
        """Some of the numbers."""
        for place in places(self.function, self.arguments):
            if place.name in values and place.kind in ARRAYS:
                self._arrays[id(place.value)][:] = values[place.name]
            elif place.name in values:
                self._field(place)[...] = values[place.name]

    def _field(self, place: Place) -> Any:
        """The word of a field, which is a number."""
        words = self._words[id(place.struct)]
        number = fields(type(place.struct))[place.field][0]  # type: ignore[arg-type]
        return (words.view(np.float64) if place.kind is Scalar.REAL else words)[number : number + 1].reshape(())

    def _given(self, kind: Type, value: Any) -> Any:
        """A number, or an address."""
        if isinstance(kind, StructType):
            return self._struct(value)
        if kind in ARRAYS:
            return self._array(kind, value)
        return 0 if kind is Scalar.ADDRESS else value

    def _array(self, kind: Type, value: Any) -> int:
        if id(value) not in self._arrays:
            array = np.array(value, dtype=ARRAYS[kind]) if len(value) else np.empty(1, ARRAYS[kind])[:0]  # type: ignore[index]
            self._arrays[id(value)] = array
            self._by_address[int(array.ctypes.data)] = array
        return int(self._arrays[id(value)].ctypes.data)

    def _struct(self, value: Struct) -> int:
        if id(value) not in self._words:
            words = self._words[id(value)] = np.zeros(len(fields(type(value))), dtype=np.int64)
            for name, (number, kind) in fields(type(value)).items():
                inner = getattr(value, name)
                if kind is Scalar.REAL:
                    words.view(np.float64)[number] = inner
                elif isinstance(kind, RoutineType):
                    words[number] = self._callback(name, kind) if inner is not None else 0
                else:
                    words[number] = self._given(kind, inner)
        return int(self._words[id(value)].ctypes.data)

    def _callback(self, name: str, kind: RoutineType) -> int:
        """A C function that calls the routine."""

        def called(*given: Any) -> int:
            numbers = [v for k, v in zip(kind.parameters, given, strict=True) if k in SCALARS]
            arrays = [self._by_address[v or 0] for k, v in zip(kind.parameters, given, strict=True) if k in ARRAYS]
            return self.routine(name, numbers, arrays)

        kinds = [SCALARS.get(k, ctypes.c_void_p) for k in kind.parameters]
        found = ctypes.CFUNCTYPE(SCALARS[kind.result], *kinds)(called)
        self._kept.append(found)
        return ctypes.cast(found, ctypes.c_void_p).value or 0


def differences(one: Content, other: Content) -> list[str]:
    """Names of what is not the same; NaNs are all alike, as IEEE 754 does not say which one an operation gives."""
    assert one.keys() == other.keys()
    return [name for name in one if not is_same(one[name], other[name])]


def is_same(one: Any, other: Any) -> bool:
    """Whether numbers, or lists of them, agree to the bit."""
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, float):
        return (one != one and other != other) or np.float64(one).tobytes() == np.float64(other).tobytes()
    return bool(one == other)
