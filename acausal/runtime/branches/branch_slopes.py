"""Derivatives on tracked branches: nonlinear blocks start at what earlier solutions predict, and stay on their branch.

A nonlinear block may have several solutions. Between events its solution is a smooth function of time, so the solutions
at the last points are extrapolated, and from there Newton's method may only contract: undamped, with steps and
residuals that fall fourfold at least. Where this holds the solution is the one that continues the branch (P. Deuflhard,
Newton Methods for Nonlinear Problems, 2004, sections 3.1 and 5.1); where it does not, the block counts as unsolved, and
the solver takes a shorter step, for which the prediction is better. So a dead center, where two branches cross, is
stepped over, and at a fold, where a branch ends, the run ends.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.pivots import NEAR
from acausal.runtime.branches.branch_points import (
    commit,
    drop_later,
    extrapolate,
    forget,
    forget_if_left,
    keep_pending,
    set_factors,
)
from acausal.runtime.branches.branch_record import (
    POINTS,
    BranchRecord,
    differences_at,
    expected_at,
    last_pivot,
    pending_at,
    points,
    predicted_at,
    set_strict,
    strictness,
    unknowns,
)
from acausal.runtime.branches.polynomial import SMALL_SHARE
from acausal.runtime.branches.resampled_points import go_back
from acausal.runtime.branches.sides import forget_side
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

ROUGH = 0.005
"""Error of a prediction, as a share of the way from the point before, over which points are too few."""
REGULAR = 0.2
"""Below that pivot another branch is near: predictions have to be better in proportion."""
ROUNDING = 1e-9
RESIDUAL = 2.0**-50
"""Rounding of a residual, as a share; a small pivot magnifies it, and no shorter step makes the solution smoother."""
FIRST_WAY = 0.01
"""Way of a solution in the first step, as a share of it or in units."""
SHORTER, RESOLUTION = 2.0**-6, 2.0**-44
"""So short steps, as a share of the last one and of the time, are accepted however bad the prediction is."""


@kernel
def begin_slope(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Start values for the derivatives at t: the prediction by the points before, strict; at the first point free."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    set_strict(m, base, n, 0.0)
    if record.active == 0.0:
        return
    by_steps = record.by_steps != 0.0
    if record.is_pending != 0.0 and not by_steps:
        if record.pending_time < t:
            commit(m, base, n)
        elif record.pending_time > t:
            record.is_pending = 0.0
    count = points(m, base)
    if count == 0:
        return
    if times[0] > t and not by_steps:
        go_back(m, base, n, t)
        count = points(m, base)
    predicted = tail(m, predicted_at(base, n))
    if record.is_predicted == 0.0 or record.predicted_time != t:
        set_factors(m, base, count, t)
        extrapolate(m, base, n, count, predicted)
        record.is_predicted = 1.0
    copy_numbers(n, predicted, m)
    if (by_steps and record.after_event == 0.0) or (times[0] < t and not by_steps):
        set_strict(m, base, n, 1.0)


@kernel
def end_slope(m: Reals, base: Int, n: Int, t: Real) -> None:
    """The solutions at t are the pending point; the points are forgotten where an event has left their branch.

    Where the last point is at t itself the solutions were not found strictly, and a block that no relation depends on
    is solved here first. Next to a singular block they say nothing.
    """
    record = overlay(BranchRecord, m, base)
    pivot = last_pivot(m, base, n)
    strict = strictness(m, base, n) != 0.0
    if record.active != 0.0 and record.after_event != 0.0 and record.count > 0.0 and not strict:
        predicted = record.is_predicted != 0.0 and record.predicted_time == t
        if predicted and (pivot == 0.0 or pivot >= NEAR):
            forget_if_left(m, base, n, tail(m, predicted_at(base, n)))
    keep_pending(m, base, n, t)


@kernel
def slope_again(m: Reals, base: Int, n: Int, is_beside: Bool) -> Int:
    """1 where the derivatives may be tried once more, free of the points before: an event may have left the branch.

    Next to a dead center, which `is_beside` or the pivot tells, nothing would tell the branch then.
    """
    record = overlay(BranchRecord, m, base)
    pivot = last_pivot(m, base, n)
    strict = strictness(m, base, n) != 0.0
    set_strict(m, base, n, 0.0)
    if not strict or record.after_event == 0.0:
        return 0
    if is_beside or (pivot > 0.0 and pivot < NEAR):
        record.crossing = 1.0
        return 0
    forget(m, base)
    forget_side(m, base)
    copy_numbers(n, tail(m, predicted_at(base, n)), m)
    return 1


@kernel
def is_rough(m: Reals, base: Int, n: Int, t: Real) -> Bool:
    """True if the pending point at t lies far from its prediction, compared with the way from the point before."""
    return rough_place(m, base, n, t, 0.0) >= 0


@kernel
def rough_place(m: Reals, base: Int, n: Int, t: Real, share: Real) -> Int:
    """The first solution that lies far from its prediction at t; -1 if none does.

    The way is at least this share of that before: where a solution turns back, it has none.
    """
    record = overlay(BranchRecord, m, base)
    times = record.times
    if record.is_pending == 0.0 or record.pending_time != t or not times[0] < t:
        return -1
    count = points(m, base)
    pending = tail(m, pending_at(base))
    expected = tail(m, expected_at(base, n))
    differences = tail(m, differences_at(base, n))
    set_factors(m, base, count, t)
    extrapolate(m, base, n, count, expected)
    pivot = last_pivot(m, base, n)
    rough = ROUGH * (pivot / REGULAR) if pivot > 0.0 and pivot < REGULAR else ROUGH
    rounding = max(ROUNDING, RESIDUAL / pivot) if pivot > 0.0 else ROUNDING
    largest = 0.0
    for j in range(unknowns(m, base, n)):
        largest = max(largest, abs(pending[j]))
    for j in range(unknowns(m, base, n)):
        way = max(abs(pending[j] - differences[j * POINTS]), share * abs(differences[j * POINTS + 1]))
        size = max(abs(pending[j]), SMALL_SHARE * largest)
        if abs(pending[j] - expected[j]) > rough * way + rounding * size:
            return j
    return -1


@kernel
def departure(m: Reals, base: Int, n: Int, t: Real) -> Int:
    """The first solution that departs from its prediction at t, so that the step is to be shorter; -1 if none does.

    A single point predicts none: from there solutions may go a short way. A prediction that is bad for a step much
    shorter than the last one, too, as at a kink, is accepted: a near point improves the next one.
    """
    record = overlay(BranchRecord, m, base)
    times = record.times
    count = points(m, base)
    if record.is_pending == 0.0 or record.pending_time != t or count == 0 or t - times[0] <= RESOLUTION * abs(t):
        return -1
    if count > 1:
        share = (t - times[0]) / (times[0] - times[1])
        return rough_place(m, base, n, t, share) if share > SHORTER else -1
    pending = tail(m, pending_at(base))
    differences = tail(m, differences_at(base, n))
    for j in range(unknowns(m, base, n)):
        if abs(pending[j] - differences[j * POINTS]) > FIRST_WAY * max(abs(pending[j]), 1.0):
            return j
    return -1


@kernel
def end_step(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Behind a step to t, where the derivatives were evaluated last: a point, where only ends of steps are points."""
    record = overlay(BranchRecord, m, base)
    if record.is_pending != 0.0 and record.pending_time == t:
        commit(m, base, n)


@kernel
def begin_steps(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Behind the first derivatives after an event: those are a point, and the points of a step beyond it are none."""
    drop_later(m, base, n, t)
    end_step(m, base, n, t)
