"""Derivatives where branches of nonlinear blocks cross: they are interpolated along the motion.

At a distance d from a dead center the Jacobian of a closed loop has a pivot of the size d, and rounding errors are
magnified: by 1/d in positions, 1/d^2 in velocities, 1/d^3 in accelerations. On a smooth branch all of these are
analytic functions nonetheless: the singularity is removable. So where the least pivot falls below NEAR, the derivatives
are the values of the polynomial through NODES points, half of them on either side of the singularity, half a DISTANCE
in pivots away from it at least. (`polynomial`, `singular_point`).

The polynomial is rejected where its highest difference is not small: there
the derivatives are no smooth function, and the solver gets the values computed directly.

Pivots are shares of the largest ones so far, block by block in the order of the routine.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.newton import FREE, VERIFY
from acausal.runtime.blocks.pivots import SINGULAR
from acausal.runtime.branches.branch_points import keep_pending
from acausal.runtime.branches.branch_record import (
    POINTS,
    BranchRecord,
    differences_at,
    last_pivot,
    points,
    predicted_at,
    set_regular,
    set_strict,
    strictness,
)
from acausal.runtime.branches.moved_routine import Motion, interpolated_at, results_at, start_at
from acausal.runtime.branches.polynomial import DIRECT, VALUE
from acausal.runtime.branches.sides import CLOSE
from acausal.runtime.branches.singular_point import interpolate
from acausal.runtime.branches.singular_start import refuse_singular_start
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

MOST_SKIPPED, PERSISTENT = 1e6, 100.0
AGREEING = 0.1
"""Difference of direct and interpolated solutions, as a share of the largest one and of the pivot."""


@kernel
def smooth_results(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int
) -> CInt:
    """Results of the routine where it has been evaluated with this status: interpolated next to a singularity.

    An attempt without success is followed by evaluations without one, twice as many each time, if blocks are solved and
    are not singular, or always are. Newton's method then may do what it might before.
    """
    n = c.followed
    record = overlay(BranchRecord, m, c.base)
    strict = strictness(m, c.base, n)
    if record.active == 0.0:
        return status
    if points(m, c.base) < 2:
        status_at_start = refuse_singular_start(c, t, y, u, p, m, out, work, status)
        set_strict(m, c.base, n, strict)
        return status_at_start
    singular = last_pivot(m, c.base, n) < SINGULAR and record.failures < PERSISTENT
    if status == 0 and not singular and record.skipped > 0.0:
        record.skipped = record.skipped - 1.0
        return status
    solutions = tail(work, start_at(c))
    results = tail(work, results_at(c))
    for j in range(n):
        solutions[j] = m[j]
    for i in range(c.results):
        results[DIRECT * c.results + i] = out[i]
    guess = record.spacing
    if not guess > 0.0:
        guess = t - record.times[1]
    pivot = last_pivot(m, c.base, n) if status == 0 and strict != 0.0 else 0.0
    found = interpolate(c, t, guess, y, u, p, m, out, work)
    if found and not is_same_branch(c, pivot, work):
        record.is_pending = 0.0
        record.has_tangents = 0.0
        return 1
    if found and are_solutions(c, t, y, u, p, m, out, work):
        take_interpolated(c, t, y, m, out, work)
        return 0
    record.has_tangents = 0.0
    for j in range(n):
        m[j] = solutions[j]
    for i in range(c.results):
        out[i] = results[DIRECT * c.results + i]
    set_strict(m, c.base, n, strict)
    return status if status != 0 else direct_status(c, t, y, u, p, m, out, work, singular)


@kernel
def direct_status(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, singular: Bool
) -> CInt:
    """Status where direct results are all there is: in the center itself these are rounding errors."""
    record = overlay(BranchRecord, m, c.base)
    if singular:
        strict = strictness(m, c.base, c.followed)
        refused = refuse_singular_start(c, t, y, u, p, m, out, work, 0)
        set_strict(m, c.base, c.followed, strict)
        if refused != 0:
            return refused
    record.failures = min(2.0 * record.failures + 1.0, MOST_SKIPPED)
    record.skipped = record.failures
    return 0


@kernel
def is_same_branch(c: Motion, pivot: Real, work: Reals) -> Bool:
    """True if interpolated solutions agree with direct ones, where these continue a branch and the pivot tells it.

    These differ in proportion to the pivot, errors of direct solutions are inverse to it. Where the motion is slow, as
    behind an impact, nodes may lie on another branch: only a shorter step may tell the right one.
    """
    direct = tail(work, start_at(c))
    solutions = tail(work, interpolated_at(c))
    if pivot < CLOSE:
        return True
    largest = 0.0
    for j in range(c.followed - c.driven):
        largest = max(largest, abs(direct[j]))
    for j in range(c.followed - c.driven):
        if not abs(solutions[j] - direct[j]) <= AGREEING * pivot * largest:
            return False
    return True


@kernel
def are_solutions(c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> Bool:
    """True if the interpolated solutions solve the blocks: a trial far off the path of the run has others."""
    if not are_predicted(c, m, work):
        return False
    copy_numbers(c.followed, tail(work, interpolated_at(c)), m)
    set_strict(m, c.base, c.followed, VERIFY)
    status = c.routine(t, y, u, p, m, out)
    set_strict(m, c.base, c.followed, FREE)
    return status == 0


@kernel
def are_predicted(c: Motion, m: Reals, work: Reals) -> Bool:
    """True if the interpolated solutions lie no farther from the predicted ones than these are large.

    Residuals count as shares of their terms, so that any residual is small at huge unknowns. Behind the end of a
    branch, nodes that steps near the resolution of time extrapolate are as huge.
    """
    n = c.followed
    last = tail(m, differences_at(c.base, n))
    predicted = tail(m, predicted_at(c.base, n))
    solutions = tail(work, interpolated_at(c))
    largest = 0.0
    for j in range(n):
        largest = max(largest, abs(predicted[j]))
        largest = max(largest, abs(last[j * POINTS]))
    for j in range(n):
        if not abs(solutions[j] - predicted[j]) <= largest:
            return False
    return True


@kernel
def take_interpolated(c: Motion, t: Real, y: Reals, m: Reals, out: Reals, work: Reals) -> None:
    """Interpolated results and solutions."""
    n = c.followed
    record = overlay(BranchRecord, m, c.base)
    solutions = tail(work, interpolated_at(c))
    results = tail(work, results_at(c))
    record.failures = 0.0
    for j in range(n):
        m[j] = solutions[j]
    for i in range(c.results):
        out[i] = results[VALUE * c.results + i]
    for k in range(c.moving - c.driven):
        out[c.position[k]] = y[c.rate[k]]
    set_regular(m, c.base, n)
    keep_pending(m, c.base, n, t)
