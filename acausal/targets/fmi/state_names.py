"""Continuous states of an FMU whose model changes its states in the run.

Their number stays. A state that all sets have at one place is the variable that it is. The others stand for one
variable and then for another: they have names of their own, as FMI has it for dynamic state selection (FMI 2.0.4, 2.2).
"""

from collections.abc import Sequence
from dataclasses import replace

from acausal.ir.program.program import Program
from acausal.ir.program.slots import StateSlot

_NAME = "dynamicStates"


def with_common_states(sets: Sequence[Program]) -> Program:
    """The first program, whose states that others replace have names of their own."""
    program = sets[0]
    used = {s.symbol[0][0] for s in program.variable_slots} | {s.name[0] for s in program.parameter_slots}
    used |= {symbol[0][0] for symbol in program.input_slots}
    name = _NAME
    while name in used:
        name += "_"
    slots: list[StateSlot] = []
    dynamic = 0
    for slots_there in zip(*[one.state_slots for one in sets], strict=True):
        if len({slot.symbol for slot in slots_there}) == 1:
            slots.append(slots_there[0])
        else:
            dynamic += 1
            slots.append(StateSlot(((name, dynamic), 0)))
    return replace(program, state_slots=tuple(slots))
