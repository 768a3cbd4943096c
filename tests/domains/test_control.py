"""Classes of control.lib against closed forms and right-hand sides written by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.signal import butter, lsim

from acausal.base.diagnostics import ModelError
from tests.domains.examples import Example, compare, flat, run, solved

PLANT = "submodel (firstorder) p(k=2, T=0.5) (ic y=0)\n"


def limited(v: float, low: float, high: float) -> float:
    return min(max(v, low), high)


def pid(t: float, y: np.ndarray) -> list[float]:
    """Plant, integral and lagged derivative of PIDlimited around the plant, set point 1."""
    p, x, f = y
    v = 3 * (0.8 - p) + x + 3 * 5 * (0.2 - p - f)
    u = limited(v, -0.4, 0.7)
    return [(2 * u - p) / 0.5, 3 / 0.4 * (1 - p) + (u - v) / 0.3, 5 / 0.1 * (0.2 - p - f)]


def pi(t: float, y: np.ndarray) -> list[float]:
    """Plant and integral of PIlimited; the set point steps from 1 to -1 at 1.5."""
    p, x = y
    wanted = 1 if t < 1.5 else -1
    v = 3 * (wanted - p) + x
    u = limited(v, -0.7, 0.7)
    return [(2 * u - p) / 0.5, 3 / 0.4 * (wanted - p) + (u - v) / 0.4]


def servo(t: float, y: np.ndarray) -> list[float]:
    """Position, speed and integral of the cascade with a mass of 1."""
    q, s, x = y
    v = 4 * (limited(3 * (1 - q), -0.5, 0.5) - s) + x
    u = limited(v, -1, 1)
    return [s, u, 4 / 0.5 * (limited(3 * (1 - q), -0.5, 0.5) - s) + (u - v) / 0.5]


def thermostat(t: np.ndarray) -> np.ndarray:
    """T' = (heat - T), heat 2 or 0, band 0.9 to 1.1, from 1 with the heat off: cooling to 0.9 first."""
    first, up, down = np.log(1 / 0.9), np.log(1.1 / 0.9), np.log(1.1 / 0.9)
    after = np.mod(t - first, up + down)
    heating = 2 - 1.1 * np.exp(-after)
    cooling = 1.1 * np.exp(-(after - up))
    return np.where(t < first, np.exp(-t), np.where(after < up, heating, cooling))


EXAMPLES = {
    "PIDlimited": Example(
        f"{PLANT}submodel (PIDlimited) c(k=3, Ti=0.4, Td=0.1, N=5, b=0.8, c=0.2, "
        "low=-0.4, high=0.7, Tt=0.3) (ic x=0, f=0)\n"
        "c.wanted = 1\nc.measured = p.y\np.u = c.y",
        {"p.y": lambda t: solved(pid, [0, 0, 0], 3.0)(t)[0], "c.x": lambda t: solved(pid, [0, 0, 0], 3.0)(t)[1]},
        stop=3.0,
        within=1e-5,
    ),
    "PIlimited": Example(
        f"{PLANT}submodel (PIlimited) c(k=3, Ti=0.4, low=-0.7, high=0.7) (ic x=0)\n"
        "c.wanted = if time < 1.5 then 1 else -1\nc.measured = p.y\np.u = c.y",
        {"p.y": lambda t: solved(pi, [0, 0], 3.0)(t)[0]},
        stop=3.0,
        within=1e-5,
    ),
    "cascade": Example(
        "submodel (cascade) c(kp=3, smax=0.5, k=4, Ti=0.5)\nlocal q (start=0), s (start=0)\n"
        "der(q) = s\nder(s) = c.y\nc.wanted = 1\nc.measured = q\nc.speed = s\nc.speedahead = 0",
        {"q": lambda t: solved(servo, [0, 0, 0], 5.0)(t)[0], "s": lambda t: solved(servo, [0, 0, 0], 5.0)(t)[1]},
        stop=5.0,
        within=1e-5,
    ),
    "twopoint": Example(
        "submodel (twopoint) c(width=0.2, high=2)\nlocal T (start=1)\nder(T) = c.y - T\nc.wanted = 1\nc.measured = T",
        {"T": thermostat},
        stop=3.0,
    ),
    "highpass": Example("submodel (highpass) f(T=0.5) (ic x=0)\nf.u = 3", {"f.y": lambda t: 3 * np.exp(-2 * t)}),
    "bandpass at its middle": Example(
        "submodel (bandpass) f(w=10, D=0.5) (ic y=0, x=0)\nf.u = sin(10*time)",
        {"f.y": lambda t: np.sin(10 * t) - np.exp(-5 * t) * np.sin(np.sqrt(75) * t) * 10 / np.sqrt(75)},
    ),
    "notch at its middle": Example(
        "submodel (notch) f(w=10, D=0.5) (ic b=0, x=0)\nf.u = sin(10*time)",
        {"f.y": lambda t: np.exp(-5 * t) * np.sin(np.sqrt(75) * t) * 10 / np.sqrt(75)},
    ),
    "ratelimiter": Example(
        "submodel (ratelimiter) r(rise=2, fall=4, T=1e-4) (ic y=0)\nr.u = if time < 1 then 1 else -1",
        {"r.y": lambda t: np.where(t < 1, np.minimum(2 * t, 1), np.maximum(1 - 4 * (t - 1), -1))},
        within=2e-4,
    ),
    "clarke": Example(
        "submodel (clarke) T\nT.a = 5*cos(3*time) + 1\nT.b = 5*cos(3*time - 2*pi/3) + 1\n"
        "T.c = 5*cos(3*time + 2*pi/3) + 1",
        {"T.alpha": lambda t: 5 * np.cos(3 * t), "T.beta": lambda t: 5 * np.sin(3 * t), "T.zero": lambda t: 1 + 0 * t},
    ),
    "park": Example(
        "submodel (park) T\nT.a = 5*cos(3*time + 0.4)\nT.b = 5*cos(3*time + 0.4 - 2*pi/3)\n"
        "T.c = 5*cos(3*time + 0.4 + 2*pi/3)\nT.theta = 3*time",
        {"T.d": lambda t: 5 * np.cos(0.4) + 0 * t, "T.q": lambda t: 5 * np.sin(0.4) + 0 * t},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    compare("control", EXAMPLES[name], tmp_path)


@pytest.mark.parametrize("pairs", [1, 2, 3])
def test_butterworth_is_that_of_scipy(pairs: int, tmp_path: Path) -> None:
    result = run("control", f"submodel (butterworth) f(pairs={pairs}, f=2)\nf.u = 1", tmp_path, 2.0)
    b, a = butter(2 * pairs, 4 * np.pi, analog=True)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["f.y"], lsim((b, a), np.ones_like(t), t)[1], atol=1e-6)


def test_inverse_transformations(tmp_path: Path) -> None:
    """Phases at thirds of a turn behind each other, and back again by the transformations."""
    body = """
submodel (inversepark) P
submodel (inverseclarke) C
submodel (park) Q
P.d = 2
P.q = 0.5
P.theta = 3*time
C.alpha = cos(time)
C.beta = sin(time)
C.zero = 0.1
Q.a = P.a
Q.b = P.b
Q.c = P.c
Q.theta = 3*time
"""
    expected = {"Q.d": flat(2.0), "Q.q": flat(0.5), "Q.zero": flat(0.0)}
    for k, name in enumerate("abc"):
        turn = 2 * np.pi * k / 3
        expected[f"P.{name}"] = lambda t, turn=turn: 2 * np.cos(3 * t - turn) - 0.5 * np.sin(3 * t - turn)
        expected[f"C.{name}"] = lambda t, turn=turn: np.cos(t - turn) + 0.1
    compare("control", Example(body, expected), tmp_path)


def series(t: float, y: np.ndarray) -> list[float]:
    """Plant, integral and lagged error of PIDseries around the plant, set point 1."""
    p, x, f = y
    lead = 1 - p + 4 * (1 - p - f)
    v = 3 * lead + x
    u = limited(v, -0.4, 0.7)
    return [(2 * u - p) / 0.5, 3 / 0.4 * lead + (u - v) / 0.4, 5 / 0.1 * (1 - p - f)]


def test_forms_of_pid(tmp_path: Path) -> None:
    """The parallel form is the standard one with other parameters; the series form by hand, in a loop and by itself."""
    body = """
submodel (firstorder) p(k=2, T=0.5), q(k=2, T=0.5) (ic y=0)
submodel (PIDparallel) A(kp=3, ki=7.5, kd=0.3, Tf=0.02, b=0.8, c=0.2, low=-0.4, high=0.7, Tt=0.3) (ic x=0, f=0)
submodel (PIDseries) B(k=3, Ti=0.4, Td=0.1, N=5, low=-0.4, high=0.7) (ic x=0, f=0)
submodel (PIDseries) C(k=3, Ti=0.4, Td=0.1, N=5, low=-1e9, high=1e9) (ic x=0, f=0)
connect A - p, B - q
A.wanted = 1
A.measured = p.y
B.wanted = 1
B.measured = q.y
C.wanted = 1
C.measured = 0
""".replace("p(k=2, T=0.5), q", "p(k=2, T=0.5) (ic y=0), q")
    expected = {
        "p.y": lambda t: solved(pid, [0, 0, 0], 3.0)(t)[0],
        "A.x": lambda t: solved(pid, [0, 0, 0], 3.0)(t)[1],
        "q.y": lambda t: solved(series, [0, 0, 0], 3.0)(t)[0],
        "C.y": lambda t: 3 * (1 + 4 * np.exp(-50 * t)) + 3 / 0.4 * (t + 4 / 50 * -np.expm1(-50 * t)),
    }
    compare("control", Example(body, expected, stop=3.0, within=1e-5), tmp_path)


def test_sampled_pid(tmp_path: Path) -> None:
    """The algorithm, and the plant exactly from sample to sample, in Python."""
    body = """
submodel (firstorder) p(k=2, T=0.5) (ic y=0)
submodel (PIDsampled) c(k=3, h=0.05, Ti=0.4, Td=0.1, N=5, b=0.8, c=0.2, low=-0.4, high=0.7, Tt=0.3)
connect c - p
c.wanted = 1
c.measured = p.y
"""
    result = run("control", body, tmp_path, 2.0)
    decay = np.exp(-0.05 / 0.5)
    p = x = derivative = before = 0.0
    for k in range(40):
        error = 0.2 - p
        derivative = 0.1 / 0.35 * derivative + 3 * 5 * 0.1 / 0.35 * (error - before)
        before = error
        v = 3 * (0.8 - p) + x + derivative
        u = limited(v, -0.4, 0.7)
        x += 3 * 0.05 / 0.4 * (1 - p) + 0.05 / 0.3 * (u - v)
        assert result.at(0.05 * k + 0.025)["c.y"] == pytest.approx(u, abs=1e-6)
        p = 2 * u + (p - 2 * u) * decay
    assert result["p.y"][-1] == pytest.approx(p, abs=1e-6)


def test_limits_in_the_wrong_order(tmp_path: Path) -> None:
    body = f"{PLANT}submodel (PIDparallel) c(low=1, high=-1)\nconnect c - p\nc.wanted = 1\nc.measured = p.y"
    with pytest.raises(ModelError, match="high must be greater than low"):
        run("control", body, tmp_path, 1.0)
