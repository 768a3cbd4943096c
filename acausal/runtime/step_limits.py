"""Absolute tolerances and the longest step of a solver, by parameters."""

from math import inf, tau

from acausal.runtime.kernel.language import Int, Real, Reals, kernel
from acausal.runtime.limits import SMALL, STEPS_IN_PERIOD


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
