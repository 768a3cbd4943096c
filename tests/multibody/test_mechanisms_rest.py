"""Chains and loops at rest, and driven: against least energy and the rate of energy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize

from acausal.pipeline import translate
from acausal.translation import Translation
from tests.multibody.test_mechanisms_spatial import FOUR_BAR, RSSR, rocker, rssr_energy

CHAIN = """@{library}.lib
@rotational.lib
model Chain
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1), j2(n2=1, r1=0.5), j3(n1=1, r1=0.5), j4(n2=1, r1=0.3, r2=0.4)
  submodel (Body) b[4](m=[1, 2, 1.5, 0.5], r1=[0.2, 0.3, 0.1, 0.2], r2=[0, 0, 0.2, 0], I11=0.01, I22=0.01, I33=0.01)
  submodel (spring) s1(c=20), s2(c=15), s3(c=4), s4(c=2)
  submodel (fixed) f1, f2, f3, f4
  connect i - j1 - j2 - j3 - j4, b[1] at j1, b[2] at j2, b[3] at j3, b[4] at j4
  connect f1 - s1, s1:B at j1:Axis, f2 - s2, s2:B at j2:Axis, f3 - s3, s3:B at j3:Axis, f4 - s4, s4:B at j4:Axis
end
"""


def _translated(folder: Path, text: str, **asked: list[str]) -> Translation:
    file = folder / "m.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file, **asked)  # type: ignore[arg-type]


def _energy(q: np.ndarray) -> float:
    """Of springs and weight of the chain; turns about 2, 2, 1, 2."""
    turn, place, height = np.eye(3), np.zeros(3), 0.0
    middles = ((0.2, 0, 0), (0.3, 0, 0), (0.1, 0.2, 0), (0.2, 0, 0))
    steps = ((0, 0, 0), (0.5, 0, 0), (0.5, 0, 0), (0.3, 0.4, 0))
    for x, axis, m, middle, step in zip(q, (1, 1, 0, 1), (1, 2, 1.5, 0.5), middles, steps, strict=True):
        place = place + turn @ step
        c, s = np.cos(x), np.sin(x)
        turn = turn @ np.array([[[1, 0, 0], [0, c, -s], [0, s, c]], [[c, 0, s], [0, 1, 0], [-s, 0, c]]][axis])
        height += m * (place + turn @ middle)[2]
    return float(9.81 * height + np.array([20, 15, 4, 2]) @ q**2 / 2)


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_chain_with_springs_at_rest(tmp_path: Path, library: str) -> None:
    """`steady_state` finds where the energy is least, and there it stays."""
    made = _translated(tmp_path, CHAIN.format(library=library)).steady_state
    r = made.simulate(stop=0.5, interval=0.25, tolerance=1e-9)
    found = np.array([r[f"j{k}.q"] for k in range(1, 5)])
    least = minimize(_energy, np.zeros(4), method="BFGS", options={"gtol": 1e-7}).x
    assert found[:, 0] == pytest.approx(least, abs=1e-6)
    assert np.ptp(found, axis=1) == pytest.approx(0, abs=1e-9)
    assert np.abs(least).min() > 0.05


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_driven_joint_of_a_loop(tmp_path: Path, library: str) -> None:
    """Its angle is known: the torque that turns the crank evenly delivers the change of energy."""
    text = FOUR_BAR.format(library=library, coupler=RSSR).replace(" (ic q=0.5, w=20)", "")
    made = _translated(tmp_path, text, known=["crank.q"])
    assert made.statistics["states"] == 0
    r = made.simulate(stop=0.6, interval=0.02, inputs={"crank.q": "0.5 + 20*time"})

    def energy(a: np.ndarray) -> np.ndarray:
        h = 1e-4
        rate = (8 * (rocker(a + h) - rocker(a - h)) - rocker(a + 2 * h) + rocker(a - 2 * h)) / (12 * h)
        return rssr_energy(a, rocker(a), 20 + 0 * a, 20 * rate)

    a, h = 0.5 + 20 * r.time, 1e-3
    torque = (8 * (energy(a + h) - energy(a - h)) - energy(a + 2 * h) + energy(a - 2 * h)) / (12 * h)
    assert r["crank.t"] == pytest.approx(torque, abs=1e-6 * np.abs(torque).max())
