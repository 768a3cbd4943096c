"""One event: passes over the equations of the instant until nothing changes any more.

relations   follow the variables, the variables the relations, to a fixed point
actions     the branches of `when` that have become true set new values and restart states
again       until nothing changes
"""

from math import inf

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import (
    BEFORE,
    DISCRETE,
    DONE,
    INCONSISTENT,
    LEFT,
    RELATION,
    RESTLESS,
    SAMPLE,
    UNREACHABLE,
    EventContext,
)
from acausal.runtime.events.relations.consistency import is_sample_missed
from acausal.runtime.events.relations.discrete import clock_time, has_come, is_clocked, value_after
from acausal.runtime.events.relations.evaluate import evaluate_events
from acausal.runtime.events.relations.fixed_point import iterate_relations
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel


@kernel
def instant(e: EventContext, t: Real) -> Int:
    """States `y` and frozen values after the event at t, where `roots` were located or time has come."""
    status = locate(e, t, e.y)
    if status != DONE:
        return status
    raise_flags(e, 1.0)
    status = iterate_relations(e, t, e.y)
    return iterate(e, t) if status == DONE else status


@kernel
def iterate(e: EventContext, t: Real) -> Int:
    """Passes over relations at their fixed point until nothing changes any more."""
    passes = 0
    while True:
        status = act(e, t)
        if status != DONE:
            return status
        if e.found == 0.0:
            break
        passes += 1
        if passes > e.most_passes:
            return RESTLESS
        status = iterate_relations(e, t, e.y)
        if status != DONE:
            return status
    if not raise_flags(e, 0.0):
        return DONE
    status = iterate_relations(e, t, e.y)
    if status == DONE:
        keep_before(e)
    return status


# ------------------------------------------------------------------ passes


@kernel
def act(e: EventContext, t: Real) -> Int:
    """New values and restarts of one pass, by `results`; `found` is 1 where something changes."""
    if announce(e) and e.is_ordinary != 0:
        return LEFT
    keep_before(e)
    status = restart(e, t)
    if status != DONE:
        return status
    for i in range(e.frozen_count):
        e.fresh[i] = e.frozen[i]
        if e.kind[i] == DISCRETE and e.results[e.now[i]] != e.frozen[i]:
            e.frozen[i] = e.results[e.now[i]]
            e.found = 1.0
    return DONE


@kernel
def announce(e: EventContext) -> Bool:
    """Decide by `results` whether an `assert` or `terminate` has to be reported."""
    is_reported = False
    for i in range(e.announcements):
        at = e.announced_at[i]
        if e.results[at] != 0.0 and (e.results[at + 1] == 0.0) == (e.announced_assert[i] != 0):
            e.announced = i
            is_reported = True
    return is_reported


@kernel
def keep_before(e: EventContext) -> None:
    """Conditions as they are, by `results`: what they were before, from now on."""
    for i in range(e.frozen_count):
        if e.kind[i] == BEFORE:
            e.frozen[i] = e.results[e.now[i]]


@kernel
def restart(e: EventContext, t: Real) -> Int:
    """States that start again, by `results`; `found` is 1 where one changes."""
    e.found = 0.0
    e.restarted = 0.0
    if e.restarts == 0:
        return DONE
    for k in range(e.states):
        e.taken[k] = 0.0
        e.moved[k] = e.y[k]
    others = 0
    for i in range(e.restarts):
        at = e.restart_at[i]
        state = e.restart_state[i]
        if e.results[at] != 0.0 and state < 0:
            others = 1
        elif e.results[at] != 0.0:
            value = e.restart_sign[i] * e.results[at + 1]
            if e.taken[state] != 0.0 and e.moved[state] != value:
                return UNREACHABLE
            e.taken[state] = 1.0
            e.moved[state] = value
    if others != 0 and e.has_restart_others == 0:
        return LEFT
    status = e.restart_others(e.restart_context, t) if others != 0 else DONE
    if status != DONE:
        return status
    for k in range(e.states):
        if e.moved[k] != e.y[k]:
            e.found = 1.0
        e.y[k] = e.moved[k]
    e.restarted = e.found
    return DONE


# ------------------------------------------------------------------ what has come


@kernel
def locate(e: EventContext, t: Real, y: Reals) -> Int:
    """Frozen values go behind the crossings that were located or whose time has come; `flag` of what is due."""
    status = evaluate_events(e, t, y, e.results)
    if status != DONE:
        return status
    if mark(e, t) and e.memory > 0:  # solutions of nonlinear blocks from solutions: the same bits as in the next pass
        status = evaluate_events(e, t, y, e.results)
        if status != DONE:
            return status
    if e.ticks != 0 and is_sample_missed(e, t):
        return INCONSISTENT
    e.located_time = t
    copy_numbers(e.frozen_count, e.frozen, e.located_frozen)
    copy_numbers(e.states, y, e.located_states)
    for i in range(e.frozen_count):
        if e.direction[i] != 0.0:
            e.was[i] = e.results[e.now[i]]
            e.frozen[i] = value_after(e, i, e.was[i], e.direction[i])
    return DONE


@kernel
def mark(e: EventContext, t: Real) -> Bool:
    """`direction` of what was located or whose time has come, `flag` of samples, by `results` and `roots`.

    Whether there is a direction.
    """
    any_direction = False
    for i in range(e.frozen_count):
        direction = 0.0
        e.flag[i] = 0.0
        at = e.crossing[i]
        if at >= 0 and e.roots[at] != 0:
            if e.kind[i] == RELATION:
                direction = float(e.roots[at])
            else:
                direction = 1.0 if e.results[e.now[i]] - e.frozen[i] > 0.5 else -1.0
        if e.kind[i] == SAMPLE and has_come(clock_time(e, i), t):
            e.flag[i] = 1.0
            e.next_sample[i] += 1.0
        if e.clock[i] >= 0 and has_come(clock_time(e, i), t):
            direction = 1.0 if e.results[e.clock[i]] > 0.0 else -1.0
        e.direction[i] = direction
        if direction != 0.0:
            any_direction = True
    return any_direction


@kernel
def raise_flags(e: EventContext, value: Real) -> Bool:
    """Samples that are due, and the first instant, are true or no longer; whether there are any."""
    found = False
    for i in range(e.frozen_count):
        if e.flag[i] != 0.0:
            e.frozen[i] = value
            found = True
    return found


@kernel
def find_next_time(e: EventContext, t: Real, y: Reals) -> Int:
    """The time of the next event that is known, into `limit`, by the `results` that the event ended with."""
    e.limit = inf
    if e.ticks == 0:
        return DONE
    if e.befores != 0:
        status = evaluate_events(e, t, y, e.results)
        if status != DONE:
            return status
    for i in range(e.frozen_count):
        if is_clocked(e, i):
            time = clock_time(e, i)
            if time != time and e.is_ordinary != 0:
                return LEFT
            e.limit = min(e.limit, time)
    return DONE
