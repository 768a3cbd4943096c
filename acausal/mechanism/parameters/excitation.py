"""Exciting trajectories: periodic motion from which base parameters are identified well.

Each joint moves by a finite Fourier series, whose coefficients minimize the condition of the regressor of the base
parameters within limits of positions, velocities and accelerations. Swevers, Ganseman, Tukel, De Schutter, Van Brussel,
Optimal robot excitation and identification, IEEE Trans. Robotics and Automation 13 (1997) 730-740.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.ir.names import show_name
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Observe = Callable[[Array, Array, Array], Array]
    """Independent columns of the regressor, (m, nv, nb), for m rows of q, v and a."""

MOST_ITERATIONS, STARTS = 60, 2
ROOM = 1e-6
"""By so much limits may be passed."""


@dataclass(frozen=True, slots=True)
class Excitation:
    """Motion over one period: `times` (m,) [s], `q`, `v`, `a` (m, n), and the `condition` that it gives."""

    times: "Array"
    q: "Array"
    v: "Array"
    a: "Array"
    condition: float


def exciting_trajectory(
    tree: RigidTree,
    observe: "Observe",
    period: float,
    limits: Mapping[str, tuple[float, float]],
    velocity: float,
    acceleration: float,
    harmonics: int,
    samples: int,
) -> Excitation:
    """Periodic motion within `limits` of positions (by name) and of velocities and accelerations of all joints.

    `period` in s; velocities in rad/s or m/s. Without limits a position stays within one radian or meter of zero.
    UsageError F006 for a mechanism with ball joints, F005 for a name.
    """
    from scipy.optimize import minimize

    search = _Search(tree, observe, period, harmonics, samples, limits)
    bounds = search.bounds(velocity, acceleration)
    found = []
    for seed in range(STARTS):
        start = search.start(seed, velocity, acceleration)
        constraint = {"type": "ineq", "fun": bounds}
        options = {"maxiter": MOST_ITERATIONS}
        end = minimize(search.criterion, start, method="SLSQP", constraints=[constraint], options=options).x
        found.append(end if bounds(end).min() >= -ROOM else start)
    return search.motion(min(found, key=search.criterion))


class _Search:
    """Fourier series of all joints; the coefficients are (n, 1 + 2 harmonics): offset, sines, cosines."""

    def __init__(
        self,
        tree: RigidTree,
        observe: "Observe",
        period: float,
        harmonics: int,
        samples: int,
        limits: Mapping[str, tuple[float, float]],
    ) -> None:
        import numpy as np

        self._observe = observe
        names = [show_name(leaf.name) for leaf in tree.positions]
        if len(names) != len(tree.velocities):
            message = f"{tree.name} has ball joints, for which there are no Fourier series"
            raise UsageError(Diagnostic("F006", message, help="give trajectories of your own to `identify`"))
        unknown = [name for name in limits if name not in names]
        if unknown:
            message = f"{unknown[0]} is not a position of {tree.name}"
            raise UsageError(Diagnostic("F005", message, help=f"positions: {', '.join(names)}"))
        self._low = np.array([limits.get(name, (-1.0, 1.0))[0] for name in names])
        self._high = np.array([limits.get(name, (-1.0, 1.0))[1] for name in names])
        self.times = np.arange(samples) * period / samples
        rates = 2 * np.pi / period * np.arange(1, harmonics + 1)
        angles = np.outer(self.times, rates)
        one, nothing = np.ones((samples, 1)), np.zeros((samples, 1))
        self._positions = np.hstack([one, np.sin(angles), np.cos(angles)])
        self._velocities = np.hstack([nothing, rates * np.cos(angles), -rates * np.sin(angles)])
        self._accelerations = np.hstack([nothing, -(rates**2) * np.sin(angles), -(rates**2) * np.cos(angles)])

    def _at(self, x: "Array") -> "tuple[Array, Array, Array]":
        coefficients = x.reshape(len(self._low), -1).T
        return self._positions @ coefficients, self._velocities @ coefficients, self._accelerations @ coefficients

    def criterion(self, x: "Array") -> float:
        """The logarithm of the condition of the regressor, whose columns have length 1."""
        import numpy as np

        return float(np.log(self._condition(*self._at(x))))

    def _condition(self, q: "Array", v: "Array", a: "Array") -> float:
        import numpy as np

        columns = self._observe(q, v, a)
        rows = columns.reshape(-1, columns.shape[2])
        lengths = np.linalg.norm(rows, axis=0)
        values = np.linalg.svd(rows / np.where(lengths > 0, lengths, 1.0), compute_uv=False)
        return float(values[0] / max(values[-1], 1e-12))

    def bounds(self, velocity: float, acceleration: float) -> "Callable[[Array], Array]":
        """Room to the limits at all samples: positive within."""
        import numpy as np

        def room(x: "Array") -> "Array":
            q, v, a = self._at(x)
            parts = q - self._low, self._high - q, velocity - np.abs(v), acceleration - np.abs(a)
            return np.concatenate([part.min(axis=0) for part in parts])

        return room

    def start(self, seed: int, velocity: float, acceleration: float) -> "Array":
        """Random coefficients within the limits."""
        import numpy as np

        rng = np.random.default_rng(seed)
        x = rng.normal(size=(len(self._low), self._positions.shape[1]))
        x[:, 0] = 0.0
        q, v, a = self._at(x.reshape(-1))
        half = (self._high - self._low) / 2
        shares = [half / np.abs(q).max(axis=0), velocity / np.abs(v).max(axis=0), acceleration / np.abs(a).max(axis=0)]
        x *= 0.8 * np.min(shares, axis=0)[:, None]
        x[:, 0] = (self._high + self._low) / 2
        return np.asarray(x.reshape(-1))

    def motion(self, x: "Array") -> Excitation:
        """The motion for coefficients."""
        q, v, a = self._at(x)
        return Excitation(self.times, q, v, a, self._condition(q, v, a))
