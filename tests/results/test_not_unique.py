"""Reactions of redundant constraints are marked wherever results show them."""

from pathlib import Path

import pytest

from acausal import read, translate
from acausal.results.result import Result
from tests.mechanism.linkages import DOOR, FIVE_BARS, SLIDER_CRANK

COMPONENTS = ("t1", "t2", "t3", "f1", "f2", "f3")
SOURCES = """@electrical.lib
model M
  submodel (source) first(V=10), second(V=10)
  submodel (resistor) R(R=5)
  submodel (capacitor) C(C=1)
  submodel (Common) ground
  connect first:A to second:A to R:A
  connect first:B to second:B to C:B
  connect R:B to C:A
  connect ground at C:B
end
"""
BEARINGS = """@friction.lib
model M
  submodel (sinetorque) drive(amplitude=5, f=0.4)
  submodel (inertia) J(J=1) (ic phi=0, w=0)
  submodel (bearingfriction) b0(T0=1), b1(T0=3)
  connect drive to J, b0 at J:A, b1 at J:B
end
"""


@pytest.fixture(scope="module")
def door() -> Result:
    """The run of a door on two hinges."""
    return translate("m.mdl", text=DOOR).simulate(stop=0.1)


@pytest.mark.parametrize("text", [SLIDER_CRANK, FIVE_BARS, DOOR], ids=["slider-crank", "five bars", "door"])
def test_the_run_marks_the_reactions_that_the_rank_leaves_open(text: str) -> None:
    """Those found from the constraint matrix at a pose, by other code: `acausal mechanism`."""
    translation = translate("m.mdl", text=text)
    run, found = translation.simulate(stop=0.01), translation.mechanism().reactions()
    expected = {(c.joint, c.component): c.unique for c in found.components}
    joints = {joint.name for joint in translation.mechanism().joints}
    marked = {
        (joint, component): run.column(f"{joint}.f[{k}]").unique
        for (joint, component) in expected
        if joint in joints
        for k in [1 + COMPONENTS.index(component)]
    }
    assert marked == {pair: unique for pair, unique in expected.items() if pair[0] in joints}
    assert all(run.column(f"{joint}.q").unique for joint in joints)


@pytest.mark.parametrize("kind", ["csv", "npz", "mat"])
def test_files_keep_the_mark(door: Result, tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"door.{kind}"
    door.write(path, ["low.f[*]", "low.q"], units=True)
    again = read(path)
    assert again.not_unique == tuple(f"low.f[{k}]" for k in (1, 2, 4, 5, 6))
    assert again.column("low.f[1]").description == door.column("low.f[1]").description
    assert again.column("low.q").unique


def test_tables_and_pictures_show_the_mark(door: Result, tmp_path: Path) -> None:
    path = tmp_path / "door.svg"
    door.plot("low.f[6]", "low.f[6] + high.f[6]", "low.f[3]", figure=path)
    drawn = path.read_text()
    assert "low.f[6] (not unique)" in drawn
    assert "that are not unique)" in drawn  # of the sum; long names are shortened in the middle
    assert "low.f[3] (" not in drawn
    door.view(tmp_path / "door.html")
    assert "not unique (minimum norm)" in (tmp_path / "door.html").read_text()


def test_electrical_sources_in_parallel() -> None:
    """Two equal sources share a current in shares that nothing decides."""
    run = translate("m.mdl", text=SOURCES).simulate(stop=0.1)
    assert {name for name in run.not_unique if name.endswith(".i")} == {"first.i", "second.i"}
    assert run.column("R.i").unique


def test_shares_of_friction_elements_that_stick() -> None:
    """Unique while they slide: they are marked all the same, as the note I041 names them."""
    run = translate("m.mdl", text=BEARINGS).simulate(stop=0.1)
    assert {"b0.tf", "b1.tf"} <= set(run.not_unique)
    assert run.column("J.phi").unique


def test_a_regular_model_has_no_marks() -> None:
    assert translate("m.mdl", text="model M\n local x\n der(x) = -x\nend\n").simulate(stop=0.1).not_unique == ()
