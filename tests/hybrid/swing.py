"""Motion of a pendulum or a mass on a spring between two rigid stops, by elliptic functions.

With y = sin(q/2) for a pendulum, and y = q for a spring, the free motion is y = k*sn(omega*t + phase, m), where m = k^2
for the pendulum and m = 0, sn = sin, for the spring. A stop at y = s reverses the velocity and multiplies it by e:
k^2 - s^2, which is proportional to the square of the velocity there, is multiplied by e^2.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from math import asin, inf, sin, sqrt

from scipy.special import ellipj, ellipkinc

from tests.hybrid.model import STOP


@dataclass(slots=True)
class Swing:
    """It meets the upper stop `at` for the first time, and began the share `part` of the way between the stops before.

    `amplitude` is k, `stop` is s, both values of y.
    """

    is_pendulum: bool
    stop: float
    amplitude: float
    restitution: float
    at: float
    part: float
    omega: float = 0.0
    hits: list[float] = field(default_factory=list)
    slowest: float = inf
    _amplitudes: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        k, t = self.amplitude, self.at
        self.omega = self.part * 2 * self._phase(k) / t
        self._amplitudes.append(k)
        while t <= STOP:
            self.hits.append(t)
            k = sqrt(self.stop**2 + self.restitution**2 * (k**2 - self.stop**2))
            self._amplitudes.append(k)
            self.slowest = min(self.slowest, self._speed(k))
            t += 2 * self._phase(k) / self.omega

    def _phase(self, k: float) -> float:
        """Argument of sn at the stop."""
        angle = asin(self.stop / k)
        return float(ellipkinc(angle, k * k)) if self.is_pendulum else angle

    def _speed(self, k: float) -> float:
        """Of q at the stop."""
        return (2 if self.is_pendulum else 1) * self.omega * sqrt(k * k - self.stop**2)

    def __call__(self, t: float) -> float:
        """The position q."""
        number = bisect_right(self.hits, t)
        k = self._amplitudes[number]
        begin = self.hits[number - 1] if number else self.at
        direction = -1 if number % 2 else 1
        phase = self._phase(k) if number == 0 else -self._phase(k)
        u = phase + self.omega * (t - begin)
        y = direction * k * (float(ellipj(u, k * k)[0]) if self.is_pendulum else sin(u))
        return 2 * asin(y) if self.is_pendulum else y

    @property
    def velocity(self) -> float:
        """At t = 0."""
        y = sin(self(0.0) / 2) if self.is_pendulum else self(0.0)
        return (2 if self.is_pendulum else 1) * self.omega * sqrt(self.amplitude**2 - y * y)
