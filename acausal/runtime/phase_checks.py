"""Sines in root functions: these are evaluated sixteen times in each period, however long the steps of a solver are.

An angle that grows evenly makes no error, so that steps become longer than its periods: crossings of sin(phi) lie
between them in any number. By the largest angular velocity of all sines that root functions are computed from, and by
its change since the last evaluation, it follows how far a solver may go before it looks for crossings again. What is
between ends of steps is interpolated. Velocities that formulas give are one of the root functions, squared; of other
angles the root functions show their values in turns, whose differences are taken (`events/angular_velocity`).
"""

from math import pi

from acausal.runtime.kernel.language import Int, Real, Struct, kernel, sqrt
from acausal.runtime.limits import STEPS_IN_PERIOD

PART = 2.0 * pi / STEPS_IN_PERIOD
"""Angle between two evaluations."""
GROWTH = 8.0
"""From a beginning on, where the change of velocities is not known, it goes on by so many times what it has gone."""
SHORTEST_CHECK = 1e-8
"""Shortest interval, as a share of the first one."""
RESOLVED = 1e-14
"""The same as a share of the time."""
SEEN_CHANGE = 1e-3
"""Share of the first interval within which a change of velocities is rounding."""


class PhaseChecks(Struct):
    """The last evaluation, and how velocities change."""

    phase_place: Int
    """Place of the largest square of an angular velocity among the root functions; -1 where no formula gives one."""
    angle_place: Int
    angle_count: Int
    """Places of the angles whose velocities no formula gives."""
    has_phases: Int
    """1 where there are any."""
    is_checking: Int
    """0 where a solver begins."""
    first_check: Real
    """The first interval."""
    check_begin: Real
    check_time: Real
    check_rate: Real
    check_growth: Real
    check_due: Real
    """The next evaluation."""


@kernel
def next_check(c: PhaseChecks, t: Real, square: Real) -> Real:
    """The time of the next evaluation, by the largest square of a velocity at t; NaN where that is as before.

    It stays where it is until it has come, whatever ends a way before: output times, or a call of the loop.
    """
    if c.is_checking != 0 and t < c.check_due:
        return c.check_due
    rate = sqrt(square) if square >= 0.0 else c.check_rate
    if c.is_checking == 0:
        c.is_checking = 1
        c.check_begin = t
        c.check_time = t
        c.check_rate = rate
        c.check_growth = 0.0
    elif t - c.check_time > SEEN_CHANGE * c.first_check:
        c.check_growth = abs(rate - c.check_rate) / (t - c.check_time)
        c.check_time = t
        c.check_rate = rate
    length = c.first_check + GROWTH * (t - c.check_begin)
    most = rate + sqrt(rate * rate + 2.0 * c.check_growth * PART)
    if most * length > 2.0 * PART:
        length = 2.0 * PART / most
    c.check_due = t + max(length, SHORTEST_CHECK * c.first_check, RESOLVED * abs(t))
    return c.check_due
