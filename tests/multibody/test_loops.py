"""Closed loops: closed by an ordinary connect (RigidLoop), or by a cut joint in place of one of the joints."""

from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError
from acausal.pipeline import translate
from acausal.translation import Translation

EXAMPLE = Path(__file__).parents[2] / "examples" / "fourbar.mdl"
PUBLISHED = {0.5: 4.533803364641849, 2.0: 16.535990299789983, 3.5: 28.45306374637108, 5.0: 40.3282362223391}
"""j1.phi of Fourbar1, results published with the Modelica Standard Library 4.0.0 (Dymola 2020x, DASSL, 1e-6)."""

PLANAR = """@{library}.lib
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j1(n3=1) (ic q=1.2, w=6), j2(n3=1){more}, j4(n3=1)
  submodel (Bar) crank(r1=1), coupler(r1=2), rocker(r1=1.5), ground(r1=2)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1, I11=0.1, I22=0.1), b2(m=2, r1=1, I33=0.3, I11=0.1, I22=0.3)
  submodel (Body) b3(m=1, r1=0.7, I33=0.2, I11=0.1, I22=0.2)
  connect b1 at j1, b2 at j2, b3 at j4
  {connect}
end
"""


def _file(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "m.mdl"
    file.write_text(text)
    return file


def _planar(tmp_path: Path, library: str) -> Path:
    connect = "submodel (CutPlanar) j3(n3=1)\n  connect i - j1 - crank - j2 - coupler, i - ground - j4 - rocker, "
    return _file(tmp_path, PLANAR.format(library=library, more="", connect=connect + "j3 at (coupler:B, rocker:B)"))


def _left(made: Translation) -> list[int]:
    """Sizes of the linear systems left after tearing."""
    blocks = made.statistics["linear_blocks"]
    assert isinstance(blocks, list)
    return [torn for _, torn in blocks]


@pytest.mark.parametrize(("library", "left"), [("mbsdir", 6), ("mbsinv", 5)])
def test_spatial_four_bar(tmp_path: Path, library: str, left: int) -> None:
    """What is left after tearing is not larger than the six forces of the closing."""
    t = translate(_file(tmp_path, EXAMPLE.read_text().replace("@mbsdir.lib", f"@{library}.lib")))
    assert t.statistics["states"] == 2
    assert t.statistics["differentiated"] == 12  # the six equations of the closure, and nothing else
    assert max(_left(t)) == left
    r = t.simulate(interval=0.1)
    for time, angle in PUBLISHED.items():
        assert r.at(time)["j1.q"] == pytest.approx(angle, abs=1e-4 * PUBLISHED[5.0])
    gap = np.array([r[f"loop1.ra[{k}]"] - r[f"loop1.rb[{k}]"] for k in (1, 2, 3)])
    slip = np.array([r[f"loop1.va[{k}]"] - r[f"loop1.vb[{k}]"] for k in range(1, 7)])
    assert np.abs(gap).max() < 1e-12
    assert np.abs(slip).max() < 1e-9
    six = range(1, 7)  # frames without mass: the closing's force on B, the end of bar3, is all that holds them
    f, b, a = (np.array([r[f"{x}.f[{k}]"] for k in six]) for x in ("loop1", "bar3", "j5"))
    assert np.abs(b + f).max() < 1e-9 * np.abs(f).max()
    assert np.abs(a - f).max() < 1e-9 * np.abs(f).max()


def test_a_ball_in_place_of_three_hinges(tmp_path: Path) -> None:
    text = EXAMPLE.read_text().replace(", j3(n1=1), j4(n2=1), j5(n3=1)", "\n  submodel (CutSpherical) ball")
    text = text.replace(" to j3 to j4 to j5", "").replace("connect bar3:B at j5:B", "connect ball at (bar1:B, bar3:B)")
    r = translate(_file(tmp_path, text)).simulate(interval=0.1)
    for time, angle in PUBLISHED.items():
        assert r.at(time)["j1.q"] == pytest.approx(angle, abs=1e-4 * PUBLISHED[5.0])


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_planar_four_bar_through_many_turns(tmp_path: Path, library: str) -> None:
    """Energy by the geometry of the four-bar: the crank's speed at each angle follows from it alone."""
    t = translate(_planar(tmp_path, library))
    assert t.statistics["states"] == 2
    r = t.simulate(stop=6, tolerance=1e-9, interval=0.05)
    a, w = r["j1.q"], r["j1.w"]
    assert a[-1] - a[0] > 6 * 2 * np.pi
    energies = [planar_energy(x, v, c, d) for x, v, c, d in zip(a, w, r["j2.q"], r["j4.q"], strict=True)]
    assert np.ptp(energies) < 1e-6 * (max(energies) - min(energies) + abs(energies[0]))
    p = np.exp(1j * a) + 2 * np.exp(1j * (a + r["j2.q"]))
    assert np.abs(p - 2 - 1.5 * np.exp(1j * r["j4.q"])).max() < 1e-12


def planar_energy(a: float, w: float, c: float, d: float) -> float:
    """Kinetic and potential energy of crank, coupler (angle a + c) and rocker (angle d) at crank speed w."""
    b = a + c
    # exp(ia) w + 2 exp(ib) wb = 1.5 exp(id) wd: two real equations for the speeds of coupler and rocker
    matrix = np.array([[-2 * np.sin(b), 1.5 * np.sin(d)], [2 * np.cos(b), -1.5 * np.cos(d)]])
    wb, wd = np.linalg.solve(matrix, [np.sin(a) * w, -np.cos(a) * w])
    vb = 1j * np.exp(1j * a) * w + 1j * np.exp(1j * b) * wb
    kinetic = (1 * 0.5**2 + 0.1) * w**2 + 2 * abs(vb) ** 2 + 0.3 * wb**2 + (1 * 0.7**2 + 0.2) * wd**2
    height = 1 * 0.5 * np.sin(a) + 2 * (np.sin(a) + np.sin(b)) + 1 * 0.7 * np.sin(d)
    return float(kinetic / 2 + 9.81 * height)


def test_a_hinge_that_closes_a_loop_carries_what_a_hinge_of_the_tree_does(tmp_path: Path) -> None:
    """A weight hung by a joint, and from a free frame by a cut joint: the same motion."""
    text = """@mbsdir.lib
model M
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) turn(n1=1) (ic q=0.3)
  submodel (Body) w(m=2, r2=0.5, I11=0.2, I22=0.1, I33=0.3), x(m=2, r2=0.5, I11=0.2, I22=0.1, I33=0.3)
  submodel (Free) f
  submodel (CutRevolute) hinge(n1=1)
  connect i - turn, w at turn, i - f, x at f, hinge at (i, f)
  initial f.ball.w[1] = 0.7
end
"""
    t = translate(_file(tmp_path, text))
    assert t.statistics["states"] >= 4
    r = t.simulate(stop=3, tolerance=1e-9)
    along = [r[f"f.ball.r[{k}]"] for k in (1, 2, 3)]
    assert np.abs(along).max() < 1e-9
    energy = 0.5 * (0.2 + 2 * 0.25) * r["f.ball.w[1]"] ** 2 + 2 * 9.81 * 0.5 * r["f.ball.T[3,2]"]
    assert np.ptp(energy) < 1e-6
    assert np.ptp(r["f.ball.w[1]"]) > 1
    w, wd = r["f.ball.w[1]"], r["f.ball.wd[1]"]
    for k in (2, 3):  # the force on B, in axes of the inertial frame: mass times acceleration, and the weight
        e2, e3 = r[f"f.ball.T[{k},2]"], r[f"f.ball.T[{k},3]"]
        assert r[f"hinge.f[{k}]"] == pytest.approx(2 * 0.5 * (wd * e3 - w**2 * e2) + 2 * 9.81 * (k == 3), abs=1e-9)


SPATIAL = "connect i - j1 - crank - j2 - coupler - j3, i - ground - j4 - rocker\n  connect rocker:B at j3:B"


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv"])
def test_a_planar_loop_held_by_six_equations_moves_and_is_named(tmp_path: Path, library: str) -> None:
    """Three of the six go, and the motion is that with a pin that holds only two."""
    text = PLANAR.format(library=library, more=", j3(n3=1)", connect=SPATIAL)
    t = translate(_file(tmp_path, text))
    (note,) = [d for d in t.report.diagnostics if d.code == "I040"]
    around = "j1 - crank - j2 - coupler - j3 - rocker - j4 - ground"
    assert note.message == f"kinematic loop {around} is overconstrained: 3 redundant constraints removed"
    assert t.statistics["states"] == 2
    r = t.simulate(stop=4, tolerance=1e-10, interval=0.05)
    pinned = translate(_planar(tmp_path, library)).simulate(stop=4, tolerance=1e-10, interval=0.05)
    assert np.abs(r["j1.q"] - pinned["j1.q"]).max() < 1e-6
    assert np.abs(r["j1.q"][-1]) > 20


def test_a_planar_loop_that_cannot_close_is_refused(tmp_path: Path) -> None:
    text = PLANAR.format(library="mbsdir", more=", j3(n3=1)", connect=SPATIAL).replace(
        "rocker(r1=1.5)", "rocker(r1=1.5, r3=0.1)"
    )
    with pytest.raises(SimulationError, match="R010"):
        translate(_file(tmp_path, text)).simulate(stop=0.1)
