"""Classes of hydraulic.lib against closed forms and right-hand sides written by hand."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from tests.domains.examples import Example, compare, flat, run, solved

TANK = "submodel (tank) T\n"


def root(dp: np.ndarray, dpl: float = 1000.0) -> np.ndarray:
    return dp / (dp**2 + dpl**2) ** 0.25


AREA = 0.62 * 1e-5 * np.sqrt(2 / 870)
"""cd*area*sqrt(2/rho) of an orifice of 10 mm2."""

EXAMPLES = {
    "chamber laminar tank": Example(
        f"{TANK}submodel (chamber) C(V=1.4e-3) (ic p=1e6)\nsubmodel (laminar) r(G=1e-12)\nconnect C to r to T",
        {"C.p": lambda t: 1e6 * np.exp(-t), "r.q": lambda t: 1e-6 * np.exp(-t), "T.q": lambda t: 1e-6 * np.exp(-t)},
    ),
    "flowsource leveltank": Example(
        "submodel (flowsource) Q(Q=2e-3)\nsubmodel (leveltank) T(area=0.1) (ic h=1)\nconnect Q at T",
        {"T.h": lambda t: 1 + 0.02 * t, "T.p": lambda t: 870 * 9.81 * (1 + 0.02 * t)},
    ),
    "accumulator stepflow": Example(
        "submodel (stepflow) Q(height=1e-4, t0=0)\nsubmodel (accumulator) A(V0=1e-3, p0=5e6) (ic V=0)\nconnect Q at A",
        {"A.p": lambda t: 5e6 * (1 - 0.1 * t) ** -1.4 - 1.013e5},
    ),
    "pressuresource orifice flowsensor": Example(
        f"{TANK}submodel (pressuresource) P(P=1e7)\nsubmodel (orifice) o(area=1e-5)\nsubmodel (flowsensor) q\n"
        "connect P to q to o to T",
        {"q.q": flat(float(AREA * root(np.array(1e7)))), "P.q": flat(-float(AREA * root(np.array(1e7))))},
    ),
    "sinepressure valve": Example(
        f"{TANK}submodel (sinepressure) P(amplitude=1e6, f=1)\nsubmodel (valve) v(area=1e-5)\nconnect P to v to T\n"
        "v.x = 2*time",
        {"v.q": lambda t: AREA * np.minimum(2 * t, 1) * root(1e6 * np.sin(2 * np.pi * t))},
    ),
    "signalpressure checkvalve": Example(
        f"{TANK}submodel (signalpressure) P\nsubmodel (checkvalve) v(p0=1e5, G=1e-9, leak=0)\nconnect P to v to T\n"
        "P.p = 1e6*sin(5*time)",
        {"v.q": lambda t: 1e-9 * np.maximum(1e6 * np.sin(5 * t) - 1e5, 0)},
    ),
    "steppressure reliefvalve pressuresensor": Example(
        f"{TANK}submodel (steppressure) P(height=1.2e7, t0=1)\nsubmodel (reliefvalve) v(leak=0)\n"
        "submodel (pressuresensor) s\n"
        "connect P to v to T, s at P",
        {"v.q": lambda t: 1e-8 * 2e6 * (t >= 1), "s.p": lambda t: 1.2e7 * (t >= 1)},
    ),
    "signalflow in a laminar tube of one section": Example(
        f"{TANK}submodel (signalflow) Q\nsubmodel (tube) L(d=0.01, l=2) (ic p=[0], w=[0])\nconnect Q to L to T\n"
        "Q.flow = 0",
        {"L.p[1]": flat(0)},
    ),
    "pump turned by a shaft": Example(
        f"{TANK}submodel (pump) P(D=2e-6, G=1e-12, d=0.01)\nsubmodel (speedsource) w(W=100)\n"
        "submodel (pressuresource) S(P=1e7)\n"
        "connect T to P to S, w to P:shaft",
        {"P.q": flat(2e-4 - 1e-5), "P.tau": flat(20 + 1)},
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    compare("hydraulic rotational" if "speedsource" in example.body else "hydraulic", example, tmp_path)


def test_tube_rings_and_loses_by_friction(tmp_path: Path) -> None:
    """A tube of 3 sections, from a pressure of 2e6 in its first, against its equations written by hand."""
    body = (
        f"{TANK}submodel (flowsource) Q(Q=0)\nsubmodel (tube) L(n=3, d=0.01, l=6) (ic p=[2e6, 0, 0], w=[0, 0, 0])\n"
        "connect Q to L to T"
    )
    result = run("hydraulic", body, tmp_path, 0.02)
    area, rho, mu, bulk, d, length = np.pi * 1e-4 / 4, 870.0, 0.04, 1.4e9, 0.01, 2.0

    def loss(w: np.ndarray) -> np.ndarray:
        speed = np.abs(w) / area
        friction = np.maximum(64 * mu / (rho * d) * speed, 0.3164 * (mu / (rho * d)) ** 0.25 * speed**1.75)
        return np.sign(w) * length / d * rho / 2 * friction

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        p, w = y[:3], y[3:]
        return np.append(
            bulk / (area * length) * -np.diff(np.append(0, w)),
            area / (rho * length) * (-np.diff(np.append(p, 0)) - loss(w)),
        )

    exact = solved(slope, [2e6, 0, 0, 0, 0, 0], 0.02)(np.asarray(result.time))
    for k in range(3):
        assert np.abs(result[f"L.p[{k + 1}]"] - exact[k]).max() < 1e-5 * 2e6
        assert np.abs(result[f"L.w[{k + 1}]"] - exact[3 + k]).max() < 1e-5 * np.ptp(exact[3 + k])


def test_cylinder_with_a_servo_valve(tmp_path: Path) -> None:
    """Supply, valve, cylinder and mass: pressures, speed and position against a right-hand side written by hand."""
    body = (
        f"{TANK}submodel (pressuresource) P(P=1e7)\nsubmodel (servovalve) V(area=1e-5, leak=1e-13)\n"
        "submodel (cylinder) Z(areaA=2e-3, areaB=1e-3, l=0.5, VA=1e-4, VB=1e-4, d=500) (ic pa=2e6, pb=4e6)\n"
        "submodel (mass) m(m=100) (ic s=0.1, v=0)\nnode a, b\n"
        "connect V at (P, T, a, b), Z at (a, b), Z:rod to m\nV.x = sin(8*time)"
    )
    result = run("hydraulic translational", body, tmp_path, 1.0)
    e = 1.4e9

    def edge(share: float, dp: float) -> float:
        return float(AREA * max(share, 0) * root(np.array(dp)) + 1e-13 * dp)

    def slope(t: float, y: np.ndarray) -> list[float]:
        pa, pb, s, v = y
        x = np.sin(8 * t)
        qa = edge(x, 1e7 - pa) - edge(-x, pa)
        qb = edge(-x, 1e7 - pb) - edge(x, pb)
        return [
            e / (1e-4 + 2e-3 * s) * (qa - 2e-3 * v),
            e / (1e-4 + 1e-3 * (0.5 - s)) * (qb + 1e-3 * v),
            v,
            (2e-3 * pa - 1e-3 * pb - 500 * v) / 100,
        ]

    exact = solved(slope, [2e6, 4e6, 0.1, 0], 1.0)(np.asarray(result.time))
    for name, values in zip(("Z.pa", "Z.pb", "m.s", "m.v"), exact, strict=True):
        assert np.abs(result[name] - values).max() < 1e-5 * np.ptp(values), name


def test_lift_of_the_examples() -> None:
    """examples/hydraulic_lift.mdl against its equations written by hand: supply, chambers, load, integral."""
    e, edge = 1.4e9, 0.62 * 1e-5 * np.sqrt(2 / 870)

    def way(t: float) -> float:
        return float(np.interp(t, [0.5, 8.5, 10.5, 18.5], [0.1, 0.6, 0.6, 0.1]))

    def over(share: float, dp: float) -> float:
        return float(edge * max(share, 0) * root(np.array(dp)) + 1e-13 * dp)

    def slope(t: float, y: np.ndarray) -> list[float]:
        p, pa, pb, s, v, i = y
        wanted = 10 * (way(t) - s) + i
        x = min(max(wanted, -1), 1)
        into_a, out_of_a, into_b, out_of_b = over(x, p - pa), over(-x, pa), over(-x, p - pb), over(x, pb)
        relief = 1e-8 * (p - 1e7) + 1e-14 * 1e7 if p > 1e7 else 1e-14 * p
        return [
            e / 2e-3 * (2e-6 * 150 - 1e-12 * p - relief - into_a - into_b),
            e / (1e-5 + 4e-3 * s) * (into_a - out_of_a - 4e-3 * v),
            e / (1e-5 + 2e-3 * (1 - s)) * (into_b - out_of_b + 2e-3 * v),
            v,
            (4e-3 * pa - 2e-3 * pb - 3000 * v) / 2000 - 9.81,
            10 / 5 * (way(t) - s) + (x - wanted) / 5,
        ]

    result = translate(Path(__file__).parents[2] / "examples/hydraulic_lift.mdl").simulate(tolerance=1e-8)
    found = solve_ivp(slope, (0, 20), [1e7, 5.4e6, 1e6, 0.1, 0, 0], "LSODA", rtol=1e-9, atol=1e-9, dense_output=True)
    for name, values in zip(
        ("supply.p", "cylinder.pa", "cylinder.pb", "load.s", "load.v"), found.sol(result.time), strict=False
    ):
        assert np.abs(result[name] - values).max() < 1e-4 * np.ptp(values), name
