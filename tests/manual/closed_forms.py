"""Closed forms of the manual's listings: variables as functions of time."""

from collections.abc import Callable, Mapping

import numpy as np
from numpy import exp, pi, sin
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk, lambertw

Times = NDArray[np.float64]
Formula = Callable[[Times], Times]


def constant(value: float) -> Formula:
    return lambda t: np.full_like(t, value)


def _bounce(t: Times) -> Times:
    """Parabolas with g = 2 from h = 1: impacts at 1, then half the speed each, flights of 2*v/g."""
    first, second = 1.0, 2.0
    fall = 1 - t**2
    one = (t - first) - (t - first) ** 2
    two = 0.5 * (t - second) - (t - second) ** 2
    return np.where(t < first, fall, np.where(t < second, one, two))


def _swing(t: Times) -> Times:
    """Mass 1, stiffness 40, damping 0.5, from rest at 0.1."""
    decay = 0.25
    rate = np.sqrt(40 - decay**2)
    return 0.1 * exp(-decay * t) * (np.cos(rate * t) + decay / rate * sin(rate * t))


def _ladder(node: int) -> Formula:
    """Twenty equal sections: eigenvectors sin(n*k), eigenvalues 2 - 2*cos(k)."""

    def voltage(t: Times) -> Times:
        k = (2 * np.arange(1, 21) - 1) * pi / 41
        modes = sin(np.outer(np.arange(1, 21), k))
        weights = modes.sum(axis=0) * modes[node - 1] * 4 / 41
        found: Times = 1 - exp(np.outer(t, 2 * np.cos(k) - 2)) @ weights
        return found

    return voltage


def _bouncing(t: Times) -> Times:
    first, up = np.sqrt(4 / 9.81), 0.8 * np.sqrt(4 * 9.81)
    heights = [2 - 9.81 * t**2 / 2]
    for bounce in range(3):
        begin = first * (1 + 2 * sum(0.8**k for k in range(1, bounce + 1)))
        heights.append(0.8**bounce * up * (t - begin) - 9.81 * (t - begin) ** 2 / 2)
    found: Times = np.max(heights, axis=0)
    return found


def _bouncing(t: Times) -> Times:
    """Parabolas from h = 2, as long as they are above the ground."""
    fall = np.sqrt(4 / 9.81)
    heights = [2 - 9.81 * t**2 / 2]
    for bounce in range(1, 4):
        flown = t - fall * (1 + 2 * sum([0.8**k for k in range(1, bounce)]))
        heights.append(0.8**bounce * 9.81 * fall * flown - 9.81 * flown**2 / 2)
    return np.asarray(np.max(heights, axis=0))


def _drop(t: Times) -> Times:
    """Parabolas with g = 9.81 from h = 1; each impact leaves 0.8 of the speed."""
    h, begin, speed = 1 - 9.81 * t**2 / 2, np.sqrt(2 / 9.81), np.sqrt(2 * 9.81)
    for _ in range(6):
        speed *= 0.8
        h = np.where(t < begin, h, speed * (t - begin) - 9.81 * (t - begin) ** 2 / 2)
        begin += 2 * speed / 9.81
    return h


def _echo(t: Times) -> Times:
    """Before 0 the delayed value is that at 0."""
    return np.where(t < pi / 2, 0.0, sin(t - pi / 2))


def _wiper(t: Times) -> Times:
    """Direction of the blade: its end is where circles about the crank's end and the blade's pivot intersect."""
    line = 0.4 - 0.1 * exp(2j * pi * t)
    distance = np.abs(line)
    along = (distance**2 + 0.4**2 - 0.2**2) / (2 * distance)
    tip = (along + 1j * np.sqrt(0.4**2 - along**2)) * line / distance - line
    return np.angle(tip)


def _dumbbell(t: Times) -> Times:
    """Released at 0.5: th'' = -3/2*W^2*sin(2*th)."""
    sine = np.sin(0.5)
    sn, _, _, _ = ellipj(np.sqrt(3 * 3.986e14 / 7e6**3) * t + ellipk(sine**2), sine**2)
    return np.asarray(np.arcsin(sine * sn))


def _turntable(t: Times) -> NDArray[np.complex128]:
    """A circle with 2/7 of the rate of the table, from the velocity of the table at the start."""
    return np.asarray(0.3 + 0.6j * (exp(4j / 7 * t) - 1) / (4j / 7))


LANGUAGE: Mapping[str, Mapping[str, Formula]] = {
    "OperatingPoint": {"C.u": constant(2)},
    "Prefixed": {"R.i": constant(2), "J.phi": lambda t: 3 * t},
    "Continued": {"x": lambda t: 2 - exp(-t / 4)},
    "Draining": {"tank.level": lambda t: 3 * exp(-t / 2)},
    "Discharge": {"L.u": lambda t: 4 * exp(-t)},
    "Chosen": {"first.a.x": lambda t: exp(-t), "second.b.x": lambda t: exp(-10 * t)},
    "Saturation": {"y": lambda t: np.clip(3 * sin(t), -2, 2)},
    "Chain": {"a.y": lambda t: 2 - 2 * exp(-2 * t), "b.y": lambda t: 2 + 2 * exp(-2 * t) - 4 * exp(-t)},
    "Decays": {"d[1].x": lambda t: exp(-t), "d[2].x": lambda t: exp(-2 * t), "d[3].x": lambda t: exp(-4 * t)},
    "Units": {"C.u": lambda t: 5 - 4.9 * exp(-t / 0.047), "s": constant(1)},
    "Comprehensions": {
        "total": lambda t: sum((1 - exp(-t / (0.1 * k))) / k**2 for k in range(1, 5)),
        "second": constant(6),
    },
    "Typed": {"loss": lambda t: exp(-t) + exp(-2 * t) + exp(-3 * t)},
    "Lissajous": {"distance": lambda t: np.hypot(sin(2 * t), sin(3 * t))},
    "Defaults": {"A.y": lambda t: 2 * sin(t), "B.y": lambda t: 5 * sin(t)},
    "Cooling": {"T": lambda t: 293 + 57 * exp(-0.02 * t)},
    "Radiator": {"T": lambda t: 20 + 15 * (1 - exp(-0.02 * t))},
    "Cart": {"x": lambda t: t**2 / 4, "v": lambda t: t / 2},
    "Heater": {"T": lambda t: 30 - 10 * exp(-t)},
    "Moon": {"a.h": lambda t: 2 - 0.81 * t**2, "b.h": lambda t: 3 + t - 0.81 * t**2},
    "Attributes": {"u": lambda t: 5 * exp(-10 * t)},
    "Experiment": {"x": lambda t: exp(-t)},
    "Circuit": {"R1.i": constant(2)},
    "Plugged": {"lamp.q": constant(230 / 529), "lamp.i": constant(0.05)},
    "Measured": {"D.turns": lambda t: t / pi},
    "Coupled": {"a.phi": lambda t: t**2},
    "LowPass": {"F.C.u": lambda t: 5 - 5 * exp(-1000 * t)},
    "Ring": {"a.s": lambda t: exp(-2 * t), "b.s": lambda t: -exp(-2 * t)},
    "SeriesParallel": {"R1.i": constant(10 / (100 + 1 / (1 / 300 + 1 / 75 + 1 / 60)))},
    "TurnedRound": {"R.i": constant((6 - 2) / 2)},
    "Wheatstone": {"Rm.i": constant(0), "R1.i": constant(10 / 300)},
    "Ladder": {"load.i": constant(1)},
    "Forms": {"R1.i": constant(2), "R3.i": constant(4)},
    "Shafts": {"rotor.w": lambda t: t},
    "Oscillator": {"x": lambda t: np.cos(2 * pi * t), "energy": constant(2 * pi**2)},
    "Pendulum": {},
    "Cam": {"a": lambda t: 4 * np.cos(2 * t), "v": lambda t: 2 * sin(2 * t)},
    "Rod": {},
    "Linear": {"x[1]": lambda t: 2 * exp(-t) - exp(-2 * t), "x[2]": lambda t: exp(-2 * t)},
    "Trigonometric": {name: lambda t: 0.9 * sin(t) for name in ("a", "d", "e")}
    | {"b": lambda t: (0.9 * sin(t)) ** 2, "t": lambda t: np.tan(0.9 * sin(t))},
    "Exponential": {name: lambda t: 0.5 + t for name in ("a", "b", "c")}
    | {"one": constant(1), "f": lambda t: np.tanh(0.5 + t)},
    "Smooth": {"y": lambda t: np.where(t < 1, t - 1, exp(np.maximum(t - 1, 0)) - 1), "z": lambda t: t - 1},
    "Rounded": {
        "a": lambda t: np.abs(3 * t - 2),
        "low": lambda t: np.minimum(3 * t - 2, 1),
        "high": lambda t: np.maximum(3 * t - 2, -1),
        "both": lambda t: np.clip(3 * t - 2, -1, 1),
    },
    "Direct": {"y": lambda t: np.maximum(sin(t), 0)},
    "Map": dict.fromkeys(("z", "same"), lambda t: (1 - t / 2) ** 2 + 5 * (1 - t / 2) * (t / 2) + 8 * (t / 2) ** 2),
    "Curves": {
        "parabola": lambda t: 4 - t**2,
        "p": lambda t: np.interp(t, [0, 1, 2], [4, 3, 0]),
        "line": lambda t: np.interp(t, [0, 1, 2], [4, 3, 0]),
    },
    "Vectors": {
        "speed": constant(45**0.5),
        "same[1]": constant(-6),
        "inner": constant(0),
        "area[3,3]": constant(6),
        "total": constant(5),
        "volume": constant(4),
        "largest": constant(2),
        "least": constant(1),
    },
    "Matrices": {
        "x[1]": lambda t: (3 * t - 1) / 5,
        "x[2]": lambda t: (2 - t) / 5,
        "back[1]": lambda t: t,
        "t": constant(5),
        "turned[1,1]": constant(3),
    },
    "Bounce": {"h": _bounce},
    "Drop": {"h": _drop},
    "Echo": {"y": _echo},
    "Started": {"C.u": lambda t: 3 * exp(-t), "x": lambda t: exp(-2 * t), "y": lambda t: 4 * exp(-t) - exp(-2 * t)},
    "CapacitorLadder": {"u[1]": _ladder(1), "u[10]": _ladder(10)},
    "Bouncing": {"h": _bouncing},
    "Vessel": {"h": constant(2)},
    "FirstInstant": {"x": lambda t: 5 * t},
    "Plant": {"y": lambda t: 1.5 - 1.5 * exp(-2 * t)},
}


def _charged(t: Times) -> Times:
    return 10 - 10 * exp(-1000 * t)


def _impulse(t: Times) -> Times:
    """Integral of the torques of the table over the inertia 2."""
    rise, hold = np.clip(t, 0, 1), np.clip(t - 1, 0, 2)
    fall = np.clip(t - 3, 0, 1)
    return (2 * rise**2 + 4 * hold + 4 * fall - 2 * fall**2) / 2


def _rested(t: Times) -> Times:
    return 2 + 3 * np.where(t < 1, 0, 1 - exp(-2 * np.maximum(t - 1, 0)))


def _first_order(t: Times) -> Times:
    """C.u of RC = 1 ms with the source 5*sin(w*t), w = 200*pi."""
    a = 200 * pi * 1e-3
    return 5 / (1 + a**2) * (sin(200 * pi * t) - a * np.cos(200 * pi * t) + a * exp(-1000 * t))


def _hanging(t: Times) -> Times:
    """2 kg on 200 N/m, 0.4 m long without force: about its rest it swings with 10 rad/s."""
    rest = -(0.4 + 2 * 9.81 / 200)
    return rest + (-0.55 - rest) * np.cos(10 * t)


def _ringing(t: Times) -> Times:
    """Of frequency 2 and damping ratio 0.1, released at 1."""
    w = 2 * 0.99**0.5
    return exp(-0.2 * t) * (np.cos(w * t) + 0.2 / w * sin(w * t))


def _filling(t: Times) -> Times:
    """Torricelli's law with the outflow k*s, s = sqrt(h): 2*A*s*der(s) = q - k*s, solved by u = k*s/q - 1 = W(...)."""
    area, q, k = 2, 0.2, 0.02 * (2 * 9.81) ** 0.5
    first = k / q - 1  # h = 1
    u: Times = lambertw(first * exp(first - k**2 / (2 * area * q) * t)).real
    return (q / k * (1 + u)) ** 2


def _controlled(t: Times) -> Times:
    """Step response of G/(1 + G H) by residues: G = 6 (0.5 s + 1)/(0.5 s (0.2 s + 1)), H = 1/(0.05 s + 1)."""
    numerator = np.polymul([3.0, 6.0], [0.05, 1.0])
    denominator = np.polyadd(np.polymul([0.5, 0.0], np.polymul([0.2, 1.0], [0.05, 1.0])), [3.0, 6.0])
    found = np.ones_like(t)
    for pole in np.roots(denominator):
        residue = np.polyval(numerator, pole) / (pole * np.polyval(np.polyder(denominator), pole))
        found = found + (residue * exp(pole * t)).real
    return found


TEXTS: Mapping[str, Mapping[str, Formula]] = {
    "Emptying": {"basin.h": lambda t: 2 * exp(-t / 50), "valve.q": lambda t: 0.02 * exp(-t / 50)},
    "Ringing": {"x": _ringing},
    "Swing": {"x": _swing},
    "Coasting": {"w": lambda t: 100 * exp(-2 * t), "phi": lambda t: 50 - 50 * exp(-2 * t)},
    "FirstModel": {"C.u": _charged},
    "Charge": {"C.u": lambda t: 10 * (1 - exp(-t))},
    "Charging": {"C.u": _charged},
    "Swept": {"R.i": lambda t: 0.2 * sin(2 * pi * (5 + 10 * t) * t)},
    "Rectified": {"R.i": lambda t: np.maximum(0.2 * sin(100 * pi * t), 0)},
    "Measurement": {"J.w": _impulse},
    "Driven": {"C.u": _first_order},
    "Heating": {"room.T": lambda t: 300 - 10 * exp(-t / 250)},
    "Biased": {"x": constant(2), "y": lambda t: exp(-t)},
    "Rested": {"C.u": _rested},
    "TwoInertias": {"b.w": lambda t: 4 / 7 * t},
    "Solvable": {"p": lambda t: t / 2 - 2, "x": lambda t: 1 + (t / 2 - 2) ** 2},
    "Cistern": {"h": constant(1)},
    "Filter": {"C.u": lambda t: 10 - 10 * exp(-100 * t)},
    "SpeedControl": {"motor.y": _controlled},
    "Armature": {"La.i": lambda t: 24 - 24 * exp(-100 * t)},
    "RoomHeater": {"T": lambda t: 920 / 42 + (20 - 920 / 42) * exp(-42 * t / 200)},
    "Tank": {"h": _filling, "level": _filling},
    "Plumb": {"guide.q": _hanging, "spring.f": lambda t: 200 * (-_hanging(t) - 0.4)},
    "Wiper": {"linkage.last.q": _wiper},
    "Valve": {
        "lift.q": lambda t: 0.01 * (1 - np.cos(30 * t)),
        "motor.t": lambda t: 0.2 * (9 * np.cos(30 * t) + 9.81) * 0.01 * sin(30 * t),
    },
    "Dumbbell": {"pitch.q": _dumbbell},
    "SpinUp": {"ball.w[3]": lambda t: 0.1 - 0.1 / 5.98 * t, "craft.w": lambda t: (5 + 0.1 / 5.98) * t},
    "Turntable": {"free.s[1]": lambda t: _turntable(t).real, "free.s[2]": lambda t: _turntable(t).imag},
}
_FAN = (-0.045 + (0.045**2 + 4 * 1e-3 * 3.6) ** 0.5) / 2e-3
"""Speed at which the torque of the motor, 3*0.05*(12 - 3*0.05*w)/0.5, is that of the fan, 1e-3*w^2."""
FINAL = {
    "FreeMotor": {"rotor.w": 12 / 0.05},
    "FanDrive": {"hub.w": _FAN},
    "Drive": {"hub.w": _FAN},
    "Controlled": {"hub.w": 30},
    "Rod": {"T[4]": 70},
    "Landing": {"h": 0},
    "Hysteresis": {"y": 0},
    "Counter": {"y": -5},
    "Thermostat": {"T": 20},
}
"""Final values, with the tolerance of what has not settled yet: a hundredth."""

CLOSED_FORMS = {name: forms for name, forms in (LANGUAGE | TEXTS).items() if forms}
NO_CLOSED_FORM = {
    *("Pendulum", "Arm", "Rod", "Regions", "Thermostat", "Counter", "Hysteresis", "Landing"),
    *("Crane", "Upright", "Crank", "SpatialCrank", "Cartesian", "FreeMotor", "FanDrive", "Drive", "Controlled"),
}
