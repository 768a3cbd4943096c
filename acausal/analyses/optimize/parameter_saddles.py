"""Second-order conditions at parameters where SLSQP stops: it may begin at a maximum or a saddle, and stay there.

Curvatures of the Lagrangian in the tangent space of what is active, by differences of exact slopes; a negative one
counts where the Lagrangian itself decreases on both sides. (J. Nocedal, S. J. Wright, Numerical Optimization, 2006,
section 12.5.)
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST = 12
"""Directions in the tangent space up to which two runs are made along each."""
STEP = 1e-2
"""Of the ranges of the parameters."""
CURVED = 1e-2
"""A curvature that is a smaller share of the largest one is the error of differences."""


def saddle(
    point: "Callable[[Array], tuple[Array, Array]]",
    z: "Array",
    scales: "tuple[Array, float]",
    sides: Sequence[tuple[int, float, float]],
    to_bounds: "Array",
) -> "Array | None":
    """A direction (parameters,) along which the Lagrangian at z decreases both ways; None without.

    `point` gives values and slopes of objective and constraints, `scales` are those of parameters and objective,
    `sides` the numbers of active constraints with signs, `to_bounds` distances (parameters,) to the nearer bounds.
    """
    import numpy as np

    size, first = scales
    chosen, signs = [k for k, _, _ in sides], np.array([sign for _, sign, _ in sides])
    slopes = point(z * size)[1]
    active = signs[:, None] * slopes[chosen] * size
    factors = np.linalg.lstsq(active.T, slopes[0] * size / first)[0] if chosen else np.zeros(0)

    def lagrangian(z: "Array") -> "tuple[float, Array]":
        values, slopes = point(z * size)
        value = float(values[0] / first - factors @ (signs * values[chosen]))
        return value, (slopes[0] / first - (factors * signs) @ slopes[chosen]) * size

    return _falls_on_both_sides(lagrangian, z, active, to_bounds)


def _falls_on_both_sides(
    lagrangian: "Callable[[Array], tuple[float, Array]]", z: "Array", active: "Array", to_bounds: "Array"
) -> "Array | None":
    """A direction (parameters,) along which the `lagrangian`, a value and its slopes, decreases both ways.

    `active` are gradients (constraints, parameters), `to_bounds` distances (parameters,) to the nearer bounds.
    """
    import numpy as np
    from scipy.linalg import eigh, null_space

    free = to_bounds > 2e-6
    room = float(np.min(to_bounds[free], initial=np.inf))
    basis = np.eye(len(z))[:, free]
    if len(active):
        basis = basis @ null_space(active @ basis)
    if not 0 < basis.shape[1] <= MOST:
        return None
    step = min(STEP, room)
    try:
        sides = [[lagrangian(z + s * step * along)[1] for s in (1.0, -1.0)] for along in basis.T]
        curved = np.array([basis.T @ (up - down) / (2 * step) for up, down in sides])
        values, vectors = eigh((curved + curved.T) / 2)
        if not values[0] < -CURVED * np.abs(values).max():
            return None
        along = basis @ vectors[:, 0]
        here = lagrangian(z)[0]
        beside = [lagrangian(z + s * step * along)[0] - here for s in (1.0, -1.0)]
    except SimulationError:
        return None
    return along if max(beside) < 0.25 * float(values[0]) * step**2 else None
