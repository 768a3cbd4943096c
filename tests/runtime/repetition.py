"""Calls of kernels done again: recorded ones by machine code, varied ones by Python and by machine code."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from random import Random
from typing import Any

import numpy as np

from acausal.runtime.kernel.tree import Function
from acausal.runtime.kernel.types import RoutineType, Scalar
from tests.runtime.arguments import ARRAYS, SCALARS, Content, Memory, content, copied, differences, is_same, places
from tests.runtime.recorder import Recorded

SPECIAL = (0.0, -0.0, 1.0, -1.0, 0.5, 2.5, 1e-300, 1e300, inf, -inf, nan)
MOST_CALLS = 150
"""Behind so many calls routines fail, so that loops end."""
UNDEFINED = (ZeroDivisionError, OverflowError, ValueError, IndexError)
"""Where Python raises machine code does not notice: kernels see to it that this does not happen."""


@dataclass
class Tape:
    """Routines as they were recorded; `wrong` are calls that are others."""

    call: Recorded
    memory: Memory | None = None
    at: int = 0
    wrong: list[str] = field(default_factory=list)

    def __call__(self, name: str, kind: RoutineType, numbers: Sequence[Any], arrays: Sequence[Any]) -> int | None:
        if self.at >= len(self.call.said):
            self.wrong.append(f"{name}: one call more")
            return -1
        said = self.call.said[self.at]
        self.at += 1
        if said.name != name or not is_same([float(n) for n in said.numbers], [float(n) for n in numbers]):
            self.wrong.append(f"{name}{numbers} in place of {said.name}{said.numbers}")
        assert self.memory is not None
        self.memory.write(said.changed)
        return said.result


def play(call: Recorded, addresses: Mapping[str, int]) -> list[str]:
    """What machine code, by the name of its execution, does differently in a recorded call."""
    memory, found = Memory(call.function, call.before, Tape(call)), []
    for execution, address in addresses.items():
        memory.routine = tape = Tape(call, memory)
        result = memory.call(address)
        wrong = [*tape.wrong, *differences(call.after, memory.content())]
        wrong += [] if tape.at == len(call.said) else ["fewer calls of routines"]
        if not _same_result(call.function, result, call.result):
            wrong.append(f"{result} in place of {call.result}")
        found += [f"{execution}: {text}" for text in wrong]
    return found


def _same_result(function: Function, one: Any, other: Any) -> bool:
    return is_same(float(one), float(other)) if function.result is Scalar.REAL else bool(one == other)


# ------------------------------------------------------------------ varied calls


@dataclass
class Fake:
    """Routines that say what chance says, and write down what they are given."""

    seed: str
    log: list[tuple[str, list[Any], list[Any]]] = field(default_factory=list)

    def __call__(self, name: str, kind: RoutineType, numbers: Sequence[Any], arrays: Sequence[Any]) -> int | None:
        chance = Random(f"{self.seed} {len(self.log)}")
        self.log.append((name, [float(n) for n in numbers], [a.tolist() for a in arrays]))
        out = arrays[-1] if arrays else ()
        for i in range(len(out)):
            if out.dtype == np.float64:
                usual = chance.gauss(0, 1), 0.0, 1.0
                out[i] = chance.choice(SPECIAL if chance.random() < 0.05 else usual)
            else:
                out[i] = chance.choice((-1, 0, 1))
        if kind.result is Scalar.NOTHING:
            return None
        return -1 if len(self.log) > MOST_CALLS else int(chance.random() < 0.04)

    def python(self, name: str, kind: RoutineType) -> Callable[..., int | None]:
        """One of them as a function of Python."""

        def called(*given: Any) -> int | None:
            numbers = [v for k, v in zip(kind.parameters, given, strict=True) if k in SCALARS]
            arrays = [v for k, v in zip(kind.parameters, given, strict=True) if k in ARRAYS]
            return self(name, kind, numbers, arrays)

        return called


@dataclass
class Varied:
    """A varied call as Python does it."""

    function: Function
    before: list[Any]
    seed: str
    after: Content
    result: object
    log: list[tuple[str, list[Any], list[Any]]]


def vary(call: Recorded, kernel: Callable[..., Any], seed: str) -> Varied | None:
    """A recorded call with other numbers; None where Python raises."""
    chance, function = Random(seed), call.function
    before = copied(function, call.before, lambda *_: _nothing)
    for place in places(function, before):
        if place.kind is Scalar.REALS and not isinstance(place.value, int):
            place.value[:] = [_varied(value, chance) for value in place.value.tolist()]
        elif place.kind is Scalar.REAL and place.struct is not None:
            setattr(place.struct, place.field, _varied(place.value, chance))
        elif place.kind is Scalar.REAL:
            before[[name for name, _ in function.parameters].index(place.name)] = _varied(place.value, chance)
    fake = Fake(seed)
    arguments = copied(function, before, fake.python)
    try:
        with np.errstate(all="ignore"):
            result = kernel(*arguments)
    except UNDEFINED:
        return None
    return Varied(function, before, seed, content(function, arguments), result, fake.log)


def _nothing(*_: object) -> int:
    raise AssertionError


def _varied(value: float, chance: Random) -> float:
    """Whole numbers may be positions or counts: they become 0 or 1 at most."""
    if chance.random() < 0.7:
        return value
    if value == value and abs(value) < inf and value == int(value):
        return chance.choice((0.0, 1.0))
    near = value * (1 + 1e-15), -value
    return chance.choice((*near, chance.choice(SPECIAL), value * chance.gauss(0, 1), chance.gauss(0, 1)))


def repeat(varied: Varied, addresses: Mapping[str, int]) -> list[str]:
    """What machine code, by the name of its execution, does differently in a varied call."""
    memory, found = Memory(varied.function, varied.before, Fake(varied.seed)), []
    for execution, address in addresses.items():
        memory.routine = fake = Fake(varied.seed)
        result = memory.call(address)
        wrong = differences(varied.after, memory.content())
        if len(fake.log) != len(varied.log) or not all(map(_same_call, fake.log, varied.log)):
            wrong.append("calls of routines")
        if not _same_result(varied.function, result, varied.result):
            wrong.append(f"{result} in place of {varied.result}")
        found += [f"{execution}: {text}" for text in wrong]
    return found


def _same_call(one: tuple[str, list[Any], list[Any]], other: tuple[str, list[Any], list[Any]]) -> bool:
    return one[0] == other[0] and is_same(one[1], other[1]) and is_same(one[2], other[2])
