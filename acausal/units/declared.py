"""Values with units that are given for parameters and variables of a program, in the units of these."""

from collections.abc import Mapping

from acausal.ir.names import show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.units.given_quantity import GivenQuantity


def in_declared_unit(program: Program, name: str, value: float) -> float:
    """The value of a parameter in its unit, declared or determined by the equations.

    Other values are returned as they are. UsageError U005 or U006 for a unit that does not fit.
    """
    if not isinstance(value, GivenQuantity):
        return value
    units = {show_name(slot.name): slot.unit for slot in program.parameter_slots}
    return value.in_unit(name, units.get(name), None)


def in_declared_units(program: Program, values: Mapping[str, float]) -> dict[str, float]:
    """`in_declared_unit` for values by name."""
    return {name: in_declared_unit(program, name, value) for name, value in values.items()}


def in_units_of_variables(
    program: Program, values: Mapping[str, float], *, differences: bool = False
) -> dict[str, float]:
    """Values by name in the units of these variables or parameters; `differences` are without the offset of degC.

    UsageError U005 or U006 for a unit that does not fit.
    """
    units = {show_name(slot.name): slot.unit for slot in program.parameter_slots}
    units |= {show_derivative(*slot.symbol): slot.unit for slot in program.variable_slots}
    found = dict(values)
    for name, value in values.items():
        if isinstance(value, GivenQuantity):
            number = value.in_unit(name, units.get(name), None)
            found[name] = number - value.zero.in_unit(name, units.get(name), None) if differences else number
    return found
