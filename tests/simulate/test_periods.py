"""No solver steps over the pulses of a source that is periodic in time."""

from pathlib import Path

import pytest
from scipy.special import ive

from acausal.pipeline import translate

PULSES = """model M
  parameter f=50
  local x (start=0, fixed=true)
  der(x) = exp(200*(sin(2*pi*f*time - pi/2) - 1))
end
"""


@pytest.mark.parametrize("solver", ["auto", "callback", "lsoda", "dop853"])
def test_every_pulse_is_seen(tmp_path: Path, solver: str) -> None:
    """The mean of exp(k*(sin - 1)) over a period is exp(-k)*I0(k) (Abramowitz, Stegun, 9.6.16)."""
    file = tmp_path / "m.mdl"
    file.write_text(PULSES)
    t = translate(file)
    assert t.simulate(stop=1, interval=1, solver=solver)["x"][-1] == pytest.approx(ive(0, 200), rel=2e-4)
    faster = t.simulate(stop=1, interval=1, solver=solver, parameters={"f": 200.0})
    assert faster["x"][-1] == pytest.approx(ive(0, 200), rel=2e-4)
