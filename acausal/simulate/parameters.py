"""The values of all parameters of a run.

`{"load.m": 10}` replaces the value of `load.m`; every parameter bound to it follows,
unless it is given itself.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, UsageError
from acausal.ir.names import Name, show_name
from acausal.ir.program import Program
from acausal.simulate.failures import block_failed

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable


@dataclass(frozen=True, slots=True)
class Folded:
    """These parameters went into the equations with other values: the model must be translated again."""

    names: tuple[str, ...]


def parameter_values(
    executable: "Executable", given: Mapping[str, float], folded: Collection[Name] = ()
) -> "Array | Folded":
    """p, complete: given values, values of the translation, bindings and hoisted values.

    `folded` are the parameters whose values are part of the equations. Raises UsageError F005
    for an unknown name or a constant, SimulationError R001 where a hoisted system is singular.
    """
    import numpy as np

    program = executable.program
    p = np.zeros(program.parameter_size)
    is_given = np.zeros(len(program.parameter_slots))
    p[: len(program.parameter_slots)] = [slot.value for slot in program.parameter_slots]
    position_of = {show_name(slot.name): i for i, slot in enumerate(program.parameter_slots)}
    for name, value in given.items():
        position = position_of.get(name)
        if position is None or program.parameter_slots[position].constant:
            raise _not_settable(name, position_of, program)
        p[position] = float(value)
        is_given[position] = 1.0
    status = executable.setup(p, is_given)
    changed = _changed(executable, p, folded) if given else ()
    if changed:
        return Folded(changed)
    if status:
        raise block_failed(program, status, program.experiment.start)
    return p


def _changed(executable: "Executable", p: "Array", folded: Collection[Name]) -> tuple[str, ...]:
    """Folded parameters whose value is another one than without anything given, by the same arithmetic."""
    position_of = executable.program.parameter_positions
    places = [(name, position_of[name]) for name in folded if name in position_of]
    if not places:
        return ()
    usual = parameter_values(executable, {})
    assert not isinstance(usual, Folded)
    return tuple([show_name(name) for name, i in places if p[i] != usual[i]])


def _not_settable(name: str, position_of: Mapping[str, int], program: Program) -> UsageError:
    if name in position_of:
        hint = "a constant is fixed in the text; declare it as a parameter to change it"
        return UsageError(Diagnostic("F005", f"{name} is a constant, not a parameter", help=hint))
    settable = [n for n, i in position_of.items() if not program.parameter_slots[i].constant]
    near = get_close_matches(name, settable, 1)
    return UsageError(
        Diagnostic("F005", f"there is no parameter {name}", help=f"did you mean {near[0]}?" if near else None)
    )
