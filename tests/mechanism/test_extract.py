"""The mechanism in a model: what is recognized, whatever it is called, and how it hangs together."""

from pathlib import Path

import pytest

from acausal import ModelError, translate

EXAMPLES = Path(__file__).parents[2] / "examples"
OWN_CLASSES = """@mbsdir.lib
model class (Revolute) Elbow
end
model class (Elbow(n3=1, r1=2)) Lower
end
model class (Body(m=3, r1=0.5)) Load_
end
model class Arm
  submodel (Lower) inertial
  submodel (Load_) joint
  cut A = inertial:A
  main cut B = inertial:B
  connect joint at inertial:B
end
model M
  submodel (Inertial) Revolute(ng2=-1)
  submodel (Fixed) Body(n3=1, angle=pi/2, r2=1), tip(n3=1, angle=pi/2, r1=1)
  submodel (Arm) mbsdir
  submodel (Spherical) Bar(r3=1)
  submodel (Body) end_(m=1, I11=1, I22=1, I33=1)
  connect Revolute - Body - tip
  connect mbsdir:A at tip
  connect mbsdir:B to Bar
  connect end_ at Bar
end
"""


def test_classes_are_recognized_by_what_they_inherit() -> None:
    """Names of instances are those of other classes; joints stand inside a class of the user."""
    found = translate("m.mdl", text=OWN_CLASSES).mechanism().model
    assert [(j.name, j.kind, j.instance.class_name) for j in found.joints] == [
        ("mbsdir.inertial", "revolute", "Lower"),
        ("Bar", "spherical", "Spherical"),
    ]
    assert [(e.name, e.mass) for e in found.elements] == [("mbsdir.joint", 3), ("end_", 1)]
    assert [b.name for b in found.bodies] == ["ground", "mbsdir.joint", "end_"]
    assert found.joints[0].placement == (2, 0, 0)
    assert found.joints[1].coordinates == tuple(("Bar", "Q", i) for i in (1, 2, 3, 4))
    assert found.gravity == (0, -9.81, 0)
    assert found.library == "mbsdir"


def test_rigid_links_add_up() -> None:
    """A quarter turn, a step of 1 along the turned axis 1, another quarter turn: half a turn at (0, 2, 0)."""
    found = translate("m.mdl", text=OWN_CLASSES).mechanism().model
    ground = found.bodies[0]
    place, turned = ground.placements[-1], ground.rotations[-1]
    assert [found.frames[f].name for f in ground.frames] == ["Revolute", "Body", "tip"]
    assert place == pytest.approx((0, 2, 0), abs=1e-15)
    assert turned is not None
    assert [x for row in turned for x in row] == pytest.approx([-1, 0, 0, 0, -1, 0, 0, 0, 1], abs=1e-15)


def test_loops_of_the_examples() -> None:
    """Where the loop of the text is closed: the statement, and the joint whose end it is."""
    fourbar = translate(EXAMPLES / "fourbar.mdl").mechanism().model
    (loop,) = fourbar.closures
    assert (loop.kind, loop.instance.span.text) == ("rigid", "bar3:B at j5:B")
    assert {b.name for b in fourbar.bodies} == {"ground", "b1", "b2", "b3", "j3", "j4", "rev"}
    crank = translate(EXAMPLES / "slider_crank.mdl").mechanism().model
    assert [(c.name, c.kind) for c in crank.closures] == [("pin", "planar")]
    stewart = translate(EXAMPLES / "stewart.mdl").mechanism().model
    assert [c.kind for c in stewart.closures] == ["spherical"] * 6


def test_a_model_without_joints_has_no_mechanism() -> None:
    with pytest.raises(ModelError) as error:
        translate(EXAMPLES / "rc.mdl").mechanism()
    assert error.value.report.diagnostics[0].code == "M001"
