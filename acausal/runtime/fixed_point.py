"""Relations at an event: to a fixed point with the variables, and where they are heading.

Where settling all relations at once goes in circles, only the first of those that disagree is
changed (the least index rule of Murty, Math. Programming 7 (1974)): switches and diodes in
networks, which form a linear complementarity problem, then come to rest.
"""

from math import inf

from acausal.runtime.context import CONTRADICTORY, DONE, LEFT, RELATION, STEP, EventContext
from acausal.runtime.discrete import clocked_value, side, value_after, value_now
from acausal.runtime.evaluate import evaluate_crossings, evaluate_events, evaluate_rates, move_ahead
from acausal.runtime.language import Bool, Int, Real, Reals, floor, kernel
from acausal.runtime.limits import (
    AHEAD,
    ALL_AT_ONCE,
    ASIDE,
    LEAST,
    MOST_SETTLING,
    SEEN,
    SHARE_OF_FLIGHT,
    SHORT,
    UNCHANGED,
)


@kernel
def settle(e: EventContext, t: Real, y: Reals) -> Int:
    """Relations to a fixed point, with `results` there."""
    for number in range(MOST_SETTLING):
        status = evaluate_events(e, t, y, e.results)
        if status == DONE:
            status = propose(e, t, y, number >= ALL_AT_ONCE)
        if status != DONE or e.wrong == 0:
            return status
        if number >= ALL_AT_ONCE and is_cycle(e, number == ALL_AT_ONCE):
            return CONTRADICTORY
        for i in range(e.held_count):
            e.u[i] = e.fresh[i]
    return CONTRADICTORY


@kernel
def propose(e: EventContext, t: Real, y: Reals, is_single: Bool) -> Int:
    """New values by `results` into `fresh`; if `is_single` only the first one that disagrees is another one."""
    e.wrong = 0
    for i in range(e.held_count):
        e.fresh[i] = e.u[i]
        if e.kind[i] <= STEP and (e.wrong == 0 or not is_single):
            status = find_value(e, i, t, y)
            if status != DONE:
                return status
            if e.found != e.u[i]:
                e.fresh[i] = e.found
                e.wrong += 1
    return DONE


@kernel
def is_cycle(e: EventContext, is_first: Bool) -> Bool:
    """Whether held values are those of the anchor, set anew after 1, 2, 4, ... passes (Brent, BIT 20 (1980))."""
    if is_first:
        e.cycle_turn = 0
        e.cycle_length = 1
    elif is_anchor(e):
        return True
    e.cycle_turn += 1
    if e.cycle_turn == e.cycle_length:
        e.cycle_turn = 1
        e.cycle_length *= 2
        for i in range(e.held_count):
            e.anchor[i] = e.u[i]
    return False


@kernel
def is_anchor(e: EventContext) -> Bool:
    """Whether held values are those of the anchor."""
    for i in range(e.held_count):
        if e.u[i] != e.anchor[i]:
            return False
    return True


@kernel
def find_value(e: EventContext, i: Int, t: Real, y: Reals) -> Int:
    """What a relation or step is to be, by `results`, into `found`."""
    if e.clock[i] >= 0:
        e.found = clocked_value(e, i, t)
        return DONE
    now = e.results[e.now[i]]
    located = e.direction[i] != 0.0 and abs(now - e.was[i]) <= UNCHANGED * abs(e.was[i]) + 1e-300
    away = now if e.kind[i] == RELATION else now - floor(now)
    if not located and away != 0.0:
        e.found = value_now(e, i, now)
        return DONE
    status = find_slope(e, i, t, y)
    if status != DONE:
        return status
    way = e.found
    if way == 0.0 and located:
        way = e.direction[i]
    e.found = value_now(e, i, now) if way == 0.0 else value_after(e, i, now, way)
    return DONE


@kernel
def find_slope(e: EventContext, i: Int, t: Real, y: Reals) -> Int:
    """How what crosses goes on from here, into `found`; 0 where that cannot be seen."""
    e.found = 0.0
    if evaluate_rates(e, t, y) != DONE:
        return LEFT if e.is_ordinary != 0 else DONE
    move_ahead(e, y)
    status = evaluate_events(e, t + e.ahead, e.moved, e.later)
    if status != DONE:
        return status
    now = e.results[e.now[i]]
    then = e.later[e.now[i]]
    change = then - now
    if abs(change) > SEEN * max(abs(now), abs(then)):
        e.found = change
    return DONE


@kernel
def leave(e: EventContext, t: Real, y: Reals) -> Int:
    """Crossings on the wrong side, or at zero, begin just on theirs."""
    if e.crossing_count == 0:
        return DONE
    for i in range(e.crossing_count):
        e.offset[i] = 0.0
    status = evaluate_crossings(e, t, y, e.values)
    if status != DONE:
        return status
    for i in range(e.crossing_count):
        if e.values[i] == 0.0:
            e.offset[i] = LEAST
    for i in range(e.held_count):
        at = e.crossing[i]
        if at >= 0:
            value = e.values[at]
            sign = side(e, i, e.u[i])
            if value * sign <= 0.0:
                e.offset[at] = sign * max(ASIDE * abs(value), LEAST) - value
    return DONE


@kernel
def find_first_step(e: EventContext, t: Real, y: Reals) -> Int:
    """A tenth of the shortest time in which something that crosses now comes back, into `first_step`; else 0.

    A solver that does not know the past could step over a short flight as a whole.
    """
    e.first_step = 0.0
    if not has_offset(e):
        return DONE
    for k in range(e.states):
        e.moved[k] = y[k]
    for number in range(3):
        at = t + float(number) * e.ahead
        values = e.values if number == 0 else (e.values_later if number == 1 else e.values_last)
        status = evaluate_crossings(e, at, e.moved, values)
        if status != DONE:
            return status
        if evaluate_rates(e, at, e.moved) != DONE:
            return LEFT if e.is_ordinary != 0 else DONE
        move_ahead(e, e.moved)
    shortest = inf
    for i in range(e.crossing_count):
        away = e.values_later[i] - e.values[i]
        bend = 2.0 * e.values_later[i] - e.values[i] - e.values_last[i]
        if e.offset[i] != 0.0 and away * bend > 0.0:
            shortest = min(shortest, 2.0 * e.ahead * away / bend)
    if SHARE_OF_FLIGHT * shortest < SHORT * e.ahead / AHEAD:
        e.first_step = SHARE_OF_FLIGHT * shortest
    return DONE


@kernel
def has_offset(e: EventContext) -> Bool:
    """Whether a crossing does not begin where it is."""
    for i in range(e.crossing_count):
        if e.offset[i] != 0.0:
            return True
    return False
