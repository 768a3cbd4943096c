"""Relations at an event: to a fixed point with the variables, and where they are heading.

Switches and diodes in a network form a linear complementarity problem: its complementary bases are the combinations of
frozen values, and the sign of what a relation compares says whether a basis is feasible. All relations that disagree
change at once, as in block principal pivoting (Judice, Pires, Computers & Operations Research 21 (1994)); if that does
not end soon, only the first of them (the least index rule of Murty, Math. Programming 7 (1974)), which ends wherever
the characteristics are monotone. A relation whose sides are equal at the event goes by where they are heading: this
is the same problem for the derivatives, as a little later in time.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import CONTRADICTORY, DONE, LEFT, RELATION, STEP, EventContext
from acausal.runtime.events.relations.discrete import clocked_value, is_clock_at, value_after, value_now
from acausal.runtime.events.relations.evaluate import (
    count_undefined,
    evaluate_events,
    evaluate_rates,
    evaluate_relations,
    move_ahead,
)
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, nearest
from acausal.runtime.limits import ALL_AT_ONCE, MOST_RELATION_PASSES, SEEN, SIMULTANEOUS, UNCHANGED

UNKNOWN, KNOWN, HIDDEN = range(3)
"""True if it is known how things go on: not yet, yes, or it cannot be seen."""
REACH = 16.0
"""Redundant equations are to hold so many look-ahead times longer: a contradiction grows above rounding meanwhile."""
JUMP = 1000.0
"""A jump is so many times larger than what comes next to it."""


@kernel
def iterate_relations(e: EventContext, t: Real, y: Reals) -> Int:
    """Relations to a fixed point, with `results` there."""
    e.looks_ahead = e.relations
    e.undefined = e.frozen_count
    agrees = False
    for number in range(MOST_RELATION_PASSES + 20 * e.frozen_count):
        if evaluate_relations(e, t, y, e.results) != DONE:
            if e.has_search == 0:
                return LEFT
            break
        if number == 0:
            e.undefined = count_undefined(e, e.results)
        e.is_ahead = UNKNOWN
        propose(e, t, y, number >= ALL_AT_ONCE)
        agrees = e.wrong == 0
        if agrees and not remains_solvable(e, t, y):
            break
        if agrees:
            update_kinks(e)
            return DONE
        if number >= ALL_AT_ONCE and is_cycle(e, number == ALL_AT_ONCE):
            break
        copy_numbers(e.frozen_count, e.fresh, e.frozen)
    if e.has_search == 0:
        return CONTRADICTORY
    status = e.search(e.search_context, t, y)
    if status != DONE and evaluate_events(e, t, y, e.results) != DONE:
        return LEFT
    return DONE if agrees else status


@kernel
def remains_solvable(e: EventContext, t: Real, y: Reals) -> Bool:
    """False if redundant equations that hold at t contradict each other later.

    Where two sources have one voltage, diodes without resistance at both could share a current for an instant.
    """
    if e.redundancies == 0:
        return True
    copy_numbers(e.memory_size, e.m, e.memory_aside)
    is_going = evaluate_rates(e, t, y) == DONE
    if is_going:
        ahead = REACH * e.ahead
        move_ahead(e, y, ahead)
        is_going = e.events_ahead(t + ahead, e.moved, e.u, e.p, e.m, e.later) == 0
    copy_numbers(e.memory_size, e.memory_aside, e.m)
    e.is_ahead = UNKNOWN
    return is_going


@kernel
def propose(e: EventContext, t: Real, y: Reals, is_single: Bool) -> None:
    """New values by `results` into `fresh`; if `is_single` only the first one that disagrees is another one."""
    e.wrong = 0
    for i in range(e.frozen_count):
        e.fresh[i] = e.frozen[i]
        if e.kind[i] <= STEP and e.continuous[i] == 0 and (e.wrong == 0 or not is_single):
            value = find_value(e, i, t, y)
            if value != e.frozen[i]:
                e.fresh[i] = value
                e.wrong += 1


@kernel
def update_kinks(e: EventContext) -> None:
    """Relations that nothing reads follow the variables, by `results`."""
    for i in range(e.frozen_count):
        if e.continuous[i] != 0 and e.direction[i] == 0.0:
            e.frozen[i] = value_now(e, i, e.results[e.now[i]])


@kernel
def is_cycle(e: EventContext, is_first: Bool) -> Bool:
    """True if frozen values are those of the anchor, set again after 1, 2, 4, ... passes (Brent, BIT 20 (1980))."""
    if is_first:
        e.cycle_turn = 0
        e.cycle_length = 1
    elif is_anchor(e):
        return True
    e.cycle_turn += 1
    if e.cycle_turn == e.cycle_length:
        e.cycle_turn = 1
        e.cycle_length *= 2
        copy_numbers(e.frozen_count, e.frozen, e.anchor)
    return False


@kernel
def is_anchor(e: EventContext) -> Bool:
    """True if frozen values are those of the anchor."""
    for i in range(e.frozen_count):
        if e.frozen[i] != e.anchor[i]:
            return False
    return True


@kernel
def find_value(e: EventContext, i: Int, t: Real, y: Reals) -> Real:
    """New value of a relation or step, by `results`."""
    if e.clock[i] >= 0:
        return clocked_value(e, i, t)
    now = e.results[e.now[i]]
    if e.band[i] > 0.0:
        return e.frozen[i] if e.direction[i] != 0.0 or abs(now) <= e.band[i] else value_now(e, i, now)
    located = is_located(e, i, now, t, y)
    away = now if e.kind[i] == RELATION else now - nearest(now)
    if not located and away != 0.0 and e.looks_ahead == 0:
        return value_now(e, i, now)
    way = find_slope(e, i, t, y)
    if not located and abs(away) > SIMULTANEOUS * abs(way):
        return value_now(e, i, now)
    if located and (way == 0.0 or has_jumped(e, i, now, t, y)):
        way = e.direction[i]
    return value_now(e, i, now) if way == 0.0 else value_after(e, i, now, way)


@kernel
def is_located(e: EventContext, i: Int, now: Real, t: Real, y: Reals) -> Bool:
    """True if its crossing was located at this event, and what crosses is as it was there.

    It is if nothing that it is computed from has another value: where a nonlinear block is solved again, its solution
    differs by rounding, which next to zero is as large as what crosses.
    """
    if e.direction[i] == 0.0:
        return False
    return abs(now - e.was[i]) <= UNCHANGED * abs(e.was[i]) + 1e-300 or is_computed_alike(e, i, t, y)


@kernel
def is_computed_alike(e: EventContext, i: Int, t: Real, y: Reals) -> Bool:
    """True if what crosses is computed from the same values as where it was located."""
    if t != e.located_time:
        return False
    for k in range(e.read_begin[i], e.read_begin[i + 1]):
        if e.frozen[e.reads[k]] != e.located_frozen[e.reads[k]]:
            return False
    if e.reads_states[i] != 0:
        for k in range(e.states):
            if y[k] != e.located_states[k]:
                return False
    return True


@kernel
def has_jumped(e: EventContext, i: Int, now: Real, t: Real, y: Reals) -> Bool:
    """True if what crosses has come to its side by a jump or over a pole: it is not next to zero.

    Where it is heading says nothing then: behind its pole a tangent rises from below. Beside the crossing of what has
    no jump it changes about as much before as behind it.
    """
    if e.kind[i] != RELATION or e.is_ahead != KNOWN:
        return False
    then = e.later[e.now[i]]
    if not (now * e.direction[i] > 0.0 and now * then > 0.0 and abs(then) < abs(now)):
        return False
    for k in range(e.states):
        e.moved[k] = y[k] - e.ahead * e.rate[k]
    if e.events_ahead(t - e.ahead, e.moved, e.u, e.p, e.m, e.earlier) != 0:
        return False
    before = e.earlier[e.now[i]]
    is_pole = abs(now) > JUMP * max(abs(before), abs(then))
    return before * now < 0.0 and (is_pole or abs(now - before) > JUMP * abs(then - now))


@kernel
def is_at_zero(e: EventContext, i: Int, t: Real, y: Reals) -> Bool:
    """True if a relation or step is where it changes, as far as time is resolved, by `results`."""
    if e.clock[i] >= 0:
        return is_clock_at(e, i, t)
    now = e.results[e.now[i]]
    away = now if e.kind[i] == RELATION else now - nearest(now)
    return away == 0.0 or abs(away) <= SIMULTANEOUS * abs(find_slope(e, i, t, y))


@kernel
def find_slope(e: EventContext, i: Int, t: Real, y: Reals) -> Real:
    """Slope of a crossing function from here on; 0 where it is unknown."""
    if e.is_ahead == UNKNOWN:
        e.is_ahead = look_ahead(e, t, y)
    if e.is_ahead == HIDDEN:
        return 0.0
    now = e.results[e.now[i]]
    then = e.later[e.now[i]]
    return then - now if abs(then - now) > SEEN * max(abs(now), abs(then)) else 0.0


@kernel
def look_ahead(e: EventContext, t: Real, y: Reals) -> Int:
    """The results of `events` a little later into `later`, by the slope here."""
    if evaluate_rates(e, t, y) != DONE:
        return HIDDEN
    move_ahead(e, y, e.ahead)
    return KNOWN if e.events_ahead(t + e.ahead, e.moved, e.u, e.p, e.m, e.later) == 0 else HIDDEN
