"""Steps limited by rounding errors: derivatives that the last digit of a state changes more than the tolerance allows.

w = p - q with p and q nearly equal; der(x) = 1/w      the last digit of p changes der(x) by a percent

Then errors stay above the tolerance however smooth the solution is: only steps so short that the rounding errors of the
derivatives do not matter are accepted, and what these add up to is a random walk.
"""

from typing import TYPE_CHECKING, NamedTuple

from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHARE = 1.0
"""Of the error that a step may make, by rounding errors of derivatives."""
EPSILON, DIGITS = 2.0**-52, 64.0
"""A state is moved by so many last digits; rounding errors are what does not change with it in proportion, too."""


class Limit(NamedTuple):
    """Change of the derivative of state `rate` with the last digit of `state`, also as a share of the error."""

    rate: int
    state: int
    change: float
    share: float


def rounding_limit(system: System, t: float, y: "Array", step: float, error: float) -> Limit | None:
    """The derivative whose rounding errors matter most in a step of this length, with this relative error at most.

    Derivatives that change much with their own state do not count: implicit methods damp their errors.
    """
    import numpy as np

    worst: Limit | None = None
    allowed = error * np.abs(y) + tolerances(system, error)
    for state in range(len(y)):
        moved = EPSILON * DIGITS * abs(y[state]) * (np.arange(len(y)) == state)
        later = EPSILON * DIGITS * abs(t)
        found = [system.rates_beside(t + k * later, y + k * moved) for k in range(3)]
        here, beside, beyond = found
        if here is None or beside is None or beyond is None:
            return None
        changes = np.maximum(np.abs(beyond - here) / (2.0 * DIGITS), np.abs(here - 2.0 * beside + beyond) / 2.0)
        shares = step * changes / allowed
        rate = int(shares.argmax())
        if (worst is None or shares[rate] > worst.share) and np.isfinite(shares[rate]):
            worst = Limit(rate, state, float(changes[rate]), float(shares[rate]))
    if worst is None or worst.share < SHARE or _is_stiff(system, t, y, worst.rate, step):
        return None
    return worst


def _is_stiff(system: System, t: float, y: "Array", state: int, step: float) -> bool:
    """True if a derivative changes with its own state within a step."""
    moved = y.copy()
    change = EPSILON**0.5 * max(abs(y[state]), 1e-6)
    moved[state] += change
    rates, other = system.rates_beside(t, y), system.rates_beside(t, moved)
    return rates is None or other is None or bool(step * abs(other[state] - rates[state]) > change)
