"""Polynomials through the points that an importer has reported, and delayed values by them (`reported_steps`)."""

from acausal.runtime.context import DONE, LEFT
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.inputs import CONSTANT, evaluate_inputs
from acausal.runtime.kernel.language import Int, Ints, Real, Reals, Struct, kernel, sqrt

NEAREST = 0.2
"""A point nearer to another one, as a share of the piece, has no part in a polynomial: it would amplify errors."""


class ReportedSteps(Struct):
    """Points of the motion since the last event, in ascending order of time."""

    loop: LoopContext
    points: Int
    times: Reals
    states: Reals
    rates: Reals
    inputs: Reals
    """Of each point all of them."""
    used: Ints
    """Flags of the points that a polynomial goes through."""
    weights: Reals
    rate_weights: Reals
    input_weights: Reals
    """Of the points in the values at one time."""
    kept: Reals
    """Inputs as they are."""
    middle: Reals
    """Delayed values by one point less."""
    largest: Reals
    """Magnitudes of delayed values up to now."""
    longest: Real
    """Time after which a report is wanted."""
    error: Real
    """Estimate of the largest error since the last event, in tolerances."""
    error_before: Real
    """The same between the two events before."""


@kernel
def choose_points(r: ReportedSteps, i: Int) -> None:
    """Points of the polynomial between point i and the next one: those that are not too near to each other."""
    least = NEAREST * (r.times[i + 1] - r.times[i])
    for j in range(r.points):
        r.used[j] = 1 if j == i or j == i + 1 else 0
    last = i
    for k in range(i):
        j = i - 1 - k
        if r.times[last] - r.times[j] >= least:
            r.used[j] = 1
            last = j
    last = i + 1
    for k in range(r.points - i - 2):
        j = i + 2 + k
        if r.times[j] - r.times[last] >= least:
            r.used[j] = 1
            last = j


@kernel
def farthest(r: ReportedSteps, i: Int, t: Real) -> Int:
    """The point farthest from t but for the ends of piece i; -1 where there are no others."""
    found = -1
    for j in range(r.points):
        is_other = r.used[j] != 0 and j != i and j != i + 1
        if is_other and (found < 0 or abs(r.times[j] - t) > abs(r.times[found] - t)):
            found = j
    return found


@kernel
def expected_error(r: ReportedSteps, error: Real) -> Real:
    """The relative error of the polynomial, by that of the one through a point less.

    Through two and three points they have the orders 4 and 6, so that the one is the other to the power 6/4.
    """
    count = 0
    for j in range(r.points):
        count += r.used[j]
    return error * sqrt(error) if count == 3 and error < 1.0 else error


@kernel
def find_weights(r: ReportedSteps, t: Real) -> None:
    """Weights of the points in the polynomials at t."""
    for j in range(r.points):
        part = 1.0
        slope = 0.0
        for k in range(r.points):
            if k != j and r.used[k] != 0:
                part *= (t - r.times[k]) / (r.times[j] - r.times[k])
                slope += 1.0 / (r.times[j] - r.times[k])
        if r.used[j] == 0:
            part = 0.0
        r.input_weights[j] = part
        r.weights[j] = part * part * (1.0 - 2.0 * (t - r.times[j]) * slope)
        r.rate_weights[j] = part * part * (t - r.times[j])


@kernel
def find_delayed(r: ReportedSteps, t: Real) -> Int:
    """Delayed values at t, by the polynomials; DONE or LEFT."""
    e = r.loop
    c = e.inputs
    find_weights(r, t)
    for i in range(e.states):
        value = 0.0
        for j in range(r.points):
            value += r.weights[j] * r.states[j * e.states + i] + r.rate_weights[j] * r.rates[j * e.states + i]
        e.moved[i] = value
    for i in range(c.count):
        r.kept[i] = c.constant[i]
        if c.kind[i] == CONSTANT:
            c.constant[i] = input_between(r, i)
    status = evaluate_inputs(c, t)
    if status == 0:
        status = c.delayed(t, e.moved, e.frozen, e.p, e.delay_memory, e.delayed_results)
    for i in range(c.count):
        c.constant[i] = r.kept[i]
    return DONE if status == 0 else LEFT


@kernel
def input_between(r: ReportedSteps, i: Int) -> Real:
    """An input by the weights of the points; exactly its value where this is the same in all of them."""
    count = r.loop.inputs.count
    first = r.inputs[i]
    is_same = True
    value = 0.0
    for j in range(r.points):
        is_same = is_same and r.inputs[j * count + i] == first
        value += r.input_weights[j] * r.inputs[j * count + i]
    return first if is_same else value
