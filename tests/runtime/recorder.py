"""Calls of kernels while models run in Python: their arguments, what routines of the model said, and what came out."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from acausal.runtime.language import Struct
from acausal.runtime.signature import fields
from acausal.runtime.tree import Function, RoutineType, Scalar
from tests.runtime.arguments import ARRAYS, Content, Place, content, copied, is_data, number, places

FIRST, MOST = 4, 10
"""Of each kernel in each run: so many first calls are recorded, then the 8th, 16th, ... up to so many."""


@dataclass
class Said:
    """A call of a routine: its numbers, what it has changed, and its result."""

    name: str
    numbers: list[object]
    changed: Content
    result: int


@dataclass
class Recorded:
    """A call of a kernel."""

    function: Function
    before: list[Any]
    said: list[Said] = field(default_factory=list)
    after: Content = field(default_factory=dict)
    result: object = None


class Recorder:
    """Kernels by names; `calls` are all that were recorded."""

    def __init__(self, kernels: dict[str, Callable[..., Any]], functions: dict[str, Function]) -> None:
        self._kernels, self._functions = kernels, functions
        self._counts = dict.fromkeys(kernels, 0)
        self.calls: list[Recorded] = []

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Kernels are recorded wherever modules of the package know them."""
        with pytest.MonkeyPatch.context() as patch:
            modules = [m for name, m in sorted(sys.modules.items()) if name.startswith(("acausal.", "tests.runtime."))]
            for module in modules:
                for name, value in list(vars(module).items()):
                    if getattr(value, "is_kernel", False) and self._kernels.get(value.__name__) is value:
                        patch.setattr(module, name, self.wrapped(value))
            yield

    def wrapped(self, kernel: Callable[..., Any]) -> Callable[..., Any]:
        """A kernel whose calls are recorded."""

        def recorded(*arguments: Any) -> Any:
            return self._call(kernel, arguments) if self._is_wanted(kernel.__name__) else kernel(*arguments)

        return recorded

    def _is_wanted(self, name: str) -> bool:
        self._counts[name] = count = self._counts[name] + 1
        return count <= FIRST or (count & (count - 1) == 0 and count.bit_length() <= MOST)

    def _call(self, kernel: Callable[..., Any], arguments: Sequence[Any]) -> Any:
        function = self._functions[kernel.__name__]
        call = Recorded(function, copied(arguments, dict.fromkeys(_routine_names(arguments), _present)))
        originals = self._tape(call, arguments)
        try:
            call.result = kernel(*arguments)
        finally:
            for struct, name, routine in originals:
                setattr(struct, name, routine)
        call.after = content(function, arguments)
        self.calls.append(call)
        return call.result

    def _tape(self, call: Recorded, arguments: Sequence[Any]) -> list[tuple[Struct, str, Any]]:
        """Routines write down what they do; returns them as they are."""
        originals = [(s, name, getattr(s, name)) for s in _structs(arguments) for name in _routine_fields(s)]
        found = [place for place in places(call.function, arguments) if is_data(place.kind)] if originals else []
        for struct, name, routine in originals:
            if routine is not None:
                setattr(struct, name, self._taped(call, found, struct, name, routine))
        return originals

    def _taped(self, call: Recorded, found: list[Place], struct: Struct, name: str, routine: Any) -> Any:
        kind = fields(type(struct))[name][1]
        assert isinstance(kind, RoutineType)

        def taped(*given: Any) -> int:
            before = [_image(place) for place in found]
            result = int(routine(*given))
            changed = {p.name: number(p) for p, old in zip(found, before, strict=True) if _image(p) != old}
            numbers = [v for k, v in zip(kind.parameters, given, strict=True) if k in (Scalar.REAL, Scalar.CINT)]
            call.said.append(Said(name, numbers, changed, result))
            return result

        return taped


def _image(place: Place) -> object:
    """A copy that is quickly made and compared."""
    value = place.now()
    return value.tobytes() if hasattr(value, "tobytes") else list(value) if place.kind in ARRAYS else repr(value)


def _present(*_: object) -> int:
    """Stands for a routine."""
    raise AssertionError


def _structs(arguments: Sequence[Any]) -> list[Struct]:
    return [argument for argument in arguments if isinstance(argument, Struct)]


def _routine_fields(struct: Struct) -> list[str]:
    return [name for name, (_, kind) in fields(type(struct)).items() if isinstance(kind, RoutineType)]


def _routine_names(arguments: Sequence[Any]) -> set[str]:
    return {name for struct in _structs(arguments) for name in _routine_fields(struct)}
