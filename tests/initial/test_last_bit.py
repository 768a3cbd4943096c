"""Initialization does not depend on the last bit: numbers changed by 1e-13 give the same start to 1e-9."""

import re
from math import asin, cos, hypot, sin
from pathlib import Path

import pytest

import acausal

ROD = """@mbsinv.lib
model FourBar
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.5, w=20), rocker(n1=1, r1=0.6, r2=0.4)
  submodel (Bar) arm(r1=0.2), lever(r3=0.5)
  submodel (Body) b1(m=2, r1=0.05, I33=0.02), b2(m=1, r3=0.25, I11=0.02)
  connect i - crank - arm, i - rocker - lever, b1 at crank, b2 at rocker
  submodel (Spherical) s1, s2
  submodel (Bar) rod(r1=sqrt(0.75))
  submodel (Body) b3(m=0.7, r1=0.4, I11=0.0005, I22=0.04, I33=0.04)
  connect arm - s1 - rod, b3 at s1
  connect rod - s2, s2:B at lever:B
end
"""
NUMBERS = list(re.finditer(r"(?<==)\d+\.\d+", ROD))


def rocker_angle() -> float:
    """The end of the lever, (0.6, 0.4 - 0.5 sin q, 0.5 cos q), is sqrt(0.75) away from that of the crank's arm."""
    a, b = 0.6 - 0.2 * cos(0.5), 0.4 - 0.2 * sin(0.5)
    return asin((hypot(a, b, 0.5) ** 2 - 0.75) / b)


@pytest.mark.parametrize("variant", range(0, 40, 3))
def test_a_rod_between_two_ball_joints(tmp_path: Path, variant: int) -> None:
    """At the guess the rod is seen end on: Newton's matrix is singular there but for rounding."""
    match = NUMBERS[variant % len(NUMBERS)]
    share = (variant // len(NUMBERS) + 1) * 1e-13 * (-1) ** variant
    path = tmp_path / "rod.mdl"
    changed = repr(float(match.group()) * (1 + share))
    path.write_text(ROD[: match.start()] + changed + ROD[match.end() :], encoding="utf-8")
    result = acausal.translate(path).simulate(stop=0.01, interval=0.005, tolerance=1e-9)
    assert result["rocker.q"][0] == pytest.approx(rocker_angle(), abs=1e-9)
    assert result["s1.Q[1]"][0] == pytest.approx(1.0, abs=1e-9)
