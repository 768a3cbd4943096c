"""The variables of a result: where each has its numbers, and what is known about it."""

from dataclasses import dataclass

from acausal.ir.names import show_derivative, show_name
from acausal.ir.program import Program, VariableSlot


@dataclass(frozen=True, slots=True)
class Column:
    """One variable.

    Its values are `sign` times column `position` of the stored rows; where that is None
    they are `value` throughout. `is_time` marks a variable that is equal to time.
    """

    position: int | None
    value: float = 0.0
    sign: float = 1.0
    unit: str | None = None
    description: str | None = None
    is_time: bool = False


def columns_of(program: Program, parameters: list[float]) -> dict[str, Column]:
    """The variables of a program by name, in the order of the model; `parameters` is p."""
    return {show_derivative(*slot.symbol): _column(slot, parameters) for slot in program.variable_slots}


def parameters_of(program: Program, parameters: list[float]) -> dict[str, Column]:
    """The parameters of a program by name, with the values of the run."""
    slots = zip(program.parameter_slots, parameters, strict=False)
    return {show_name(s.name): Column(None, x, 1.0, s.unit, s.description) for s, x in slots}


def _column(slot: VariableSlot, parameters: list[float]) -> Column:
    about = slot.unit, slot.description
    if slot.kind == "stored":
        return Column(slot.position, 0.0, slot.sign, *about)
    if slot.kind == "time":
        return Column(None, 0.0, slot.sign, *about, is_time=True)
    value = parameters[slot.position] if slot.kind == "parameter" else slot.value
    return Column(None, slot.sign * value, 1.0, *about)
