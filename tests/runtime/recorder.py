"""Calls of kernels while models run in Python: their arguments, what routines of the model said, and what came out."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import RoutineType
from tests.runtime.arguments import ARRAYS, SCALARS, Content, Place, content, copied, is_data, number, places

FIRST, MOST = 2, 4
"""Of each kernel in each run: so many first calls are recorded, then the 4th, 8th, 16th, ... below 2**MOST."""


@dataclass
class Said:
    """A call of a routine: its numbers, what it has changed, and its result."""

    name: str
    numbers: list[Any]
    changed: Content
    result: int | None


@dataclass
class Recorded:
    """A call of a kernel."""

    function: Function
    before: list[Any]
    said: list[Said] = field(default_factory=list)
    is_calling: bool = False
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
        call = Recorded(function, copied(function, arguments, lambda *_: _present))
        found = [place for place in places(function, arguments) if is_data(place.kind)]
        routines = [p for p in places(function, arguments) if isinstance(p.kind, RoutineType) and p.value is not None]
        given = dict(zip([name for name, _ in function.parameters], arguments, strict=True))
        for place in routines:
            if place.struct is None:
                given[place.name] = _taped(call, found, place)
            else:
                setattr(place.struct, place.field, _taped(call, found, place))
        try:
            call.result = kernel(*given.values())
        finally:
            for place in routines:
                if place.struct is not None:
                    setattr(place.struct, place.field, place.value)
        call.after = content(function, arguments)
        self.calls.append(call)
        return call.result


def _taped(call: Recorded, found: Sequence[Place], routine: Place) -> Callable[..., Any]:
    """A routine that writes down what it does; what it calls in turn is part of it."""
    kind = routine.kind
    assert isinstance(kind, RoutineType)

    def taped(*given: Any) -> Any:
        if call.is_calling:
            return routine.value(*given)
        before = [_image(place) for place in found]
        call.is_calling = True
        try:
            result = routine.value(*given)
        finally:
            call.is_calling = False
        changed = {p.name: number(p) for p, old in zip(found, before, strict=True) if _image(p) != old}
        numbers = [v for k, v in zip(kind.parameters, given, strict=True) if k in SCALARS]
        call.said.append(Said(routine.field or routine.name, numbers, changed, result))
        return result

    return taped


def _image(place: Place) -> object:
    """A copy that is quickly made and compared."""
    value = place.now()
    return value.tobytes() if hasattr(value, "tobytes") else list(value) if place.kind in ARRAYS else repr(value)


def _present(*_: object) -> int:
    """Stands for a routine."""
    raise AssertionError
