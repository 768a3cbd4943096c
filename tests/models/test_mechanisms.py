"""Mechanisms in Cartesian coordinates and with loops: index 3, states that change during the run."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result

G = 9.81

PENDULUM = """model Pendulum
  local x (start=1), y (start=0), vx (start=0), vy (start={vy}), force
  der(x) = vx
  der(y) = vy
  der(vx) = -force*x
  der(vy) = -force*y - 9.81
  x^2 + y^2 = 1
end
"""

DOUBLE = """model Double
  local x1 (start=1), y1 (start=0), x2 (start=2), y2 (start=0), u1, v1, u2, v2, f1, f2
  der(x1) = u1
  der(y1) = v1
  der(x2) = u2
  der(y2) = v2
  der(u1) = -f1*x1 + f2*(x2 - x1)
  der(v1) = -f1*y1 + f2*(y2 - y1) - 9.81
  der(u2) = -f2*(x2 - x1)
  der(v2) = -f2*(y2 - y1) - 9.81
  x1^2 + y1^2 = 1
  (x2 - x1)^2 + (y2 - y1)^2 = 1
end
"""

FOUR_BAR = """model FourBar
  local p1 (start=0), p2 (start=1), p3 (start=1.5), w1 (start=10, fixed=true), w2, w3, f1, f2
  der(p1) = w1
  der(p2) = w2
  der(p3) = w3
  cos(p1) + 2*cos(p2) = 2.5 + 2*cos(p3)
  sin(p1) + 2*sin(p2) = 2*sin(p3)
  der(w1) = -f1*sin(p1) + f2*cos(p1)
  der(w2) = -2*f1*sin(p2) + 2*f2*cos(p2)
  der(w3) = 2*f1*sin(p3) - 2*f2*cos(p3)
end
"""

SLIDER_CRANK = """model SliderCrank
  local p (start=0.3), q, s (start=2.9), w (start=5, fixed=true), wq, v, f1, f2
  der(p) = w
  der(q) = wq
  der(s) = v
  cos(p) + 2*cos(q) = s
  sin(p) = 2*sin(q)
  der(w) = -f1*sin(p) + f2*cos(p)
  0.1*der(wq) = -2*f1*sin(q) - 2*f2*cos(q)
  der(v) = -f1
end
"""


def run(text: str, folder: Path, states: int, **simulate: float) -> Result:
    """The result; `states` is how many states there are at every moment."""
    file = folder / "mechanism.mdl"
    file.write_text(text, encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == states
    return translation.simulate(**simulate)  # type: ignore[arg-type]


def drift(energy: np.ndarray, kinetic: np.ndarray) -> float:
    """How far the energy goes from its first value, as a share of the largest kinetic energy."""
    return float(np.abs(energy - energy[0]).max() / kinetic.max())


@pytest.mark.parametrize("vy", [0.0, 9.0], ids=["swings from 90 degrees", "over the top"])
def test_pendulum_without_any_hint(tmp_path: Path, vy: float) -> None:
    r = run(PENDULUM.format(vy=vy), tmp_path, 2, stop=20, interval=0.01, tolerance=1e-9)
    x, y = r["x"], r["y"]
    assert np.abs(x**2 + y**2 - 1).max() < 1e-9
    assert (y.max() > 0.999) == (vy > 0)
    kinetic = (r["vx"] ** 2 + r["vy"] ** 2) / 2
    assert drift(kinetic + G * y, kinetic) < 1e-6


def test_double_pendulum(tmp_path: Path) -> None:
    r = run(DOUBLE, tmp_path, 4, stop=20, tolerance=1e-9)
    assert np.abs(r["x1"] ** 2 + r["y1"] ** 2 - 1).max() < 1e-9
    assert np.abs((r["x2"] - r["x1"]) ** 2 + (r["y2"] - r["y1"]) ** 2 - 1).max() < 1e-9
    kinetic = (r["u1"] ** 2 + r["v1"] ** 2 + r["u2"] ** 2 + r["v2"] ** 2) / 2
    assert drift(kinetic + G * (r["y1"] + r["y2"]), kinetic) < 1e-6


def test_four_bar_through_a_hundred_revolutions(tmp_path: Path) -> None:
    """Crank 1 and coupler, rocker 2 on a ground of 2.5; no force from outside, hence constant energy."""
    r = run(FOUR_BAR, tmp_path, 2, stop=55, interval=0.05, tolerance=1e-9)
    assert r["p1"][-1] > 200 * np.pi
    assert np.abs(np.cos(r["p1"]) + 2 * np.cos(r["p2"]) - 2.5 - 2 * np.cos(r["p3"])).max() < 1e-9
    kinetic = (r["w1"] ** 2 + r["w2"] ** 2 + r["w3"] ** 2) / 2
    assert drift(kinetic, kinetic) < 1e-6


def test_slider_crank_through_both_dead_centres(tmp_path: Path) -> None:
    r = run(SLIDER_CRANK, tmp_path, 2, stop=20, interval=0.02, tolerance=1e-9)
    assert r["p"][-1] > 20 * np.pi
    assert np.abs(np.cos(r["p"]) + 2 * np.cos(r["q"]) - r["s"]).max() < 1e-9
    assert np.abs(np.sin(r["p"]) - 2 * np.sin(r["q"])).max() < 1e-9
    kinetic = (r["w"] ** 2 + 0.1 * r["wq"] ** 2 + r["v"] ** 2) / 2
    assert drift(kinetic, kinetic) < 1e-6
