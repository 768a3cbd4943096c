"""Plots: which curves in which panels, and files of every kind."""

import sys
from pathlib import Path

import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.pipeline import translate
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


@pytest.mark.parametrize(
    ("units", "says", "note"),
    [
        ([f"m^{k}" for k in range(2, 16)], "14 panels, one for each unit", "m^2: 1"),
        (["m"] * 130, "130 curves", "m: 130"),
    ],
    ids=["panels", "curves"],
)
def test_too_many_panels_or_curves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], units: list[str], says: str, note: str
) -> None:
    """Reported before the run, with what the pattern selects; a narrower one is drawn."""
    declared = ", ".join(f'x{k} (unit="{unit}")' for k, unit in enumerate(units))
    scales = ", ".join(f'c{k} (unit="{unit}/s")=2' for k, unit in enumerate(units))
    lines = [f"  x{k} = c{k}*time" for k in range(len(units))]
    path, figure = tmp_path / "m.mdl", tmp_path / "x.png"
    path.write_text("\n".join(["model M", f"  parameter {scales}", f"  local {declared}", *lines, "end", ""]))
    result = translate(path).simulate(stop=1)
    with pytest.raises(UsageError) as caught:
        result.plot("x*", figure=figure)
    (error,) = caught.value.report.errors
    assert (error.code, says in error.message, note in error.notes[0]) == ("F017", True, True)
    assert main(["simulate", str(path), "--plot", "x*", "--figure", str(figure)]) == 2
    assert "F017" in capsys.readouterr().err
    assert not figure.exists()
    assert main(["simulate", str(path), "--plot", "x1", "--figure", str(figure)]) == 0
    assert figure.exists()
