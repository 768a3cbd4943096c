"""Right-hand sides as one writes them by hand in Python, run by scikit-sundae and by SciPy.

Cartesian pendulum   x'' = -F x, y'' = -F y - g with F = ((x')^2 + (y')^2 - g y)/L^2, from x^2 + y^2 = L^2
first-order circuit  C u' = (V sin(w t) - u)/R
bouncing ball        h'' = -g; v becomes -e v where h falls through 0
rectifier            two inductors, two capacitors, six diodes that conduct (Ron) or do not (Goff); the voltages
                     at their nodes follow from one linear equation each
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np

TOLERANCE = 1e-6
Modes = list[bool]
Slope = Callable[[float, Any, Any, Modes], None]


def _nothing(t: float, y: Any, out: Any, modes: Modes) -> None:
    """No events."""


def _stays(y: list[float], modes: Modes, which: Sequence[int]) -> None:
    """Events change nothing."""


@dataclass(frozen=True, slots=True)
class Hand:
    """`slope(t, y, out, modes)`; of what is `watched` upward crossings count; `happen` changes y and modes then."""

    start: tuple[float, ...]
    slope: Slope
    shown: int
    count: int = 0
    watched: Slope = _nothing
    happen: Callable[[list[float], Modes, Sequence[int]], None] = _stays


# ------------------------------------------------------------------ the models


def _pendulum(t: float, y: Any, out: Any, modes: Modes) -> None:
    x, z, vx, vz = y[0], y[1], y[2], y[3]
    force = vx * vx + vz * vz - 9.81 * z
    out[0], out[1], out[2], out[3] = vx, vz, -force * x, -force * z - 9.81


def _circuit(t: float, y: Any, out: Any, modes: Modes) -> None:
    out[0] = (sin(10.0 * t) - y[0]) / 0.1


def _ball(t: float, y: Any, out: Any, modes: Modes) -> None:
    out[0], out[1] = y[1], -9.81


def _height(t: float, y: Any, out: Any, modes: Modes) -> None:
    out[0] = -y[0]


def _bounce(y: list[float], modes: Modes, which: Sequence[int]) -> None:
    y[1] = -0.8 * y[1]


RON, GOFF, KNEE, CURRENT = 1e-3, 1e-3, 2.0, 500.0


def _node(i: float, plus: float, minus: float, upper: bool, lower: bool) -> tuple[float, float, float]:
    """Voltage at the node between two diodes, and their currents."""
    above = (1 / RON, GOFF * KNEE - KNEE / RON) if upper else (GOFF, 0.0)
    below = (1 / RON, GOFF * KNEE - KNEE / RON) if lower else (GOFF, 0.0)
    v = (i + above[0] * plus + below[0] * minus - above[1] + below[1]) / (above[0] + below[0])
    return v, above[0] * (v - plus) + above[1], below[0] * (minus - v) + below[1]


def _nodes(y: Any, modes: Modes) -> list[tuple[float, float, float]]:
    i1, i2, plus, minus = y[0], y[1], y[2], -y[3]
    return [_node(i, plus, minus, modes[k], modes[k + 3]) for k, i in enumerate((i1, i2, -i1 - i2))]


def _rectifier(t: float, y: Any, out: Any, modes: Modes) -> None:
    (v1, a1, b1), (v2, a2, b2), (v3, a3, b3) = _nodes(y, modes)
    amplitude, w = 400 * sqrt(2 / 3), 2 * pi * 50
    u1, u2, u3 = (amplitude * sin(w * t - k * 2 * pi / 3) for k in range(3))
    star = (v1 + v2 + v3 - u1 - u2 - u3) / 3
    out[0], out[1] = (star + u1 - v1) / 60e-6, (star + u2 - v2) / 60e-6
    out[2], out[3] = (a1 + a2 + a3 - CURRENT) / 30e-3, (b1 + b2 + b3 - CURRENT) / 30e-3


def _diodes(t: float, y: Any, out: Any, modes: Modes) -> None:
    for k, (v, _, _) in enumerate(_nodes(y, modes)):
        out[k] = (v - y[2] - KNEE) * (-1 if modes[k] else 1)
        out[k + 3] = (-y[3] - v - KNEE) * (-1 if modes[k + 3] else 1)


def _switch(y: list[float], modes: Modes, which: Sequence[int]) -> None:
    for k in which:
        modes[k] = not modes[k]


HANDS = {
    "Cartesian pendulum": Hand((sin(pi / 3), -cos(pi / 3), 0.0, 0.0), _pendulum, 0),
    "first-order circuit": Hand((0.0,), _circuit, 0),
    "bouncing ball": Hand((1.0, 0.0), _ball, 0, 1, _height, happen=_bounce),
    "rectifier": Hand((0.0, 0.0, 200 * sqrt(2), 200 * sqrt(2)), _rectifier, 2, 6, _diodes, happen=_switch),
}

# ------------------------------------------------------------------ the solvers


def with_sundae(hand: Hand, stop: float, interval: float) -> Callable[[], float]:
    """A run by scikit-sundae's CVODE, begun again after each event; the last value shown."""
    from sksundae.cvode import CVODE

    def run() -> float:
        modes = [False] * 6
        options: dict[str, Any] = {"rtol": TOLERANCE, "atol": TOLERANCE, "max_num_steps": 100_000}
        if hand.count:

            def watched(t: float, y: Any, out: Any) -> None:
                hand.watched(t, y, out, modes)

            watched.terminal = [True] * hand.count  # type: ignore[attr-defined]  # read by scikit-sundae
            watched.direction = [1] * hand.count  # type: ignore[attr-defined]
            options |= {"eventsfn": watched, "num_events": hand.count}
        solver = CVODE(lambda t, y, out: hand.slope(t, y, out, modes), **options)
        y, times = list(hand.start), np.arange(0.0, stop + interval / 2, interval)
        while True:
            found = solver.solve(times, y)
            if found.t[-1] >= times[-1]:
                return float(found.y[-1][hand.shown])
            t, y = float(found.t_events[-1]), [float(x) for x in found.y_events[-1]]
            hand.happen(y, modes, [int(k) for k in np.flatnonzero(found.i_events[-1])])
            times = np.concatenate([[t], times[times > t]])
            if len(times) < 2:
                return y[hand.shown]

    return run


def with_scipy(hand: Hand, stop: float, interval: float) -> Callable[[], float]:
    """A run by SciPy's LSODA, begun again after each event; the last value shown."""
    from scipy.integrate import solve_ivp

    def run() -> float:
        modes = [False] * 6
        out, seen = np.zeros(len(hand.start)), np.zeros(hand.count)

        def slope(t: float, y: Any) -> Any:
            hand.slope(t, y, out, modes)
            return out.copy()

        def watching(k: int) -> Any:
            def watched(t: float, y: Any) -> float:
                hand.watched(t, y, seen, modes)
                return float(seen[k])

            watched.terminal, watched.direction = True, 1.0  # type: ignore[attr-defined]
            return watched

        t, y, rows = 0.0, list(hand.start), np.arange(0.0, stop + interval / 2, interval)
        events = [watching(k) for k in range(hand.count)]
        while True:
            grid = rows[(rows >= t) & (rows <= stop)]
            found = solve_ivp(slope, (t, stop), y, "LSODA", grid, events=events or None, rtol=TOLERANCE, atol=TOLERANCE)
            if found.status != 1:
                return float(found.y[hand.shown][-1])
            which = [k for k, times in enumerate(found.t_events) if len(times)]
            t, y = float(found.t_events[which[0]][0]), [float(x) for x in found.y_events[which[0]][0]]
            hand.happen(y, modes, which)

    return run
