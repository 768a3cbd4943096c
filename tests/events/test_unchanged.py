"""An event changes something: crossings of a solver's interpolation alone are none."""

from pathlib import Path

import pytest

from acausal.pipeline import translate

STIFF = """model M
  local x (start=0, fixed=true), s, z (start=0, fixed=true)
  der(x) = 1e6*(sin(time) - x)
  s = time - 5e-4 + GAIN*(x - sin(time) + cos(time)*1e-6)
  der(z) = if s > 0 then 1 else 0
end
"""
"""x = sin(t) - 1e-6*cos(t) but for errors, which explicit solvers at the limit of stability spread over all steps."""


@pytest.mark.parametrize("gain", [10, 100])
@pytest.mark.parametrize(("solver", "tolerance"), [("rk45", 1e-3), ("rk45", 1e-4), ("radau", 1e-4), ("auto", 1e-4)])
def test_errors_of_a_stiff_state(tmp_path: Path, solver: str, tolerance: float, gain: int) -> None:
    """s = t - 5e-4 + gain*error: one event, with a row on both sides; RK45 interpolates up to 24 crossings."""
    file = tmp_path / "m.mdl"
    file.write_text(STIFF.replace("GAIN", str(gain)), encoding="utf-8")
    result = translate(file).simulate(stop=1e-3, interval=1e-3, solver=solver, tolerance=tolerance)
    (event,) = result.events
    assert event.changes == ("s > 0 is true",)
    assert event.time == pytest.approx(5e-4, abs=gain * tolerance * 1e-3)
    assert result.time.tolist() == [0.0, event.time, event.time, 1e-3]
    assert result["z"][-1] == pytest.approx(1e-3 - event.time, rel=1e-9)
