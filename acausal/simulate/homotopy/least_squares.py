"""Levenberg-Marquardt: from a start where Newton's matrix is singular to a point where the residuals are least.

Each step minimizes |F + J d|^2 + mu |d|^2: it is short and of least norm along directions that the residuals do not
determine, and a continuous function of the numbers, where a rank would have to be decided. mu falls as the quadratic
model agrees with the residuals. Residuals and unknowns are scaled as in `homotopy`.
Source: K. Madsen, H. B. Nielsen, O. Tingleff, Methods for Non-Linear Least Squares Problems, 2004, section 3.2.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Residuals = Callable[[Sequence[float]], list[float]]
"""The residuals, then their Jacobian row by row."""

MOST_STEPS = 200
FIRST_DAMPING = 1e-2
"""As a share of the largest diagonal element of J^T J."""
MOST_DAMPING = 1e20
LEAST_STEP = 1e-10
"""A step that changes no unknown by more than this share of its scale ends the search."""


def least_squares(residuals: Residuals, start: Sequence[float], nominals: Sequence[float]) -> "Array | None":
    """Local minimum of the scaled residuals from `start`; None without finite numbers."""
    import numpy as np

    size = len(start)
    x = np.array(start, dtype=float)
    weights = np.maximum(np.abs(x), nominals)

    def evaluated(at: "Array") -> "tuple[Array, Array]":
        values = np.array(residuals([float(v) for v in at]), dtype=float)
        return values[:size], values[size:].reshape(size, size) * weights

    values, jacobian = evaluated(x)
    if not (np.isfinite(values).all() and np.isfinite(jacobian).all()):
        return None
    largest = np.maximum(np.abs(jacobian).max(axis=1), np.abs(values))
    scales = np.where(largest > 0.0, largest, 1.0)

    def scaled(at: "Array") -> "tuple[Array, Array]":
        values, jacobian = evaluated(at)
        return values / scales, jacobian / scales[:, np.newaxis]

    return _minimum(scaled, x, weights)


def least_residuals(
    residuals: Callable[[Sequence[float]], tuple[Sequence[float], Sequence[Sequence[float]]]],
    start: Sequence[float],
    steps: int = MOST_STEPS,
) -> list[float]:
    """Local minimum from `start` of residuals, more or fewer than unknowns, that are not scaled."""
    import numpy as np

    def evaluated(x: "Array") -> "tuple[Array, Array]":
        values, slopes = residuals(x.tolist())
        return np.array(values, dtype=float), np.array(slopes, dtype=float).reshape(len(values), len(x))

    return [float(v) for v in _minimum(evaluated, np.array(start, dtype=float), np.ones(len(start)), steps)]


def _minimum(
    evaluated: "Callable[[Array], tuple[Array, Array]]", x: "Array", weights: "Array", steps: int = MOST_STEPS
) -> "Array":
    """The point that the method comes to from x; `evaluated` gives residuals and the Jacobian by x / weights."""
    import numpy as np

    values, jacobian = evaluated(x)
    if not jacobian.size:
        return x
    damping, growth = FIRST_DAMPING * float((jacobian**2).sum(axis=0).max()) or 1.0, 2.0
    for _ in range(steps):
        slope = jacobian.T @ values
        step = _step(jacobian, values, damping)
        moved, changed = evaluated(x + step * weights)
        predicted = float(step @ (damping * step - slope))
        gained = float(values @ values - moved @ moved)
        if predicted > 0.0 and gained > 0.0 and np.isfinite(changed).all():
            x, values, jacobian = x + step * weights, moved, changed
            damping *= max(1 / 3, 1.0 - (2.0 * gained / predicted - 1.0) ** 3)
            growth = 2.0
            if float(np.abs(step).max()) <= LEAST_STEP:
                break
        else:
            damping, growth = damping * growth, 2.0 * growth
            if damping > MOST_DAMPING or float(np.abs(step).max()) <= LEAST_STEP:
                break
    return x


def _step(jacobian: "Array", values: "Array", damping: float) -> "Array":
    """The minimum of |F + J d|^2 + mu |d|^2, by the singular values of J, which squares would lose."""
    import numpy as np

    left, sizes, right = np.linalg.svd(jacobian, full_matrices=False)
    step: Array = -(right.T * (sizes / (sizes**2 + damping))) @ (left.T @ values)
    return step
