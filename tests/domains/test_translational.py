"""Classes of translational.lib against closed forms."""

from pathlib import Path

import numpy as np
import pytest

from tests.domains.examples import Example, compare, flat, run

W = np.sqrt(8 - 0.09)
"""Angular frequency of m = 0.5, c = 4, d = 0.3."""


def swing(t: np.ndarray) -> np.ndarray:
    """Free motion of m, c, d from 1 m at rest."""
    return np.exp(-0.3 * t) * (np.cos(W * t) + 0.3 / W * np.sin(W * t))


def speed(t: np.ndarray) -> np.ndarray:
    """Its derivative."""
    return -np.exp(-0.3 * t) * (W + 0.09 / W) * np.sin(W * t)


MASS = "submodel (mass) m(m=0.5) (ic s=1, v=0)\nsubmodel (support) wall\n"
ROD = "submodel (mass) m(m=2) (ic s=0, v=0)\n"

EXAMPLES = {
    "mass linearspring lineardamper support": Example(
        f"{MASS}submodel (linearspring) c(c=4)\nsubmodel (lineardamper) d(d=0.3)\n"
        "connect m to c to wall, m to d to wall",
        {"m.s": swing, "wall.f": lambda t: 4 * swing(t) + 0.3 * speed(t)},
    ),
    "linearspringdamper guide": Example(
        f"{MASS}submodel (linearspringdamper) c(c=4, d=0.1, ds0=-1)\nsubmodel (guide) g(d=0.2)\n"
        "submodel (positionsensor) x\nconnect g to m to c to wall, x at m:B",
        {"x.s": lambda t: 2 * swing(t) - 1},
    ),
    "weight forcesource": Example(
        "submodel (weight) w(m=2) (ic s=0, v=1)\nsubmodel (forcesource) F(F=9.62)\nconnect F to w",
        {"w.s": lambda t: t - 5 * t**2 / 2, "w.v": lambda t: 1 - 5 * t},
    ),
    "signalforce": Example(f"{ROD}submodel (signalforce) F\nconnect F to m\nF.force = 4*time", {"m.v": lambda t: t**2}),
    "stepforce": Example(
        f"{ROD}submodel (stepforce) F(height=4, t0=0.5)\nconnect F to m", {"m.v": lambda t: 2 * np.maximum(t - 0.5, 0)}
    ),
    "rampforce": Example(f"{ROD}submodel (rampforce) F(height=8, duration=2)\nconnect F to m", {"m.v": lambda t: t**2}),
    "sineforce forcesensor": Example(
        f"{ROD}submodel (sineforce) F(amplitude=2, f=1)\nsubmodel (forcesensor) q\nconnect F to q to m",
        {"m.v": lambda t: (1 - np.cos(2 * np.pi * t)) / (2 * np.pi), "q.f": lambda t: 2 * np.sin(2 * np.pi * t)},
    ),
    "pulseforce": Example(
        f"{ROD}submodel (pulseforce) F(height=2, period=1, width=0.5)\nconnect F to m",
        {"m.v": lambda t: np.floor(t + 1e-12) * 0.5 + np.minimum(np.mod(t + 1e-12, 1), 0.5)},
    ),
    "velocitysource velocitysensor": Example(
        "submodel (velocitysource) S(V=3) (ic s=1)\nsubmodel (velocitysensor) x\nsubmodel (guide) g(d=2)\n"
        "connect S to g, x at g:B",
        {"x.s": lambda t: 1 + 3 * t, "x.v": flat(3), "S.load": flat(-6)},
    ),
    "signalvelocity": Example(
        "submodel (signalvelocity) S (ic s=1)\nsubmodel (guide) g(d=2)\nconnect S to g\nS.v = 2*time",
        {"S.s": lambda t: 1 + t**2, "g.fa": lambda t: 4 * t},
    ),
    "sinevelocity": Example(
        "submodel (sinevelocity) S(amplitude=2, f=1) (ic s=0)\nsubmodel (guide) g(d=2)\nconnect S to g",
        {"g.s": lambda t: (1 - np.cos(2 * np.pi * t)) / np.pi},
    ),
    "sineposition signalposition": Example(
        "submodel (sineposition) P(amplitude=2, f=0.5)\nsubmodel (signalposition) Q\nsubmodel (linearspring) c(c=3)\n"
        "connect P to c to Q\nQ.s = sin(time)",
        {"c.f": lambda t: 3 * (2 * np.sin(np.pi * t) - np.sin(t))},
    ),
    "lever": Example(
        "submodel (forcesource) F(F=2)\nsubmodel (lever) l(ratio=-3)\nsubmodel (mass) m(m=4) (ic s=0, v=0)\n"
        "connect F to l to m",
        {"m.v": lambda t: -1.5 * t},
    ),
    "rack with a shaft": Example(
        "submodel (inertia) J(J=0.2) (ic phi=0, w=0)\nsubmodel (rack) r(r=0.5)\nsubmodel (mass) m(m=1.2)\n"
        "submodel (torquesource) T(T=2)\nconnect T to J to r to m",
        {"J.w": lambda t: 4 * t, "m.s": lambda t: t**2},
    ),
    "linearfriction runs out": Example(
        "submodel (mass) m(m=2) (ic s=0, v=3)\nsubmodel (linearfriction) b(F0=4)\nconnect m to b",
        {"m.v": lambda t: np.maximum(3 - 2 * t, 0)},
        stop=3.0,
    ),
    "linearfriction sticks up to its peak": Example(
        "submodel (mass) m(m=2) (ic s=0, v=0)\nsubmodel (linearfriction) b(F0=4, peak=1.5)\n"
        "submodel (rampforce) F(height=12, duration=2)\n"
        "connect F to m to b",
        {"m.v": lambda t: np.where(t < 1, 0, (3 * t**2 - 4 * t + 1) / 2)},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    body = example.body.replace("", "")
    libraries = "translational rotational" if "inertia" in body else "translational"
    compare(libraries, Example(body, example.expected, example.stop, example.within), tmp_path)


def test_between_two_elastic_stops(tmp_path: Path) -> None:
    """Without damping a mass keeps its speed between the stops and turns within pi*sqrt(m/c) at each."""
    body = "submodel (mass) m(m=1) (ic s=0, v=1)\nsubmodel (linearstop) c(low=-0.5, high=0.5, c=1e4, d=0)\n"
    result = run("translational", body + "submodel (support) wall\nconnect m to c to wall", tmp_path, 20.0, 1e-10)
    free = np.abs(result["m.s"]) < 0.5 - 1e-6
    np.testing.assert_allclose(np.abs(result["m.v"][free]), 1, atol=1e-6)
    assert np.abs(result["m.s"]).max() < 0.51 + 1e-6
    at = np.asarray(result.time)[np.flatnonzero(np.diff(np.sign(result["m.s"])) != 0)]
    assert abs(np.diff(at).mean() - (1 + np.pi / 100)) < 0.01


def test_heat_of_a_damper_is_the_energy_lost(tmp_path: Path) -> None:
    """m*v^2/2 goes into the body that the damper warms."""
    body = (
        "submodel (mass) m(m=2) (ic s=0, v=3)\nsubmodel (heatingdamper) d(d=4)\nsubmodel (support) wall\n"
        "submodel (heatcapacitor) B(C=5) (ic T=300)\nconnect m to d to wall, d:heat at B"
    )
    result = run("translational thermal", body, tmp_path, 3.0)
    np.testing.assert_allclose(5 * (np.asarray(result["B.T"]) - 300), 9 - np.asarray(result["m.v"]) ** 2, atol=1e-6)
    assert abs(result["m.v"][-1] - 3 * np.exp(-6)) < 1e-6
