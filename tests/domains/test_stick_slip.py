"""Rods, brakes, drag, Stribeck friction, stops and gaps of translational.lib against closed forms and SciPy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.base.diagnostics import ModelError, SimulationError
from tests.domains.examples import Example, compare, run

MASS = "submodel (mass) m(m=2) (ic s=0, v={v})\n"
LAST = 3 - 2**-9
"""Time of the impact after which a mass that bounces with half the speed, at first 1 m/s, stays (below 1e-3 m/s)."""


def bounces(t: np.ndarray) -> np.ndarray:
    """Position of a mass that falls with 2 m/s2 from -1 on a stop at 0 with e = 0.5: at 1 s, 2 s, 2.5 s ..."""
    place, at, speed = t**2 - 1, 1.0, 1.0
    while speed > 1e-3:
        u = np.clip(t - at, 0, speed)
        place = np.where(t > at, -speed * u + u**2, place)
        at, speed = at + speed, speed / 2
    return np.where(t > at, 0, place)


EXAMPLES = {
    "rod heavyrod": Example(
        "submodel (forcesource) F(F=6)\nsubmodel (rod) a(length=0.5)\n"
        "submodel (heavyrod) b(m=2, length=1.5) (ic sa=0, va=1)\n"
        "submodel (mass) m(m=1)\nconnect F to a to b to m",
        {
            "m.s": lambda t: 1.5 + t + t**2,
            "a.sa": lambda t: -0.5 + t + t**2,
            "b.fb": lambda t: -2 + 0 * t,
            "a.f": lambda t: 6 + 0 * t,
        },
    ),
    "lineardrag": Example(
        f"{MASS.format(v=3)}submodel (lineardrag) d(cd=0.5, area=2, rho=1.2)\nconnect m to d",
        {"m.v": lambda t: 3 / (1 + 0.9 * t)},
    ),
    "linearbrake": Example(
        f"{MASS.format(v=3)}submodel (linearbrake) b(mu=0.4, fmax=10)\nsubmodel (stepforce) F(height=3.9, t0=2)\n"
        "connect F to m to b\nb.f = 1",
        {"m.v": lambda t: np.maximum(3 - 2 * t, 0)},
        stop=3.0,
    ),
    "hardstop": Example(
        "submodel (mass) m(m=2) (ic s=-1, v=0)\nsubmodel (hardstop) h(low=-2, high=0, e=0.5)\n"
        "submodel (stepforce) F(height=-8, offset=4, t0=4)\nconnect F to m to h:A",
        {
            "m.s": lambda t: np.where(t < 4, bounces(t), -((np.clip(t, 4, 4 + np.sqrt(2)) - 4) ** 2)),
            "h.f": lambda t: np.where((t > LAST) & (t < 4), 4, 0),
        },
        stop=5.4,
        within=1e-3,
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_class_against_its_formula(name: str, tmp_path: Path) -> None:
    compare("translational", EXAMPLES[name], tmp_path)


def test_mass_between_two_hard_stops(tmp_path: Path) -> None:
    """Without forces each passage of 1 m lasts 1/0.9 of the one before."""
    body = "submodel (mass) m(m=2) (ic s=0, v=1)\nsubmodel (hardstop) h(low=-0.5, high=0.5, e=0.9)\nconnect m to h:A"
    result = run("translational", body, tmp_path, 4.0)
    impacts = 0.5 + np.cumsum(0.9 ** -np.arange(0, 6.0)) - 1
    for k, time in enumerate(impacts[impacts < 3.9]):
        assert abs(result.at(time + 1e-3)["m.v"]) == pytest.approx(0.9 ** (k + 1), abs=1e-6)
        assert abs(result.at(time - 1e-3)["m.v"]) == pytest.approx(0.9**k, abs=1e-6)


@pytest.mark.parametrize("kind", ["linear", "rotational"])
def test_stick_slip_of_stribeck_friction(kind: str, tmp_path: Path) -> None:
    """A slow belt draws a mass by a spring: its stick-slip against SciPy's integration with events."""
    if kind == "linear":
        library = "translational"
        body = (
            "submodel (velocitysource) S(V=0.1) (ic s=0)\n"
            "submodel (linearspring) c(c=50)\nsubmodel (mass) m(m=1) (ic s=0, v=0)\n"
            "submodel (linearstribeck) b(F0=3, FS=2, vS=0.05, F1=0.4)\nconnect S to c to m to b"
        )
    else:
        library = "friction"
        body = (
            "submodel (speedsource) S(W=0.1) (ic phi=0)\n"
            "submodel (spring) c(c=50)\nsubmodel (inertia) m(J=1) (ic phi=0, w=0)\n"
            "submodel (stribeckfriction) b(T0=3, TS=2, wS=0.05, T1=0.4)\nconnect S to c to m to b"
        )
    result = run(library, body, tmp_path, 5.0, 1e-9)
    begins, places = [], [(0.0, 0.0)]
    time, place = 0.0, 0.0
    while (start := (5 / 50 + place) / 0.1) < 5:
        begins.append(start)
        places.append((start, place))

        def slope(t: float, y: np.ndarray) -> list[float]:
            return [y[1], 50 * (0.1 * t - y[0]) - 3 - 2 * np.exp(-y[1] / 0.05) - 0.4 * y[1]]

        def stops(t: float, y: np.ndarray) -> float:
            return float(y[1])

        stops.terminal, stops.direction = True, -1  # type: ignore[attr-defined]
        found = solve_ivp(slope, (start, 20), [place, 1e-9], "DOP853", events=stops, rtol=1e-10, atol=1e-13)
        time, place = float(found.t_events[0][0]), float(found.y_events[0][0][0])
        places.append((time, place))
    assert len(begins) >= 3
    modes = result["b.mode"].round()
    slips = np.flatnonzero((modes[1:] == 2) & (modes[:-1] == 0))
    np.testing.assert_allclose(np.asarray(result.time)[slips + 1], begins, atol=2e-5)
    name = "m.s" if kind == "linear" else "m.phi"
    for time, place in places:
        if time < 5:
            assert result.at(time)[name] == pytest.approx(place, abs=2e-5)


@pytest.mark.parametrize("damping", [5.0, 20.0, 60.0])
def test_restitution_of_an_elastic_gap(damping: float, tmp_path: Path) -> None:
    """Of m = 1, c = 400 in closed form: a spring of 2*c until d*v = c*x, then spring and damper until both cancel."""
    wave = np.sqrt(800.0)
    t1 = np.arctan(damping * wave / 400) / wave
    start = np.array([np.sin(wave * t1) / wave, np.cos(wave * t1)])
    roots = np.roots([1, damping, 400]).astype(complex)
    shares = np.linalg.solve([[1, 1], roots], start.astype(complex))

    def states(t: np.ndarray) -> np.ndarray:
        exponents = np.exp(np.outer(t, roots))
        return np.real(np.column_stack([exponents @ shares, exponents @ (shares * roots)]))

    t = np.linspace(0, 2, 400001)
    x, v = states(t).T
    last = np.flatnonzero(400 * x + damping * v < 0)[0]
    share = (400 * x + damping * v)[last - 1] / ((400 * x + damping * v)[last - 1] - (400 * x + damping * v)[last])
    restitution = -(v[last - 1] + share * (v[last] - v[last - 1]))
    body = (
        f"submodel (mass) m(m=1) (ic s=-0.1, v=3)\nsubmodel (elasticgap) g(low=-10, high=0, c=400, d={damping})\n"
        "submodel (support) wall\nconnect m to g to wall"
    )
    result = run("translational", body, tmp_path, 3.0, 1e-10)
    assert -result["m.v"][-1] / 3 == pytest.approx(restitution, rel=1e-5)
    force, depth = result["g.f"], np.maximum(result["m.s"], 0)
    assert (force >= -1e-9).all()
    assert (force <= 800 * depth + 1e-9).all()


WRONG = {
    "elasticgap) x(low=1, high=-1": "low is not above high",
    "hardstop) x(low=1, high=-1": "low is below high",
    "hardstop) x(low=1, high=2": "the rod is outside its hard stops",
    "hardstop) x(e=1.5": "x.e is 1.5, above its maximum 1",
    "linearstribeck) x(vS=0": "the speed vS",
}


@pytest.mark.parametrize("given", WRONG)
def test_wrong_parameter(given: str, tmp_path: Path) -> None:
    place = "m to x:A" if "hardstop" in given else "m to x"
    with pytest.raises((SimulationError, ModelError), match=WRONG[given]):
        run("translational", f"submodel ({given})\nsubmodel (mass) m(m=1)\nconnect {place}", tmp_path, 0.1)
