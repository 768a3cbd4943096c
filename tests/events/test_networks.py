"""Switching networks and impacts against solutions worked out without events."""

from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from tests.events.models import model

BRIDGE = """@switches.lib
model SixPulse
  submodel (sinevoltage) U1(amplitude=300, f=50), U2(amplitude=300, f=50, phase=-2*pi/3)
  submodel (sinevoltage) U3(amplitude=300, f=50, phase=2*pi/3)
  submodel (idealdiode) D1(Ron=1e-7, Goff=1e-9), D2(Ron=1e-7, Goff=1e-9), D3(Ron=1e-7, Goff=1e-9)
  submodel (idealdiode) D4(Ron=1e-7, Goff=1e-9), D5(Ron=1e-7, Goff=1e-9), D6(Ron=1e-7, Goff=1e-9)
  submodel (inductor) L(L=0.02) (ic i=0)
  submodel (resistor) R(R=10)
  submodel (ground) G
  node star, plus, minus
  connect star - U1 - D1 - plus, star - U2 - D2 - plus, star - U3 - D3 - plus
  connect minus - D4 - D1, minus - D5 - D2, minus - D6 - D3
  connect plus - L - R - minus
  connect star at G
end
"""


def test_six_pulse_bridge_with_inductive_load(tmp_path: Path) -> None:
    """The load sees the largest phase voltage less the smallest: L i' = max - min - R i."""
    file = tmp_path / "b.mdl"
    file.write_text(BRIDGE, encoding="utf-8")
    result = translate(file).simulate(stop=0.04, interval=1e-4, tolerance=1e-8)

    def slope(t: float, i: np.ndarray) -> np.ndarray:
        phases = 300 * np.sin(2 * np.pi * 50 * t + np.array([0, -2, 2]) * np.pi / 3)
        return (phases.max() - phases.min() - 10 * i) / 0.02

    grid = np.unique(result.time)
    exact = solve_ivp(slope, (0, 0.04), [0.0], "DOP853", grid, rtol=1e-11, atol=1e-11, max_step=1e-5)
    found = np.interp(grid, result.time, result["L.i"])
    assert np.abs(found - exact.y[0]).max() < 1e-5 * np.ptp(exact.y[0])
    assert result.stats.events >= 12


def test_two_pendulums_that_meet() -> None:
    """Equal lengths; at the impact w1, w2 follow from momentum and e = 0.9: the balance holds to 1e-10."""
    result = model(
        """
  parameter m1=2, m2=3, e=0.9, g=9.81
  local p1 (start=-1), p2 (start=0.3), w1, w2
  discrete before, n
  der(p1) = w1
  der(p2) = w2
  der(w1) = -g*sin(p1)
  der(w2) = -g*sin(p2)
  when p1 > p2 then
    init(w1) = w1 - (1 + e)*m2/(m1 + m2)*(w1 - w2)
    init(w2) = w2 + (1 + e)*m1/(m1 + m2)*(w1 - w2)
    new(before) = m1*w1 + m2*w2
    new(n) = n + 1
  endwhen""",
        stop=5,
        tolerance=1e-10,
    )
    hits = np.flatnonzero(np.diff(result["n"]) > 0)
    assert len(hits) >= 3
    momentum = 2 * result["w1"] + 3 * result["w2"]
    assert np.abs(momentum[hits + 1] - momentum[hits]).max() < 1e-10
    relative = result["w1"] - result["w2"]
    np.testing.assert_allclose(relative[hits + 1], -0.9 * relative[hits], rtol=1e-10)
    assert (result["p1"] - result["p2"]).max() < 1e-9


def test_events_are_listed() -> None:
    body = "  local x (start=1)\n  der(x) = -1\n  discrete n\n  when x < 0.5 then\n    new(n) = 1\n  endwhen"
    result = model(body, stop=1)
    assert [round(e.time, 6) for e in result.events] == [0.5]
    assert result.events[0].changes == ("x < 0.5 is true", "n = 1")
