"""Gears with losses and with a housing, pressed one-way clutches, gaps and drag of shafts against closed forms."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import ModelError, SimulationError
from tests.domains.examples import Example, compare, run

REACTIONS = np.linalg.solve(
    # accelerations of A, B and the housing, torques into A and B: phia - phis = 3*(phib - phis), 3*ta + tb = 0
    [[0.1, 0, 0, 1, 0], [0, 2, 0, 0, 1], [0, 0, 5, -1, -1], [1, -3, 2, 0, 0], [0, 0, 0, 3, 1]],
    [4, 0, 0, 0, 0],
)
LOCKED = 0.01 - 0.2 * 0.5 / 25
"""Inertia at A of a self-locking gear that lets its load down: that of the load helps friction."""


def slipping(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speeds of J1 = 1 (6 N.m, from 1 s to 2 s -6 N.m) and J2 = 2 from rest; the clutch slips backward at 3 N.m.

    Together 2/s2 for 1 s; then J1 falls with 3/s2 and J2, held back, with 1.5/s2; from 2 s on J1 catches up with
    9/s2 - (-1.5/s2), the distance being 1.5: at 2 s + 1/7.
    """
    at = 2 + 1.5 / 10.5
    first = np.where(t < 2, 2 - 3 * (t - 1), -1 + 9 * (t - 2))
    second = 2 - 1.5 * (t - 1)
    end = 2 - 1.5 * (at - 1) + 2 * (t - at)
    free = (t > 1) & (t < at)
    return np.where(t <= 1, 2 * t, np.where(free, first, end)), np.where(t <= 1, 2 * t, np.where(free, second, end))


EXAMPLES = {
    "housedgear": Example(
        "submodel (housedgear) g(ratio=3)\n"
        "submodel (inertia) a(J=0.1) (ic phi=0, w=0), b(J=2) (ic phi=0, w=0), h(J=5)\n"
        "submodel (torquesource) T(T=4)\nconnect T to a to g to b, h:A at g:support",
        {
            "a.w": lambda t: REACTIONS[0] * t,
            "b.w": lambda t: REACTIONS[1] * t,
            "h.w": lambda t: REACTIONS[2] * t,
        },
    ),
    "housedgear with the housing held": Example(
        "submodel (housedgear) g(ratio=3)\nsubmodel (speedsource) S(W=6) (ic phi=0)\nsubmodel (bearing) b(d=2)\n"
        "submodel (fixed) F\nconnect S to g to b, F at g:support",
        {"b.w": lambda t: 2 + 0 * t, "S.tau": lambda t: -4 / 3 + 0 * t, "F.tau": lambda t: -8 / 3 + 0 * t},
    ),
    "pressedonewayclutch": Example(
        "submodel (signaltorque) T\nsubmodel (inertia) J1(J=1) (ic phi=0, w=0), J2(J=2) (ic phi=0, w=0)\n"
        "submodel (pressedonewayclutch) c(mu=0.3, fmax=10)\nconnect T to J1 to c to J2\nc.f = 1\n"
        "T.torque = if time < 1 then 6 elseif time < 2 then -6 else 6",
        {"J1.w": lambda t: slipping(t)[0], "J2.w": lambda t: slipping(t)[1]},
        stop=4.0,
    ),
    "drag": Example(
        "submodel (inertia) J(J=2) (ic phi=0, w=-3), K(J=2) (ic phi=0, w=3)\nsubmodel (drag) d(k=0.5), e(k=0.5)\n"
        "connect J to d, K to e",
        {"J.w": lambda t: -3 / (1 + 0.75 * t), "K.w": lambda t: 3 / (1 + 0.75 * t)},
    ),
    "torsionalgap": Example(
        "submodel (signalangle) P\nsubmodel (fixed) F\nsubmodel (torsionalgap) k(low=-0.2, high=0.3, c=100, d=20)\n"
        "connect P to k to F\nP.phi = sin(3*time)",
        {"k.t": lambda t: bounded(np.sin(3 * t), 3 * np.cos(3 * t))},
    ),
    "lossygear drives up": Example(
        "submodel (inertia) a(J=0.01) (ic phi=0, w=0), b(J=0.5)\nsubmodel (torquesource) T(T=2), L(T=-5)\n"
        "submodel (lossygear) g(ratio=5, eta1=0.8, eta2=0.7, T0=0.1)\nconnect T to a to g to b, L at b:B",
        # 0.01*wd = 2 - 0.1 - t/0.8,  t = 5/5 + 0.5/25*wd
        {"a.w": lambda t: (1.9 - 1 / 0.8) / (0.01 + 0.02 / 0.8) * t},
    ),
    "lossygear is driven down": Example(
        "submodel (inertia) a(J=0.01) (ic phi=0, w=0), b(J=0.5)\nsubmodel (torquesource) L(T=-5)\n"
        "submodel (lossygear) g(ratio=5, eta1=0.8, eta2=0.7, T0=0.1)\nconnect a to g to b, L at b:B",
        # 0.01*wd = 0.1 - 0.7*t,  t = 5/5 + 0.5/25*wd
        {"a.w": lambda t: (0.1 - 0.7) / (0.01 + 0.02 * 0.7) * t, "g.T": lambda t: 1 - 0.02 * 0.6 / 0.024 + 0 * t},
    ),
    "lossygear locks itself until it is driven down": Example(
        "submodel (inertia) a(J=0.01) (ic phi=0, w=0), b(J=0.5)\nsubmodel (ramptorque) T(height=-0.5, duration=2)\n"
        "submodel (torquesource) L(T=-5)\nsubmodel (lossygear) g(ratio=5, eta1=0.4, eta2=-0.2)\n"
        "connect T to a to g to b, L at b:B",
        # sticks while -ta < 0.2*t, t = 1: until 0.8 s, then LOCKED*wd = -0.25*time + 0.2
        {"a.w": lambda t: -0.125 * np.maximum(t - 0.8, 0) ** 2 / LOCKED},
    ),
}


def bounded(angle: np.ndarray, rate: np.ndarray) -> np.ndarray:
    """Torque of the gap with c = 100, d = 20 and the limits -0.2 and 0.3."""
    spring = 100 * (angle - np.clip(angle, -0.2, 0.3))
    return spring + np.clip(20 * rate, -np.abs(spring), np.abs(spring))


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    compare("friction", Example(example.body, example.expected, example.stop, 1e-5), tmp_path)


def test_lossy_gear_in_four_quadrants(tmp_path: Path) -> None:
    """Torque at A at constant speeds W and loads L: T = L/ratio is raised or lowered by efficiency and bearings."""
    cases = [(10, 5), (10, -5), (-10, 5), (-10, -5)]
    lines = []
    for k, (speed, load) in enumerate(cases):
        lines.append(f"submodel (speedsource) S{k}(W={speed}) (ic phi=0)")
        lines.append(f"submodel (torquesource) L{k}(T={-load})")
        lines.append(f"submodel (lossygear) g{k}(ratio=2, eta1=0.8, eta2=0.6, T0=0.1, T1=0.01)")
        lines.append(f"connect S{k} to g{k} to L{k}")
    result = run("friction", "\n".join(lines), tmp_path, 1.0)
    for k, (speed, load) in enumerate(cases):
        bearings = np.sign(speed) * (0.1 + 0.01 * abs(speed))
        teeth = load / 2 / 0.8 if speed * load > 0 else load / 2 * 0.6
        np.testing.assert_allclose(result[f"g{k}.ta"], teeth + bearings, rtol=1e-9)
        lost = result[f"g{k}.ta"] * speed + result[f"g{k}.tb"] * speed / 2
        np.testing.assert_allclose(result[f"g{k}.loss"], lost, rtol=1e-9)
        assert (lost > 0).all()


def test_lossy_gear_against_time_stepping(tmp_path: Path) -> None:
    """A sine drives, the load changes its direction: all modes, beside the acceleration chosen by hand at each step.

    Moving, the load of the teeth has the sign for which the equation of motion holds; at rest the gear sticks unless
    one of the two directions has an acceleration in that direction.
    """
    body = (
        "submodel (inertia) a(J=1) (ic phi=0, w=0), b(J=1.5)\nsubmodel (lossygear) g(ratio=2, eta1=0.5, eta2=0.5)\n"
        "submodel (sinetorque) T(amplitude=10, f=1)\nsubmodel (signaltorque) L\nconnect T to a to g to b, L at b:B\n"
        "L.torque = -10*(1 - 4*time)"
    )
    result = run("friction", body, tmp_path, 1.0)

    def moving(direction: float, drive: float, load: float) -> float:
        for factor in (2.0, 0.5):  # 1/eta1 where the drive works, eta2 where the load works
            rate = (drive - factor * load / 2) / (1 + factor * 1.5 / 4)
            carried = load / 2 + 1.5 / 4 * rate
            if (carried * direction > 0) == (factor > 1):
                return rate
        raise AssertionError

    steps, speed, way, states = 40000, 0.0, 0.0, []
    for k in range(steps):
        t = (k + 0.5) / steps
        drive, load = 10 * np.sin(2 * np.pi * t), 10 * (1 - 4 * t)
        direction = np.sign(speed)
        if not direction:
            wanted = [s for s in (1.0, -1.0) if s * moving(s, drive, load) > 0]
            direction = wanted[0] if wanted else 0.0
        before = speed
        speed = speed + moving(direction, drive, load) / steps if direction else 0.0
        if before * speed < 0:
            speed = 0.0
        way += (before + speed) / 2 / steps
        states.append((way, speed))
    times = (np.arange(steps) + 1) / steps
    ways, speeds = np.transpose(states)
    assert {*result["g.mode"].round()} >= {-1, 0, 1}
    assert np.abs(np.interp(times, result.time, result["a.w"]) - speeds).max() < 2e-3
    assert np.abs(np.interp(times, result.time, result["a.phi"]) - ways).max() < 1e-3


WRONG = {
    "ratio=2, eta1=1.2": "g.eta1 is 1.2, above its maximum 1",
    "ratio=2, eta1=0": "g.eta1 is 0, below its minimum",
    "ratio=2, eta2=1.1": "g.eta2 is 1.1, above its maximum 1",
    "ratio=0": "the ratio of a gear is not zero",
}


@pytest.mark.parametrize("given", WRONG)
def test_wrong_parameter_of_a_gear(given: str, tmp_path: Path) -> None:
    body = f"submodel (lossygear) g({given})\nsubmodel (inertia) a(J=1), b(J=1)\nconnect a to g to b"
    with pytest.raises((ModelError, SimulationError), match=WRONG[given]):
        run("friction", body, tmp_path, 0.1)
