"""Homotopy: from a point that is no solution along a path of systems to one that is.

    H(x, s) = F(x) - (1 - s) F(x0)              Newton homotopy: x0 solves it at s = 0, a solution of F at s = 1
    H(x, s) = s F(x) + (1 - s) A (x - x0)       tried if that fails: regular at the start, even where F' is singular

A is the orthogonal factor of F'(x0) = A S. The path is followed by its tangent and corrected back to it, through
turning points too, where s goes back for a while (pseudo-arclength continuation). Residuals and unknowns are scaled:
each residual by its largest term at the start, each unknown by the larger of its start and its nominal value.
Source: E. L. Allgower, K. Georg, Introduction to Numerical Continuation Methods, SIAM 2003, chapters 2, 3 and 11.
"""

from collections.abc import Callable, Sequence
from math import asinh, copysign, sinh
from typing import TYPE_CHECKING

from acausal.codegen.numpy.numpy_solvers import linear_solution, newton_solution, storing
from acausal.runtime.blocks.newton import STEP_TOLERANCE
from acausal.simulate.failure.least_squares import least_squares

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Residuals = Callable[[Sequence[float]], list[float]]
"""The residuals, then their Jacobian row by row."""

PATIENCE = 1000
"""Iterations of damped Newton before anything else: exponentials need many."""
WHOLE_STEPS = 150
ASTRAY = 1e8
"""Growth limit of the residuals on the path: huge numbers whose differences are noise look like solutions."""
LEAP = 5.0
"""Limit of an unknown's change in one such step: times exp(LEAP), or from 0 to that share of its nominal value."""
MOST_STEPS = 400
CORRECTIONS = 6
FIRST, SHORTEST, LONGEST = 0.02, 1e-7, 0.5
"""Lengths of steps, in scaled unknowns."""
CLOSE = 1e-6
"""Tolerance of points on the path."""
FARTHEST = 1e8
BESIDE = 0.1
"""Distance from the start at which the last paths begin: a start may be a special point."""
AWAY = 1e3
"""Growth of an unknown beyond which a solution is verified: periodic functions seem solved where they are not."""
PROBE = 1e-6
"""Distance from a solution, as a share of the unknowns, at which the equations must still be linear."""
PROBES = 1.0, -1.0, 0.5, -0.5, 4.0, -4.0
"""Such distances, in PROBE: a periodic function may have by chance at one of them what a linear one has."""
STRAIGHT = 0.7
"""The least cosine of the angle by which the path may turn in a step."""


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
        found = _verified(residuals, _by_whole_steps(residuals, start, nominals), nominals)
        found = found or _newton(residuals, start, nominals)
        if found is not None:
            return found
        for beside in (0.0, BESIDE):
            found = _downhill(residuals, _moved(start, nominals, beside), nominals)
            if found is not None:
                return found
        for beside in (0.0, BESIDE):
            system = _System(residuals, _moved(start, nominals, beside), nominals)
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


def _end_of_a_path(system: "_System", residuals: Residuals, nominals: Sequence[float]) -> list[float] | None:
    for family in (system.newton_homotopy, system.from_orthogonal):
        for direction in (1.0, -1.0):
            end = _follow(_Path(family, system.start, direction))
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
    return _verified(residuals, None if found is None else [float(v) for v in found], nominals)


def _verified(residuals: Residuals, x: list[float] | None, nominals: Sequence[float]) -> list[float] | None:
    """The solution; None if an unknown is large and the equations are not linear a PROBE away.

    A step of Newton's method counts as a share of its unknown: sin(x) = 2 seems solved at x = 1e10, where the last step
    of 1 is small. Noise of cancellation, for which steps are shares, is small beside the change that is tried here.
    """
    import numpy as np

    if x is None or all(abs(a) <= AWAY * b for a, b in zip(x, nominals, strict=True)):
        return x
    n = len(x)
    values = residuals(x)
    step = linear_solution(values[n:], values[:n])
    if step is None:
        return None
    weights = np.maximum(np.abs(x), nominals)
    size = float(np.abs(np.array(step) / weights).max())
    if size == 0.0 or size > PROBE:
        return x if size == 0.0 else None
    residual = np.array(values[:n])
    scales = (np.abs(np.array(values[n:]).reshape(n, n)) * weights).max(axis=1)
    scales[scales == 0.0] = 1.0
    for share in PROBES:
        factor = share * PROBE / size
        expected = (1.0 + factor) * residual
        reached = np.array(residuals([a + factor * s for a, s in zip(x, step, strict=True)])[:n])
        error, change = (np.abs(v / scales).max() for v in (reached - expected, factor * residual))
        if not error <= change / 2:
            return None
    return x


class _System:
    """F in scaled unknowns, and its two homotopies as functions of z = (x, s): H and its Jacobian."""

    def __init__(self, residuals: Residuals, start: "Array", nominals: Sequence[float]) -> None:
        import numpy as np

        self._residuals = residuals
        self._size = len(start)
        self.weights = np.maximum(np.abs(start), nominals)
        self.start = np.append(start / self.weights, 0.0)
        self._scales = np.ones(self._size)
        value, jacobian = self._evaluated(self.start)
        self.finite = bool(np.isfinite(value).all() and np.isfinite(jacobian).all())
        if self.finite:
            largest = np.maximum(np.abs(jacobian).max(axis=1), np.abs(value))
            self._scales = np.where(largest > 0.0, largest, 1.0)
            self._begin = value / self._scales
            left, _, right = np.linalg.svd(jacobian / self._scales[:, np.newaxis])
            self._orthogonal = left @ right

    def _evaluated(self, z: "Array") -> "tuple[Array, Array]":
        import numpy as np

        n = self._size
        values = np.array(self._residuals([float(v) for v in z[:n] * self.weights]), dtype=float)
        return values[:n] / self._scales, values[n:].reshape(n, n) * self.weights / self._scales[:, np.newaxis]

    def newton_homotopy(self, z: "Array") -> "tuple[Array, Array]":
        """F(x) - (1 - s) F(x0)."""
        import numpy as np

        value, jacobian = self._evaluated(z)
        return value - (1.0 - z[-1]) * self._begin, np.column_stack([jacobian, self._begin])

    def from_orthogonal(self, z: "Array") -> "tuple[Array, Array]":
        """s F(x) + (1 - s) A (x - x0)."""
        import numpy as np

        value, jacobian = self._evaluated(z)
        s, away = z[-1], self._orthogonal @ (z - self.start)[:-1]
        slope = s * jacobian + (1.0 - s) * self._orthogonal
        return s * value + (1.0 - s) * away, np.column_stack([slope, value - away])


class _Path:
    """The points where H is zero, from the start in one direction."""

    def __init__(self, family: "Callable[[Array], tuple[Array, Array]]", start: "Array", direction: float) -> None:
        self._family = family
        self.start = start
        self._direction = direction

    def at(self, z: "Array") -> "tuple[Array, Array] | None":
        """H and its Jacobian; None where they are no finite numbers."""
        import numpy as np

        value, jacobian = self._family(z)
        return (value, jacobian) if np.isfinite(value).all() and np.isfinite(jacobian).all() else None

    def tangent(self, z: "Array", before: "Array | None" = None) -> "Array | None":
        """The unit vector along the path, turned as `before`; at the start so that s grows with direction 1."""
        import numpy as np

        found = self.at(z)
        if found is None:
            return None
        tangent: Array = np.linalg.svd(found[1])[2][-1]
        if before is not None:
            return -tangent if tangent @ before < 0 else tangent
        leading = tangent[-1] if abs(tangent[-1]) > 1e-9 else tangent[int(np.argmax(np.abs(tangent)))]
        return tangent * self._direction * (1.0 if leading > 0 else -1.0)

    def corrected(self, z: "Array") -> "Array | None":
        """The nearest point of the path, by Newton's method with the least change."""
        import numpy as np

        before = np.inf
        for _ in range(CORRECTIONS):
            found = self.at(z)
            if found is None:
                return None
            change = np.linalg.lstsq(found[1], -found[0], rcond=None)[0]
            size = float(np.abs(change).max())
            if size > before:
                return None
            z = z + change
            if size <= CLOSE * max(1.0, float(np.abs(z).max())):
                return z
            before = size
        return None


def _follow(path: _Path) -> "Array | None":
    """The unknowns where the path reaches s = 1; None where it ends, goes astray or returns to its start."""
    z, step = path.start, FIRST
    tangent = path.tangent(z)
    away = False
    for _ in range(MOST_STEPS):
        if tangent is None:
            return None
        moved = path.corrected(z + step * tangent)
        following = None if moved is None else path.tangent(moved, tangent)
        if moved is None or following is None or float(following @ tangent) < STRAIGHT:
            step /= 2
            if step < SHORTEST:
                return None
            continue
        if moved[-1] >= 1.0:
            return (z + (1.0 - z[-1]) / (moved[-1] - z[-1]) * (moved - z))[:-1]  # type: ignore[no-any-return]  # an array
        gone = float(abs(moved - path.start).max())
        if gone > FARTHEST or (away and gone < step):
            return None
        away = away or gone > 4 * step
        z, tangent = moved, following
        step = min(1.6 * step, LONGEST * max(1.0, float(abs(z).max())))
    return None
