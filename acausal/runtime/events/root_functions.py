"""Root functions: the solver watches them for changes of sign, and each begins on its own side.

Evaluated twice at one point a root function may differ by rounding: a solver that sees another sign at its start than
the frozen value has never notices the crossing. So it is given the values there by `starts`, each on its side, and
where it stops the values that it has seen last are compared with `sides`.
"""

from math import inf, nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, INCONSISTENT, LEFT, EventContext
from acausal.runtime.crossings.root_search import is_beyond
from acausal.runtime.events.relations.consistency import are_consistent
from acausal.runtime.events.relations.discrete import side
from acausal.runtime.events.relations.evaluate import evaluate_crossings, evaluate_rates, move_ahead, perturb
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel
from acausal.runtime.limits import AHEAD, ASIDE, LEAST, SHARE_OF_FLIGHT, SHORT

LARGE, RATIO = 0.1, 1e5
"""Errors of relations that are larger are at most so many times as large as those for their other value."""


@kernel
def leave(e: EventContext, t: Real, y: Reals) -> Int:
    """Crossings on the wrong side, or at zero, begin just on theirs; kinks are seen beyond errors of the solver.

    `results` are those at t and `y`.
    """
    e.starts[e.crossing_count] = nan
    if e.crossing_count == 0:
        return DONE
    for i in range(e.crossing_count):
        e.offset[i] = 0.0
        e.sides[i] = 0.0
    status = evaluate_crossings(e, t, y, e.values)
    if status != DONE:
        return status
    set_bands(e, t, y)
    if not are_consistent(e, t, y):
        return INCONSISTENT
    find_bands(e, t, y)
    for i in range(e.crossing_count):
        if e.values[i] == 0.0:
            e.offset[i] = LEAST
        e.starts[i] = e.values[i] + e.offset[i]
    for i in range(e.frozen_count):
        at = e.crossing[i]
        if at >= 0:
            value = e.values[at]
            sign = side(e, i, e.frozen[i])
            band = e.values_later[at] if e.continuous[i] != 0 else e.band[i]
            e.sides[at] = sign
            if value * sign + band > 0.0:
                e.offset[at] = sign * band
                e.starts[at] = value + e.offset[at]
            else:
                e.starts[at] = sign * max(ASIDE * abs(value), LEAST)
                e.offset[at] = e.starts[at] - value
    e.starts[e.crossing_count] = t
    return DONE


@kernel
def find_violated(e: EventContext, values: Reals) -> Bool:
    """Marks in `roots` what the solver has brought to the other side without a report; whether there is any."""
    found = False
    for i in range(e.crossing_count):
        if is_beyond(values[i], e.sides[i]):
            e.roots[i] = -1 if e.sides[i] > 0.0 else 1
            found = True
    return found


@kernel
def is_violated(e: EventContext, t: Real) -> Bool:
    """True if frozen values disagree with the root functions that the solver has seen at t last; marked in `roots`."""
    if e.crossing_count == 0 or e.watched_values[e.crossing_count] != t:
        return False
    for i in range(e.crossing_count):
        e.roots[i] = 0
    return find_violated(e, e.watched_values)


@kernel
def find_bands(e: EventContext, t: Real, y: Reals) -> None:
    """Store how far unnoticed errors of the solver move kinks, into `values_later`; 0 of other crossings."""
    for i in range(e.crossing_count):
        e.values_later[i] = 0.0
    if e.kinks != 0:
        find_errors(e, t, y)


@kernel
def find_errors(e: EventContext, t: Real, y: Reals) -> None:
    """Store how far errors of the solver move root functions, into `values_later`, where these can be computed."""
    perturb(e, y, 1.0)
    if evaluate_crossings(e, t, e.moved, e.values_last) != DONE:
        return
    for i in range(e.crossing_count):
        error = abs(e.values_last[i] - e.values[i])
        e.values_later[i] = error if error < inf else 0.0
    for i in range(e.frozen_count):
        is_benign = e.continuous[i] != 0 or e.widening[i] > 0.0
        if is_benign and e.crossing[i] >= 0 and e.values_later[e.crossing[i]] > LARGE:
            compare_values(e, t, y, i)


@kernel
def compare_values(e: EventContext, t: Real, y: Reals, i: Int) -> None:
    """No error of a relation is more than RATIO times that with its other value.

    The voltage of a diode that leaks 1e-12 S is a current divided by that, and what is no error of the current would
    hide all voltages.
    """
    at = e.crossing[i]
    held = e.frozen[i]
    e.frozen[i] = 1.0 - held
    error = inf
    if evaluate_crossings(e, t, y, e.values_last) == DONE:
        here = e.values_last[at]
        if evaluate_crossings(e, t, e.moved, e.values_last) == DONE:
            error = abs(e.values_last[at] - here)
    e.frozen[i] = held
    if error > 0.0:
        e.values_later[at] = min(e.values_later[at], RATIO * error)


@kernel
def set_bands(e: EventContext, t: Real, y: Reals) -> None:
    """Bands of relations at rest: in each mode errors of the solver move them by another amount."""
    is_wide = False
    for i in range(e.frozen_count):
        is_wide = is_wide or e.widening[i] > 0.0
    if not is_wide:
        return
    for i in range(e.crossing_count):
        e.values_later[i] = 0.0
    find_errors(e, t, y)
    for i in range(e.frozen_count):
        at = e.crossing[i]
        if at >= 0 and e.widening[i] > 0.0:
            e.band[i] = e.widening[i] * e.values_later[at]


@kernel
def find_first_step(e: EventContext, t: Real, y: Reals) -> Int:
    """A tenth of the shortest time in which something that crosses now comes back, into `first_step`; else the usual.

    A solver that does not know the past could step over a short flight as a whole.
    """
    e.first_step = e.usual_first
    if not has_offset(e):
        return DONE
    copy_numbers(e.states, y, e.moved)
    for number in range(3):
        at = t + float(number) * e.ahead
        values = e.values if number == 0 else (e.values_later if number == 1 else e.values_last)
        status = evaluate_crossings(e, at, e.moved, values)
        if status != DONE:
            return status
        if evaluate_rates(e, at, e.moved) != DONE:
            return LEFT if e.is_ordinary != 0 else DONE
        move_ahead(e, e.moved, e.ahead)
    shortest = inf  # of those that are at zero, but for their offset
    for i in range(e.crossing_count):
        away = e.values_later[i] - e.values[i]
        bend = 2.0 * e.values_later[i] - e.values[i] - e.values_last[i]
        if 2.0 * abs(e.offset[i]) >= abs(e.values[i]) and away * bend > 0.0:
            shortest = min(shortest, 2.0 * e.ahead * away / bend)
    if SHARE_OF_FLIGHT * shortest < SHORT * e.ahead / AHEAD:
        e.first_step = min(SHARE_OF_FLIGHT * shortest, e.usual_first if e.usual_first > 0.0 else inf)
    return DONE


@kernel
def has_offset(e: EventContext) -> Bool:
    """True if a crossing does not begin where it is."""
    for i in range(e.crossing_count):
        if e.offset[i] != 0.0:
            return True
    return False
