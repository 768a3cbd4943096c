"""Absolute tolerances and the longest step of a solver, by parameters; when sines of time begin and end."""

from math import inf, log, tau

from acausal.runtime.kernel.language import Int, Ints, Real, Reals, kernel, sqrt
from acausal.runtime.limits import SMALL, STEPS_IN_PERIOD

GONE = log(2.0**-53)
"""The exponent of an amplitude that is nothing beside what it was."""

SAFETY = 0.1
"""The error of a step as a share of the tolerance: the error of a whole run is then of the size that is asked."""
PROPORTIONAL, FINEST = 1e-6, 1e-13
"""Below the first tolerance steps have less than that share of it, but not because of this errors below the second."""


@kernel
def step_tolerance(tolerance: Real) -> Real:
    """The relative error that a solver may make in a step.

    Errors of steps add up, and smaller ones take more steps: error^(-1/(k+1)) of order k, so that the error of a run is
    as error^(k/(k+1)). It is proportional to the tolerance where the error of a step is as tolerance^((k+1)/k) (D. J.
    Higham, The tolerance proportionality of adaptive ODE solvers, 1993); here k is 4.
    """
    share = SAFETY * tolerance
    if tolerance < PROPORTIONAL:
        share = max(share * sqrt(sqrt(tolerance / PROPORTIONAL)), min(share, FINEST))
    return share


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
