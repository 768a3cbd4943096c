"""The fields of `runtime/context` that a program determines: sizes, tables of its slots, lengths of workspaces."""

from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.ir.program.slots import FrozenSlot
from acausal.runtime.context import KINDS, STEP

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TRUE_ABOVE = {"<": False, "<=": False, ">": True, ">=": True}
_TRUE_AT_ZERO = {"<": False, "<=": True, ">": False, ">=": True}


def context_sizes(program: Program) -> dict[str, int]:
    """Numbers of frozen values, crossings, states and so on, and what kinds of them there are."""
    table = program.table
    return {
        "frozen_count": len(table.frozen),
        "results_count": table.results,
        "crossing_count": table.crossings,
        "memory": program.memory,
        "memory_size": program.memory_size,
        "states": len(program.state_slots),
        "restarts": len(table.restarts),
        "announcements": len(table.announcements),
        "ticks": int(any(slot.clock is not None or slot.kind == "sample" for slot in table.frozen)),
        "befores": int(any(slot.kind == "before" for slot in table.frozen)),
        "relations": int(any(slot.crossing is not None and not slot.continuous for slot in table.frozen)),
        "kinks": int(any(slot.continuous for slot in table.frozen)),
        "redundancies": int(any(block.redundant for block in program.blocks)),
        "phase_place": -1 if table.phase is None else table.phase,
        "has_phases": int(table.phase is not None or bool(table.angles)),
        "angle_place": table.angles[0] if table.angles else -1,
        "angle_count": len(table.angles),
    }


def slot_tables(program: Program) -> "dict[str, NDArray[np.generic]]":
    """Frozen values, restarts and announcements."""
    import numpy as np

    table = program.table
    names = ("kind", "above", "at_zero", "now", "clock", "crossing", "start", "continuous", "may_rest")
    columns = np.array([_slot(slot) for slot in table.frozen], dtype=np.int64).reshape(-1, len(names)).T.copy()
    found = dict(zip(names, columns, strict=True))
    restarts = [(slot.position, -1 if slot.state is None else slot.state) for slot in table.restarts]
    announced = [(slot.position, slot.kind == "assert") for slot in table.announcements]
    for pair, rows in (
        (("restart_at", "restart_state"), restarts),
        (("announced_at", "announced_assert"), announced),
    ):
        found |= dict(zip(pair, np.array(rows, dtype=np.int64).reshape(-1, 2).T.copy(), strict=True))
    found["nominal_at"] = nominal_places(program)
    signs = np.array([slot.sign for slot in table.restarts], dtype=np.float64)
    return {**found, **_reads(table.frozen), "restart_sign": signs}


def nominal_places(program: Program) -> "NDArray[np.int64]":
    """Of each state: where p has its nominal value, -1 without one."""
    import numpy as np

    places = [-1 if slot.nominal is None else slot.nominal for slot in program.state_slots]
    return np.array(places, dtype=np.int64)


def _reads(slots: tuple[FrozenSlot, ...]) -> "dict[str, NDArray[np.generic]]":
    """The frozen values, and whether states, that what crosses is computed from."""
    import numpy as np

    nothing = np.zeros(0, dtype=np.int64)
    positions = [nothing]
    for slot in slots:
        mask = slot.reads.to_bytes(slot.reads.bit_length() // 8 + 1, "little")
        bits = np.unpackbits(np.frombuffer(mask, dtype=np.uint8), bitorder="little") if slot.reads else nothing
        positions.append(bits.nonzero()[0] + slot.reads_first)
    return {
        "read_begin": np.cumsum([len(found) for found in positions], dtype=np.int64),
        "reads": np.concatenate(positions).astype(np.int64),
        "reads_states": np.array([slot.reads_states for slot in slots], dtype=np.int64),
    }


def _slot(slot: FrozenSlot) -> tuple[int, ...]:
    truth = _TRUE_ABOVE.get(slot.relation, False), _TRUE_AT_ZERO.get(slot.relation, False)
    positions = [-1 if position is None else position for position in (slot.clock, slot.crossing, slot.start)]
    return KINDS.index(slot.kind), *truth, slot.now, *positions, slot.continuous, slot.may_rest


def list_room(program: Program) -> dict[str, int]:
    """Lengths of arrays of results, frozen values and crossings."""
    table = program.table
    of_frozen = ("fresh", "direction", "was", "located_frozen", "flag", "anchor", "frozen_at_first")
    found = {
        **dict.fromkeys(("results", "later", "earlier"), table.results),
        **dict.fromkeys(of_frozen, len(table.frozen)),
    }
    return {**found, **dict.fromkeys(("values", "values_later", "values_last"), table.crossings)}


def state_room(program: Program) -> dict[str, int]:
    """Lengths of arrays of states."""
    return dict.fromkeys(("moved", "taken", "rate", "located_states"), len(program.state_slots))


def has_relations(program: Program) -> bool:
    """True if there are relations or steps for which values may have to be searched."""
    frozen = program.table.frozen
    return any(s.kind in KINDS[: STEP + 1] and s.clock is None and not s.continuous for s in frozen)
