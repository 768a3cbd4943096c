"""Exciting trajectories: periodic motion from which base parameters are identified well.

Each joint, or with closed loops each independent coordinate, moves by a finite Fourier series, whose coefficients
minimize the condition of the regressor of the base parameters within limits of positions, velocities and accelerations.
Swevers, Ganseman, Tukel, De Schutter, Van Brussel, Optimal robot excitation and identification, IEEE Trans. Robotics
and Automation 13 (1997) 730-740.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.frozen import dataclass
from acausal.mechanism.parameters.motions import FARTHEST, Motions

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.mechanism.parameters.motions import Motion

    Observe = Callable[[Array, Array, Array], Array]
    """Independent columns of the regressor, (m, nv, nb), for m rows of q, v and a."""

MOST_ITERATIONS, STARTS = 60, 2
ROOM = 1e-6
"""By so much limits may be passed."""
WORST = 1e12
"""Condition of observations that determine nothing, and of motions with open loops."""
SMALLER = 20
"""Random motions are made smaller so often."""


@dataclass(frozen=True, slots=True)
class Excitation:
    """Motion over one period: `times` (m,) [s], `q`, `v`, `a` (m, n), and the `condition` that it gives."""

    times: "Array"
    q: "Array"
    v: "Array"
    a: "Array"
    condition: float


def exciting_trajectory(
    motions: Motions,
    observe: "Observe",
    period: float,
    limits: Mapping[str, tuple[float, float]],
    velocity: float,
    acceleration: float,
    harmonics: int,
    samples: int,
) -> Excitation:
    """Periodic motion within `limits` of positions (by name) and of velocities and accelerations of all joints.

    `period` in s; velocities in rad/s or m/s. Without limits a coordinate stays within one radian or meter of its
    center. UsageError F006 where no motion within the limits is found.
    """
    from scipy.optimize import minimize

    search = _Search(motions, observe, period, harmonics, samples, limits)
    room = search.room(velocity, acceleration)
    found = []
    for seed in range(STARTS):
        start = search.start(seed, velocity, acceleration)
        if start is None:
            continue
        constraint = {"type": "ineq", "fun": room}
        options = {"maxiter": MOST_ITERATIONS}
        end = minimize(search.criterion, start, method="SLSQP", constraints=[constraint], options=options).x
        found.append(end if room(end).min() >= -ROOM else start)
    if not found:
        hint = "give limits around the start of the model, or other coordinates as `independent`"
        raise UsageError(Diagnostic("F006", "no motion within the limits closes the loops", help=hint))
    return search.motion(min(found, key=search.criterion))


class _Search:
    """Fourier series of all coordinates; the coefficients are (n, 1 + 2 harmonics): offset, sines, cosines."""

    def __init__(
        self,
        motions: Motions,
        observe: "Observe",
        period: float,
        harmonics: int,
        samples: int,
        limits: Mapping[str, tuple[float, float]],
    ) -> None:
        import numpy as np

        self._motions, self._observe = motions, observe
        around = zip(motions.names, motions.center, strict=True)
        ranges = {name: (center - FARTHEST, center + FARTHEST) for name, center in around} | dict(limits)
        self._low, self._high = np.array([ranges[name] for name in motions.names]).reshape(-1, 2).T
        self._limited = [motions.places[name] for name in ranges]
        self._least, self._most = np.array(list(ranges.values())).reshape(-1, 2).T
        self._step = period / samples
        self._all, self._speeds = list(motions.places.values()), list(motions.columns.values())
        self.times = np.arange(samples) * period / samples
        rates = 2 * np.pi / period * np.arange(1, harmonics + 1)
        angles = np.outer(self.times, rates)
        one, nothing = np.ones((samples, 1)), np.zeros((samples, 1))
        self._positions = np.hstack([one, np.sin(angles), np.cos(angles)])
        self._velocities = np.hstack([nothing, rates * np.cos(angles), -rates * np.sin(angles)])
        self._accelerations = np.hstack([nothing, -(rates**2) * np.sin(angles), -(rates**2) * np.cos(angles)])

    def _series(self, x: "Array") -> "tuple[Array, Array, Array]":
        coefficients = x.reshape(len(self._low), -1).T
        return self._positions @ coefficients, self._velocities @ coefficients, self._accelerations @ coefficients

    def _motion(self, x: "Array") -> "Motion | None":
        """The motion of all joints; None where loops are open, or samples lie on several branches."""
        import numpy as np

        found = self._motions.whole(*self._series(x))
        if found is None:
            return None
        q, v, a = [part[:, self._all] for part in found[:1]] + [part[:, self._speeds] for part in found[1:]]
        after = [np.roll(part, -1, axis=0) for part in (q, v, a)]
        ways = self._step * (v + after[1]) / 2
        most = self._step**2 * np.maximum(np.abs(a), np.abs(after[2])) / 2 + ROOM
        return found if bool(np.all(np.abs(after[0] - q - ways) <= most)) else None

    def criterion(self, x: "Array") -> float:
        """The logarithm of the condition of the regressor, whose columns have length 1; large where loops are open."""
        import numpy as np

        moved = self._motion(x)
        return float(np.log(WORST if moved is None else self._condition(*moved)))

    def _condition(self, q: "Array", v: "Array", a: "Array") -> float:
        import numpy as np

        columns = self._observe(q, v, a)
        rows = columns.reshape(-1, columns.shape[2])
        lengths = np.linalg.norm(rows, axis=0)
        values = np.linalg.svd(rows / np.where(lengths > 0, lengths, 1.0), compute_uv=False)
        return float(values[0] / max(values[-1], 1.0 / WORST))

    def room(self, velocity: float, acceleration: float) -> "Callable[[Array], Array]":
        """Room to the limits at all samples: positive within."""
        import numpy as np

        def room(x: "Array") -> "Array":
            moved = self._motion(x)
            if moved is None:
                return np.full(2 * len(self._limited) + 2 * self._motions.speeds, -1.0)
            q, v, a = moved
            q = q[:, self._limited]
            parts = q - self._least, self._most - q, velocity - np.abs(v), acceleration - np.abs(a)
            return np.concatenate([part.min(axis=0) for part in parts])

        return room

    def start(self, seed: int, velocity: float, acceleration: float) -> "Array | None":
        """Random coefficients within the limits; None where smaller and smaller motions are not."""
        import numpy as np

        rng = np.random.default_rng(seed)
        x = rng.normal(size=(len(self._low), self._positions.shape[1]))
        x[:, 0] = 0.0
        q, v, a = self._series(x.reshape(-1))
        half = (self._high - self._low) / 2
        shares = [half / np.abs(q).max(axis=0), velocity / np.abs(v).max(axis=0), acceleration / np.abs(a).max(axis=0)]
        x *= 0.8 * np.min(shares, axis=0)[:, None]
        x[:, 0] = (self._high + self._low) / 2
        room = self.room(velocity, acceleration)
        for _ in range(SMALLER):
            if room(x.reshape(-1)).min(initial=0.0) >= -ROOM:
                return np.asarray(x.reshape(-1))
            x[:, 1:] *= 0.7
        return None

    def motion(self, x: "Array") -> Excitation:
        """The motion for coefficients."""
        moved = self._motion(x)
        assert moved is not None
        return Excitation(self.times, *moved, self._condition(*moved))
