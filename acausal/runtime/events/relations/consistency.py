"""The invariant of events: frozen values agree with their sides, and each instant of a sample fires once.

Relations are verified where a solver begins (`leave`): each root function is on the side of its frozen value, or its
sides are equal as far as time and the solver's tolerance resolve them. So the solver begins on the right side and by
the rule of signs it stays there up to the next event; where it stops, `find_violated` compares the sides once more, and
a relation that has come to the other side without being noticed is an event there. A sample counts its instants, an
instant that fires is the present one, and at the end of a run none before it is left.
"""

from acausal.runtime.context import DONE, RELATION, SAMPLE, EventContext
from acausal.runtime.events.relations.discrete import clock_time, side
from acausal.runtime.events.relations.evaluate import evaluate_crossings, evaluate_events, perturb
from acausal.runtime.events.relations.fixed_point import find_slope, is_located
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, nearest
from acausal.runtime.limits import NEAR, SIMULTANEOUS


@kernel
def are_consistent(e: EventContext, t: Real, y: Reals) -> Bool:
    """True if frozen relations and steps agree with the root functions `values`, by `results`; else `inconsistent`."""
    for i in range(e.frozen_count):
        at = e.crossing[i]
        if at >= 0 and e.continuous[i] == 0:
            beyond = -e.values[at] * side(e, i, e.frozen[i]) - e.band[i]
            is_fine = beyond <= 0.0 or is_where_it_changes(e, i, t, y)
            if not is_fine and not is_below_tolerance(e, at, beyond, t, y):
                e.inconsistent = i
                return False
    return True


@kernel
def is_where_it_changes(e: EventContext, i: Int, t: Real, y: Reals) -> Bool:
    """True if the sides are equal as far as time is resolved, by `results`.

    What was located is zero whatever its value is: it has to go on to the side of its frozen value.
    """
    now = e.results[e.now[i]]
    away = now if e.kind[i] == RELATION else now - nearest(now)
    if away == 0.0 or (e.agrees_later != 0 and t == e.located_time):
        return True
    way = find_slope(e, i, t, y)
    if is_located(e, i, now, t, y) and way * side(e, i, e.frozen[i]) >= 0.0:
        return True
    return abs(away) - e.band[i] <= (SIMULTANEOUS + NEAR * abs(t) / e.ahead) * abs(way)


@kernel
def is_below_tolerance(e: EventContext, at: Int, beyond: Real, t: Real, y: Reals) -> Bool:
    """True if errors of the solver change a root function by as much, or if it cannot be seen how they do."""
    perturb(e, y, 1.0)
    if evaluate_crossings(e, t + e.ahead, e.moved, e.values_last) != 0:
        return True
    return not beyond > abs(e.values_last[at] - e.values[at])


@kernel
def is_sample_missed(e: EventContext, t: Real) -> Bool:
    """True if the instant of a sample that fires at t is an earlier one, by `results`; it is `inconsistent` then."""
    for i in range(e.frozen_count):
        if e.kind[i] == SAMPLE and e.flag[i] != 0.0:
            fired = e.results[e.now[i]] + e.results[e.now[i] + 1] * (e.next_sample[i] - 1.0)
            if fired < t - NEAR * abs(t):
                e.inconsistent = i
                return True
    return False


@kernel
def is_sample_left(e: EventContext, t: Real, y: Reals) -> Bool:
    """True if an instant of a sample before t has not fired; it is `inconsistent` then."""
    if e.ticks == 0 or evaluate_events(e, t, y, e.results) != DONE:
        return False
    for i in range(e.frozen_count):
        if e.kind[i] == SAMPLE and clock_time(e, i) < t - NEAR * abs(t):
            e.inconsistent = i
            return True
    return False
