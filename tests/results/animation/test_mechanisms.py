"""Parts of mechanisms without declared shapes: what is drawn, and where."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from acausal.cli import main
from acausal.pipeline import translate
from acausal.results.animation.bounds import centers
from acausal.results.animation.build import scene_of
from tests.results.animation.scenes import EVEN, data, parts_of, poses, simulated

PENDULUM = """@{library}.lib
model Pendulum
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) j1(n3=1) (ic q=0.3, w=0), j2(n3=1, r1=0.5) (ic q=0, w=0)
  submodel (Body) b1(m=14, r1=0.25, I33=14/12*0.5^2), b2(m=2, r1=0.4)
  connect i to j1 to j2, b1 at j1, b2 at j2
  experiment (stop=1, interval=0.02, tolerance=1e-8, plot=[j1.q])
end
"""
JOINTS = """@mbsdir.lib
model Joints
  submodel (Inertial) i(g=0, ng3=-1)
  submodel (Prismatic) slide(n2=1, r1=0.5) (ic q=0.1, w=0.2)
  submodel (Screw) screw(n3=1, pitch=0.1) (ic q=0, w=1)
  submodel (Spherical) ball(r3=0.2)
  submodel (Fixed) bend(n1=1, angle=1, r3=0.3)
  submodel (Universal) cross(n1=1, m2=1)
  submodel (Body) b1(m=1, I11=1, I22=1, I33=1), b2(m=1, I11=1, I22=1, I33=1), b3(m=1, I11=1, I22=1, I33=1)
  submodel (Box) box(a1=0.2, a2=0.1, a3=0.05, r1=0.1)
  submodel (Cylinder) tube(radius=0.02, length=0.3, n2=1)
  submodel (Sphere) globe(radius=0.04)
  connect i to slide to screw to ball to bend to cross
  connect b1 at slide, b2 at screw, b3 at ball, box at cross, tube at bend, globe at slide
  experiment (stop=1, interval=0.05)
end
"""
FORCES = """@mbsdir.lib
model Forces
  submodel (Inertial) i(ng3=-1)
  submodel (Prismatic) z(n3=1, r3=-1) (ic q=0, w=0)
  submodel (Body) b(m=2)
  submodel (LineSpringDamper) s(c=50, d=1, s0=0.9)
  submodel (WorldForce) push
  connect i to z, b at z, push at z, i at s:A, s:B at z
  push.F = [3, 0, 4*time]
  experiment (stop=1, interval=0.05)
end
"""

LOOP = """@mbsdir.lib
model Loop
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) a(n3=1) (ic q=1, w=0), b(n3=1, r1=0.3), c(n3=1, r1=0.4)
  submodel (Bar) rod(r1=0.3), arm(r1=0.3)
  submodel (CutPlanar) pin(n3=1)
  submodel (Body) m1(m=1, r1=0.15), m2(m=1, r1=0.15), m3(m=1, r1=0.15)
  connect i - a - b - rod, i - c - arm, pin at (rod:B, arm:B)
  connect m1 at a, m2 at b, m3 at c
  experiment (stop=0.1, interval=0.05)
end
"""


@pytest.mark.parametrize("library", ["mbsdir", "mbsinv", "mbsdir_regrouped", "mbsinv_regrouped", "mbsdir_impact"])
def test_bodies_are_where_the_angles_say(library: str, tmp_path: Path) -> None:
    """From the data of the page alone, against sines and cosines of the joints' angles."""
    result = simulated(PENDULUM.format(library=library), tmp_path)
    animation = result.animate()
    assert animation is not None
    (run,) = data(animation.page)["runs"]
    t = np.array(run["time"])
    first, second = [np.interp(t, result.time, result[name]) for name in ("j1.q", "j2.q")]
    for name, far, near in (("b1", 0.25, 0.0), ("b2", 0.5, 0.4)):
        places, _ = poses(run, name, "body")
        x = far * np.cos(first) + near * np.cos(first + second)
        y = far * np.sin(first) + near * np.sin(first + second)
        assert places == pytest.approx(np.array([x, y, 0 * x]).T, abs=1e-6)
    forms = {part["name"]: part["form"] for part in run["parts"] if part["group"] == "body"}
    assert forms == {"b1": "box", "b2": "sphere"}, "b2 is a point mass"
    (box,) = [part for part in run["parts"] if part["name"] == "b1" and part["group"] == "body"]
    assert max(box["size"]) == pytest.approx(0.5)
    reactions = [arrow["name"] for arrow in run["arrows"] if arrow["reaction"]]
    assert bool(reactions) != library.endswith("regrouped"), "whose cuts carry other forces"
    (curve,) = run["curves"]
    assert curve["name"] == "j1.q"
    assert run["curveTime"] == pytest.approx(result.time, rel=1e-8), "curves have every row, not only those of frames"
    assert curve["values"] == pytest.approx(result["j1.q"], rel=1e-5, abs=1e-12)


def test_joints_are_what_they_are(tmp_path: Path) -> None:
    result = simulated(JOINTS, tmp_path)
    (run,) = scene_of({"r": result}).runs
    forms = {name: [p.form for p in parts_of(run, name) if p.group == "joint"] for name in
             ("slide", "screw", "ball", "bend", "cross.first", "cross.second")}  # fmt: skip
    assert forms == {
        "slide": ["box", "box"],
        "screw": ["box", "box", "cylinder"],
        "ball": ["sphere"],
        "bend": [],
        "cross.first": ["cylinder"],
        "cross.second": ["cylinder"],
    }
    rail, block = [part for part in parts_of(run, "slide") if part.group == "joint"]
    ends = centers(rail, run.tracks[rail.track])[0], rail.size[0]
    moved = centers(block, run.tracks[block.track])
    last = result["slide.q"][-1]
    assert moved[[0, -1]] == pytest.approx(np.array([[0.5, 0.1, 0], [0.5, last, 0]]), abs=1e-6)
    assert ends[0][1] - ends[1] / 2 < 0
    assert ends[0][1] + ends[1] / 2 > last
    pin = next(part for part in parts_of(run, "cross.second") if part.group == "joint")
    assert pin.turn == pytest.approx((0, 0, 0.5**0.5, 0.5**0.5)), "along 2"
    bar = next(part for part in parts_of(run, "bend") if part.group == "bar")
    assert (bar.size[0], bar.place) == (pytest.approx(0.3), pytest.approx((0, 0, 0.15)))
    bodies = {name: next(p for p in parts_of(run, name) if p.group == "body") for name in ("box", "tube", "globe")}
    assert [(p.form, p.size) for p in bodies.values()] == [
        ("box", (0.2, 0.1, 0.05)),
        ("cylinder", (0.3, 0.04, 0.04)),
        ("sphere", (0.08, 0.08, 0.08)),
    ]


def test_the_command_draws_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It keeps the variables of the picture alone; nothing is missing from it."""
    monkeypatch.chdir(tmp_path)
    for name, text in (("forces", FORCES), ("loop", LOOP), ("joints", JOINTS), ("even", EVEN)):
        Path(f"{name}.mdl").write_text(text, encoding="utf-8")
        assert main(["simulate", f"{name}.mdl", "--quiet", "--animate", "a.html", "-o", "r.csv", "--write", "i.g"]) == 0
        animation = translate(f"{name}.mdl").simulate().animate()
        assert animation is not None
        assert Path("a.html").read_text(encoding="utf-8") == animation.page


def test_classes_of_the_user(tmp_path: Path) -> None:
    """A joint and a spring of the user's own are drawn by what they inherit."""
    text = FORCES.replace(
        "model Forces",
        """model class (Prismatic) Guide
  parameter color=1
end
model class (Line) Hardening
  parameter c
  f = c*(s - 0.9)^3
end
model Forces""",
    )
    text = text.replace("(Prismatic) z", "(Guide) z").replace(
        "LineSpringDamper) s(c=50, d=1, s0=0.9)", "Hardening) s(c=50)"
    )
    (run,) = scene_of({"r": simulated(text, tmp_path)}).runs
    assert [part.form for part in parts_of(run, "s")] == ["spring"]
    assert [part.form for part in parts_of(run, "z") if part.group == "joint"] == ["box", "box"]


def test_springs_and_forces(tmp_path: Path) -> None:
    """The spring is as long as its ends are apart; arrows are the forces that the model says."""
    result = simulated(FORCES, tmp_path)
    scene = scene_of({"r": result})
    (run,) = scene.runs
    (spring,) = parts_of(run, "s")
    track = run.tracks[spring.track]
    assert (spring.form, track.lengths is not None) == ("spring", True)
    t = run.time
    at = np.interp(t, result.time, result["z.q"])
    assert track.lengths is not None
    assert track.lengths[:, 0] == pytest.approx(1 - at, abs=1e-6)
    arrows = {(a.name, a.kind): a.vectors for a in run.arrows}
    assert arrows["push", "force"] == pytest.approx(np.array([0 * t + 3, 0 * t, 4 * t]).T, abs=1e-9)
    drawn = 50 * (1 - at - 0.9) - np.interp(t, result.time, result["z.w"])
    assert arrows["s.fb", "force"] == pytest.approx(np.array([0 * t, 0 * t, drawn]).T, abs=1e-5)
    assert ("push", "torque") not in arrows, "zero throughout"
    assert scene.gravity == pytest.approx((0, 0, -9.81))


def test_overlay_of_runs(tmp_path: Path) -> None:
    first = simulated(PENDULUM.format(library="mbsdir"), tmp_path)
    second = simulated(PENDULUM.format(library="mbsdir"), tmp_path, parameters={"b2.m": 20}, stop=0.5)
    animation = first.animate(others=[second])
    assert animation is not None
    found = data(animation.page)
    assert [run["time"][-1] for run in found["runs"]] == [1, 0.5]
    names = [[part["name"] for part in run["parts"]] for run in found["runs"]]
    assert names[0] == names[1]
    assert [run["name"] for run in found["runs"]] == ["Pendulum", "Pendulum 2"]


def test_a_cell_of_a_notebook(tmp_path: Path) -> None:
    """The page stands whole in a frame of its own."""
    from html.parser import HTMLParser

    animation = simulated(PENDULUM.format(library="mbsdir"), tmp_path).animate()
    assert animation is not None
    found: list[dict[str, str | None]] = []

    class Frames(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            assert tag == "iframe"
            found.append(dict(attributes))

    Frames().feed(animation._repr_html_())
    assert [frame["srcdoc"] == animation.page for frame in found] == [True]
    animation.write(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == animation.page


def test_wheels_and_hinges_that_close_loops(tmp_path: Path) -> None:
    (run,) = scene_of({"r": simulated(LOOP, tmp_path)}).runs
    (pin,) = parts_of(run, "pin")
    assert (pin.form, pin.group) == ("cylinder", "joint")
    assert any(arrow.name.startswith("pin.") for arrow in run.arrows)


PARTS = """@mbsdir.lib
@rotational.lib
model Parts
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) arm(n3=1) (ic q=0, w=0.5)
  submodel (FixedAxes) up(n1=0, n2=1, m2=0, m3=1, r1=1)
  submodel (Body) b(m=1, r1=0.5, I33=0.1)
  submodel (Rotor1D) disc(J=0.01, n1=1, r2=0.3) (ic phi=0.2, w=0)
  submodel (torquesource) T(T=0.02)
  connect i to arm to up, b at arm, disc at up, T to disc
  submodel (Prismatic) z(n3=1, r2=2) (ic q=-1, w=0)
  submodel (Body) load(m=2)
  submodel (LineSpringMass) spring(c=100, s0=2, m=0.5)
  submodel (MassBetween) pearl(m=1, fraction=0.25)
  connect i to z, load at z, spring from i:B to z:B, pearl from i:B to z:B
  submodel (WheelSet) set(radius=0.3, track=1, m=2)
  connect i to set
  initial set.left.w = 2
  initial set.right.w = 2
  submodel (Revolute) r3(n3=1, r1=3) (ic q=0, w=1), r4(n3=1)
  submodel (Bar) base(r1=3, r2=-0.6), far(r1=0.2)
  submodel (Body) crank(m=1, r1=0.1, I33=0.1), slotted(m=1, r1=0.5, I33=0.1)
  submodel (CutPrismatic) slot(n1=1)
  submodel (Revolute) pin(n3=1)
  submodel (Body) stone(m=0.1, I33=0.01)
  connect i to r3 to far to pin, i to base to r4, crank at r3, slotted at r4, stone at pin, slot at (r4:B, pin:B)
  experiment (stop=1, interval=0.05)
end
"""


def test_rotors_masses_wheel_sets_and_slides_that_close_loops(tmp_path: Path) -> None:
    result = simulated(PARTS, tmp_path)
    (run,) = scene_of({"r": result}).runs
    disc, spoke = parts_of(run, "disc")
    assert (disc.form, disc.group, spoke.form) == ("cylinder", "body", "box")
    turn = Rotation.from_quat(run.tracks[spoke.track].turns)
    arm, phi = result["arm.q"], result["disc.phi"]
    # the axes of `up`: the first along the second of the arm, the second upward, the third along the first
    axes = Rotation.from_matrix([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    expected = Rotation.from_rotvec(np.outer(arm, [0, 0, 1])) * axes * Rotation.from_rotvec(np.outer(phi, [1, 0, 0]))
    assert (turn.inv() * expected).magnitude() == pytest.approx(0, abs=1e-6)
    places = centers(spoke, run.tracks[spoke.track])
    assert places == pytest.approx(np.column_stack([np.cos(arm), np.sin(arm), 0.3 + 0 * arm]), abs=1e-6)
    assert [p.form for p in parts_of(run, "spring.spring")] == ["spring"]
    assert all(len(track.places) == len(track.turns) for track in run.tracks)
    (pearl,) = parts_of(run, "pearl")
    places = centers(pearl, run.tracks[pearl.track])
    expected_places = 0.25 * np.column_stack([0 * arm, 2 + 0 * arm, result["z.q"]])
    assert places == pytest.approx(expected_places, abs=1e-6)
    wheels = [p for k in (1, 2) for p in parts_of(run, f"set.roll{k}") if p.form == "cylinder"]
    assert [p.size[1] for p in wheels] == [0.6, 0.6]
    assert [p.group for k in (1, 2) for p in parts_of(run, f"set.wheel{k}")] == ["covered", "covered"]
    moved = [centers(p, run.tracks[p.track])[-1] for p in wheels]
    assert moved == pytest.approx(np.array([[0.6, 0.5, 0.3], [0.6, -0.5, 0.3]]), abs=1e-6)
    rail, block = parts_of(run, "slot")
    assert (rail.form, block.form) == ("box", "box")
    assert centers(block, run.tracks[block.track])[0] == pytest.approx([3.2, 0, 0], abs=1e-6)
