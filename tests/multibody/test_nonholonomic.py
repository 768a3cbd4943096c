"""Constraints on velocities: a sleigh in closed form, a rolling disc beside its equations in world coordinates."""

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from acausal.pipeline import translate
from tests.multibody.trees import rotation

SLEIGH = """@{library}
model Sleigh
  submodel (Inertial) i(ng3=-1)
  submodel (Planar) plane(n3=1, m1=1)
  submodel (Body) b(m=2, r1=0.3, I33=0.4)
  submodel (KnifeEdge) edge(n2=1)
  connect i to plane
  connect b at plane
  connect i to edge to plane:B
  initial plane.turn.w = 2
  initial plane.slide1.w = 0
end
"""
DISC = """@mbsdir.lib
model Disc
  submodel (Inertial) i(ng3=-1)
  submodel (Free) free
  submodel (Body) b(m=2, I11=0.02, I22=0.04, I33=0.02)
  submodel (RollingWheel) wheel(n2=1, radius=0.2)
  connect i to free
  connect b at free
  connect i to wheel to free:B
  initial free.ball.Q = [{c}, {s}, 0, 0]
  initial free.ball.w = [0.3, 8, 1]
  initial free.x1.q = 0
  initial free.x2.q = 0
end
"""


@pytest.mark.parametrize("library", ["mbsdir.lib", "mbsinv.lib"])
def test_sleigh(tmp_path: Path, library: str) -> None:
    """v = V*tanh(k*t), w = W*sech(k*t) with m*V^2 = J*W^2, k = m*a*V/J, J about the edge (Neimark, Fufaev 1972)."""
    file = tmp_path / "sleigh.mdl"
    file.write_text(SLEIGH.replace("{library}", library), encoding="utf-8")
    translation = translate(file)
    assert translation.statistics["states"] == 5
    result = translation.simulate(stop=3, interval=0.01, tolerance=1e-10)
    inertia, w0 = 0.4 + 2 * 0.3**2, 2.0
    v0 = np.sqrt(inertia / 2) * w0
    k = 2 * 0.3 * v0 / inertia
    assert result["plane.turn.w"] == pytest.approx(w0 / np.cosh(k * result.time), abs=1e-6)
    assert result["plane.turn.v[4]"] == pytest.approx(v0 * np.tanh(k * result.time), abs=1e-6)
    assert result["plane.turn.v[5]"] == pytest.approx(0 * result.time, abs=1e-9)


def test_rolling_disc(tmp_path: Path) -> None:
    tilt = 0.3
    file = tmp_path / "disc.mdl"
    file.write_text(DISC.format(c=np.cos(tilt / 2), s=np.sin(tilt / 2)), encoding="utf-8")
    result = translate(file).simulate(stop=1, interval=0.01, tolerance=1e-9)
    turn = rotation(np.array([1.0, 0, 0]), tilt)
    omega = turn @ np.array([0.3, 8.0, 1.0])
    start = np.concatenate([[0, 0, 0.2 * np.cos(tilt)], turn.ravel(), omega])
    found = solve_ivp(_disc, (0, 1), start, rtol=1e-10, atol=1e-12, t_eval=result.time).y
    for k in range(3):
        assert result[f"free.s[{k + 1}]"] == pytest.approx(found[k], abs=1e-6)
    assert result["free.ball.T[3,2]"] == pytest.approx(found[3 + 7], abs=1e-6)


def _disc(_: float, y: np.ndarray) -> np.ndarray:
    """Newton and Euler about the middle, the force eliminated: velocity = -omega x touch, in world axes."""
    turn, omega = y[3:12].reshape(3, 3), y[12:]
    axle, up = turn[:, 1], np.array([0.0, 0.0, 1.0])

    def touch(n: np.ndarray) -> np.ndarray:
        down = -(up - (up @ n) * n)
        return 0.2 * down / np.linalg.norm(down)

    c, step = touch(axle), 1e-6
    rate = np.cross(omega, axle)
    moves = (touch(axle + step * rate) - touch(axle - step * rate)) / (2 * step)
    inertia = turn @ np.diag([0.02, 0.04, 0.02]) @ turn.T
    skew = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
    # a = -alpha x c - omega x moves = skew*alpha - omega x moves; force = m*(a + g*up)
    known = 2.0 * (-np.cross(omega, moves) + 9.81 * up)
    alpha = np.linalg.solve(inertia - 2.0 * skew @ skew, np.cross(c, known) - np.cross(omega, inertia @ omega))
    turning = np.array([np.cross(omega, column) for column in turn.T]).T
    return np.concatenate([-np.cross(omega, c), turning.ravel(), alpha])
