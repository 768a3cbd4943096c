"""Gears, belts, brakes, one-way clutches and heat of rotational.lib and friction.lib against closed forms."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from tests.domains.examples import Example, compare, run

SUN, CARRIER, RING, RATIO = 0.5, 3.0, 2.0, 2.5
"""Moments of inertia and the teeth of a planetary gear."""
REDUCED = CARRIER / (1 + RATIO) ** 2
SLOPES = np.linalg.solve([[SUN + REDUCED, REDUCED * RATIO], [REDUCED * RATIO, RING + REDUCED * RATIO**2]], [4, -1])
"""Accelerations of sun and ring under 4 and -1 N.m by the equations of Lagrange: the carrier follows both."""
BELT = np.sqrt(200 * (0.1**2 / 0.02 + 0.25**2 / 0.3))
"""Angular frequency of the stretch of a belt."""


def caught_up(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Speeds of J1 = 1 (4 N.m, from 1 s to 2 s -2 N.m) and J2 = 3 behind a one-way clutch, from rest.

    Together 1/s2 for 1 s; then J1 falls behind with 2/s2, and from 2 s on it catches up with 4/s2: at 2.5 s.
    """
    alone = np.where(t < 2, 1 - 2 * (t - 1), -1 + 4 * (t - 2))
    together = 1 + (t - 2.5)
    free = (t > 1) & (t < 2.5)
    return np.where(t <= 1, t, np.where(free, alone, together)), np.where(t <= 1, t, np.where(free, 1, together))


EXAMPLES = {
    "planetary with three shafts that turn": Example(
        f"submodel (planetary) p(ratio={RATIO})\nsubmodel (inertia) s(J={SUN}) (ic phi=0, w=0), c(J={CARRIER}), "
        f"r(J={RING}) (ic phi=0, w=0)\nsubmodel (torquesource) T(T=4), B(T=-1)\n"
        "connect T to s, B to r, p at (s:B, c:A, r:B)",
        {
            "s.w": lambda t: SLOPES[0] * t,
            "r.w": lambda t: SLOPES[1] * t,
            "c.w": lambda t: (SLOPES[0] + RATIO * SLOPES[1]) / (1 + RATIO) * t,
        },
    ),
    "planetary with the ring held": Example(
        "submodel (planetary) p(ratio=3)\nsubmodel (speedsource) s(W=8) (ic phi=0)\nsubmodel (fixed) F\n"
        "submodel (bearing) b(d=2)\nconnect p at (s, b:A, F)",
        {"b.w": lambda t: 2 + 0 * t, "s.tau": lambda t: -1 + 0 * t, "F.tau": lambda t: -3 + 0 * t},
    ),
    "belt that swings": Example(
        "submodel (inertia) a(J=0.02) (ic phi=1, w=0), b(J=0.3) (ic phi=0, w=0)\n"
        "submodel (belt) r(ra=0.1, rb=0.25, c=200)\nconnect a to r to b",
        {
            "r.F": lambda t: 200 * 0.1 * np.cos(BELT * t),
            "a.phi": lambda t: 1 - 0.1 / 0.02 * 200 * 0.1 / BELT**2 * (1 - np.cos(BELT * t)),
            "b.phi": lambda t: 0.25 / 0.3 * 200 * 0.1 / BELT**2 * (1 - np.cos(BELT * t)),
        },
    ),
    "belt with damping only": Example(
        "submodel (speedsource) S(W=10) (ic phi=0)\nsubmodel (belt) r(ra=0.2, rb=0.1, c=0, d=5)\n"
        "submodel (inertia) J(J=0.01) (ic phi=0, w=0)\nconnect S to r to J",
        {"J.w": lambda t: 20 * (1 - np.exp(-5 * t)), "r.F": lambda t: 10 * np.exp(-5 * t)},
    ),
    "brake stops and holds": Example(
        "submodel (inertia) J(J=2) (ic phi=0, w=3)\nsubmodel (brake) b(mu=0.4, cgeo=0.5, fmax=20)\n"
        "submodel (steptorque) T(height=3, t0=2)\nconnect T to J to b\nb.f = 1",
        {"J.w": lambda t: np.maximum(3 - 2 * t, 0)},
        stop=3.0,
    ),
    "brake pressed less and less lets go": Example(
        "submodel (inertia) J(J=2) (ic phi=0, w=0)\nsubmodel (brake) b(fmax=20)\nsubmodel (torquesource) T(T=5)\n"
        "connect T to J to b\nb.f = 1 - time/2",
        {"J.w": lambda t: np.where(t < 1, 0, 2.5 * (t - 1) ** 2 / 2)},
    ),
    "onewayclutch": Example(
        "submodel (signaltorque) T\nsubmodel (inertia) J1(J=1) (ic phi=0, w=0), J2(J=3) (ic phi=0, w=0)\n"
        "submodel (onewayclutch) c\nconnect T to J1 to c to J2\n"
        "T.torque = if time < 1 then 4 elseif time < 2 then -2 else 4",
        {"J1.w": lambda t: caught_up(t)[0], "J2.w": lambda t: caught_up(t)[1]},
        stop=4.0,
    ),
    "onewayclutch that begins free": Example(
        "submodel (inertia) J1(J=1) (ic phi=0, w=0), J2(J=3) (ic phi=0, w=2)\nsubmodel (torquesource) T(T=4)\n"
        "submodel (onewayclutch) c\nconnect T to J1 to c to J2",
        {
            "J1.w": lambda t: np.where(t < 0.5, 4 * t, 2 + (t - 0.5)),
            "J2.w": lambda t: np.where(t < 0.5, 2, 2 + (t - 0.5)),
        },
    ),
    "elasticbacklash": Example(
        "submodel (signalangle) P\nsubmodel (fixed) F\nsubmodel (elasticbacklash) k(width=0.4, c=100, d=0)\n"
        "connect P to k to F\nP.phi = sin(3*time)",
        {"k.t": lambda t: 100 * (np.sin(3 * t) - np.clip(np.sin(3 * t), -0.2, 0.2))},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    compare("friction", Example(example.body, example.expected, example.stop, 1e-5), tmp_path)


def test_heat_of_a_bearing_and_a_clutch_is_the_energy_lost(tmp_path: Path) -> None:
    """J*w^2/2 warms the bearing; two shafts of a clutch lose J1*J2/(J1 + J2)*w^2/2 until they turn together."""
    body = (
        "submodel (inertia) J(J=2) (ic phi=0, w=3), J1(J=1) (ic phi=0, w=10), J2(J=4) (ic phi=0, w=0)\n"
        "submodel (heatingbearing) b(d=4)\nsubmodel (heatingclutch) c(fmax=20)\n"
        "submodel (heatcapacitor) B(C=5) (ic T=300), D(C=5) (ic T=300)\n"
        "connect J to b, b:heat at B, J1 to c to J2, c:heat at D\nc.f = 1"
    )
    result = run("friction thermal", body, tmp_path, 2.0)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["J.w"], 3 * np.exp(-2 * t), atol=1e-7)
    np.testing.assert_allclose(5 * (np.asarray(result["B.T"]) - 300), 9 - np.asarray(result["J.w"]) ** 2, atol=1e-6)
    slip = np.maximum(10 - (10 / 1 + 10 / 4) * t, 0)
    np.testing.assert_allclose(result["c.w"], slip, atol=1e-7)
    np.testing.assert_allclose(5 * (np.asarray(result["D.T"]) - 300), 0.4 * (100 - slip**2), atol=1e-5)


def test_a_one_way_clutch_that_is_overtaken_at_the_start(tmp_path: Path) -> None:
    shafts = "submodel (inertia) J(J=1) (ic phi=0, w=5), K(J=1) (ic phi=0, w=0)"
    body = f"submodel (onewayclutch) c\n{shafts}\nconnect J to c to K"
    with pytest.raises(SimulationError, match="A overtakes B"):
        run("friction", body, tmp_path, 1.0)
