"""Bodies with six degrees of freedom that loops hold almost wholly: which of their coordinates become states."""

from pathlib import Path

import numpy as np
import pytest

from acausal.checking import check
from acausal.pipeline import translate

WELDED = """@{library}.lib
model Welded
  submodel (Inertial) i(ng3=-1)
  submodel (Free) f
  submodel (Revolute) hinge(n2=1) (ic q=0, w=2), same(n2=1) (ic q=0, w=2)
  submodel (Body) b[2](m=2, r1=0.4, I11=1, I22=0.3, I33=1)
  connect i - f, b[1] at f, f:B at hinge:B, i - hinge
  connect i - same, b[2] at same
end
"""


@pytest.mark.parametrize("library", ["mbsinv", "mbsdir"])
def test_body_welded_to_a_hinge(library: str, tmp_path: Path) -> None:
    """The loop constrains all angles of a ball joint, which are no integrals of velocities.

    Each of the three constraints of velocities is a block by itself, and each begins again with the derivatives of the
    quaternion: dummies are chosen for all at once.
    """
    file = tmp_path / "m.mdl"
    file.write_text(WELDED.replace("{library}", library), encoding="utf-8")
    result = translate(file).simulate(stop=1, interval=0.05, tolerance=1e-9)
    exact = result["same.q"]
    assert np.ptp(exact) > 1
    np.testing.assert_allclose(result["hinge.q"], exact, atol=1e-7)
    np.testing.assert_allclose(result["f.ball.T[1,3]"], np.sin(exact), atol=1e-7)


FIXED = """@mbsinv.lib
model Slides
  submodel (Inertial) i(ng3=-1)
  submodel (Free) f1, f2, f3, f4
  submodel (Body) b[4](m=2, I11=1, I22=0.3, I33=1)
  submodel (CutPrismatic) c1(n1=1), c2(n2=1), c3(n3=1)
  submodel (CutPlanar) c4(n2=1)
  connect i - f1, i - f2, i - f3, i - f4, b[1] at f1, b[2] at f2, b[3] at f3, b[4] at f4
  connect c1 at (i:B, f1:B), c2 at (i:B, f2:B), c3 at (i:B, f3:B), c4 at (i:B, f4:B)
  initial [f1.x1.w, f2.x2.w, f3.x3.w, f4.x2.w] = [1, 2, 3, 4]
end
"""


def test_slides_on_the_base(tmp_path: Path) -> None:
    """Accelerations in turning axes, turned back, seem to depend on all coordinates: not so."""
    file = tmp_path / "m.mdl"
    file.write_text(FIXED, encoding="utf-8")
    translation = translate(file)
    states = {f"f{k}.x{a}.q" for k, a in ((1, 1), (2, 2), (3, 3), (4, 2))}
    names = set(translation.statistics["state_names"])
    assert {name for name in names if ".x" in name} == states | {f"der({name})" for name in states}
    result = translation.simulate(stop=1, interval=0.1, tolerance=1e-9)
    t = np.asarray(result.time)
    np.testing.assert_allclose(result["f1.x1.q"], t, atol=1e-8)
    np.testing.assert_allclose(result["f2.x2.q"], 2 * t, atol=1e-8)
    np.testing.assert_allclose(result["f3.x3.q"], 3 * t - 9.81 * t**2 / 2, atol=1e-7)
    np.testing.assert_allclose(result["f4.x2.q"], 4 * t, atol=1e-8)


HINGED = """@mbsinv.lib
model Hinged
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r(n2=1) (ic q=0, w=2)
  submodel (Free) f
  submodel (Body) a(m=1, r1=0.5, I22=0.1), b(m=2, r1=0.1, I11=1, I22=0.3, I33=1)
  submodel (CutRevolute) c(n2=1)
  connect i - r, i - f, a at r, b at f, c at (r:B, f:B)
end
"""


def test_check_numeric_judges_the_states_of_the_run(tmp_path: Path) -> None:
    """The constraints, two of which are on the quaternion alone, do not determine the angle of the hinge r: a state."""
    file = tmp_path / "m.mdl"
    file.write_text(HINGED, encoding="utf-8")
    assert {"r.q", "der(r.q)"} <= set(translate(file).statistics["state_names"])
    assert [d.code for d in check(file, numeric=True).errors] == []
