"""Frozen values with which the equations of the first instant can be solved.

A run begins with the value of each relation where its sides are equal, as `s < 0` is false. So all ideal diodes
conduct at first, and those without resistance between different sources leave no solution: none of the passes that
let relations follow the variables can begin. Then all relations that may change are turned round (all diodes
block), and after that the combinations nearest to the first one are tried.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import CONTRADICTORY, DONE, EventContext
from acausal.runtime.events.relations.combinations import list_relations, next_combination, take_combination
from acausal.runtime.events.relations.evaluate import are_finite, evaluate_relations
from acausal.runtime.kernel.language import Bool, CInt, Real, kernel

MOST_FIRST_VALUES = 5000
"""Combinations that are tried."""


@kernel
def find_first_values(e: EventContext, t: Real) -> CInt:
    """DONE with other values than those at the begin; CONTRADICTORY with these if they serve, or if none do."""
    room = e.search_room
    list_relations(e)
    copy_numbers(e.frozen_count, e.frozen, room.begin)
    copy_numbers(e.memory_size, e.m, e.memory_aside)
    is_found = False
    if not can_begin(e, t):
        room.distance = room.count
        for k in range(room.count):
            room.chosen[k] = k
        take_combination(e)
        is_found = room.count > 0 and can_begin(e, t)
        room.distance = 0
        for _ in range(MOST_FIRST_VALUES):
            if is_found or not next_combination(room):
                break
            take_combination(e)
            is_found = can_begin(e, t)
    if not is_found:
        copy_numbers(e.frozen_count, room.begin, e.frozen)
    copy_numbers(e.memory_size, e.memory_aside, e.m)
    return DONE if is_found else CONTRADICTORY


@kernel
def can_begin(e: EventContext, t: Real) -> Bool:
    """True if states of the first instant and all results of `events` there are found, from solutions kept aside."""
    copy_numbers(e.memory_size, e.memory_aside, e.m)
    if e.initial_ahead(t, e.y, e.u, e.p, e.m, e.y) != 0 or not are_finite(e.y, e.states):
        return False
    e.undefined = e.frozen_count
    return evaluate_relations(e, t, e.y, e.results) == DONE
