"""Homotopy: from a point that is no solution along a path of systems to one that is.

    H(x, s) = F(x) - (1 - s) F(x0)              Newton homotopy: x0 solves it at s = 0, a solution of F at s = 1
    H(x, s) = s F(x) + (1 - s) A (x - x0)       tried if that fails: regular at the start, even where F' is singular

A is the orthogonal factor of F'(x0) = A S. `continuation` follows the paths.
Source: E. L. Allgower, K. Georg, Introduction to Numerical Continuation Methods, SIAM 2003, chapters 2, 3 and 11.
"""

from collections.abc import Sequence
from math import asinh, copysign, sinh
from typing import TYPE_CHECKING

from acausal.codegen.numpy.numpy_solvers import linear_solution, newton_solution, storing
from acausal.runtime.blocks.newton import STEP_TOLERANCE
from acausal.simulate.homotopy.continuation import Homotopies, Path, follow
from acausal.simulate.homotopy.least_squares import least_squares
from acausal.simulate.homotopy.verified_solution import Residuals, verified

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

PATIENCE = 1000
"""Iterations of damped Newton before anything else: exponentials need many."""
WHOLE_STEPS = 150
ASTRAY = 1e8
"""Growth limit of the residuals on the path: huge numbers whose differences are noise look like solutions."""
LEAP = 5.0
"""Limit of an unknown's change in one such step: times exp(LEAP), or from 0 to that share of its nominal value."""
BESIDE = 0.1
"""Distance from the start at which the last paths begin: a start may be a special point."""


class _WearyError(Exception):
    """The residuals were evaluated as often as allowed."""


def solve_by_homotopy(
    residuals: Residuals, start: Sequence[float], nominals: Sequence[float], most: int = 30_000
) -> list[float] | None:
    """A solution from `start`, or None where no path comes to one with `most` evaluations of the residuals."""
    left = most

    def counted(x: Sequence[float]) -> list[float]:
        nonlocal left
        left -= 1
        if left < 0:
            raise _WearyError
        return residuals(x)

    try:
        return _solve(counted, start, nominals)
    except _WearyError:
        return None


def _solve(residuals: Residuals, start: Sequence[float], nominals: Sequence[float]) -> list[float] | None:
    import numpy as np

    with np.errstate(all="ignore"):
        found = verified(residuals, _by_whole_steps(residuals, start, nominals), nominals)
        found = found or _newton(residuals, start, nominals)
        if found is not None:
            return found
        for beside in (0.0, BESIDE):
            found = _downhill(residuals, _moved(start, nominals, beside), nominals)
            if found is not None:
                return found
        for beside in (0.0, BESIDE):
            system = Homotopies(residuals, _moved(start, nominals, beside), nominals)
            found = _end_of_a_path(system, residuals, nominals) if system.finite else None
            if found is not None:
                return found
    return None


def _moved(start: Sequence[float], nominals: Sequence[float], beside: float) -> "Array":
    """A point beside the start, by this share of the scales."""
    import numpy as np

    weights = np.maximum(np.abs(start), nominals)
    moved: Array = np.array(start) + beside * np.cos(np.arange(len(start))) * weights
    return moved


def _downhill(residuals: Residuals, start: "Array", nominals: Sequence[float]) -> list[float] | None:
    """The solution at the foot of the start's valley: where Newton's matrix is singular there, it comes away."""
    found = least_squares(residuals, [float(v) for v in start], nominals)
    return None if found is None else _newton(residuals, found, nominals)


def _end_of_a_path(system: "Homotopies", residuals: Residuals, nominals: Sequence[float]) -> list[float] | None:
    for family in (system.newton_homotopy, system.from_orthogonal):
        for direction in (1.0, -1.0):
            end = follow(Path(family, system.start, direction))
            found = None if end is None else _newton(residuals, end * system.weights, nominals)
            if found is not None:
                return found
    return None


def _by_whole_steps(residuals: Residuals, start: Sequence[float], nominals: Sequence[float]) -> list[float] | None:
    """Newton's method without damping: it comes through curved valleys, as those of transistors in saturation.

    Each unknown is limited by itself, as SPICE limits the voltages of junctions; none that have the size of
    their nominal values notice it.
    """
    n, x = len(start), [float(v) for v in start]
    largest = float("inf")
    for _ in range(WHOLE_STEPS):
        values = residuals(x)
        size = max(abs(v) for v in values[:n])
        largest = min(largest, ASTRAY * size)
        if not size <= largest:
            return None
        step = linear_solution(values[n:], [-v for v in values[:n]])
        if step is None or not sum(abs(s) for s in step) < float("inf"):
            return None
        x = [_limited(a, a + s, b) for a, s, b in zip(x, step, nominals, strict=True)]
        if all(abs(s) <= STEP_TOLERANCE * max(abs(a), b) for s, a, b in zip(step, x, nominals, strict=True)):
            return x
    return None


def _limited(old: float, new: float, nominal: float) -> float:
    """`new`, or where it is too far from `old` as far as allowed; 0 counts as small as the nominal value."""
    place, wanted = asinh(old / nominal), asinh(new / nominal)
    return new if abs(wanted - place) <= LEAP else nominal * sinh(place + copysign(LEAP, wanted - place))


def _newton(residuals: Residuals, x: "Sequence[float] | Array", nominals: Sequence[float]) -> list[float] | None:
    found = newton_solution(storing(residuals, len(x)), (), [float(v) for v in x], nominals, PATIENCE)
    return verified(residuals, None if found is None else [float(v) for v in found], nominals)
