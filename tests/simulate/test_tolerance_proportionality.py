"""The error of a run is proportional to the tolerance: errors of steps add up, and smaller ones take more."""

import numpy as np
import pytest

import acausal
from acausal.runtime.step_limits import step_tolerance

TEXT = """model M
  local z (start=0, fixed=true), h (start=0.2, fixed=true), v (start=0, fixed=true)
  der(z) = if sin(7*time) > 0 then sin(7*time) else 0
  der(h) = v
  der(v) = -9.81
  when h < 0 then
    init(v) = -v
  endwhen
  experiment (stop=10, interval=0.05)
end
"""
"""Half waves, as a diode passes them, and a ball whose bounces begin steps anew."""


def half_waves(t: np.ndarray) -> np.ndarray:
    """Their integral."""
    whole, rest = np.divmod(7 * t, 2 * np.pi)
    return (2 * whole + 1 - np.cos(np.minimum(rest, np.pi))) / 7


def test_errors_of_runs() -> None:
    """With a tenth of the tolerance for each step the errors were 14, 18, 27, 35 and 47 tolerances."""
    t = acausal.translate(TEXT)
    found = {}
    for tolerance in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        r = t.simulate(tolerance=tolerance, solver="cvode")
        found[tolerance] = float(np.abs(r["z"] - half_waves(r.time)).max()) / tolerance
    assert max(found.values()) < 1.5 * found[1e-6]


def test_the_tolerance_of_a_step() -> None:
    assert [step_tolerance(t) for t in (1e-2, 1e-6)] == [1e-3, 1e-7]
    assert step_tolerance(1e-10) == pytest.approx(1e-12)
    assert [step_tolerance(t) for t in (1e-12, 1e-14)] == pytest.approx([1e-13, 1e-15])
