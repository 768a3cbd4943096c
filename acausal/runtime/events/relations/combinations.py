"""Combinations of the relations that may change, those nearest to given ones first."""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import RELATION, STEP, EventContext, SearchRoom
from acausal.runtime.kernel.language import Bool, Int, kernel


@kernel
def list_relations(e: EventContext) -> None:
    """Stores which relations may be changed."""
    room = e.search_room
    room.count = 0
    for i in range(e.frozen_count):
        if e.kind[i] == RELATION and may_change(e, i):
            room.relations[room.count] = i
            room.count += 1


@kernel
def may_change(e: EventContext, i: Int) -> Bool:
    """True if neither time alone nor nothing decides about a relation or step."""
    return e.kind[i] <= STEP and e.clock[i] < 0 and e.continuous[i] == 0


@kernel
def take_combination(e: EventContext) -> None:
    """Frozen values at the begin, but for the relations that the combination changes."""
    room = e.search_room
    copy_numbers(e.frozen_count, room.begin, e.frozen)
    for k in range(room.distance):
        i = room.relations[room.chosen[k]]
        e.frozen[i] = 1.0 - e.frozen[i]


@kernel
def next_combination(room: SearchRoom) -> Bool:
    """The next combination of relations, those of fewest first; False behind the last one."""
    k = room.distance - 1
    while k >= 0:
        if room.chosen[k] < room.count - room.distance + k:
            break
        k -= 1
    if k < 0 and room.distance == room.count:
        return False
    if k < 0:
        room.distance += 1
    first = room.chosen[k] + 1 if k >= 0 else 0
    for j in range(max(k, 0), room.distance):
        room.chosen[j] = first + j - max(k, 0)
    return True
