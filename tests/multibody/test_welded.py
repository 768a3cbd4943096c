"""A free body joined rigidly to a hinge: the loop constrains all angles of its ball joint.

The angles of a quaternion are no integrals of velocities. Each of the three constraints of velocities is a block by
itself, and each begins again with the derivatives of the quaternion: dummies are chosen for all at once.
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate

WELDED = """@{library}.lib
model Welded
  submodel (Inertial) i(ng3=-1)
  submodel (Free) f
  submodel ({ball}) s(r1=0)
  submodel (Revolute) hinge(n2=1) (ic q=0, w=2), same(n2=1) (ic q=0, w=2), axis(n2=1) (ic q=0, w=2)
  submodel (Body) b[3](m=2, r1=0.4, I11=1, I22=0.3, I33=1)
  connect i - f, b[1] at f, f:B at hinge:B, i - hinge
  connect i - s, b[2] at s, s:B at axis:B, i - axis
  connect i - same, b[3] at same
end
"""


@pytest.mark.parametrize(("library", "ball"), [("mbsinv", "Spherical"), ("mbsdir", "LoopSpherical")])
def test_body_welded_to_a_hinge(library: str, ball: str, tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text(WELDED.replace("{library}", library).replace("{ball}", ball), encoding="utf-8")
    result = translate(file).simulate(stop=1, interval=0.05, tolerance=1e-9)
    exact = result["same.q"]
    assert np.ptp(exact) > 1
    for name in ("hinge.q", "axis.q"):
        np.testing.assert_allclose(result[name], exact, atol=1e-7)
    np.testing.assert_allclose(result["f.ball.T[1,3]"], np.sin(exact), atol=1e-7)
