"""Diodes in series and parallel: relations that cross together, at every tolerance and in every order of statements."""

from random import Random

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from tests.events.diode_networks import CLASSES, Network, Part, agrees
from tests.events.models import failed, library_model, model

Array = np.ndarray


def _series(*parts: Part) -> Part:
    return Part("series", parts=parts)


def _parallel(*parts: Part) -> Part:
    return Part("parallel", parts=parts)


D0, R1, C2 = Part("dio", 1.612, "D0"), Part("res", 2.341, "R1"), Part("cap", 2.966, "C2")
D3, D4, C5 = Part("dio", 2.488, "D3"), Part("dio", 0.499, "D4"), Part("cap", 1.575, "C5", reversed=True)
NETWORKS = {
    "three in a ladder": _parallel(D0, _series(_parallel(R1, C2), D3)),
    "four in a ladder": _parallel(D0, _series(_parallel(R1, C2), D3), _series(D4, C5)),
}


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.parametrize("seed", range(3))
def test_every_order_at_every_tolerance(name: str, seed: int) -> None:
    agrees(Network(Random(seed), NETWORKS[name]), (1e-3, 1e-4, 1e-6, 1e-8, 1e-9))


def _diode(u: float, g: float) -> float:
    return g * max(u - 0.1, 0.0) + 0.02 * u


def _voltage(i: float, gs: tuple[float, ...]) -> float:
    """Of diodes in parallel, which all conduct above 0.1."""
    off = 0.02 * len(gs)
    return i / off if i < 0.1 * off else 0.1 + (i - 0.1 * off) / (sum(gs) + off)


PARALLEL = "submodel (dio) D0(g=1.0), D2(g=2.025)\n  connect G - U - Rs - (D0 // D2) - I3 - G"
SERIES = "submodel (dio) D0(g=1.0), D1(g=1.761), D2(g=2.025)\n  connect G - U - Rs - (((D0 - D1) // \\D2) - I3) - G"
REST = """
  submodel (src) U
  submodel (res) Rs(R=0.5)
  submodel (gnd) G
  submodel (ind) I3(L=2.644)
  initial I3.i = 0"""


def _two_sides(i: float) -> float:
    """Of (D0 - D1) // \\D2: the voltage at which the currents sum to i, between points of the characteristic."""
    pair = [(-50.0, -0.5), (0.2, 0.002)]  # each at u/2 below 0.1, where both begin to conduct
    pair.append((0.2 + 2.0 / 1.02 + 2.0 / 1.781, 2.002))
    us = np.array([-50.0, -0.1, *[u for u, _ in pair[1:]]])
    total = [float(np.interp(u, *zip(*pair, strict=True))) - _diode(-u, 2.025) for u in us]
    return float(np.interp(i, total, us))


@pytest.mark.parametrize("tolerance", [1e-3, 1e-4, 1e-6, 1e-8, 1e-9])
@pytest.mark.parametrize("name", ["parallel", "series"])
def test_with_an_inductor(name: str, tolerance: float) -> None:
    text = PARALLEL if name == "parallel" else SERIES
    result = library_model(CLASSES, text + REST, stop=3, interval=0.02, tolerance=tolerance)

    def slope(t: float, y: Array) -> list[float]:
        u = _voltage(y[0], (1.0, 2.025)) if name == "parallel" else _two_sides(y[0])
        return [(2 * np.sin(2 * np.pi * 0.7 * t + 0.3) - 0.5 * y[0] - u) / 2.644]

    t, once = np.unique(result.time, return_index=True)
    exact = solve_ivp(slope, (0, 3), [0], "DOP853", t, rtol=1e-11, atol=1e-12, max_step=0.01).y[0]
    assert np.abs(result["I3.i"][once] - exact).max() < 10 * tolerance


DEAD_CENTRE = """
@mbsdir.lib
@translational.lib
model M
  submodel (Inertial) i
  submodel (Revolute) crank(n3=1) (ic q=0, w=10), knee(n3=1, r1=0.05)
  submodel (Prismatic) piston(n1=1, near=0.2)
  submodel (Bar) rod(r1=0.2)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) wheel(m=1, I33=0.5), b(m=0.5, r1=0.1, I33=0.002), p(m=1)
  submodel (signalforce) gas
  connect i - crank - knee - rod, i - piston, pin at (rod:B, piston:B), wheel at crank, b at knee, p at piston
  connect gas at piston:Axis
  gas.force = if piston.w < 0 then -100 else 200
end
"""


def test_a_piston_starts_at_its_dead_centre(tmp_path: object) -> None:
    """The velocity there is zero but for rounding; the work of the gas force is what the kinetic energy gains."""
    from pathlib import Path

    from acausal.pipeline import translate

    file = Path(str(tmp_path)) / "m.mdl"
    file.write_text(DEAD_CENTRE)
    translation = translate(file)
    for tolerance in (1e-4, 1e-6, 1e-8):
        result = translation.simulate(stop=0.3, tolerance=tolerance)
        place = result["piston.s"] if "piston.s" in result.names else result["piston.q"]
        assert (np.sign(np.diff(place))[:3] == -1).all()
        frozen = result["gas.force"]
        assert set(np.unique(frozen)) <= {-100.0, 200.0}
        assert frozen[-1] == (-100.0 if result["piston.w"][-1] < 0 else 200.0)
        assert frozen[1] == -100.0


SCHMITT = """
  parameter V0=15000
  local vin, vi, vp, vo
  vin = 5*cos(2*pi*time)
  vi = V0*vp
  vo = min(15, max(-15, vi))
  vp = (15*vin + vo)/16"""


def test_a_static_schmitt_trigger_jumps() -> None:
    """It switches where the linear branch begins: at 15 vin + 15 = -+ 16 (15/V0 - 0) of the side that it leaves."""
    result = model(SCHMITT, stop=2.2, interval=1e-3)
    edge = (15 - 16 * 15 / 15000) / 15
    jumps = np.flatnonzero(np.abs(np.diff(result["vo"])) > 1)
    assert len(jumps) == 4
    assert np.abs(np.abs(result["vin"][jumps]) - edge).max() < 1e-8
    up = result["vo"][jumps + 1] > 0
    assert (up == (result["vin"][jumps] > 0)).all()
    assert np.abs(np.abs(result["vo"]) - 15).max() < 1e-9


def test_positive_feedback_without_another_branch_is_named() -> None:
    """y = x + 2 max(y, 0) has two solutions for x < 0 and none for x > 0."""
    body = "  local x (start=-1, fixed=true), y\n  der(x) = 1\n  y = x + 2*max(y, 0)"
    error = failed(body, stop=2)
    found = error.report.diagnostics[0]
    assert abs(error.result.time[-1] - 1) < 1e-6
    assert found.code in ("E011", "E013")
    assert "positive feedback without dynamics" in str(found.notes)


def _cascade(count: int) -> str:
    lines = ["local x (start=0, fixed=true)", "der(x) = 1", *[f"discrete k{i}" for i in range(count)]]
    for i in range(count):
        condition = f"k{i - 1} > 0" if i else "x > 0.5"
        lines.append(f"when {condition} then\n    new(k{i}) = 1\n  endwhen")
    return "\n  ".join(reversed(lines))


def test_a_long_cascade_takes_as_many_passes_as_it_needs() -> None:
    result = model(_cascade(230), stop=1)
    assert result["k229"][-1] == 1
    assert len([e for e in result.events if e.changes]) == 1


def test_the_limit_of_passes_is_named_and_can_be_raised() -> None:
    error = failed(_cascade(40), stop=1, event_passes=20).report.diagnostics[0]
    assert error.code == "E010"
    assert "20 passes" in error.message
    assert "--event-passes" in str(error.help)
    assert model(_cascade(40), stop=1, event_passes=41)["k39"][-1] == 1
