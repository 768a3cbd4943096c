"""What machine code of events works on (`codegen/event_words`): the words of a system."""

import ctypes
from functools import cache
from typing import TYPE_CHECKING

from acausal.codegen.event_words import (
    ANNOUNCEMENTS,
    EVENT_ROOM,
    FUNCTIONS,
    KINDS,
    NUMBERS,
    RESTARTS,
    ROUTINES,
    SIZES,
    SLOTS,
    STATE_ROOM,
)
from acausal.ir.program import HeldSlot, Program
from acausal.simulate.held import holds
from acausal.simulate.motion import moving
from acausal.simulate.sundials_library import sundials_library
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.event_words import Words

_LIBRARY = (
    *("CVode", "CVodeSetStopTime", "CVodeGetRootInfo", "CVodeReInit", "CVodeSetMinStep", "CVodeSetInitStep"),
    *("CVodeGetNumSteps", "CVodeGetNumJacEvals"),
)
"""What the words `FUNCTIONS` point to."""


def system_words(system: System) -> "Words":
    """All words but those of the solver, of a call, and of what was."""
    u, p, m = system.arrays
    arrays = {"u": u, "p": p, "m": m, "offset": system.offset}
    routines = {name: system.address(name) or 0 for name in ROUTINES}
    return {**_slots(system.program), **_room(system.program), **arrays, **routines, **_functions()}


def _slots(program: Program) -> "Words":
    """What the program says of held values, restarts and announcements."""
    import numpy as np

    table = program.table
    moves = moving(program) or ()
    columns = zip(*[(*_slot(slot), i in moves) for i, slot in enumerate(table.held)], strict=True)
    held = dict(zip(SLOTS, columns, strict=True))
    restarts = [(slot.position, -1 if slot.state is None else slot.state) for slot in table.restarts]
    announced = [(slot.position, slot.kind == "assert") for slot in table.announcements]
    found = {name: np.array(column, dtype=np.int64) for name, column in held.items()}
    found |= dict(zip(RESTARTS, np.array(restarts, dtype=np.int64).reshape(-1, 2).T.copy(), strict=True))
    found |= dict(zip(ANNOUNCEMENTS, np.array(announced, dtype=np.int64).reshape(-1, 2).T.copy(), strict=True))
    return {**found, "restart_sign": np.array([slot.sign for slot in table.restarts])}


def _slot(slot: HeldSlot) -> tuple[int, ...]:
    relation = slot.kind == "relation"
    truth = [relation and holds(slot.relation, difference) for difference in (1.0, 0.0)]
    positions = [-1 if position is None else position for position in (slot.clock, slot.crossing, slot.start)]
    return KINDS.index(slot.kind), *truth, slot.now, *positions


def _room(program: Program) -> "Words":
    """Sizes, and the arrays that machine code works in."""
    import numpy as np

    table, states, memory = program.table, len(program.state_slots), program.memory
    held, results, crossings = len(table.held), table.results, table.crossings
    ticks = any(slot.clock is not None or slot.kind == "sample" for slot in table.held)
    befores = any(slot.kind == "before" for slot in table.held)
    others = len(table.restarts), len(table.announcements), int(ticks), int(befores)
    counts = held, results, crossings, table.watched, states, memory, *others, int(moving(program) is not None)
    lengths = dict(zip(EVENT_ROOM, (results, results, *(held,) * 6, crossings, 3 * crossings), strict=True))
    lengths |= dict(zip(STATE_ROOM, (*(states,) * 4, memory), strict=True)) | {"numbers": len(NUMBERS)}
    return {**dict(zip(SIZES, counts, strict=True)), **{name: np.zeros(length) for name, length in lengths.items()}}


@cache
def _functions() -> "Words":
    library = sundials_library()
    addresses = [ctypes.cast(getattr(library, name), ctypes.c_void_p).value or 0 for name in _LIBRARY]
    return dict(zip(FUNCTIONS, addresses, strict=True))
