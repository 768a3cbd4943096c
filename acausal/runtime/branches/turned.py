"""Events that change speeds: behind an impact the points of the branches are those of another motion.

Where all speeds of the states that move blocks change by the same factor, as in a mechanism with one degree of freedom,
its way is the same, passed with other speeds or back: solutions on it are known, and those at the event do not change.
In a dead center nothing else tells the branch. Where the motion stops or speeds change otherwise the points say nothing
but where it is: positions do not change, and in a dead center the run ends (`singular_start`).
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_points import forget
from acausal.runtime.branches.branch_record import POINTS, BranchRecord, points
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.moved_routine import Motion, speeds_at, stopped_at
from acausal.runtime.branches.resampled_points import resample, shift_points
from acausal.runtime.branches.sides import is_line_known
from acausal.runtime.kernel.language import Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

JUMP = 1e-3
"""Change of a speed, as a share of the largest one, that is an impact: events are also evaluated a little later."""
JUMP_AT_ONCE = 1e-7
"""The same where speeds before and behind it are known at one time."""
LATER = 1e-4
"""So much later, as a share of the time between points, an event is the same one."""
PARALLEL = 1e-9
"""Deviation of speeds from a common factor."""
STOPPED = 0.005
"""A smaller factor stops the motion: it is not that of before, passed more slowly, where anything accelerates it."""
TURNED = 0.5
"""The same of a motion that goes back, and comes again, where nothing tells the sides of a center (`sides`)."""
NEAR_SHARE = 0.1
"""Time between points behind an impact, as a share of that before: they are extrapolated."""


@kernel
def follow_impact(c: Motion, t: Real, y: Reals, m: Reals, work: Reals) -> None:
    """Points and nodes for the speeds of these states, where they are other ones than before the event."""
    record = overlay(BranchRecord, m, c.base)
    speeds = tail(work, speeds_at(c))
    if c.turning == 0:
        return
    since = t - record.speed_time
    if record.has_speeds != 0.0 and since > 0.0 and since < LATER * m[c.base - 1]:
        return
    if record.after_event == 0.0 or record.has_speeds == 0.0:
        take_speeds(c, y, speeds)
        record.has_speeds = 1.0
        record.speed_time = t
        record.stopped = 0.0
        return
    product = 0.0
    square = 0.0
    for k in range(c.turning):
        product = product + y[c.rate[c.turned[k]]] * speeds[k]
        square = square + speeds[k] * speeds[k]
    factor = product / square if square > 0.0 else 0.0
    if not largest_deviation(c, y, 1.0, speeds) > (JUMP_AT_ONCE if t == record.speed_time else JUMP):
        return
    record.struck = 1.0
    predict(m, c.base, c.followed, t)
    if points(m, c.base) == POINTS:
        record.pace = 1.0
    record.pace = record.pace * abs(factor)
    least = TURNED if factor < 0.0 and not is_line_known(m, c.base) else STOPPED
    if record.pace > least and largest_deviation(c, y, factor, speeds) <= PARALLEL:
        resample(m, c.base, c.followed, t, 1, factor, NEAR_SHARE)
        shift_points(m, c.base, c.followed, t)
    else:
        forget(m, c.base)
        record.stopped = 1.0
        copy_numbers(c.turning, speeds, tail(work, stopped_at(c)))
    record.width = 0.0
    record.speed_time = t
    take_speeds(c, y, speeds)


@kernel
def take_speeds(c: Motion, y: Reals, speeds: Reals) -> None:
    """Speeds of the states that move blocks."""
    for k in range(c.turning):
        speeds[k] = y[c.rate[c.turned[k]]]


@kernel
def largest_deviation(c: Motion, y: Reals, factor: Real, speeds: Reals) -> Real:
    """The largest difference of a speed from this multiple of that before, as a share of the largest speed."""
    largest = 0.0
    deviation = 0.0
    for k in range(c.turning):
        rate = y[c.rate[c.turned[k]]]
        largest = max(largest, abs(rate), abs(speeds[k]))
        deviation = max(deviation, abs(rate - factor * speeds[k]))
    return deviation / largest if largest > 0.0 else 0.0
