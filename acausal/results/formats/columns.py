"""The variables of a result: where each has its numbers, and what is known about it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from acausal.ir.names import show_derivative, show_name
from acausal.ir.program import Program, VariableSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True)
class Column:
    """One variable.

    Its values are `sign` times column `position` of the stored rows; where that is None
    they are `value` throughout. `is_time` marks a variable that is equal to time, `visible` one that result files
    have if nobody says which ones they shall have.
    """

    position: int | None
    value: float = 0.0
    sign: float = 1.0
    unit: str | None = None
    description: str | None = None
    is_time: bool = False
    visible: bool = True

    def values(self, time: "Array", stored: "Array") -> "Array":
        """The values in rows, given by their times and stored variables."""
        import numpy as np

        if self.position is not None:
            values = stored[:, self.position]
            return -values if self.sign < 0 else values.copy()
        return self.sign * time if self.is_time else np.full(len(time), self.value)


class Columns(Mapping[str, Column]):
    """The columns by name, made when they are first looked at: a short run takes less time than a thousand names."""

    def __init__(
        self,
        make: Callable[[Program, list[float]], dict[str, Column]],
        program: Program,
        parameters: "Array",
    ) -> None:
        self._make = make
        self._program = program
        self._parameters = parameters

    @cached_property
    def _columns(self) -> dict[str, Column]:
        return self._make(self._program, self._parameters.tolist())

    def __getitem__(self, name: str) -> Column:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


def columns_of(program: Program, parameters: "Array") -> Columns:
    """The variables of a program by name, in the order of the model; `parameters` is p."""
    return Columns(_variables, program, parameters)


def parameters_of(program: Program, parameters: "Array") -> Columns:
    """The parameters of a program by name, with the values of the run."""
    return Columns(_parameters, program, parameters)


def _variables(program: Program, parameters: list[float]) -> dict[str, Column]:
    return {show_derivative(*slot.symbol): _column(slot, parameters) for slot in program.variable_slots}


def _parameters(program: Program, parameters: list[float]) -> dict[str, Column]:
    slots = zip(program.parameter_slots, parameters, strict=False)
    return {show_name(s.name): Column(None, x, 1.0, s.unit, s.description) for s, x in slots}


def _column(slot: VariableSlot, parameters: list[float]) -> Column:
    about = slot.unit, slot.description, slot.kind == "time", slot.visible
    if slot.kind == "stored":
        return Column(slot.position, 0.0, slot.sign, *about)
    if slot.kind == "time":
        return Column(None, 0.0, slot.sign, *about)
    value = parameters[slot.position] if slot.kind == "parameter" else slot.value
    return Column(None, slot.sign * value, 1.0, *about)
