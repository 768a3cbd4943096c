"""Paths of the two homotopies of `solve_by_homotopy`: pseudo-arclength continuation.

The path is followed by its tangent and corrected back to it, through turning points too, where s goes back for a while.
Residuals and unknowns are scaled: each residual by its largest term at the start, each unknown by the larger of its
start and its nominal value.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from acausal.simulate.homotopy.verified_solution import Residuals

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_STEPS = 400
CORRECTIONS = 6
FIRST, SHORTEST, LONGEST = 0.02, 1e-7, 0.5
"""Lengths of steps, in scaled unknowns."""
CLOSE = 1e-6
"""Tolerance of points on the path."""
FARTHEST = 1e8
STRAIGHT = 0.7
"""The least cosine of the angle by which the path may turn in a step."""


class Homotopies:
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


class Path:
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


def follow(path: Path) -> "Array | None":
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
