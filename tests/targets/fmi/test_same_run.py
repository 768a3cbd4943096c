"""Co-Simulation beside `simulate`: one loop over events, so one run."""

from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.simulate.jacobian.storage import choose_matrix
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import OK, Fmu

CHAIN = 36
TEXT = f"""
model Everything
  parameter k = 400
  local x[{CHAIN}](start=0), z, a, flight(start=0.1, fixed=true), speed(start=0, fixed=true), s(start=0, fixed=true)
  discrete count(start=0), bounces(start=0)
  der(x[1]) = k*(z - 2*x[1] + x[2])
  for i = 2 to {CHAIN - 1}
    der(x[i]) = k*(x[i-1] - 2*x[i] + x[i+1])
  endfor
  der(x[{CHAIN}]) = k*(x[{CHAIN - 1}] - x[{CHAIN}])
  z^3 + z = sin(3*time) {{ no formula of time: its turning points are searched }}
  der(s) = z
  when z > 0.682 then
    new(count) = count + 1
  endwhen
  a = speed/2
  der(flight) = 2*a
  der(speed) = -9.81
  when flight < 0 then
    init(a) = -0.9*a
    new(bounces) = bounces + 1
  endwhen
  experiment (stop=2, interval=0.05, tolerance=1e-7)
end
"""
INTERVAL = 0.05
NAMES = ("flight", "speed", "s", "z")


def test_the_run_is_that_of_simulate(tmp_path: Path) -> None:
    model = acausal.translate(TEXT)
    program = model.program
    assert program.table.hidden
    assert choose_matrix(model._model.executable, lambda: False).kind == "band"
    assert any(restart.state is None for restart in program.table.restarts)
    files = fmu_files(model._model, "everything", TargetOptions(source_only=True), 3)
    made = Fmu(tmp_path, ("-O0",), files).co_simulation().initialize(2.0)
    run = model.simulate()
    times = np.asarray(run.time)
    for i in range(30):
        assert made.step(INTERVAL * i, INTERVAL)[0] == OK
        row = int(times.searchsorted(INTERVAL * (i + 1) + 1e-9, "right")) - 1
        found = [*made.get("x", CHAIN)[:: CHAIN - 1], *[made.get(name)[0] for name in NAMES]]
        wanted = [float(run[name][row]) for name in ("x[1]", f"x[{CHAIN}]", *NAMES)]
        assert found == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    assert made.step(30 * INTERVAL, 0.5)[0] == OK  # what rounds otherwise comes to tolerances here
    counts = [made.get(name)[0] for name in ("count", "bounces")]
    assert counts == [float(run[name][-1]) for name in ("count", "bounces")]
    assert counts == [1.0, 13.0]  # z has its maximum 0.6823 at pi/6; t = 0.14278*(1 + 18*(1 - 0.9^12)) < 2
    made.free()
