"""Plots: which curves in which panels, and files of every kind."""

import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.pipeline import translate
from acausal.results.drawing.output import drawn
from acausal.results.drawing.picture import Curve, Panel, Picture
from acausal.results.drawing.style import COLORS, line_style
from acausal.results.drawing.terminal import text_plot
from acausal.results.formats.columns import Column
from acausal.results.plot import panels_of
from acausal.results.plot_request import plot_words
from acausal.results.quantities import quantities
from acausal.results.read import read
from acausal.results.result import Result
from tests.results.made import made


def test_curves_of_one_unit_share_a_panel() -> None:
    r = made()
    panels = panels_of(quantities(r, ["x", "T*", "a.y", "g"]))
    assert {unit: [q.label for q in own] for unit, own in panels.items()} == {
        "m": ["x", "a.y"],
        "N.m": ["T[1,2]"],
        None: ["g"],
    }
    figure = r.plot("x", "T*", "a.y")
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


@pytest.mark.parametrize("kind", ["png", "svg", "pdf", "html"])
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


def _many(count: int) -> Result:
    time = np.linspace(0.0, 10.0, 50)
    stored = np.column_stack([k + np.sin(time) for k in range(count)])
    columns = {f"robot.joint{k}.motor.rotor.phi": Column(k, unit="rad") for k in range(count)}
    return Result("many", time, stored, columns)


@pytest.mark.parametrize("count", [7, 20, 100])
def test_legends_fit(count: int) -> None:
    """Every label is within the figure, and none covers the axes or another label."""
    figure = _many(count).plot("*.phi")
    assert figure is not None
    figure.draw_without_rendering()
    (axes,) = figure.axes
    legend = axes.get_legend()
    assert legend is not None
    boxes = [text.get_window_extent() for text in legend.get_texts()]
    width, height = figure.canvas.get_width_height()  # type: ignore[attr-defined]  # of every canvas that draws
    assert len(boxes) == count
    assert all(b.x0 > axes.bbox.x1 and b.x1 <= width and b.y0 >= 0 and b.y1 <= height for b in boxes)
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert axes.bbox.width > 600


@pytest.mark.parametrize("count", [7, 20, 28, 120])
def test_every_curve_has_a_style_of_its_own(count: int) -> None:
    assert len({line_style(i, count) for i in range(count)}) == count


def test_colors_of_a_png_are_exact(tmp_path: Path) -> None:
    """Pixels of thick horizontal lines have just the colors of the style; the background is white."""
    image = pytest.importorskip("PIL.Image")
    time = np.linspace(0.0, 1.0, 3)
    columns = {f"c{k}": Column(None, float(k), unit="m") for k in range(7)}
    path = tmp_path / "p.png"
    Result("levels", time, np.empty((3, 0)), columns).plot("c*", figure=path)
    picture = image.open(path)
    assert picture.mode == "RGB"
    counts = dict.fromkeys(COLORS, 0)
    for pixels, color in picture.convert("RGB").getcolors(1 << 24):
        name = "#{:02X}{:02X}{:02X}".format(*color)
        if name in counts:
            counts[name] = pixels
    assert all(pixels > 500 for pixels in counts.values()), counts
    assert picture.getpixel((1, 1))[:3] == (255, 255, 255)


def test_curves_over_another_variable() -> None:
    """A circle: sin over cos, in cm."""
    r = made()
    figure = r.plot("a.y", x="x in cm", unit="cm")
    assert figure is not None
    (axes,) = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [cm]", "a.y [cm]")
    line = axes.lines[0]
    assert np.array_equal(line.get_xdata(), 100.0 * r["x"])
    assert np.array_equal(line.get_ydata(), -100.0 * r["x"])


def test_expressions_and_logarithmic_axes() -> None:
    r = made()
    figure = r.plot("exp(3*time)", "time + 1", log="y")
    assert figure is not None
    assert figure.axes[0].get_yscale() == "log"
    assert np.allclose(figure.axes[0].lines[0].get_ydata(), np.exp(3 * r.time))
    with pytest.raises(UsageError, match=r"a\.y has no positive value"):
        r.plot("a.y", log="y")
    with pytest.raises(UsageError, match="unknown axis z"):
        r.plot("x", log="z")


def test_several_results() -> None:
    """One curve of each, by name; a variable that one of them lacks has one curve less."""
    first, second = made(), Result("other", np.array([0.0, 2.0]), np.array([[1.0], [2.0]]), {"x": Column(0, unit="m")})
    figure = first.plot("x", "a.y", others={"longer": second})
    assert figure is not None
    lines = {str(line.get_label()): line for line in figure.axes[0].lines}
    assert list(lines) == ["x (made)", "x (longer)", "a.y (made)"]
    assert np.array_equal(lines["x (longer)"].get_ydata(), [1.0, 2.0])
    single = first.plot("x", others=[second, second])
    assert single is not None
    assert [line.get_label() for line in single.axes[0].lines] == ["made", "other", "other 2"]
    millimeters = Result("mm", np.array([0.0]), np.array([[1.0]]), {"x": Column(0, unit="mm")})
    with pytest.raises(UsageError, match="m in made, mm in mm"):
        first.plot("x", others=[millimeters])
    with pytest.raises(UsageError, match="others must be results"):
        first.plot("x", others=[1])  # type: ignore[list-item]  # the mistake


@pytest.fixture(scope="module")
def bounces(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ball dropped from 1 m, g = 8 m/s^2: it hits the ground at 0.5 s with 4 m/s, and next at 1 s."""
    folder = tmp_path_factory.mktemp("ball")
    text = """model Ball
  local h (start=1, fixed=true, unit="m"), v (start=0, fixed=true, unit="m/s")
  der(h) = v
  der(v) = -8
  when h < 0 then
    init(v) = -0.5*v
  endwhen
  experiment (stop=0.8, interval=0.1, plot=[h])
end
"""
    (folder / "ball.mdl").write_text(text)
    for kind in ("csv", "npz", "mat"):
        assert main(["simulate", str(folder / "ball.mdl"), "--quiet", "-o", str(folder / f"r.{kind}")]) == 0
    units = ["--units", "-o", str(folder / "u.csv")]
    assert main(["simulate", str(folder / "ball.mdl"), "--quiet", *units]) == 0
    return folder


def test_events_are_marked(bounces: Path) -> None:
    """At t = 0.5 s, by the run's events and by the instants that stand twice in a file."""
    for result in (translate(bounces / "ball.mdl").simulate(), read(bounces / "r.csv")):
        figure = result.plot("h", events=True)
        assert figure is not None
        (marker,) = [line for line in figure.axes[0].lines if len(line.get_xdata()) == 2]  # type: ignore[arg-type]
        assert marker.get_xdata()[0] == pytest.approx(0.5, abs=1e-6)  # type: ignore[index]
    assert result.plot("h").axes[0].lines[0].get_label() == "h"  # type: ignore[union-attr]


@pytest.mark.parametrize(("file", "plotted"), [("r.npz", ("h",)), ("r.mat", ("h",)), ("u.csv", ("h",)), ("r.csv", ())])
def test_files_name_what_the_experiment_plots(bounces: Path, file: str, plotted: tuple[str, ...]) -> None:
    found = read(bounces / file)
    assert found.experiment_plots == plotted
    assert found.plotted == plotted or found.names


def test_command(bounces: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(bounces)
    assert main(["plot", "r.npz", "--figure", "p.svg"]) == 0
    assert main(["plot", "r.csv", "--figure", "p.svg"]) == 0
    assert "the first" in capsys.readouterr().err
    assert main(["plot", "r.csv", "r.npz", "u.csv", "h in mm", "--figure", "p.svg", "--x", "v", "--events"]) == 0
    assert main(["plot", "r.npz"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[:2] == ["r", "           h [m]"]
    for arguments, code in [
        (["r.npz", "hh"], "did you mean h?"),
        (["r.npz", "h", "--unit", "deg"], "F022"),
        (["r.npz", "h", "--log", "q"], "F006"),
        (["r.npz", "h", "r.csv"], "F006"),
        (["r.npz", "h", "--json"], "F011"),
        (["r.npz", "h", "--x", "*"], "stands for"),
        (["r.npz", "h", "--figure", "no/p.svg"], "no folder"),
        (["no.npz", "h"], "F001"),
        (["r.npz", "no.npz", "h"], "F001"),
        (["ball.mdl", "h"], "simulate ball.mdl --plot h"),
        (["r.npz", "hh*2"], "no variable hh"),
        (["r.npz", "h", "--figure", "p.foo"], "known formats"),
    ]:
        assert main(["plot", *arguments]) == 2, arguments
        said = capsys.readouterr()
        assert code in said.err + said.out, arguments
    assert main(["simulate", "ball.mdl", "--log", "y"]) == 2
    assert "--log needs a plot" in capsys.readouterr().err


def test_words_of_the_interactive_session(tmp_path: Path) -> None:
    r = made()
    text = plot_words({"made": r}, ["x", "in", "mm", "a.y", "events"])
    assert ["x [mm]" in line for line in text.splitlines()].count(True) == 1
    file = tmp_path / "p.svg"
    assert plot_words({"made": r}, ["x", f"figure={file}", "x=a.y", "unit=mm", "log="]) == f"written: {file}"
    assert file.exists()
    with pytest.raises(UsageError, match="unknown option of plot: figur"):
        plot_words({"made": r}, ["x", "figur=x.png"])


def test_text_of_a_line() -> None:
    """The line y = x from 0 to 1: each column has dots, rising from the lower left to the upper right corner."""
    x = np.linspace(0.0, 1.0, 7)
    lines = text_plot(Picture("t", "x", (Panel("y", (Curve("y", x, x),)),)), 60).splitlines()
    rows = [line[12:] for line in lines[2:14]]
    columns = [[row for row in range(12) if len(rows[row]) > c and rows[row][c] > "\u2800"] for c in range(48)]
    assert all(columns)
    assert all(min(b) <= min(a) for a, b in pairwise(columns))
    assert (columns[0], columns[-1]) == ([11], [0])
    labels = {line[:10].strip(): row for row, line in enumerate(lines[2:14]) if line[:10].strip()}
    assert {float(text) for text in labels} >= {0.0, 0.5, 1.0}
    assert all(abs((1.02 - float(text)) / 1.04 * 12 - row) < 1.0 for text, row in labels.items())


def test_text_of_hard_values() -> None:
    """Constants, nothing finite, no rows, logarithms of what is not positive: a picture, no error."""
    x = np.array([0.0, 1.0, 2.0])
    for y in ([3.0, 3.0, 3.0], [np.nan] * 3, [np.inf, 1.0, 2.0], [-1.0, 0.0, 1e300], [1e-300, 0.0, 1.0]):
        for log in ("", "y"):
            picture = Picture("t", "x", (Panel("y", (Curve("y", x, np.array(y)),) * 2),), log=log)  # type: ignore[arg-type]
            assert max(map(len, text_plot(picture, 50).splitlines())) <= 50
    empty = np.empty(0)
    assert text_plot(Picture("t", "x", (Panel("y", (Curve("y", empty, empty),)),)))


def test_points_without_a_line() -> None:
    """Two points are two dots in the terminal, and no line in a picture."""
    curve = Curve("measured", np.array([0.0, 1.0]), np.array([0.0, 1.0]), points=True)
    found = Picture("M", "time [s]", (Panel("x", (curve,)),))
    dots = [c for c in text_plot(found) if 0x2800 < ord(c) < 0x2900]
    assert sum([(ord(c) - 0x2800).bit_count() for c in dots]) == 2
    figure = drawn(found, None)
    assert figure is not None
    (line,) = figure.axes[0].lines
    assert (line.get_linestyle(), line.get_marker()) == ("None", ".")
