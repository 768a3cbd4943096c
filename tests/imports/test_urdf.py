"""Robot descriptions as models: accelerations beside Pinocchio, names, limits, drawings, mistakes.

`arm.urdf` is ours. Its accelerations in `pinocchio.json` are those of Pinocchio 4.1.0 (`run_pinocchio.py`). By the same
script, without damping, of 20 random states each: the Panda of example-robot-data (commit 39aa943) with its fingers
agrees within 4e-15 of the largest acceleration, the UR5 within 5e-16.
"""

import json
from itertools import pairwise
from pathlib import Path

import pytest

import acausal
from acausal.base.options import Limits
from acausal.cli import main
from acausal.translation import Translation

HERE = Path(__file__).parent
ARM = HERE / "arm.urdf"
STATES = json.loads((HERE / "pinocchio.json").read_text(encoding="utf-8"))["states"]
SOURCES = {"turn_table": "torquesource", "shoulder": "torquesource", "slide": "forcesource", "left": "forcesource"}


def driven(text: str) -> Translation:
    """The arm with a source of torque or force at each axis; `limited` and damping are parameters of a run."""
    lines = [
        line
        for name, source in SOURCES.items()
        for line in (
            f"  submodel ({source}) {name}({source[0].upper()}=0)",
            f"  parameter q_{name} (tunable=true)=0, w_{name} (tunable=true)=0",
            f"  initial arm.{name}.q = q_{name}",
            f"  initial arm.{name}.w = w_{name}",
            f"  connect {name} at arm:{name}_axis",
        )
    ]
    return acausal.translate(
        "\n".join([text, "model Driven", "  submodel (Test_arm) arm", *lines, "end"]), model="Driven"
    )


@pytest.fixture(scope="module")
def text() -> str:
    return acausal.import_model(ARM).text


@pytest.fixture(scope="module")
def arm(text: str) -> Translation:
    return driven(text)


def accelerations(arm: Translation, state: dict[str, dict[str, float]], **others: float) -> dict[str, float]:
    values = {f"arm.{name}_damping.d": 0.0 for name in ("turn_table", "shoulder", "slide")}
    for joint, source in SOURCES.items():
        name = joint.replace("_", "-") if joint == "turn_table" else joint
        values |= {f"q_{joint}": state["q"][name], f"w_{joint}": state["w"][name]}
        values[f"{joint}.{source[0].upper()}"] = state["force"][name]
    values |= {f"arm.{name}": value for name, value in others.items()}
    result = arm.simulate(stop=1e-9, parameters=values)
    return {name: float(result[f"arm.{name}.wd"][0]) for name in (*SOURCES, "right")}


def expected(state: dict[str, dict[str, float]]) -> dict[str, float]:
    found = {name.replace("-", "_"): value for name, value in state["wd"].items()}
    return found | {"right": 1.5 * found["left"]}


@pytest.mark.parametrize("number", range(len(STATES)))
def test_accelerations(arm: Translation, number: int) -> None:
    """Frames, axes, centers of mass, tensors in turned axes, gravity, a joint that follows another with an offset."""
    assert accelerations(arm, STATES[number]) == pytest.approx(expected(STATES[number]), rel=1e-9, abs=1e-9)


def test_the_other_library_gives_the_same(text: str) -> None:
    other = driven(text.replace("@mbsdir.lib", "@mbsinv.lib"))
    assert accelerations(other, STATES[0]) == pytest.approx(expected(STATES[0]), rel=1e-9, abs=1e-9)


def test_damping_is_a_torque_against_the_motion(arm: Translation) -> None:
    state = STATES[0]
    damped = state | {"force": state["force"] | {"shoulder": state["force"]["shoulder"] + 0.1 * state["w"]["shoulder"]}}
    found = accelerations(arm, damped, **{"shoulder_damping.d": 0.1})
    assert found == pytest.approx(expected(state), rel=1e-9, abs=1e-9)


MOVING = """<robot name="moving">
  <link name="world"/>
  <link name="raft"><inertial><origin xyz="0.1 0 0.05"/><mass value="4"/>
    <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.01" ixz="0.02" iyz="0.03"/></inertial></link>
  <link name="puck"><inertial><origin xyz="0 0.02 0"/><mass value="0.5"/>
    <inertia ixx="0.01" iyy="0.01" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="swim" type="floating"><parent link="world"/><child link="raft"/><origin xyz="0 0 1"/></joint>
  <joint name="glide" type="planar"><parent link="raft"/><child link="puck"/>
    <origin xyz="0 0 0.2" rpy="0.5 0 0"/><axis xyz="0 0 1"/></joint>
</robot>"""


def test_floating_and_planar_joints() -> None:
    """Accelerations by pin.aba of Pinocchio 4.1.0, its velocities turned from axes of the child to those of the parent.

    The quaternion (0.8, 0.2, -0.4, 0.4) has the length 1.
    """
    text = acausal.import_model("moving.urdf", text=MOVING).text
    start = {
        "swim.s": [0.3, -0.2, 0.1],
        "swim.ball.Q": [0.8, 0.2, -0.4, 0.4],
        "swim.ball.w": [0.7, -0.6, 0.9],
        "swim.x1.w": 0.5,
        "swim.x2.w": 0.4,
        "swim.x3.w": -0.3,
        "glide.q": [0.15, -0.25, 0.6],
        "glide.slide1.w": 0.2,
        "glide.slide2.w": 0.35,
        "glide.turn.w": 1.1,
    }
    model = "\n".join(
        ["model M", "  submodel (moving) m", *[f"  initial m.{k} = {v}" for k, v in start.items()], "end"]
    )
    result = acausal.translate(f"{text}\n{model}", model="M").simulate(stop=1e-9)
    found = [float(result[f"m.swim.{x}.wd"][0]) for x in ("x1", "x2", "x3")]
    found += [float(result[f"m.swim.ball.wd[{k}]"][0]) for k in (1, 2, 3)]
    found += [float(result[f"m.glide.{x}.wd"][0]) for x in ("slide1", "slide2", "turn")]
    reference = [-0.062263749802758145, 0.10969968787298971, -9.767984575120444]
    reference += [0.518579381523086, 0.4329351969262181, 6.0064720289046553e-05]
    reference += [0.6359879736207941, -0.5439523553814977, 0.20750747821595827]
    assert found == pytest.approx(reference, rel=1e-9, abs=1e-12)


def test_text(text: str) -> None:
    """Names as in the file where they are legal, the values to the last bit, the places, what is left out."""
    for line in (
        "model class Test_arm",
        "  submodel (Revolute) turn_table(n3=1)  { line 9: turn-table, base to end }",
        "  submodel (Bar) tool                                        { line 77, hand to tool }",
        "  submodel (Mimic) right_mimic(multiplier=1.5, offset=0.01)  { line 71: follows left }",
        '    assert(shoulder.q >= -1.2 and shoulder.q <= 2.5, "shoulder is between -1.2 and 2.5 rad")',
        "    line 78: <transmission> is not translated }",
    ):
        assert line in text.splitlines()
    assert "submodel (Body) end_(m=3, " in text
    assert "  { line 15: end }" in text
    assert 'submodel (Mesh) upper_visual(file="meshes/upper.stl", scale=0.001)' in text
    assert 'kind="cylinder", length=0.4, width=0.1, n1=0, n2=-1, m1=1, m3=0)' in text
    assert acausal.check(text).diagnostics == ()


def test_remarks_have_places() -> None:
    report = acausal.import_model(ARM).report
    places = {d.primary.span.line for d in report.diagnostics if d.primary is not None}
    assert {d.code for d in report.diagnostics} == {"F032"}
    assert places == {36, 37, 78}
    assert report.errors == ()


SLIDE = """<robot name="Slider"><link name="bench"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1"/></inertial></link><link name="box"><inertial><mass value="2"/></inertial></link>
<joint name="slide" type="prismatic"><parent link="bench"/><child link="box"/><axis xyz="0 0 -1"/>
<limit lower="0" upper="0.3" velocity="9" effort="0"/></joint></robot>"""


def test_limits_end_a_run_if_wanted() -> None:
    text = acausal.import_model("slider.urdf", text=SLIDE).text

    def run(limited: str) -> acausal.Result:
        model = f"model M\n  submodel (Slider) s(limited={limited})\n  initial s.slide.q = 0\nend"
        return acausal.translate(f"{text}\n{model}", model="M", cache=False).simulate(stop=0.5)

    assert run("false")["s.slide.q"][-1] == pytest.approx(9.81 / 2 * 0.25)
    with pytest.raises(acausal.SimulationError, match=r"slide is between 0 and 0.3 m"):
        run("true")


@pytest.mark.parametrize(("base", "states"), [("fixed", 2), ("floating", 15), ("open", 2)])
def test_bases(base: str, states: int) -> None:
    text = acausal.import_model("slider.urdf", text=SLIDE, base=base).text
    assert acausal.check(text).diagnostics == ()
    if base == "open":
        text += "model M\n  submodel (Inertial) ground(ng3=-1)\n  submodel (Slider) s\n  connect s at ground\nend\n"
    model = "M" if base == "open" else "Slider"
    assert acausal.translate(text, model=model).statistics["states"] == states


def test_friction_and_names_that_are_taken() -> None:
    """Dry friction of both kinds; a link with the name of a joint; a robot with the name of a library's class."""
    text = acausal.import_model(
        "a.urdf",
        text="""<robot name="Body"><link name="world"><inertial><mass value="1"/></inertial></link><link name="j">
        <inertial><mass value="1"/></inertial></link><link name="2nd}"><inertial><mass value="1"/></inertial></link>
        <joint name="j" type="prismatic"><parent link="world"/><child link="j"/>
        <dynamics friction="3" damping="2"/></joint>
        <joint name="k" type="continuous"><parent link="j"/><child link="2nd}"/>
        <dynamics friction="4"/></joint></robot>""",
    ).text
    for part in (
        "class Body_robot",
        "(Body) j_link(",
        "(Body) _2nd_(",
        "(linearfriction) j_friction(F0=3)",
        "(guide) j_d",
    ):
        assert part in text
    assert "(bearingfriction) k_friction(T0=4)" in text
    assert acausal.check(text).errors == ()


LINK, JOINT = '<link name="{}"/>', '<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/>{}</joint>'


def robot(*parts: str) -> str:
    return "\n".join(['<robot name="r">', *parts, "</robot>"])


def joint(name: str, parent: str, child: str, inner: str = "", kind: str = "revolute") -> str:
    return JOINT.format(name, kind, parent, child, inner)


A, B = LINK.format("a"), LINK.format("b")
BOMB = '<!DOCTYPE robot [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;">]>\n<robot name="&b;"/>'
FILE = '<!DOCTYPE robot SYSTEM "file:///etc/passwd">\n<robot name="r"/>'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (BOMB, 1, "document type declarations"),
        (FILE, 1, "document type declarations"),
        ("<robot>\n<link", 2, "invalid XML"),
        ("", 1, "invalid XML"),
        ("<sdf/>", 1, "the root element is <sdf>"),
        (robot(), 1, "has no <link>"),
        (robot('<xacro:include filename="/etc/passwd"/>').replace("r>", "r>"), 2, "xacro"),
        (robot(A, A), 3, "a second link has the name a"),
        (robot(A, joint("j", "a", "c")), 3, "the child c is not a link"),
        (robot(A, B, joint("j", "a", "b"), joint("k", "a", "b")), 5, "has a second parent"),
        (robot(A, B), 3, "are both no child"),
        (robot(A, B, joint("j", "a", "b"), joint("k", "b", "a")), 5, "closes a cycle"),
        (robot(A, B, LINK.format("c"), joint("j", "b", "c"), joint("k", "c", "b")), 6, "closes a cycle"),
        (robot(A, B, joint("j", "a", "b", '<axis xyz="0 0 0"/>')), 4, "no direction"),
        (robot(A, B, joint("j", "a", "b", '<axis xyz="0 1"/>')), 4, "has 2 numbers"),
        (robot(A, B, joint("j", "a", "b", '<axis xyz="0 nan 1"/>')), 4, "nan is not a finite number"),
        (robot(A, B, joint("j", "a", "b", '<origin xyz="0 ${h} 1"/>')), 4, "property of xacro"),
        (robot(A, B, joint("j", "a", "b", '<limit lower="1" upper="0"/>')), 4, "above the upper one"),
        (robot(A, B, joint("j", "a", "b", kind="hinge")), 4, "unknown type of joint"),
        (robot(A, B, joint("j", "a", "b", '<mimic joint="k"/>')), 4, "does not exist"),
        (robot(A, B, joint("j", "a", "b", '<mimic joint="j"/>')), 4, "follows itself"),
        (robot("<link/>"), 2, "has no attribute name"),
        (robot('<link name="a"><inertial/></link>'), 2, "has no <mass>"),
        (robot('<link name="a"><inertial><mass value="-1"/></inertial></link>'), 2, "is negative"),
    ],
)
def test_mistakes(text: str, line: int, message: str) -> None:
    text = text.replace('<robot name="r">', '<robot name="r" xmlns:xacro="x">')
    with pytest.raises(acausal.ModelError, match=message) as error:
        acausal.import_model("r.urdf", text=text)
    (found,) = error.value.report.diagnostics
    assert found.code == "F030"
    assert found.primary is not None
    assert found.primary.span.line == line


def test_limits_of_files() -> None:
    with pytest.raises(acausal.LimitError, match="L002"):
        acausal.import_model("r.urdf", text="<robot>" * 300)
    with pytest.raises(acausal.LimitError, match="L001"):
        acausal.import_model("r.urdf", text=robot(A), limits=Limits(file_length=20))
    names = [f"l{k}" for k in range(3000)]
    chain = [joint(f"j{k}", b, a) for k, (a, b) in enumerate(pairwise(names))]
    with pytest.raises(acausal.ModelError, match="closes a cycle"):
        acausal.import_model("r.urdf", text=robot(*map(LINK.format, names), *chain, joint("last", "l0", "l2999")))


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written = tmp_path / "arm.lib"
    (tmp_path / "arm_description" / "meshes").mkdir(parents=True)
    (tmp_path / "arm_description" / "meshes" / "upper.stl").touch()
    assert main(["import", str(ARM), "-o", str(written), "--path", str(tmp_path)]) == 0
    assert "note[F032]: <transmission> is not translated" in capsys.readouterr().err
    assert 'file="arm_description/meshes/upper.stl"' in written.read_text(encoding="utf-8")
    assert main(["check", str(written)]) == 0
    assert main(["fmt", "--check", str(written)]) == 0
    capsys.readouterr()
    assert main(["import", str(ARM)]) == 0
    assert "model class Test_arm\n" in capsys.readouterr().out
    assert main(["import", "arm.sdf"]) == 2
    assert main(["import", "missing.urdf"]) == 1
    assert main(["import", str(ARM), "-o", str(tmp_path / "no" / "arm.lib")]) == 2
