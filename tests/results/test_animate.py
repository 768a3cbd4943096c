"""Animations: where shapes are, which rows become frames, and a page that is only text and numbers."""

import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.checking import check
from acausal.cli import main
from acausal.pipeline import translate
from acausal.results.animate import animate
from acausal.results.formats.columns import Column
from acausal.results.read import read
from acausal.results.result import Result
from acausal.results.shapes import POSE, frames, scene_of
from tests.collection import ROOT
from tests.results.made import made

EVEN = """@mbsdir.lib

model Even
  parameter l=2
  submodel (Inertial) i(g=0, ng2=-1)
  submodel (Revolute) arm(n3=1) (ic q=0, w=1)
  submodel (Body) b(m=2, I33=0.1)
  submodel (Shape) rod(kind="cylinder", length=l, width=0.1, r1=l/2), bob[2](kind="sphere", r1=[l, 0.5], red=[1.5, 0])
  submodel (Shape) post(length=0.3, width=0.2, height=0.1, r2=-1, n1=0, n2=1)
  connect i to arm, b at arm, rod at arm, bob[1] at arm, bob[2] at arm, post at i
  experiment (stop=3, interval=0.01, tolerance=1e-9)
end
"""


def data(page: str) -> dict[str, Any]:
    """What the page's script reads."""
    (text,) = re.findall(r'<script type="application/json" id="scene">(.*?)</script>', page, re.DOTALL)
    found: dict[str, Any] = json.loads(text)
    return found


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
    file = tmp_path_factory.mktemp("even") / "even.mdl"
    file.write_text(EVEN, encoding="utf-8")
    return translate(file).simulate()


def test_shapes_of_an_arm_that_turns_evenly(even: Result) -> None:
    """By the angle t about 3: x = r*cos(t), y = r*sin(t), and the columns of the rotation beside them."""
    found = data(animate(even))
    t, shapes = np.array(found["time"]), {shape["name"]: shape for shape in found["shapes"]}
    assert list(shapes) == ["rod", "bob[1]", "bob[2]", "post"]
    c, s, zero, one = np.cos(t), np.sin(t), 0 * t, 0 * t + 1
    turned = [c, -s, zero, s, c, zero, zero, zero, one]
    for name, r in (("rod", 1), ("bob[1]", 2), ("bob[2]", 0.5)):
        poses = np.array(shapes[name]["poses"])
        assert poses[:, :3] == pytest.approx(np.array([r * c, r * s, zero]).T, abs=6e-5)
        assert poses[:, 3:] == pytest.approx(np.array(turned).T, abs=6e-5)
    at = int(np.argmin(abs(t - np.pi / 2)))
    assert shapes["bob[1]"]["poses"][at][:2] == pytest.approx([0, 2], abs=0.02), "upright after a quarter of a turn"
    (post,) = shapes["post"]["poses"]  # it rests: length along 2, height along 3, width so that they are right-handed
    assert post == pytest.approx([0, -1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1])
    assert [shapes[name]["kind"] for name in shapes] == ["cylinder", "sphere", "sphere", "box"]
    assert shapes["rod"]["size"][:2] == [2, 0.1]
    assert shapes["post"]["size"] == [0.3, 0.2, 0.1]
    assert shapes["bob[1]"]["color"] == [255, 128, 178], "1.5 is as red as can be"
    assert (found["up"], found["seconds"], found["name"]) == ([0, 1, 0], 3, "Even")


def test_parameters_of_the_run_count(tmp_path: Path) -> None:
    file = tmp_path / "even.mdl"
    file.write_text(EVEN, encoding="utf-8")
    rod = data(animate(translate(file).simulate(stop=0.1, parameters={"l": 3})))["shapes"][0]
    assert rod["size"][0] == 3
    assert rod["poses"][0][:3] == [1.5, 0, 0]


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
    assert scene_of(broken).time.tolist() == time[:9].tolist()
    assert [len(shape.poses) for shape in scene_of(broken).shapes] == [9]
    broken.parameters = {**broken.parameters, "a.width": Column(None, np.nan)}
    with pytest.raises(UsageError) as caught:
        animate(broken)
    assert caught.value.report.diagnostics[0].code == "F015"


def test_names_are_text() -> None:
    name = "</script><b>$scene&"
    page = animate(drawn(np.linspace(0, 1, 5), name, '<!--"\u2028é</script>'))
    assert page.count("</script>") == 2
    assert "<title>&lt;/script&gt;&lt;b&gt;$scene&amp;</title>" in page
    found = data(page)
    assert (found["name"], found["shapes"][0]["name"]) == (name, '<!--"\u2028é</script>')


def test_the_page_needs_nothing_else(even: Result) -> None:
    page = animate(even)
    assert re.findall(r"https?:|src=|@import|url\(|\$\w", page) == []
    assert page == animate(even)
    assert len(page) < 40_000


@pytest.mark.parametrize("time", [np.array([0.0]), np.array([0.0, 0.0]), np.array([1e6, 1e6 + 1e-3])])
def test_short_results(time: "np.ndarray") -> None:
    assert data(animate(drawn(time)))["time"] == time.tolist()


@pytest.mark.parametrize("size", [1e-9, 1.0, 3e7])
def test_places_are_as_fine_as_the_whole_needs(size: float) -> None:
    """To 1e-5 of it, a tenth of a pixel at most."""
    small = drawn(np.linspace(0, size, 4))
    sizes = {f"a.{part}": Column(None, size) for part in ("length", "width", "height")}
    result = Result("r", small.time, small.stored, small.columns, {**small.parameters, **sizes})
    (shape,) = data(animate(result))["shapes"]
    assert [pose[0] / size for pose in shape["poses"]] == pytest.approx([0, 1 / 3, 2 / 3, 1], abs=1e-5)


def test_no_shape(tmp_path: Path, even: Result) -> None:
    """Told with what to write; a file of numbers has no parameters and so no shapes."""
    with pytest.raises(UsageError) as caught:
        made().animate(tmp_path / "p.html")
    (told,) = caught.value.report.diagnostics
    assert (told.code, told.message) == ("F015", "nothing to animate: made contains no Shape")
    assert "submodel (Shape)" in (told.help or "")
    even.write(tmp_path / "even.csv")
    with pytest.raises(UsageError, match="contains no Shape"):
        read(tmp_path / "even.csv").animate(tmp_path / "p.html")
    assert not (tmp_path / "p.html").exists()


def test_kind_that_there_is_not(tmp_path: Path) -> None:
    """`check` tells, where the shape stands; the failed run draws the others."""
    file, page = tmp_path / "even.mdl", tmp_path / "even.html"
    file.write_text(EVEN.replace('"sphere"', '"cube"'), encoding="utf-8")
    told = check(file).diagnostics[0]
    assert (told.code, "the kind of a shape is box, cylinder or sphere" in told.message) == ("R010", True)
    assert main(["simulate", str(file), "--quiet", "--animate", str(page)]) == 3
    assert [shape["name"] for shape in data(page.read_text("utf-8"))["shapes"]] == ["rod", "post"]
    page.unlink()
    file.write_text(
        re.sub('(box|cylinder|sphere)"', 'cube"', EVEN).replace("post(", 'post(kind="", '), encoding="utf-8"
    )
    assert main(["simulate", str(file), "--quiet", "--animate", str(page)]) == 3
    assert not page.exists()


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("even.mdl").write_text(EVEN, encoding="utf-8")
    assert main(["simulate", "even.mdl", "--animate", "e.html", "-o", "e.csv", "--outputs", "rod.s,rod.R"]) == 0
    assert "; written: e.csv, e.html\n" in capsys.readouterr().err
    found = data(Path("e.html").read_text("utf-8"))
    assert (len(found["time"]), [shape["name"] for shape in found["shapes"]]) == (91, ["rod"])
    assert main(["simulate", "even.mdl", "--animate", "f.html", "--outputs", "arm.q"]) == 2
    told = capsys.readouterr().err
    assert "error[F015]: nothing to animate: Even contains no Shape" in told
    assert "--outputs omits the position of rod: add rod.s and rod.R" in told
    Path("folder.html").mkdir()
    for name, why in (("nowhere/e.html", "no folder"), ("e.gif", "web pages"), ("folder.html", "directory")):
        assert main(["simulate", "even.mdl", "--animate", name]) == 2
        told = capsys.readouterr().err
        assert told.startswith(f"error[F008]: {name} cannot be written: ")
        assert why in told


@pytest.mark.parametrize("example", ["cart_pole", "slider_crank"])
def test_examples(example: str, tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    assert main(["simulate", str(ROOT / f"examples/{example}.mdl"), "--quiet", "--animate", str(page)]) == 0
    found = data(page.read_text("utf-8"))
    assert all(len(shape["poses"]) in (1, len(found["time"])) for shape in found["shapes"])
    assert sum(len(shape["poses"]) > 1 for shape in found["shapes"]) >= 2


def test_script(tmp_path: Path) -> None:
    """The script is JavaScript, where there is something to read it with."""
    node = shutil.which("node")
    page = animate(drawn(np.linspace(0, 1, 5)))
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert script.lstrip().startswith('"use strict";')
    if node is not None:
        (tmp_path / "page.js").write_text(script, encoding="utf-8")
        subprocess.run([node, "--check", tmp_path / "page.js"], check=True, capture_output=True)
