"""Angles of closed loops start at the solution nearest to their guess, not full turns away."""

from math import acos, atan2, cos, hypot, pi, sin
from pathlib import Path

import pytest

import acausal

LIFTER = """@mbsdir.lib
@rotational.lib
@electrical.lib
model Lifter
  submodel (Inertial) world(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=1.2, w=0), knee(n3=1, r1=0.2), rocker(n3=1, r1=0.8)
  submodel (Bar) coupler(r1=0.9), arm(r1=0.5)
  submodel (Body) b1(m=0.5, r1=0.1, I33=0.01), b2(m=1, r1=0.45, I33=0.1), b3(m=1, r1=0.25, I33=0.05)
  submodel (CutPlanar) pin(n3=1)
  submodel (source) U(V=24)
  submodel (resistor) Ra(R=0.5)
  submodel (inductor) La(L=0.001) (ic i=0)
  submodel (emf) M(k=0.05)
  submodel (ground) G
  submodel (inertia) rotor(J=1e-4)
  submodel (gear) n(ratio=50)
  connect world - crank - knee - coupler, world - rocker - arm, pin at (coupler:B, arm:B)
  connect b1 at crank, b2 at knee, b3 at rocker
  connect G - U - Ra - La - M - G
  connect M:mech to rotor to n to crank:Axis
end
"""


def rocker_angle(crank: float) -> float:
    """Law of cosines in the triangle of rocker joint, knee and pin; the pin above the line between them."""
    x, y = 0.2 * cos(crank) - 0.8, 0.2 * sin(crank)
    distance = hypot(x, y)
    return atan2(y, x) - acos((distance**2 + 0.5**2 - 0.9**2) / (2 * distance * 0.5))


def test_a_crank_rocker(tmp_path: Path) -> None:
    """Its angles were 5.42 and 13.89: the same place."""
    path = tmp_path / "lifter.mdl"
    path.write_text(LIFTER, encoding="utf-8")
    result = acausal.translate(path).simulate(stop=0.01)
    assert result["rocker.q"][0] == pytest.approx(rocker_angle(1.2), abs=1e-9)
    assert abs(result["knee.q"][0]) < pi


@pytest.mark.parametrize("turns", [-3, -1, 0, 1, 2])
def test_a_guess_some_turns_away(tmp_path: Path, turns: int) -> None:
    """`near` says which turn is meant, too: a winding spring would notice."""
    path = tmp_path / "lifter.mdl"
    near = f"rocker(n3=1, r1=0.8, near={1.3 + turns * 2 * pi!r})"
    path.write_text(LIFTER.replace("rocker(n3=1, r1=0.8)", near), encoding="utf-8")
    result = acausal.translate(path).simulate(stop=0.01)
    assert result["rocker.q"][0] == pytest.approx(rocker_angle(1.2) + turns * 2 * pi, abs=1e-9)


@pytest.mark.parametrize("start", [-40.0, -2.5, 0.1, 3.0, 19.0, 100.0])
def test_two_angles_of_two_bars(tmp_path: Path, start: float) -> None:
    """cos(a) + cos(a + b) = 1, sin(a) + sin(a + b) = 1 has b = +- pi/2: the full turns are those of the guesses."""
    text = f"  local a (start={start}), b (start={start / 2})\n  cos(a) + cos(a + b) = 1\n  sin(a) + sin(a + b) = 1"
    path = tmp_path / "bars.mdl"
    path.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    result = acausal.translate(path).simulate()
    for name, guess in (("a", start), ("b", start / 2)):
        assert abs(result[name][0] - guess) <= pi + 1e-9, name
    assert cos(result["a"][0]) + cos(result["a"][0] + result["b"][0]) == pytest.approx(1, abs=1e-9)


def test_what_is_no_angle_stays(tmp_path: Path) -> None:
    """x + sin(x)/2 = 30 + y does not repeat after a full turn of x: none is taken off."""
    text = "  local x (start=1), y\n  x + 0.5*sin(x) = 30 + y\n  y^3 + y = x/1000"
    path = tmp_path / "model.mdl"
    path.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    result = acausal.translate(path).simulate()
    x, y = result["x"][0], result["y"][0]
    assert x + 0.5 * sin(x) == pytest.approx(30 + y, abs=1e-9)
    assert x > 20
