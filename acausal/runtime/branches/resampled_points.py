"""Points of the branches by those before: for a solver that goes back, and behind an impact."""

from acausal.runtime.blocks.arrays import exchange_numbers
from acausal.runtime.branches.branch_points import commit, extrapolate, forget, set_factors
from acausal.runtime.branches.branch_record import (
    POINTS,
    BranchRecord,
    differences_at,
    expected_at,
    pending_at,
    points,
    unknowns,
)
from acausal.runtime.kernel.language import Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

MOST_KEPT = 3


@kernel
def go_back(m: Reals, base: Int, n: Int, t: Real) -> None:
    """A solver that goes back behind the last point goes on from what was at t and a little earlier, by the points."""
    resample(m, base, n, t, 0, 1.0, 1.0)


@kernel
def resample(m: Reals, base: Int, n: Int, t: Real, first: Int, speed: Real, share: Real) -> None:
    """Points earlier than t by the points, as if they had been passed with `speed` times their own one.

    The newest is at t if `first` is 0, if that is 1 it is the next one. `share` is the time between them, as a share of
    that between the points before. The extrapolated solutions stand in the places of the pending point, the prediction
    and the expected solutions.
    """
    record = overlay(BranchRecord, m, base)
    times = record.times
    kept_solutions = tail(m, pending_at(base))
    count = points(m, base)
    apart = 0.0
    if count > 1:
        apart = share * (times[0] - times[count - 1]) / float(count - 1)
    kept = min(count, MOST_KEPT)
    for k in range(kept):
        set_factors(m, base, count, t - float(first + k) * apart * speed)
        extrapolate(m, base, n, count, tail(kept_solutions, k * n))
    forget(m, base)
    record.pending_side = 0.0
    for back in range(kept):
        k = kept - 1 - back
        exchange_numbers(n, kept_solutions, tail(kept_solutions, k * n))
        record.pending_time = t - float(first + k) * apart
        commit(m, base, n)
        exchange_numbers(n, kept_solutions, tail(kept_solutions, k * n))


@kernel
def shift_points(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Move the points so that they predict the solutions that m begins with, where those are known at t.

    An impact changes no positions. What points far apart extrapolate is off by the errors of the solver at all of them.
    """
    record = overlay(BranchRecord, m, base)
    extrapolated = tail(m, expected_at(base, n))
    differences = tail(m, differences_at(base, n))
    count = points(m, base)
    if count == 0:
        return
    set_factors(m, base, count, t)
    extrapolate(m, base, n, count, extrapolated)
    for j in range(unknowns(m, base, n)):
        differences[j * POINTS] = differences[j * POINTS] + (m[j] - extrapolated[j])
    record.is_predicted = 0.0
