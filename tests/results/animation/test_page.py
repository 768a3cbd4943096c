"""Pages: where shapes are, which rows become frames, and a page that is only text and numbers."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.checking import check
from acausal.cli import main
from acausal.results.animation.build import scene_of
from acausal.results.animation.frames import frames
from acausal.results.animation.kinds import LOAD, SHAPE, vector
from acausal.results.formats.columns import Column
from acausal.results.read import read
from acausal.results.result import Result
from tests.results.animation.scenes import EVEN, data, poses, simulated
from tests.results.made import made

POSE = SHAPE.frames[0].elements


def page_of(result: Result) -> str:
    """The page of a result."""
    animation = result.animate(curves=())
    assert animation is not None
    return animation.page


def drawn(
    time: "np.ndarray", name: str = "made", shape: str = "a", changed: Mapping[str, Column] | None = None
) -> Result:
    """A box that moves along 1 by the time."""
    fixed = {f"{shape}.{part}": Column(None, float(part in ("R[1,1]", "R[2,2]", "R[3,3]"))) for part in POSE}
    numbers = {"drawn": 1, "length": 1, "width": 2, "height": 3, "red": 0, "green": 1, "blue": 0.5}
    parameters = {f"{shape}.{part}": Column(None, float(x)) for part, x in numbers.items()}
    columns = fixed | {f"{shape}.s[1]": Column(None, is_time=True)} | (changed or {})
    return Result(name, time, np.empty((len(time), 0)), columns, parameters)


@pytest.fixture(scope="module")
def even(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return simulated(EVEN, tmp_path_factory.mktemp("even"))


def test_shapes_of_an_arm_that_turns_evenly(even: Result) -> None:
    """By the angle t about 3: x = r*cos(t), y = r*sin(t), and the columns of the rotation beside them."""
    found = data(page_of(even))
    (run,) = found["runs"]
    t = np.array(run["time"])
    shapes = {part["name"]: part for part in run["parts"] if part["group"] == "shape"}
    assert list(shapes) == ["rod", "bob[1]", "bob[2]", "post"]
    c, s, zero, one = np.cos(t), np.sin(t), 0 * t, 0 * t + 1
    turned = np.array([c, -s, zero, s, c, zero, zero, zero, one]).T.reshape(-1, 3, 3)
    for name, r in (("rod", 1), ("bob[1]", 2), ("bob[2]", 0.5)):
        places, rotations = poses(run, name, "shape")
        assert places == pytest.approx(np.array([r * c, r * s, zero]).T, abs=1e-6)
        assert rotations == pytest.approx(turned, abs=1e-6)
    places, rotations = poses(run, "post", "shape")  # it rests: length along 2, height along 3
    assert places == pytest.approx(np.array([[0, -1, 0]]))
    assert rotations == pytest.approx(np.array([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]]), abs=1e-8)
    assert [shapes[name]["form"] for name in shapes] == ["cylinder", "sphere", "sphere", "box"]
    assert shapes["rod"]["size"] == [2, 0.1, 0.1]
    assert shapes["post"]["size"] == [0.3, 0.2, 0.1]
    assert shapes["bob[1]"]["color"] == [255, 128, 178], "1.5 is as red as can be"
    assert (found["up"], found["seconds"], found["name"]) == ([0, 1, 0], 3, "Even")
    assert {part["group"] for part in run["parts"] if part["name"] == "b"} == {"covered"}, "its frame has shapes"


def test_parameters_of_the_run_count(tmp_path: Path) -> None:
    (run,) = data(page_of(simulated(EVEN, tmp_path, stop=0.1, parameters={"l": 3})))["runs"]
    (rod,) = [part for part in run["parts"] if part["name"] == "rod"]
    assert rod["size"][0] == 3
    assert poses(run, "rod", "shape")[0][0] == pytest.approx([1.5, 0, 0])


def test_thirty_frames_for_a_second(even: Result) -> None:
    """Rows every 0.01 s over 3 s: 91 instants 1/30 s apart, each at the next row."""
    rows = frames(even.time)
    assert (len(rows), rows[0], rows[-1]) == (91, 0, 300)
    assert even.time[rows] == pytest.approx(np.ceil(np.arange(91) / 0.3 - 1e-6) / 100, abs=1e-12)
    assert frames(np.linspace(0, 1e-3, 1001))[:3].tolist() == [0, 17, 34], "what is short is shown in 2 s"
    assert len(frames(np.linspace(0, 3600, 36001))) == 60 * 30 + 1, "what is long in a minute"
    assert frames(np.array([5.0])).tolist() == [0]
    assert frames(np.array([0.0, 7.0])).tolist() == [0, 1]


def test_both_sides_of_events_are_frames() -> None:
    time = np.sort(np.concatenate([np.linspace(0, 3, 3001), [0, 0.4567, 0.4567, 3]]))
    kept = time[frames(time)]
    assert [np.count_nonzero(kept == t) for t in (0, 0.4567, 3)] == [2, 2, 2]
    assert len(kept) == 91 + 4
    often = np.repeat(np.linspace(0, 3, 5001), 2)
    kept = often[frames(often)]
    assert (len(kept), kept[0], kept[-1]) == (3000, 0, 3), "there is a limit"


def test_rows_that_are_not_finite_are_left_out() -> None:
    time = np.linspace(0, 1, 11)
    stored = np.ones((11, 1))
    stored[9:, 0] = np.nan, np.inf
    broken = Result("r", time, stored, {**drawn(time).columns, "a.s[2]": Column(0)}, drawn(time).parameters)
    (run,) = scene_of({"r": broken}).runs
    assert run.time.tolist() == time[:9].tolist()
    assert [len(track.places) for track in run.tracks] == [9]
    broken.stored = np.full((11, 1), np.nan)
    with pytest.raises(UsageError, match="no row of r can be drawn"):
        page_of(broken)


def test_numbers_that_cannot_be_drawn() -> None:
    """Shapes of unknown size, forces without value and places beyond all squares are left out; the rest is drawn."""
    box = drawn(np.linspace(0, 1, 5))
    other = drawn(box.time, shape="b")
    load = {name: Column(None, float(name in ("p.Ta[1,1]", "p.Ta[2,2]", "p.Ta[3,3]"))) for name in
            (f"p.{part}" for part in (*LOAD.frames[0].elements, *vector("fa", 6)))}  # fmt: skip
    stored = np.array([[0.0, 1], [1, np.nan], [2, np.inf], [1e200, 1], [3, 1e300]])
    columns = {**box.columns, **other.columns, **load, "a.s[2]": Column(0), "p.fa[4]": Column(1)}
    unknown = {**other.parameters, "b.width": Column(None, np.nan)}
    result = Result("r", box.time, stored, columns, {**box.parameters, **unknown})
    (run,) = data(page_of(result))["runs"]
    assert [part["name"] for part in run["parts"]] == ["a"]
    assert run["time"] == [0, 0.25, 0.5, 1]
    assert [(arrow["name"], arrow["v"]) for arrow in run["arrows"]] == [("p", [1, *11 * [0]])]


def test_names_are_text() -> None:
    name = "</script><b>$scene&"
    page = page_of(drawn(np.linspace(0, 1, 5), name, '<!--"\u2028é</script>'))
    assert page.count("</script>") == 3
    assert "<title>&lt;/script&gt;&lt;b&gt;$scene&amp;</title>" in page
    found = data(page)
    assert (found["name"], found["runs"][0]["parts"][0]["name"]) == (name, '<!--"\u2028é</script>')


def test_the_page_needs_nothing_else(even: Result) -> None:
    """Its own part refers to nothing outside, three.js has its license inside, the policy forbids the network."""
    page = page_of(even)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    own = page.replace(scripts[0], "")
    assert re.findall(r"https?:|src=|@import|url\(|\$\w", own) == []
    assert "content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\"" in own
    assert "The MIT License" in scripts[0]
    assert "three.js authors" in scripts[0]
    assert page == page_of(even)
    assert len(own) < 80_000


@pytest.mark.parametrize("time", [np.array([0.0]), np.array([0.0, 0.0]), np.array([1e6, 1e6 + 1e-3])])
def test_short_results(time: "np.ndarray") -> None:
    assert data(page_of(drawn(time)))["runs"][0]["time"] == time.tolist()


@pytest.mark.parametrize("size", [1e-9, 1.0, 3e7])
def test_places_are_as_fine_as_the_whole_needs(size: float) -> None:
    """To 1e-7 of it."""
    small = drawn(np.linspace(0, size, 4))
    sizes = {f"a.{part}": Column(None, size) for part in ("length", "width", "height")}
    result = Result("r", small.time, small.stored, small.columns, {**small.parameters, **sizes})
    (run,) = data(page_of(result))["runs"]
    places, _ = poses(run, "a", "shape")
    assert (places / size)[:, 0] == pytest.approx([0, 1 / 3, 2 / 3, 1], abs=1e-7)


def test_no_mechanism(tmp_path: Path, even: Result) -> None:
    """Told with what to write; a file of numbers has no parameters and so no shapes."""
    with pytest.raises(UsageError) as caught:
        made().animate(tmp_path / "p.html")
    (told,) = caught.value.report.diagnostics
    assert (told.code, told.message) == ("F015", "nothing to animate: made contains no mechanism")
    assert "@mbsdir.lib" in (told.help or "")
    even.write(tmp_path / "even.csv")
    with pytest.raises(UsageError, match="contains no mechanism"):
        read(tmp_path / "even.csv").animate(tmp_path / "p.html")
    assert not (tmp_path / "p.html").exists()


def test_kind_that_there_is_not(tmp_path: Path) -> None:
    """`check` tells, where the shape stands; the failed run draws the others."""
    file, page = tmp_path / "even.mdl", tmp_path / "even.html"
    file.write_text(EVEN.replace('"sphere"', '"cube"'), encoding="utf-8")
    told = check(file).diagnostics[0]
    assert (told.code, "the kind of a shape is box, cylinder or sphere" in told.message) == ("R010", True)
    assert main(["simulate", str(file), "--quiet", "--animate", str(page)]) == 3
    (run,) = data(page.read_text("utf-8"))["runs"]
    assert [part["name"] for part in run["parts"] if part["group"] == "shape"] == ["rod", "post"]


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("even.mdl").write_text(EVEN, encoding="utf-8")
    assert main(["simulate", "even.mdl", "--animate", "e.html", "-o", "e.csv", "--outputs", "rod.s,rod.R"]) == 0
    assert "; written: e.csv, e.html\n" in capsys.readouterr().err
    found = data(Path("e.html").read_text("utf-8"))
    (run,) = found["runs"]
    assert (len(run["time"]), [part["name"] for part in run["parts"]]) == (91, ["rod"])
    assert main(["simulate", "even.mdl", "--animate", "f.html", "--outputs", "arm.q"]) == 2
    told = capsys.readouterr().err
    assert "error[F015]: nothing to animate: Even contains no mechanism" in told
    assert "--outputs omits the position of rod: add rod.s and rod.R" in told
    Path("folder.html").mkdir()
    for name, why in (
        ("nowhere/e.html", "no folder"),
        ("e.gif2", "unknown animation format .gif2"),
        ("folder.html", "directory"),
    ):
        assert main(["simulate", "even.mdl", "--animate", name]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"error[F008]: {name} cannot be written: ")
        assert why in told


CIRCUIT = """@electrical.lib
model RC
  submodel (resistor) R(R=5)
  submodel (capacitor) C(C=0.1) (ic u=1)
  submodel (ground) g
  connect g - R - C - g
  experiment (stop=1, interval=0.1)
end
"""


def test_nothing_to_animate_prevents_no_other_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A warning beside other outputs; alone it ends the command before the run."""
    monkeypatch.chdir(tmp_path)
    Path("rc.mdl").write_text(CIRCUIT, encoding="utf-8")
    assert main(["simulate", "rc.mdl", "-o", "r.csv", "--animate", "a.html"]) == 0
    told = capsys.readouterr().err
    assert "warning[F015]: nothing to animate: RC contains no mechanism" in told
    assert "; written: r.csv\n" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["r.csv", "rc.mdl"]
    assert main(["simulate", "rc.mdl", "--animate", "a.html"]) == 2
    assert "error[F015]" in capsys.readouterr().err


def test_script(tmp_path: Path) -> None:
    """The scripts are JavaScript, where there is something to read them with."""
    node = shutil.which("node")
    scripts = re.findall(r"<script>(.*?)</script>", page_of(drawn(np.linspace(0, 1, 5))), re.DOTALL)
    assert len(scripts) == 2
    assert scripts[1].lstrip().startswith('"use strict";')
    if node is not None:
        (tmp_path / "page.js").write_text(scripts[1], encoding="utf-8")
        subprocess.run([node, "--check", tmp_path / "page.js"], check=True, capture_output=True)
