"""Parameters regrouped towards the base: masses and points that are counted elsewhere move nothing else."""

from pathlib import Path

import pytest

from acausal.pipeline import translate
from tests.multibody.test_loops import EXAMPLE, PUBLISHED

REGROUPED = ["mbsdir_regrouped", "mbsinv_regrouped"]


@pytest.mark.parametrize("library", REGROUPED)
def test_spatial_four_bar(tmp_path: Path, library: str) -> None:
    """A further bar, on the axis of the joint where the loop is closed, moves the point its forces are at."""
    text = EXAMPLE.read_text().replace("@mbsdir.lib", f"@{library}.lib")
    further = "submodel (Bar) further(r3=0.2)\n  connect bar3:B at j5:B, j5 - further"
    text = text.replace("connect bar3:B at j5:B", further)
    file = tmp_path / "fourbar.mdl"
    file.write_text(text, encoding="utf-8")
    result = translate(file).simulate(interval=0.1)
    assert result["j5.o[3]"][0] == 0.2
    for time, angle in PUBLISHED.items():
        assert result.at(time)["j1.q"] == pytest.approx(angle, abs=1e-4 * PUBLISHED[5.0])


ARM = """@{library}.lib
model Arm
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n3=1) (ic q=0.3, w=2), j2(n1=1, r1=0.2, r3=0.5) (ic q=1, w=-1)
  submodel (Revolute) j3(n3=1, r2=0.1, r3=0.3) (ic q=-0.4, w=1), j4(n2=1, r1=0.1, r3=0.4) (ic q=0.2, w=3)
  submodel (Body) b2(m=2, r1=0.1, r3=0.2, I11=0.2, I22=0.3, I33=0.1, I31=0.02)
  submodel (Body) b3(m=1, r2=0.3, I11=0.1, I22=0.1, I33=0.1), b4(m=1, r1=0.3, r2=0.1, I11=0.1, I22=0.2, I33=0.2)
  submodel (LineSpringDamper) spring(c=200, d=2, s0=0.4)
  submodel (Bushing) bushing(c1=20, d2=1, ct3=2, dt1=0.1)
  submodel (WorldForce) push
  submodel (GravityField) pull(mu=3, m=1, r1=0.2)
  submodel (Sensor) seen
  connect i to j1 to j2 to j3 to j4, b2 at j2, b3 at j3, b4 at j4
  connect j1:B to spring to j3:B, j1:B to bushing to j3:B, push at j3, pull at j1, j1:B to seen to j3:B
  push.F = [3, -2, 5]
end
"""


@pytest.mark.parametrize("library", REGROUPED)
def test_forces_where_motion_is_that_of_another_point(tmp_path: Path, library: str) -> None:
    """The frames j1 and j3 are followed at the places of j2 and j4; forces and sensors stay at their origins.

    Compared with mbsdir.lib, which has no such points (and is compared with closed forms in test_forces).
    """
    ends = []
    for which in ("mbsdir", library):
        file = tmp_path / "arm.mdl"
        file.write_text(ARM.replace("{library}", which), encoding="utf-8")
        result = translate(file).simulate(stop=0.3, tolerance=1e-10)
        assert which == "mbsdir" or (result["j1.o[3]"][0], result["j3.o[3]"][0]) == (0.5, 0.4)
        ends.append([result[f"j{k}.q"][-1] for k in range(1, 5)] + [result[f"seen.sd[{k}]"][-1] for k in range(1, 4)])
    assert ends[1] == pytest.approx(ends[0], abs=1e-7)
