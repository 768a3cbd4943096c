"""Absolute tolerances and the longest step of a solver, by parameters; when sines of time begin and end."""

from math import inf, log, tau

from acausal.runtime.kernel.language import Int, Ints, Real, Reals, kernel
from acausal.runtime.limits import SMALL, STEPS_IN_PERIOD

GONE = log(2.0**-53)
"""The exponent of an amplitude that is nothing beside what it was."""


@kernel
def absolute_tolerance(p: Reals, at: Int, share: Real) -> Real:
    """Tolerance of a state: a share of its nominal value at this place of p, of `SMALL` where none is given (-1)."""
    nominal = 0.0
    if at >= 0:
        nominal = abs(p[at])
    return share * (SMALL if nominal == 0.0 else nominal)


@kernel
def longest_step_of(fastest: Real) -> Real:
    """The longest step for a sine of time with this angular velocity; infinite for 0."""
    longest = inf
    if fastest > 0.0:
        longest = tau / fastest / STEPS_IN_PERIOD
    return longest


@kernel
def wave_begin(p: Reals, conditions: Ints, count: Int) -> Real:
    """The time at which a sine begins: rate*time + rest >= 0, by pairs of places of these in p; infinite if never."""
    begin = -inf
    for i in range(count):
        rate = p[conditions[2 * i]]
        rest = p[conditions[2 * i + 1]]
        if rate > 0.0:
            begin = max(begin, -rest / rate)
        elif rate == 0.0 and rest < 0.0:
            return inf
    return begin


@kernel
def wave_end(p: Reals, conditions: Ints, count: Int, decay_rate: Int, decay_rest: Int) -> Real:
    """The time at which a sine ends, as well because of its amplitude exp(rate*time + rest); places of -1: none."""
    end = inf
    for i in range(count):
        rate = p[conditions[2 * i]]
        rest = p[conditions[2 * i + 1]]
        if rate < 0.0:
            end = min(end, -rest / rate)
        elif rate == 0.0 and rest < 0.0:
            return -inf
    if decay_rate >= 0 and p[decay_rate] < 0.0:
        end = min(end, (GONE - p[decay_rest]) / p[decay_rate])
    return end
