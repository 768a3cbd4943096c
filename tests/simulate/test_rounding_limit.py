"""Runs of many steps end by rounding errors (R015) where these matter, and nowhere else."""

from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.runs import RunError

LONG = {
    "oscillator": ("x(start=1), v(start=0)", "der(x) = v; der(v) = -1e6*x", 10.0),
    "Van der Pol": ("x(start=2), v(start=0)", "der(x) = v; der(v) = 100*(1 - x^2)*v - x", 1000.0),
    "Lorenz": (
        "x(start=1), y(start=1), z(start=1)",
        "der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z",
        90.0,
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_smooth_models_run_to_the_end(name: str, tmp_path: Path) -> None:
    variables, equations, stop = LONG[name]
    file = tmp_path / "m.mdl"
    file.write_text(f"model M\n  local {variables}\n  {equations}\nend\n", encoding="utf-8")
    r = translate(file).simulate(stop=stop, interval=stop / 10_000, tolerance=1e-12, solver="cvode")
    assert r.time[-1] == stop
    assert r.stats.steps > 50_000


def test_a_difference_that_vanishes(tmp_path: Path) -> None:
    """y = 1 + exp(-t), which is 1 beyond t = 36, and x = exp(t)/2."""
    file = tmp_path / "m.mdl"
    file.write_text(
        "model M\n  local y (start=2), x (start=0.5)\n  der(y) = 1 - y\n  der(x) = 1/(y - 1) - x\nend\n",
        encoding="utf-8",
    )
    with pytest.raises(RunError) as caught:
        translate(file).simulate(stop=100, interval=0.1, tolerance=1e-8)
    found = caught.value.report.diagnostics[0]
    assert found.code == "R015"
    assert "the last digit of y changes it" in found.notes[0]
    r = caught.value.result
    early = r.time < 10
    assert 10 < r.time[-1] < 40
    assert r["x"][early] == pytest.approx(np.exp(r.time[early]) / 2, rel=1e-3)
