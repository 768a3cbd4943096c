"""Runs that begin in a point in which branches cross are refused."""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.pivots import NEAR, SINGULAR
from acausal.runtime.branches.branch_record import BranchRecord, least_pivot, points
from acausal.runtime.branches.moved_routine import Motion, evaluate_moved, rate_of, start_at, stopped_at
from acausal.runtime.kernel.language import CInt, Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

CLOSE, FAR = 1e-7, 0.1
"""So far states, or time without any, move to compare pivots, in seconds; those at rest by as many of their units."""
SLOW = 1e-3
"""A slower state counts as at rest: an impact leaves rounding errors of speeds."""


@kernel
def refuse_singular_start(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int
) -> CInt:
    """Not 0 where the run begins in a point in which branches cross: nothing tells the one that it is on.

    There the pivot vanishes, and on either side it grows in proportion to the distance. The routine was evaluated with
    this status from solutions kept in `work`, and goes on from these: in the point Newton's method leads anywhere.
    """
    solutions = tail(work, start_at(c))
    pivot_beside(c, t, FAR, y, u, p, m, out, work)
    pivot_beside(c, t, -FAR, y, u, p, m, out, work)
    shift = CLOSE
    pivot = pivot_beside(c, t, 0.0, y, u, p, m, out, work)
    near = pivot_beside(c, t, shift, y, u, p, m, out, work)
    while shift < 0.1 * FAR and near < 100.0 * pivot:
        shift = 10.0 * shift
        near = pivot_beside(c, t, shift, y, u, p, m, out, work)
    far = pivot_beside(c, t, 10.0 * shift, y, u, p, m, out, work)
    before = pivot_beside(c, t, -10.0 * shift, y, u, p, m, out, work)
    grows = far > 3.0 * near and far < 40.0 * near and before > 0.2 * far and before < 5.0 * far
    pivot_beside(c, t, 0.0, y, u, p, m, out, work)
    record = overlay(BranchRecord, m, c.base)
    if pivot < (NEAR if record.stopped != 0.0 else SINGULAR) and grows:
        record.crossing = 1.0
        record.is_pending = 0.0
        if points(m, c.base) < 2:
            record.after_event = 1.0
        copy_numbers(c.followed, solutions, m)
        return status if status != 0 else 1
    return status


@kernel
def pivot_beside(
    c: Motion, t: Real, shift: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Real:
    """The least pivot where the states have moved, those at rest by as many units; 0 where there is no solution.

    Where an event has stopped the motion, it is that of before: only there a mechanism may have a way through.

    Time has moved, where it moves blocks. On the way to a solution beside the point pivots say nothing.
    """
    for i in range(c.states):
        work[i] = y[i]
    for k in range(c.moving):
        rate = rate_of(c, k, y, m)
        work[c.position[k]] = y[c.position[k]] + shift * (rate if abs(rate) > SLOW else 1.0)
    if overlay(BranchRecord, m, c.base).stopped != 0.0:
        go_on_as_before(c, shift, y, work)
    solutions = tail(work, start_at(c))
    for j in range(c.followed):
        m[j] = solutions[j]
    later = shift if c.is_timed != 0 else 0.0
    failed = evaluate_moved(c, t, later, u, p, m, out, work, 0.0)
    if failed == 0 and shift != 0.0:
        failed = evaluate_moved(c, t, later, u, p, m, out, work, 0.0)
    return least_pivot(m, c.base, c.followed) if failed == 0 else 0.0


@kernel
def go_on_as_before(c: Motion, shift: Real, y: Reals, work: Reals) -> None:
    """The states that an event has stopped, moved with their speeds before it; all others stay as they are moved."""
    speeds = tail(work, stopped_at(c))
    for k in range(c.turning):
        if abs(speeds[k]) > SLOW:
            place = c.position[c.turned[k]]
            work[place] = y[place] + shift * speeds[k]
