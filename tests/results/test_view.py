"""The result browser: what its page holds, read back from the page."""

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.results.formats.columns import Column
from acausal.results.read import read
from acausal.results.result import Result
from acausal.results.view.page import page
from acausal.results.view.reduce import reduced
from acausal.results.view.tree import parts
from tests.results.made import made


def held(text: str) -> dict[str, Any]:
    """The data of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def curve(run: dict[str, Any], name: str) -> tuple[np.ndarray, np.ndarray]:
    about = run["variables"][name]
    times = np.frombuffer(b64decode(run["times"][about["t"]]), "<f8")
    if "c" in about:
        return times, np.full(len(times), about["c"])
    return times, about["s"] * np.frombuffer(b64decode(run["curves"][about["v"]]), "<f4")


def test_curves_are_those_of_the_results() -> None:
    first, second = made(), made(21)
    data = held(page({"a": first, "b": second}, "a, b"))
    for run, result in zip(data["runs"], (first, second), strict=True):
        for name in result.names:
            times, values = curve(run, name)
            assert np.array_equal(times, result.time)
            assert np.allclose(values, result[name], rtol=1e-7)
    assert data["selected"] == list(first.plotted)
    assert data["units"] == {"x": "m", "a.y": "m", "T[1,2]": "N.m"}


def test_from_python(tmp_path: Path) -> None:
    made().view(tmp_path / "v.html", others={"finer": made(21)})
    assert [run["name"] for run in held((tmp_path / "v.html").read_text())["runs"]] == ["made", "finer"]
    with pytest.raises(UsageError, match="cannot be written"):
        made().view(tmp_path / "no" / "v.html")


def test_tree_of_submodels() -> None:
    assert parts("motor.La.i") == ("motor", "La", "i")
    assert parts("der(a.b[1,2].x, 2)") == ("a", "b[1,2]", "der(x, 2)")
    assert parts("T[1,2]") == ("T[1,2]",)
    tree = held(page({"a": made()}, "a"))["tree"]
    assert [item["label"] for item in tree["items"]] == ["x", "der(x)", "clock", "g", "T[1,2]", "k"]
    (submodel,) = tree["children"]
    assert (submodel["label"], [item["name"] for item in submodel["items"]]) == ("a", ["a.y"])
    described = {item["name"]: item for item in tree["items"]}
    assert described["x"]["text"] == "place"
    assert (described["k"]["parameter"], described["k"]["values"]) == (True, [0.1])
    assert described["g"]["values"] == [9.81]


def test_the_page_is_complete_and_model_text_is_no_markup() -> None:
    hostile = Column(0, unit="m", description="</script><script>alert(1)</script>")
    result = Result("r", np.array([0.0, 1.0]), np.array([[1.0], [2.0]]), {"<b>x": hostile})
    text = page({"<i>": result}, "<i>")
    assert "alert(1)</script>" not in text
    assert "<b>x" not in text
    assert "<i>" not in text
    assert "Permission is hereby granted" in text  # the license of uPlot
    assert re.findall(r"(?:src|href)=", text.partition("<script>")[0]) == []


def test_both_sides_of_an_event_stay_apart() -> None:
    time = np.array([0.0, 1.0, 1.0, 2.0])
    result = Result("r", time, np.array([[0.0], [0.0], [5.0], [5.0]]), {"x": Column(0)})
    times, values = curve(held(page({"r": result}, "r"))["runs"][0], "x")
    assert all(np.diff(times) > 0)
    assert np.allclose(times, time, rtol=1e-15)
    assert values.tolist() == [0.0, 0.0, 5.0, 5.0]


def test_long_results_keep_their_extremes() -> None:
    values = np.zeros(100_000)
    values[[777, 50_001]] = 3.0, -2.0
    rows = reduced(values, 1000)
    assert rows is not None
    assert len(rows) <= 1000
    assert {0, 777, 50_001, 99_999} <= set(rows.tolist())
    assert reduced(values[:1000], 1000) is None
    columns = {f"x{k}": Column(k) for k in range(40)}
    time = np.linspace(0.0, 1.0, 50_000)
    text = page({"r": Result("r", time, np.outer(np.sin(900 * time), np.ones(40)), columns)}, "r")
    assert len(text) < 4_000_000
    assert "smallest and largest" in held(text)["note"]


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of all formats; those with a place for parameters keep them."""
    monkeypatch.chdir(tmp_path)
    for file in ("a.csv", "b.npz", "c.mat"):
        made().write(file)
    for file in ("b.npz", "c.mat"):
        assert read(file).parameters["k"].value == 0.1
    assert main(["view", "a.csv", "b.npz", "c.mat", "-o", "v.html"]) == 0
    assert main(["view", "a.csv"]) == 0
    capsys.readouterr()
    data = held(Path("v.html").read_text())
    assert [run["name"] for run in data["runs"]] == ["a", "b", "c"]
    (k,) = [item for item in data["tree"]["items"] if item.get("parameter")]
    assert k["values"] == [None, 0.1, 0.1]
    assert Path("a.html").exists()
    for wrong in (["d.csv"], ["a.csv", "-o", "v.svg"], ["a.csv", "-o", "no/v.html"]):
        assert main(["view", *wrong]) == 2
    with pytest.raises(UsageError, match="has no rows"):
        page({"r": Result("r", np.empty(0), np.empty((0, 1)), {"x": Column(0)})}, "r")
