"""Model Exchange at points far from the last one, where a nonlinear block is not solved from there at once."""

from math import exp, sin
from pathlib import Path

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import OK, Double, Fmu, Instance, Size

DIODE = """
model Diode
  local q(start=0, fixed=true), v(start=0)
  v + 1e-9*(exp(40*v) - 1) = 10*sin(10*time) - q
  der(q) = v
end
"""


def rate(made: Instance, t: float, q: float) -> float:
    """The rate of q, as an importer asks for it."""
    numbers = (Double * 1)(q)
    assert made.call("SetTime", Double(t)) == OK
    assert made.call("SetContinuousStates", numbers, Size(1)) == OK
    assert made.call("GetContinuousStateDerivatives", numbers, Size(1)) == OK
    return float(numbers[0])


def test_far_points_are_reached_on_a_way(tmp_path: Path) -> None:
    files = fmu_files(acausal.translate(DIODE)._model, "diode", TargetOptions(source_only=True, kind="me"), 3)
    made = Fmu(tmp_path, ("-O0",), files).model_exchange().initialize()
    made.update()
    assert made.call("EnterContinuousTimeMode") == OK
    for t, q in [(0.0, 0.0), (0.15, 0.0), (0.15, 0.1), (0.1, 0.5), (0.4, 0.2), (0.8, 3.0), (0.79, -2.0), (1.4, 0.0)]:
        v = rate(made, t, q)
        left = v + 1e-9 * (exp(40.0 * v) - 1.0)
        assert abs(left - 10.0 * sin(10.0 * t) + q) < 1e-7
    made.free()
