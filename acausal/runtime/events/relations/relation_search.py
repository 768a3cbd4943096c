"""Frozen values that agree with their relations, where passes over the relations go in circles.

First, where both sides of a relation are equal within rounding, either value is accepted, unless a crossing was
located: that leads to one side. Then, values that agree a little later: a switch and a diode beside it change places
where the current turns, but each voltage is the difference of large ones, whose rounding error decides at the event
itself, or with neither conducting nothing can be solved. Last, combinations near those that there are: behind the fold
of a positive feedback without dynamics (a Schmitt trigger without time constant) the solution jumps to another branch,
which no passes from this one find.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import CONTRADICTORY, DONE, RELATION, EventContext, SearchRoom
from acausal.runtime.events.relations.combinations import list_relations, may_change, next_combination, take_combination
from acausal.runtime.events.relations.discrete import value_now
from acausal.runtime.events.relations.evaluate import evaluate_rates, evaluate_relations, move_ahead, perturb
from acausal.runtime.events.relations.first_values import find_first_values
from acausal.runtime.events.relations.fixed_point import (
    UNKNOWN,
    find_value,
    is_cycle,
    propose,
    remains_solvable,
    update_kinks,
)
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, nearest

TIE = 1e-3
"""Errors of states by this share of their tolerance are rounding errors."""
MOST_TIES = 100
"""Passes, and so many more for each frozen value, in which ties are resolved."""
MOST_REACHES, FURTHER = 4, 16.0
"""Times in which values come to agree: the look-ahead time, then so many times as long."""
MOST_BEGINS = 100
"""Combinations from which such values are searched for."""
MOST_JUMP_PASSES, PASSES_FROM_EACH = 3000, 8
"""Passes over all combinations, and from each of them."""


def search_room(frozen: int, results: int) -> SearchRoom:
    """Room for so many frozen values and results of `events`, for Python."""
    lists = {"begin": [0.0] * frozen, "relations": [0] * frozen, "chosen": [0] * frozen}
    return SearchRoom(**lists, noise=[0.0] * results, count=0, distance=0)


@kernel
def search_relations(e: EventContext, t: Real, y: Reals) -> CInt:
    """DONE with frozen values that agree, and `results` there, else CONTRADICTORY with these as they were."""
    if e.begins != 0:
        return find_first_values(e, t)
    room = e.search_room
    list_relations(e)
    copy_numbers(e.frozen_count, e.frozen, room.begin)
    if remains_solvable(e, t, y) and resolve_ties(e, t, y):
        return DONE
    if agree_later(e, t, y) or jump(e, t, y):
        return DONE
    copy_numbers(e.frozen_count, room.begin, e.frozen)
    return CONTRADICTORY


# ------------------------------------------------------------------ ties


@kernel
def resolve_ties(e: EventContext, t: Real, y: Reals) -> Bool:
    """Least index first; a relation whose sides are equal within rounding keeps its value.

    One whose sides no rounding error moves has its exact value, as `fire <= 0` for a `fire` that is 0 or 1.
    """
    for number in range(MOST_TIES + e.frozen_count):
        if not find_noise(e, t, y) or is_cycle(e, number == 0):
            return False
        if not change_first(e, t, y):
            update_kinks(e)
            return True
    return False


@kernel
def change_first(e: EventContext, t: Real, y: Reals) -> Bool:
    """The first relation that disagrees beyond rounding is changed; False if there is none."""
    for i in range(e.frozen_count):
        if may_change(e, i) and not is_tie(e, i):
            value = find_value(e, i, t, y)
            if value != e.frozen[i]:
                e.frozen[i] = value
                return True
    return False


@kernel
def find_noise(e: EventContext, t: Real, y: Reals) -> Bool:
    """By how much rounding errors of states move each result, into `noise`; False where there are no results."""
    room = e.search_room
    e.is_ahead = UNKNOWN
    if evaluate_relations(e, t, y, e.results) != DONE:
        return False
    perturb(e, y, TIE)
    if evaluate_relations(e, t, e.moved, e.later) != DONE:
        return False
    for i in range(e.results_count):
        room.noise[i] = abs(e.later[i] - e.results[i])
    return True


@kernel
def is_tie(e: EventContext, i: Int) -> Bool:
    """True if the sides of a relation that was not located are equal within rounding."""
    now = e.results[e.now[i]]
    away = now if e.kind[i] == RELATION else now - nearest(now)
    error = e.search_room.noise[e.now[i]]
    return e.direction[i] == 0.0 and error > 0.0 and abs(away) <= error


# ------------------------------------------------------------------ a little later


@kernel
def agree_later(e: EventContext, t: Real, y: Reals) -> Bool:
    """Values with which the variables, as they go on, agree with all relations within the look-ahead time.

    That becomes longer until something is found, from the values at the begin or those nearest to them.
    """
    room = e.search_room
    ahead = e.ahead
    for _ in range(MOST_REACHES):
        room.distance = 0
        for number in range(MOST_BEGINS + 1):
            if number > 0 and not next_combination(room):
                break
            take_combination(e)
            if find_later(e, t, y, ahead):
                e.is_ahead = UNKNOWN
                if evaluate_relations(e, t, y, e.results) == DONE:
                    e.agrees_later = 1
                    e.located_time = t
                    update_kinks(e)
                    return True
        ahead *= FURTHER
    return False


@kernel
def find_later(e: EventContext, t: Real, y: Reals, ahead: Real) -> Bool:
    """Passes from the present values until these agree with the variables so much later."""
    for _ in range(PASSES_FROM_EACH):
        # the midpoint rule: at rest states begin to move with their acceleration
        if evaluate_rates(e, t, y) != DONE:
            return False
        move_ahead(e, y, 0.5 * ahead)
        if evaluate_rates(e, t + 0.5 * ahead, e.moved) != DONE:
            return False
        move_ahead(e, y, ahead)
        if evaluate_relations(e, t + ahead, e.moved, e.later) != DONE:
            return False
        if not follow_relations(e):
            return True
    return False


@kernel
def follow_relations(e: EventContext) -> Bool:
    """Relations as `later` has them; whether one has changed."""
    is_any = False
    for i in range(e.frozen_count):
        if may_change(e, i):
            value = value_now(e, i, e.later[e.now[i]])
            if value != e.frozen[i]:
                e.frozen[i] = value
                is_any = True
    return is_any


# ------------------------------------------------------------------ combinations


@kernel
def jump(e: EventContext, t: Real, y: Reals) -> Bool:
    """The nearest combinations first, with some passes from each."""
    room = e.search_room
    room.distance = 0
    passes = 0
    while passes <= MOST_JUMP_PASSES and next_combination(room):
        take_combination(e)
        for _ in range(PASSES_FROM_EACH):
            passes += 1
            e.is_ahead = UNKNOWN
            if evaluate_relations(e, t, y, e.results) != DONE:
                break
            propose(e, t, y, False)
            if e.wrong == 0:
                update_kinks(e)
                return True
            copy_numbers(e.frozen_count, e.fresh, e.frozen)
    return False
