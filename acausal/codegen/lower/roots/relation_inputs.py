"""Frozen values and states that relations are computed from, also through blocks.

Values are computed from those near them in the model: their positions are a few bits behind the first one, and values
that are computed from the same share them. So this is linear in the length of the code unless a model couples all with
all.
"""

from dataclasses import replace

from acausal.ir.program.instructions import Routine
from acausal.ir.program.slots import FrozenSlot

_Reads = tuple[int, int, bool]
"""The first frozen value, bit k for the k-th behind it, and whether states."""
_NOTHING: _Reads = 0, 0, False


def with_reads(slots: tuple[FrozenSlot, ...], events: Routine) -> tuple[FrozenSlot, ...]:
    """The slots of relations and steps with what the results of `events` for them are computed from."""
    if all(slot.crossing is None for slot in slots):
        return slots
    count = len(slots)
    reads: list[_Reads] = []
    stored: dict[object, _Reads] = {}
    for op, args, value in events.code:
        found = _NOTHING
        if op == "state":
            found = 0, 0, True
        elif op == "input" and isinstance(value, int) and value < count:
            found = value, 1, False
        for arg in args:
            if found is not reads[arg]:
                found = _union(found, reads[arg])
        reads.append(found)
        if op == "store":
            stored[value] = found
    return tuple([slot if slot.crossing is None else _with(slot, stored[slot.now]) for slot in slots])


def _union(one: _Reads, other: _Reads) -> _Reads:
    """Both; one of the two where it holds the other one."""
    if other is _NOTHING:
        return one
    if one is _NOTHING:
        return other
    (at, bits, states), (at_other, bits_other, states_other) = one, other
    first = min(at if bits else at_other, at_other if bits_other else at)
    mask = (bits and bits << at - first) | (bits_other and bits_other << at_other - first)
    found = first, mask, states or states_other
    return one if found == one else other if found == other else found


def _with(slot: FrozenSlot, reads: _Reads) -> FrozenSlot:
    first, bits, states = reads
    return replace(slot, reads_first=first, reads=bits, reads_states=states)
