"""Plots: which curves in which panels, and files of every kind."""

import sys
from pathlib import Path

import pytest

from acausal.base.diagnostics import UsageError
from acausal.results.plot import panels_of, plot
from tests.results.made import made


def test_curves_of_one_unit_share_a_panel() -> None:
    r = made()
    assert panels_of(r, r.match(["x", "T*", "a.y", "g"])) == {"m": ["x", "a.y"], "N.m": ["T[1,2]"], None: ["g"]}
    figure = plot(r, ["x", "T*", "a.y"])
    assert figure is not None
    first, second = figure.axes
    assert [line.get_label() for line in first.lines] == ["x", "a.y"]
    assert (first.get_ylabel(), second.get_ylabel(), second.get_xlabel()) == ("[m]", "T[1,2] [N.m]", "time [s]")
    assert first.lines[1].get_ydata().tolist() == r["a.y"].tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize(("kind", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_pictures(tmp_path: Path, kind: str, start: bytes) -> None:
    path = tmp_path / f"p.{kind}"
    made().plot("x", "g", figure=path)
    assert path.read_bytes().startswith(start)
    assert path.stat().st_size > 3000


def test_page(tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    path = tmp_path / "p.html"
    assert made().plot("x", "g", figure=path) is None
    assert "<html>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "file", "code"), [(["z"], "p.png", "F005"), (["x"], "p.xyz", "F008"), (["x"], "nowhere/p.png", "F008")]
)
def test_mistakes(tmp_path: Path, names: list[str], file: str, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        made().plot(*names, figure=tmp_path / file)
    assert caught.value.report.diagnostics[0].code == code


@pytest.mark.parametrize(("module", "file"), [("matplotlib", "p.png"), ("plotly.subplots", "p.html")])
def test_missing_libraries_are_asked_for_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, file: str
) -> None:
    for name in [n for n in sys.modules if n.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError) as caught:
        made().plot("x", figure=tmp_path / file)
    assert caught.value.report.diagnostics[0].code == "F007"
    assert caught.value.report.diagnostics[0].help == "pip install 'acausal[plot]'"


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_two_files_of_one_plot_are_equal(tmp_path: Path, kind: str) -> None:
    first, second = tmp_path / f"a.{kind}", tmp_path / f"b.{kind}"
    made().plot("x", "g", figure=first)
    made().plot("x", "g", figure=second)
    assert first.read_bytes() == second.read_bytes()
    assert b"<dc:date>" not in first.read_bytes()
