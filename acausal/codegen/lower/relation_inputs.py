"""Frozen values and states that relations are computed from, also through blocks."""

from dataclasses import replace

from acausal.ir.instructions import Routine
from acausal.ir.slots import FrozenSlot


def with_reads(slots: tuple[FrozenSlot, ...], events: Routine) -> tuple[FrozenSlot, ...]:
    """The slots of relations and steps with what the results of `events` for them are computed from."""
    if all(slot.crossing is None for slot in slots):
        return slots
    count = len(slots)
    reads: list[int] = []
    stored: dict[object, int] = {}
    for op, args, value in events.code:
        found = 0
        if op == "state":
            found = 1 << count
        elif op == "input" and isinstance(value, int) and value < count:
            found = 1 << value
        for arg in args:
            found |= reads[arg]
        reads.append(found)
        if op == "store":
            stored[value] = found
    return tuple([s if s.crossing is None else replace(s, reads=stored[s.now]) for s in slots])
