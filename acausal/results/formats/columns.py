"""The variables of a result: where each has its numbers, and what is known about it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.ir.names import Symbol, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import VariableSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_BEGIN = re.compile(r"(?:der\()?([^.\[\](), ]+)")
NOT_UNIQUE = "not unique (minimum norm)"
"""Remark on values behind a description, in files and on pages."""


@dataclass(frozen=True, slots=True)
class Column:
    """One variable.

    Its values are `sign` times column `position` of the stored rows; where that is None
    they are `value` throughout. `is_time` marks a variable that is equal to time, `visible` one that result files
    have if nobody says which ones they shall have. One that is not `unique` is a reaction of redundant constraints
    (notes I040, I041): one of many that give the same motion, that of minimum norm.
    """

    position: int | None
    value: float = 0.0
    sign: float = 1.0
    unit: str | None = None
    description: str | None = None
    is_time: bool = False
    visible: bool = True
    unique: bool = True

    @property
    def about(self) -> str | None:
        """The description, with a remark where the values are not unique."""
        if self.unique:
            return self.description
        return f"{self.description}; {NOT_UNIQUE}" if self.description else NOT_UNIQUE

    def values(self, time: "Array", stored: "Array") -> "Array":
        """The values in rows, given by their times and stored variables."""
        import numpy as np

        if self.position is not None:
            values = stored[:, self.position]
            return -values if self.sign < 0 else values.copy()
        return self.sign * time if self.is_time else np.full(len(time), self.value)


class Columns(Mapping[str, Column]):
    """The columns by name, in the order of the program.

    Names are rendered where they are searched for: those of one instance for a single name, all for a list.
    A short run takes less time than ten thousand names.
    """

    def __init__(self, program: Program, parameters: "Array") -> None:
        self._program = program
        self._parameters = parameters
        self._made: dict[str, Column] = {}
        self._rendered: dict[str, dict[str, int]] = {}

    @property
    def _symbols(self) -> Sequence[Symbol]:
        raise NotImplementedError

    def _column(self, place: int) -> Column:
        raise NotImplementedError

    @cached_property
    def _places(self) -> dict[str, int]:
        """Places by name, of all columns."""
        return {show_derivative(*symbol): i for i, symbol in enumerate(self._symbols)}

    @cached_property
    def _groups(self) -> dict[str, list[int]]:
        """Places of names that begin alike; those whose text does not tell how they begin under the empty one."""
        groups: dict[str, list[int]] = {}
        for i, symbol in enumerate(self._symbols):
            groups.setdefault(str(symbol[0][0]), []).append(i)
        unclear = [begin for begin in groups if _begin(begin) != begin]
        return groups | {"": [i for begin in unclear for i in groups[begin]]}

    def _place(self, name: str) -> int | None:
        if "_places" in self.__dict__:
            return self._places.get(name)
        for begin in (_begin(name), ""):
            if begin not in self._rendered:
                symbols = self._symbols
                group = self._groups.get(begin, ())
                self._rendered[begin] = {show_derivative(*symbols[i]): i for i in group}
            if name in self._rendered[begin]:
                return self._rendered[begin][name]
        return None

    def __getitem__(self, name: str) -> Column:
        found = self._made.get(name)
        if found is None:
            place = self._place(name)
            if place is None:
                raise KeyError(name)
            found = self._made[name] = self._column(place)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _begin(name: str) -> str:
    """The first part of a name by its text, or what stands there instead."""
    match = _BEGIN.match(name)
    return match[1] if match else ""


class VariableColumns(Columns):
    """The variables of a program; `parameters` is p."""

    @cached_property
    def _symbols(self) -> Sequence[Symbol]:
        return [slot.symbol for slot in self._program.variable_slots]

    def _column(self, place: int) -> Column:
        slot = self._program.variable_slots[place]
        about = slot.unit, slot.description, slot.kind == "time", slot.visible, slot.unique
        if slot.kind == "stored":
            return Column(slot.position, 0.0, slot.sign, *about)
        if slot.kind == "time":
            return Column(None, 0.0, slot.sign, *about)
        value = float(self._parameters[slot.position]) if slot.kind == "parameter" else slot.value
        return Column(None, slot.sign * value, 1.0, *about)


def gathered(slots: Sequence[VariableSlot], parameters: "Array", time: "Array", stored: "Array") -> "Array":
    """The values of variables in rows (rows, slots), found together: one by one they cost more than a short run."""
    import numpy as np

    found = np.empty((len(time), len(slots)))
    own = [i for i, slot in enumerate(slots) if slot.kind == "stored"]
    positions = [slots[i].position for i in own]
    found[:, own] = stored[:, positions] * np.array([slots[i].sign for i in own])
    for i, slot in enumerate(slots):
        if slot.kind == "time":
            found[:, i] = slot.sign * time
        elif slot.kind != "stored":
            found[:, i] = slot.sign * (parameters[slot.position] if slot.kind == "parameter" else slot.value)
    return found


class ParameterColumns(Columns):
    """The parameters of a program with the values of the run."""

    @cached_property
    def _symbols(self) -> Sequence[Symbol]:
        return [(slot.name, 0) for slot in self._program.parameter_slots[: len(self._parameters)]]

    def _column(self, place: int) -> Column:
        slot = self._program.parameter_slots[place]
        return Column(None, float(self._parameters[place]), 1.0, slot.unit, slot.description)


def plotted_names(program: Program) -> tuple[str, ...]:
    """The variables that the experiment of a model plots."""
    return tuple(map(show_name, program.experiment.plot))
