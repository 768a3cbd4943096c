"""Turning bodies whose motion is known in closed form: the heavy top, the free symmetric body."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

from acausal.pipeline import translate

TOP = """@mbsdir.lib
model Top
  submodel (Inertial) i(ng3=-1)
  submodel (Spherical) pivot
  submodel (Body) b(m=0.5, r3=0.2, I11=0.001, I22=0.001, I33=0.0008)
  connect i to pivot
  connect b at pivot
  initial pivot.Q = [{c}, {s}, 0, 0]
  initial pivot.w = [0, {w2}, {w3}]
end
"""
BODY = """@mbsdir.lib
model Thrown
  submodel (Inertial) i(ng3=-1)
  submodel (Free) free
  submodel (Body) b(m=2, I11=0.3, I22=0.3, I33=0.5)
  connect i to free
  connect b at free
  initial free.ball.w = [0.4, 0, 3]
  initial free.x1.w = 1.5
  initial free.x3.w = 4
end
"""


def test_heavy_top_in_steady_precession(tmp_path: Path) -> None:
    """J*W^2*cos(th) - I33*w3*W + m*g*l = 0 holds the tilt th: the axis goes round with W (Goldstein, 5.7).

    J is the moment of inertia about the pivot across the axis, w3 the velocity about the axis. At first the axis is
    turned by th about 1, and W along 3 has the components W*sin(th), W*cos(th) on the body's axes 2 and 3.
    """
    across, tilt, rate = 0.001 + 0.5 * 0.2**2, 0.4, 2.5
    w3 = (across * rate**2 * np.cos(tilt) + 0.5 * 9.81 * 0.2) / (0.0008 * rate)
    file = tmp_path / "top.mdl"
    text = TOP.format(c=np.cos(tilt / 2), s=np.sin(tilt / 2), w2=rate * np.sin(tilt), w3=w3)
    file.write_text(text, encoding="utf-8")
    result = translate(file).simulate(stop=2, interval=0.01, tolerance=1e-12, solver="dop853")
    angle = rate * result.time
    for name, expected in (("T[1, 3]", np.sin(angle)), ("T[2, 3]", -np.cos(angle))):
        assert result[f"pivot.{name.replace(' ', '')}"] == pytest.approx(np.sin(tilt) * expected, abs=1e-9)
    assert result["pivot.T[3,3]"] == pytest.approx(np.cos(tilt) + 0 * angle, abs=1e-9)


def test_heavy_top_let_go(tmp_path: Path) -> None:
    """Spun about its axis and let go at the tilt th it nods: u = cos(th) is an elliptic function.

    u'^2 = b (u - u1)(u - u0)(u - u3) with b = 2 m g l/J, where u1 < u0 < u3 and b u^2 - a^2 u + a^2 u0 - b = 0 for the
    two others, a = I33 w3/J; hence u = u1 + (u0 - u1) sn^2(sqrt(b (u3 - u1)) t/2 + K) (Goldstein, 5.7).
    """
    across, tilt, w3 = 0.001 + 0.5 * 0.2**2, 0.6, 300.0
    text = TOP.format(c=np.cos(tilt / 2), s=np.sin(tilt / 2), w2=0.0, w3=w3)
    file = tmp_path / "top.mdl"
    file.write_text(text, encoding="utf-8")
    result = translate(file).simulate(stop=2, interval=0.01, tolerance=1e-12, solver="dop853")
    start, a, b = np.cos(tilt), 0.0008 * w3 / across, 2 * 0.5 * 9.81 * 0.2 / across
    low, high = np.sort(np.roots([b, -(a**2), a**2 * start - b]))
    part = (start - low) / (high - low)
    sn, _, _, _ = ellipj(np.sqrt(b * (high - low)) / 2 * result.time + ellipk(part), part)
    assert result["pivot.T[3,3]"] == pytest.approx(low + (start - low) * sn**2, abs=1e-9)
    assert np.ptp(result["pivot.T[3,3]"]) > 0.05


def test_free_symmetric_body(tmp_path: Path) -> None:
    """Its velocity goes round the axis with (I33 - I11)/I11*w3 (Euler); its middle falls as a stone."""
    file = tmp_path / "body.mdl"
    file.write_text(BODY, encoding="utf-8")
    result = translate(file).simulate(stop=3, interval=0.01, tolerance=1e-12, solver="dop853")
    angle = (0.5 - 0.3) / 0.3 * 3 * result.time
    for k, expected in enumerate((0.4 * np.cos(angle), 0.4 * np.sin(angle), 3 + 0 * angle), 1):
        assert result[f"free.ball.w[{k}]"] == pytest.approx(expected, abs=1e-9)
    assert result["free.s[1]"] == pytest.approx(1.5 * result.time, abs=1e-9)
    assert result["free.s[3]"] == pytest.approx(4 * result.time - 9.81 / 2 * result.time**2, abs=1e-9)
    q = np.array([result[f"free.ball.Q[{k}]"] for k in range(1, 5)])
    assert np.linalg.norm(q, axis=0) == pytest.approx(1, abs=1e-9)
