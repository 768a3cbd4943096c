"""Routines of the model as kernels call them."""

from acausal.runtime.context import DONE, LEFT, STEP, EventContext
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, floor, kernel
from acausal.runtime.limits import SMALL


@kernel
def are_finite(values: Reals, count: Int) -> Bool:
    """True if all of them are."""
    for i in range(count):
        if values[i] - values[i] != 0.0:
            return False
    return True


@kernel
def evaluate_events(e: EventContext, t: Real, y: Reals, out: Reals) -> Int:
    """The results of `events`."""
    if e.events(t, y, e.u, e.p, e.m, out) != 0:
        return LEFT
    if e.is_ordinary != 0 and e.has_search == 0 and not are_finite(out, e.results_count):
        return LEFT
    return DONE


@kernel
def evaluate_relations(e: EventContext, t: Real, y: Reals, out: Reals) -> Int:
    """The same where a failure does not matter: LEFT if more relations than usual compare what is no number."""
    if e.events_ahead(t, y, e.u, e.p, e.m, out) != 0:
        return LEFT
    if e.is_ordinary != 0 and e.has_search == 0 and not are_finite(out, e.results_count):
        return LEFT
    return LEFT if count_undefined(e, out) > e.undefined else DONE


@kernel
def count_undefined(e: EventContext, out: Reals) -> Int:
    """The number of relations and steps whose sides are not numbers."""
    count = 0
    for i in range(e.frozen_count):
        if e.kind[i] <= STEP and out[e.now[i]] != out[e.now[i]]:
            count += 1
    return count


@kernel
def evaluate_start(e: EventContext, t: Real) -> Int:
    """The states of the first instant into `y`."""
    if e.initial(t, e.y, e.u, e.p, e.m, e.y) != 0:
        return LEFT
    if e.is_ordinary != 0 and not are_finite(e.y, e.states):
        return LEFT
    return DONE


@kernel
def evaluate_rates(e: EventContext, t: Real, y: Reals) -> Int:
    """The slope into `rate`."""
    e.record.calls += 1.0
    return LEFT if e.derivatives(t, y, e.u, e.p, e.m, e.rate) != 0 else DONE


@kernel
def evaluate_crossings(e: EventContext, t: Real, y: Reals, out: Reals) -> Int:
    """Evaluate the root functions, each with its offset."""
    if e.crossings(t, y, e.u, e.p, e.m, out) != 0:
        return LEFT
    for i in range(e.crossing_count):
        out[i] += e.offset[i]
    return DONE


@kernel
def move_ahead(e: EventContext, y: Reals, ahead: Real) -> None:
    """`moved`: states so much later, by `rate`."""
    for k in range(e.states):
        e.moved[k] = y[k] + ahead * e.rate[k]


@kernel
def perturb(e: EventContext, y: Reals, part: Real) -> None:
    """`moved`: states off by about this part of the tolerance, by shares of which none is a multiple of another."""
    for k in range(e.states):
        scale = abs(e.p[e.nominal_at[k]]) if e.nominal_at[k] >= 0 else SMALL
        share = 0.6180339887498949 * float(k)
        share += 0.5 - floor(share)
        e.moved[k] = y[k] + part * share * e.tolerance * max(abs(y[k]), scale)
