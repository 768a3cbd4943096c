"""Characteristics against NumPy and SciPy."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator

from acausal.base.diagnostics import LimitError, ModelError
from acausal.pipeline import translate
from acausal.results.result import Result

XS, YS = (0.0, 0.5, 1.0, 2.5, 3.0, 4.0), (1.0, 2.0, 2.0, -1.0, 0.5, 4.0)


def run(call: str, folder: Path) -> Result:
    """y = call along x from -1 to 5."""
    file = folder / "model.mdl"
    file.write_text(
        f"model M\n  parameter ys[6]={list(YS)}\n  local x, y\n  x = time - 1\n  y = {call}\nend\n", encoding="utf-8"
    )
    return translate(file).simulate(stop=6, interval=0.01)


def test_straight_lines(tmp_path: Path) -> None:
    result = run(f"interp(x, {list(XS)}, ys)", tmp_path)
    np.testing.assert_allclose(result["y"], np.interp(result["x"], XS, YS), atol=1e-14)


def test_smooth_curves(tmp_path: Path) -> None:
    """Between the second and the last point but one; SciPy takes other slopes at the ends."""
    result = run(f'interp(x, {list(XS)}, ys, "smooth")', tmp_path)
    x = result["x"]
    inside = (x >= XS[1]) & (x <= XS[-2])
    np.testing.assert_allclose(result["y"][inside], PchipInterpolator(XS, YS)(x[inside]), atol=1e-13)
    assert result["y"][x <= 0].tolist() == [1.0] * int((x <= 0).sum())


@pytest.mark.parametrize("method", ["linear", "spline", "smooth"])
def test_ends_are_extrapolated_by_lines(tmp_path: Path, method: str) -> None:
    result = run(f'interp(x, {list(XS)}, ys, "extrapolate", "{method}")', tmp_path)
    x, y = result["x"], result["y"]
    curve = CubicSpline(XS, YS)
    starts = {"linear": 2.0, "smooth": 2.0, "spline": curve(0.0, 1)}[method]
    ends = {"linear": 3.5, "smooth": 3.5, "spline": curve(4.0, 1)}[method]
    np.testing.assert_allclose(y[x < 0], 1 + starts * x[x < 0], atol=1e-12)
    np.testing.assert_allclose(y[x > 4], 4 + ends * (x[x > 4] - 4), atol=1e-12)


def test_spline(tmp_path: Path) -> None:
    result = run(f'interp(x, {list(XS)}, ys, "spline")', tmp_path)
    x = np.clip(result["x"], 0, 4)
    np.testing.assert_allclose(result["y"], CubicSpline(XS, YS)(x), atol=1e-13)


def test_nearest_jumps_at_events(tmp_path: Path) -> None:
    result = run(f'interp(x, {list(XS)}, ys, "nearest")', tmp_path)
    middles = [(a + b) / 2 for a, b in pairwise(XS)]
    assert [event.time - 1 for event in result.events] == pytest.approx(middles, abs=1e-9)
    away = np.min(np.abs(result["x"][:, None] - middles), axis=1) > 1e-6
    x = result["x"][away]
    expected = np.array(YS)[np.argmin(np.abs(x[:, None] - np.array(XS)), axis=1)]
    np.testing.assert_array_equal(result["y"][away], expected)


GRID = "[0, 1, 3], [0, 2, 3, 5], [1, 2, 0, 1; 4, 3, 3, 2; 0, 1, 5, 2]"
GRID_X, GRID_Y = (0.0, 1.0, 3.0), (0.0, 2.0, 3.0, 5.0)
GRID_Z = np.array([[1, 2, 0, 1], [4, 3, 3, 2], [0, 1, 5, 2.0]])


@pytest.mark.parametrize("from_file", [False, True])
@pytest.mark.parametrize("method", ["linear", "spline", "nearest"])
def test_maps(tmp_path: Path, method: str, from_file: bool) -> None:
    """Against SciPy along two lines through the map and beyond it."""
    rows = [",".join(map(str, ("x", *GRID_Y)))]
    rows += [",".join(map(str, (x, *row))) for x, row in zip(GRID_X, GRID_Z.tolist(), strict=True)]
    (tmp_path / "map.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for other in ("5 - 0.9*x", "0.3 + x"):
        call = f'table2("map.csv", x, {other}' if from_file else f"interp2(x, {other}, {GRID}"
        result = run(f'{call}, "{method}")', tmp_path)
        x = np.clip(result["x"], 0, 3)
        y = np.clip(5 - 0.9 * result["x"] if "5" in other else 0.3 + result["x"], 0, 5)
        if method == "spline":
            rows_at_y = CubicSpline(GRID_Y, GRID_Z, axis=1)(y)  # three values of x at each y
            expected = np.array([CubicSpline(GRID_X, rows_at_y[:, i])(at) for i, at in enumerate(x)])
        else:
            expected = RegularGridInterpolator((GRID_X, GRID_Y), GRID_Z, method)((x, y))
        far = np.ones_like(x, dtype=bool)
        if method == "nearest":
            far = (np.abs(x - 0.5) > 0.02) & (np.abs(x - 2) > 0.02)
            for middle in (1.0, 2.5, 4.0):
                far &= np.abs(y - middle) > 0.02
        np.testing.assert_allclose(result["y"][far], expected[far], atol=1e-12)


def test_a_map_is_extrapolated_by_lines(tmp_path: Path) -> None:
    result = run(f'interp2(x, 2*x, {GRID}, "extrapolate")', tmp_path)
    x = result["x"]
    grid = RegularGridInterpolator((GRID_X, GRID_Y), GRID_Z, "linear", bounds_error=False, fill_value=None)
    np.testing.assert_allclose(result["y"], grid((x, 2 * x)), atol=1e-12)


@pytest.mark.parametrize("count", range(2, 20))
def test_any_number_of_points(tmp_path: Path, count: int) -> None:
    chance = np.random.default_rng(count)
    xs, ys = np.sort(chance.uniform(0, 4, count)), chance.normal(size=count)
    rows = "\n".join(f"{a!r},{b!r}" for a, b in zip(xs.tolist(), ys.tolist(), strict=True))
    (tmp_path / "points.csv").write_text(f"x,y\n{rows}\n", encoding="utf-8")
    result = run('table("points.csv", x)', tmp_path)
    np.testing.assert_allclose(result["y"], np.interp(result["x"], xs, ys), atol=1e-12)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ("interp(x, [0, 2, 1], [1, 2, 3])", "T012"),
        ("interp(x, [0, 1], ys)", "T012"),
        ("interp(x, [0, 1], [1, 2], 3)", "T012"),
        ("interp(x, [0, time], [1, 2])", "T006"),
        ("interp(x, 1)", "T003"),
        ('interp(x, [0, 1], [1, 2], "cubic")', "T012"),
        ('interp(x, [0, 1], [1, 2], "nearest", "extrapolate")', "T012"),
        ("interp2(x, x, [0, 1], [0, 1, 2], [1, 2; 3, 4])", "T012"),
        ('interp2(x, x, [0, 1], [0, 1], [1, 2; 3, 4], "smooth")', "T012"),
        ("interp2(x, x, [0, 1], [1, 0], [1, 2; 3, 4])", "T012"),
        ("interp2(x, x, [0, 1], [1, 0])", "T003"),
        ('table2("nothing.csv", x, x)', "F012"),
        ('table("nothing.csv", x)', "F012"),
        ("table(x, x)", "T012"),
    ],
)
def test_mistakes(tmp_path: Path, call: str, code: str) -> None:
    with pytest.raises(ModelError) as caught:
        run(call, tmp_path)
    (found,) = caught.value.report.diagnostics
    assert found.code == code
    assert found.primary is not None


def test_points_are_limited(tmp_path: Path) -> None:
    (tmp_path / "many.csv").write_text("".join(f"{i},1\n" for i in range(4001)), encoding="utf-8")
    with pytest.raises(LimitError, match="L012"):
        run('table("many.csv", x)', tmp_path)
