"""Plots of sweeps: curves and bands of x = k*t, whose percentiles are those of k."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.sweep.plot import run_labels
from acausal.sweep.result import SweepResult

TEXT = """model Line
  parameter k (unit="m/s")=1, j=2
  local x (unit="m", start=0, fixed=true)
  der(x) = k + 0*j
  experiment (stop=1, interval=0.1, plot=[x])
end
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("line") / "line.mdl"
    path.write_text(TEXT)
    return path


@pytest.fixture(scope="module")
def swept(model: Path) -> SweepResult:
    return acausal.translate(model).sweep({"k": np.arange(1.0, 22.0)}, keep=True)


def test_a_curve_for_each_run(swept: SweepResult) -> None:
    figure = swept.plot("x in mm")
    assert figure is not None
    (axes,) = figure.axes
    assert [line.get_label() for line in axes.lines[:2]] == ["k=1", "k=2"]
    assert len({line.get_color() for line in axes.lines}) == 21
    for k, line in enumerate(axes.lines, 1):
        assert np.allclose(line.get_ydata(), 1000.0 * k * np.asarray(line.get_xdata()), rtol=1e-6)


def test_bands(swept: SweepResult) -> None:
    """Of k = 1 ... 21: median 11, quartiles 6 and 16, 5 and 95 % at 2 and 20."""
    figure = swept.plot("x", bands=True)
    assert figure is not None
    (axes,) = figure.axes
    (median,) = axes.lines
    assert np.allclose(median.get_ydata(), 11.0 * np.asarray(median.get_xdata()), rtol=1e-6)
    ends = [area.get_paths()[0].vertices for area in axes.collections]
    last = [sorted({round(float(y), 4) for x, y in v if x == 1.0}) for v in ends]
    assert last == [[2.0, 20.0], [6.0, 16.0]]
    with pytest.raises(UsageError, match="bands are over time"):
        swept.plot("x", bands=True, events=True)


def test_labels_name_what_differs() -> None:
    runs = [{"a": 1.0, "b": 2.0}, {"a": 1.5, "b": 2.0}, {"a": 1.0, "b": 2.0}]
    assert run_labels(runs) == ["a=1 (run 0)", "a=1.5", "a=1 (run 2)"]


def test_command(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = tmp_path / "p.svg"
    sweep = ["sweep", str(model), "--set", "k=1:200:200"]
    assert main([*sweep, "--plot", "x", "--figure", str(figure)]) == 2
    assert "--bands" in capsys.readouterr().err
    assert main([*sweep, "--plot", "x", "--bands", "--figure", str(figure), "-o", str(tmp_path / "t.csv")]) == 0
    assert f"t.csv, {figure}" in capsys.readouterr().err
    assert figure.exists()
    assert main([*sweep, "--bands"]) == 2
    assert main([*sweep, "--plot", "y"]) == 2
    assert "the result has no variable y" in capsys.readouterr().err
