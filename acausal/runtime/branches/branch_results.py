"""Results on tracked branches: rows, events and root functions at times that the run has reached."""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.pivots import NEAR, PIVOTS
from acausal.runtime.branches.branch_points import extrapolate, forget, forget_if_left, set_factors
from acausal.runtime.branches.branch_record import (
    POINTS,
    BranchRecord,
    differences_at,
    expected_at,
    last_pivot,
    pending_at,
    points,
    predicted_at,
    record_end,
    set_strict,
    tangents_at,
)
from acausal.runtime.branches.sides import forget_side
from acausal.runtime.kernel.language import Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

MOST_SHARE = 100.0
"""So many times the deviation of a pending point is extrapolated at most: next to another point it is rounding."""
LEAST_APART = 1e-3
"""Distance of a pending point that tells rates, as a share of the time between points: next to one it is rounding."""
FALLING = 0.5
"""Terms of a rate count as long as each is that share of the greater of the two before it."""
WITHIN = 0.1
"""Share of the time between points over which rates are taken."""


@kernel
def begin_run(m: Reals, base: Int, n: Int, rates: Int) -> None:
    """No points; who runs a model through time makes its record active. The last solutions are rates of states."""
    record = overlay(BranchRecord, m, base)
    set_strict(m, base, n, 0.0)
    forget(m, base)
    record.after_event = 1.0
    record.spacing = 0.0
    record.center = 0.0
    record.width = 0.0
    record.failures = 0.0
    record.skipped = 0.0
    record.crossing = 0.0
    record.row_time = 0.0
    record.tangent_time = 0.0
    record.rates = float(rates)
    record.has_speeds = 0.0
    record.speed_time = 0.0
    record.pace = 1.0
    record.struck = 0.0
    record.stopped = 0.0
    forget_side(m, base)
    m[base - 1] = 0.0
    for k in range(n + base):
        m[record_end(base, n) - PIVOTS - 1 - k] = 0.0


@kernel
def predict(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Solutions at t, which the run has reached, and their rates, by all points and the pending one."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    set_strict(m, base, n, 0.0)
    if record.active == 0.0:
        return
    count = points(m, base)
    last = record.pending_time
    reached = record.is_pending != 0.0 and last == t
    is_near = record.is_pending != 0.0 and record.by_steps == 0.0
    pending = is_near and count > 0 and last != times[0] and not reached
    solutions = tail(m, pending_at(base))
    expected = tail(m, expected_at(base, n))
    share = 0.0
    if pending:
        set_factors(m, base, count, last)
        extrapolate(m, base, n, count, expected)
        share = 1.0
        for i in range(count):
            share = share * ((t - times[i]) / (last - times[i]))
    set_rates(m, base, n, count, t)
    if count > 1 and record.has_tangents != 0.0 and record.tangent_time == t:
        copy_numbers(n, tail(m, tangents_at(base, n)), tail(m, base - 1 - n))
    elif count > 1 and last - times[0] > LEAST_APART * m[base - 1] and (reached or is_near):
        set_rates_with_pending(m, base, n, count, t)
    if reached:
        copy_numbers(n, solutions, m)
    elif count > 0:
        copy_numbers(n, tail(m, predicted_at(base, n)), m)
        if pending and abs(share) <= MOST_SHARE:
            for j in range(n):
                m[j] = m[j] + share * (solutions[j] - expected[j])
    copy_numbers(n, m, expected)


@kernel
def set_rates(m: Reals, base: Int, n: Int, count: Int, t: Real) -> None:
    """Solutions at t by the points, in place of the prediction, and their rates over a small part of the time between.

    Without points no solutions, with a single one no rates.
    """
    record = overlay(BranchRecord, m, base)
    times = record.times
    rates = tail(m, base - 1 - n)
    predicted = tail(m, predicted_at(base, n))
    step = 0.0
    for j in range(n):
        rates[j] = 0.0
    if count > 1:
        step = (times[0] - times[count - 1]) / float(count - 1)
        record.is_predicted = 0.0
        set_factors(m, base, count, t - WITHIN * step)
        extrapolate(m, base, n, count, rates)
    if count > 0:
        record.is_predicted = 0.0
        set_factors(m, base, count, t)
        extrapolate(m, base, n, count, predicted)
    if count > 1:
        for j in range(n):
            rates[j] = (predicted[j] - rates[j]) / (WITHIN * step)
    m[base - 1] = step


@kernel
def set_rates_with_pending(m: Reals, base: Int, n: Int, count: Int, t: Real) -> None:
    """Rates at t of the polynomial through the pending point and all points, in place of those by the points alone.

    Behind an event points are near to each other, and the first step of the solver may lead far from them. Behind an
    impact they are those of the motion before it, whose curvature is another one: terms of higher order do not fall.
    """
    record = overlay(BranchRecord, m, base)
    times = record.times
    factors = record.factors
    newest = record.pending_time
    solutions = tail(m, pending_at(base))
    differences = tail(m, differences_at(base, n))
    rates = tail(m, base - 1 - n)
    set_factors(m, base, count, newest)
    for j in range(n):
        row = j * POINTS
        difference = solutions[j]
        factor = 1.0
        slope = 0.0
        rate = 0.0
        last = float("inf")
        before = float("inf")
        for i in range(count):
            difference = difference - factors[i] * differences[row + i]
            passed = t - (newest if i == 0 else times[i - 1])
            slope = (slope * passed + factor) / (newest - times[i])
            factor = factor * passed / (newest - times[i])
            size = abs(difference * slope)
            if i > 1 and not size <= FALLING * max(last, before):
                break
            rate = rate + difference * slope
            before = last
            last = size
        rates[j] = rate


@kernel
def back_to_last(m: Reals, base: Int, n: Int) -> None:
    """The last solutions, where what is predicted between points leads to none."""
    if overlay(BranchRecord, m, base).is_pending != 0.0:
        copy_numbers(n, tail(m, pending_at(base)), m)


@kernel
def end_events(m: Reals, base: Int, n: Int) -> None:
    """Behind what an event has solved: the points are forgotten where it has left their branch.

    Next to a singular block solutions say nothing.
    """
    record = overlay(BranchRecord, m, base)
    record.after_event = 1.0
    pivot = last_pivot(m, base, n)
    if pivot == 0.0 or pivot >= NEAR:
        forget_if_left(m, base, n, tail(m, expected_at(base, n)))
