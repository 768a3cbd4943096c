"""Characteristics against NumPy and SciPy."""

from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

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
