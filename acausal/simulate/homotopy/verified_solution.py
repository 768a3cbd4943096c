"""Verification of solutions that lie far from where numbers of their unknowns are expected."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from acausal.codegen.numpy.numpy_solvers import linear_solution
from acausal.runtime.blocks.newton import RESIDUAL_TOLERANCE

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Residuals = Callable[[Sequence[float]], list[float]]
"""The residuals, then their Jacobian row by row."""

AWAY = 1e3
"""Growth of an unknown beyond which a solution is verified: periodic functions seem solved where they are not."""
PROBE = 1e-6
"""Distance from a solution, as a share of the unknowns, at which the equations must still be linear."""
PROBES = 1.0, -1.0, 0.5, -0.5, 4.0, -4.0
"""Such distances, in PROBE: a periodic function may have by chance at one of them what a linear one has."""
DISTANCES = 1.0, 8.0, 64.0
"""Distances from a solution outward, as shares of the unknowns, at which no equation may be satisfied."""


def verified(residuals: Residuals, x: list[float] | None, nominals: Sequence[float]) -> list[float] | None:
    """The solution; None if it is flat, or if an unknown is large and the equations are not linear a PROBE away.

    A step of Newton's method counts as a share of its unknown: sin(x) = 2 seems solved at x = 1e10, where the last step
    of 1 is small. Noise of cancellation, for which steps are shares, is small beside the change that is tried here.
    """
    if x is None or _is_flat(residuals, x, nominals):
        return None
    if all(abs(a) <= AWAY * b for a, b in zip(x, nominals, strict=True)):
        return x
    return x if _is_linear_near(residuals, x, nominals) else None


def _is_flat(residuals: Residuals, x: list[float], nominals: Sequence[float]) -> bool:
    """True if an equation is satisfied at one of DISTANCES, too, on the line along which the others are.

    Equations that tend to a solution at infinity, as atan(x) = pi/2 does, are satisfied within rounding far away.
    """
    import numpy as np

    n = len(x)
    weights = np.maximum(np.abs(x), nominals)
    values = residuals(x)
    jacobian = np.array(values[n:]).reshape(n, n) * weights
    scales = np.abs(jacobian).max(axis=1)
    if not np.isfinite(scales).all():
        return False
    if not scales.all():
        unchanged = [(i, abs(values[i])) for i in range(n) if scales[i] == 0.0]
        return _is_flat_outward(residuals, x, np.copysign(weights, x), unchanged)
    try:
        lines = np.linalg.inv(jacobian / scales[:, np.newaxis])
    except np.linalg.LinAlgError:
        return False
    for i, line in enumerate(lines.T):
        outward = 1.0 if line @ (np.array(x) / weights) >= 0.0 else -1.0
        away = outward * weights * line / np.abs(line).max()
        if _is_flat_outward(residuals, x, away, [(i, RESIDUAL_TOLERANCE * scales[i])]):
            return True
    return False


def _is_flat_outward(residuals: Residuals, x: list[float], away: "Array", small: Sequence[tuple[int, float]]) -> bool:
    """True if one of these equations has a residual this small at one of DISTANCES from x.

    Where rounding leaves no derivative, as of sinh(x) = cosh(x) at x = 19.4, the residual at x is the measure.
    """
    for distance in DISTANCES:
        beyond = residuals([a + distance * float(b) for a, b in zip(x, away, strict=True)])
        if any(abs(beyond[i]) <= limit for i, limit in small):
            return True
    return False


def _is_linear_near(residuals: Residuals, x: list[float], nominals: Sequence[float]) -> bool:
    import numpy as np

    n = len(x)
    values = residuals(x)
    step = linear_solution(values[n:], values[:n])
    if step is None:
        return False
    weights = np.maximum(np.abs(x), nominals)
    size = float(np.abs(np.array(step) / weights).max())
    if size == 0.0 or size > PROBE:
        return size == 0.0
    residual = np.array(values[:n])
    scales = (np.abs(np.array(values[n:]).reshape(n, n)) * weights).max(axis=1)
    scales[scales == 0.0] = 1.0
    for share in PROBES:
        factor = share * PROBE / size
        expected = (1.0 + factor) * residual
        reached = np.array(residuals([a + factor * s for a, s in zip(x, step, strict=True)])[:n])
        error, change = (np.abs(v / scales).max() for v in (reached - expected, factor * residual))
        if not error <= change / 2:
            return False
    return True
