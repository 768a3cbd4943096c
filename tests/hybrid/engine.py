"""Cylinders on one crank, by their energy.

The speed of the crank is a function of its angle: w = sqrt(2*E(phi)/J(phi)), where J is the inertia of all parts as the
crank sees it, and E grows by the work of the gas. Time is the integral of 1/w, by Gauss' formula between dead centers;
the angle as a function of time is interpolated in Chebyshev points.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from math import pi

import numpy as np

from tests.hybrid.model import STOP

Array = np.ndarray

CRANK, ROD, PISTON_MASS, ROD_MASS, ROD_INERTIA = 0.05, 0.175, 6.0, 1.0, 0.006
CYLINDER = f"""model class Piston
  parameter offset, tilt, down, up
  submodel (Fixed) turn(n3=1, angle=offset), lean(n3=1, angle=tilt)
  submodel (Bar) pinr(r1={CRANK}), rod(r1=-{ROD}), top(r1=0.42), pinp(r1=-0.1)
  submodel (Prismatic) piston(n1=-1, near=0.1)
  submodel (Revolute) knee(n3=1)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) b(m={ROD_MASS}, r1=-{ROD / 2}, I33={ROD_INERTIA}), p(m={PISTON_MASS}, r1=-0.05)
  submodel (signalforce) gas
  cut A = turn:A, base = lean:A
  connect turn - pinr, lean - top - piston - pinp - knee - rod
  connect gas at piston:Axis, p at piston, b at knee, pin at (pinr:B, rod:B)
  gas.force = if piston.w < 0 then up else down
end"""
GAUSS, WEIGHTS = np.polynomial.legendre.leggauss(24)
CHEBYSHEV = -np.cos(pi * np.arange(20) / 19)
PARTS = 6
"""Panels between two dead centers."""
FAR = 80.0
"""Angle by which no engine turns in a run."""


def place(theta: Array) -> Array:
    """Distance of a piston's pin from the crank's axis, `theta` after the outer dead center."""
    return CRANK * np.cos(theta) + np.sqrt(ROD**2 - (CRANK * np.sin(theta)) ** 2)


def rate(theta: Array) -> Array:
    """Its derivative by theta."""
    across = CRANK * np.sin(theta)
    return -across * (1 + CRANK * np.cos(theta) / np.sqrt(ROD**2 - across**2))


def inertia(theta: Array) -> Array:
    """Of one cylinder as the crank sees it; the center of the rod is halfway between its pins."""
    turn = CRANK * np.cos(theta) / np.sqrt(ROD**2 - (CRANK * np.sin(theta)) ** 2)
    along, across = (rate(theta) - CRANK * np.sin(theta)) / 2, CRANK * np.cos(theta) / 2
    return PISTON_MASS * rate(theta) ** 2 + ROD_MASS * (along**2 + across**2) + ROD_INERTIA * turn**2


@dataclass(slots=True)
class Engine:
    """The crank is at the angle `angle` with the speed `speed` at the time `at`; `down` and `up` are forces of the gas.

    `shifts` are the angles of the cylinders: theta = phi + shift. The force along the piston's coordinate, which grows
    towards the crank, is `down` while it grows and `up` while it falls.
    """

    wheel: float
    shifts: tuple[float, ...]
    down: float
    up: float
    at: float
    angle: float
    speed: float
    angles: Array = field(init=False)
    times: Array = field(init=False)
    _series: list[Array] = field(init=False)

    def __post_init__(self) -> None:
        """Panels from the dead center before the start to the one behind the end."""
        k = np.arange(-FAR // pi, FAR // pi + 1)
        centers = np.concatenate([[self.angle], *[pi * (k + round((self.angle + s) / pi)) - s for s in self.shifts]])
        centers = np.unique(np.round(centers, 12))
        grid = np.unique(np.concatenate([np.linspace(a, b, PARTS + 1) for a, b in pairwise(centers.tolist())]))
        with np.errstate(invalid="ignore"):
            taken = self._time(grid[:-1], grid[1:])
        first = int(np.argmin(np.abs(grid - self.angle)))
        later = self.at + np.concatenate([[0.0], np.cumsum(taken[first:])])
        earlier = self.at - np.cumsum(taken[:first][::-1])[::-1]
        times = np.concatenate([earlier, later])
        used = slice(int(np.flatnonzero(times <= 0)[-1]), int(np.flatnonzero(times > STOP)[0]) + 1)
        self.angles, self.times = grid[used], times[used]
        self._series = [self._interpolated(i) for i in range(len(self.times) - 1)]

    def _interpolated(self, i: int) -> Array:
        """Chebyshev coefficients of the angle in one panel, from Newton's method in each point."""
        begin, end = self.angles[i], self.angles[i + 1]
        wanted = (self.times[i + 1] - self.times[i]) * (1 + CHEBYSHEV) / 2
        phi = begin + (end - begin) * (1 + CHEBYSHEV) / 2
        for _ in range(5):
            phi = phi + (wanted - self._time(begin, phi)) * self.w(phi)
        return np.polynomial.chebyshev.chebfit(CHEBYSHEV, phi, len(CHEBYSHEV) - 1)

    def _time(self, begin: Array, end: Array) -> Array:
        half = (np.asarray(end) - begin) / 2
        return half * (WEIGHTS / self.w(np.add(begin, half)[..., None] + half[..., None] * GAUSS)).sum(axis=-1)

    def _work(self, theta: Array) -> Array:
        """Of one cylinder from its outer dead center at theta = 0 on."""
        turns, rest = np.divmod(theta / (2 * pi), 1.0)
        outer, inner, here = place(0.0), place(pi), place(theta)
        way = np.where(rest <= 0.5, self.down * (outer - here), self.down * (outer - inner) - self.up * (here - inner))
        return turns * (self.down - self.up) * (outer - inner) + way

    def _inertia(self, phi: Array) -> Array:
        return self.wheel + sum([inertia(phi + s) for s in self.shifts])

    def w(self, phi: Array) -> Array:
        """Speed of the crank at an angle."""
        gain = sum([self._work(phi + s) - self._work(self.angle + s) for s in self.shifts])
        return np.sqrt((self._inertia(self.angle) * self.speed**2 + 2 * gain) / self._inertia(phi))

    def phi(self, t: float) -> float:
        """The angle at a time."""
        i = min(max(int(np.searchsorted(self.times, t, "right")) - 1, 0), len(self.times) - 2)
        share = 2 * (t - self.times[i]) / (self.times[i + 1] - self.times[i]) - 1
        return float(np.polynomial.chebyshev.chebval(share, self._series[i]))

    def dead_centers(self, shift: float, is_outer: bool) -> list[float]:
        """The times at which one cylinder comes to its outer or inner dead center."""
        turns = (self.angles + shift - (0.0 if is_outer else pi)) / (2 * pi)
        found = self.times[np.abs(turns - np.round(turns)) < 1e-9]
        return [t for t in found.tolist() if 0 < t <= STOP]
