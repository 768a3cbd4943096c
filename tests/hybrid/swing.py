"""Motion of a pendulum or a mass on a spring between two rigid stops, by elliptic functions.

With y = sin(q/2) for a pendulum, and y = q for a spring, the free motion is y = k*sn(omega*t + phase, m), where m = k^2
for the pendulum and m = 0, sn = sin, for the spring. A stop at y = s reverses the velocity and multiplies it by e:
k^2 - s^2, which is proportional to the square of the velocity there, is multiplied by e^2.

An error of the speed changes the period, so that the times of impacts drift apart in proportion to their number: the
problem itself magnifies errors, for every solver. The bound of the comparison is therefore that of a backward error
(N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 1.5): the motion may be that of a start
which is off by the errors allowed, as shares of the ranges of position and speed, and it may be off by as much itself.
The condition numbers come from the formulas for starts next to this one.
"""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import asin, sin, sqrt

from scipy.special import ellipj, ellipkinc

from tests.hybrid.model import STOP

BESIDE = 1e-6
"""Starts next to this one differ by that share of the ranges."""
SMALL = 0.01
"""Errors of what is smaller are absolute."""
SAMPLES = 9
"""The condition number between two impacts is the largest at so many times."""


@dataclass
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
    until: float = STOP
    omega: float = 0.0
    hits: list[float] = field(default_factory=list)
    _amplitudes: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        k, t = self.amplitude, self.at
        self.omega = self.part * 2 * self._phase(k) / t
        self._amplitudes.append(k)
        while t <= self.until:
            self.hits.append(t)
            k = sqrt(self.stop**2 + self.restitution**2 * (k**2 - self.stop**2))
            self._amplitudes.append(k)
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

    def size(self, t: float) -> float:
        """By how much an error of 1, as a share of the ranges, moves the position at most until the next impact."""
        return self._sizes[bisect_right(self.hits, t)]

    def slowness(self, number: int) -> float:
        """By how much time an error of 1 moves the impact of this number."""
        moved = sum([abs(b.hits[number] - a.hits[number]) for a, b in self._beside]) / (2 * BESIDE)
        return moved + self._ranges[0] / self._speed(self._amplitudes[number])

    @cached_property
    def _ranges(self) -> tuple[float, float]:
        """Of position and speed."""
        stop = 2 * asin(self.stop) if self.is_pendulum else self.stop
        return max(stop, SMALL), max((2 if self.is_pendulum else 1) * self.omega * self.amplitude, SMALL)

    @cached_property
    def _beside(self) -> "list[tuple[Swing, Swing]]":
        """Motions from starts with another position, and with another speed, on both sides."""
        position, speed = [BESIDE * extent for extent in self._ranges]
        q, w = self(0.0), self.velocity
        return [
            (self._from(q - position, w), self._from(q + position, w)),
            (self._from(q, w - speed), self._from(q, w + speed)),
        ]

    def _from(self, q: float, w: float) -> "Swing":
        """The motion from another start, with as many impacts at least."""
        y = sin(q / 2) if self.is_pendulum else q
        k = sqrt(y * y + (w / self.omega / (2 if self.is_pendulum else 1)) ** 2)
        begin = float(ellipkinc(asin(y / k), k * k)) if self.is_pendulum else asin(y / k)
        at = (self._phase(k) - begin) / self.omega
        part = self.omega * at / (2 * self._phase(k))
        return Swing(self.is_pendulum, self.stop, k, self.restitution, at, part, until=self.until + 1e-3)

    @cached_property
    def _sizes(self) -> list[float]:
        """Of the time before the first impact, and behind each."""
        found = []
        for begin, end in pairwise([0.0, *[t for t in self.hits if t < STOP], STOP]):
            times = [begin + (end - begin) * i / (SAMPLES - 1) for i in range(SAMPLES)]
            moved = [sum([abs(b(t) - a(t)) for a, b in self._beside]) for t in times]
            found.append(self._ranges[0] + max(moved) / (2 * BESIDE))
        return [*found, found[-1]]
