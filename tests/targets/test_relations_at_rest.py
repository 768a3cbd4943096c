"""Two diodes in series with an inductor, exported: relations that rounding errors decide where the current ends.

With Goff = 0 each diode blocks by a constraint, and passes over the relations go in circles; with Goff = 1e-7 relations
chatter at rest until they get a band. C, Fortran, FMUs and Python modules use the kernels of the built-in run.
"""

from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.events.test_first_values import BRIDGE
from tests.events.test_series_diodes import MODEL, end_of_conduction
from tests.targets.c.machine import executed
from tests.targets.fmi.importer import OK, Fmu
from tests.targets.test_fortran_target import COMPILER, compiled, last_row
from tests.targets.test_python_target import loaded

MAIN = """
#include <stdio.h>
#include "MODEL.h"
static MODEL_t m;
int main(void)
{
    MODEL_out o;
    int events = 0, status = MODEL_init(&m, 0.0, NULL, NULL, &o);
    double lowest = 0.0, first = 0.0;
    while (status == 0 && m.time < 0.035) {
        status = MODEL_step(&m, NULL, &o);
        events += m.events;
        lowest = o.L_i < lowest ? o.L_i : lowest;
        first = first > 0.0 || o.L_i > 1e-9 || m.time < 0.001 ? first : m.time;
    }
    printf("%d %d %.17g %.17g %.17g\\n", status, events, lowest, first, o.L_i);
    return 0;
}
"""
LEAKS = {"ideal": 0.0, "leaking": 1e-7}
END = end_of_conduction(1.002)


@pytest.fixture(scope="module")
def circuits(tmp_path_factory: pytest.TempPathFactory) -> dict[str, acausal.Translation]:
    found = {}
    for name, leak in LEAKS.items():
        path = tmp_path_factory.mktemp("circuits") / f"{name}.mdl"
        diodes = ", ".join(f"D{k}(Ron=1e-3, Goff={leak})" for k in range(2))
        path.write_text(MODEL.format(diodes=diodes, chain="D0 - D1"), encoding="utf-8")
        found[name] = acausal.translate(path)
    return found


@pytest.mark.parametrize(("name", "method", "step"), [("ideal", "rk4", 1e-4), ("leaking", "implicit-euler", 5e-6)])
def test_c(circuits: dict[str, acausal.Translation], name: str, method: str, step: float, tmp_path: Path) -> None:
    (line,) = executed(tmp_path, {name: circuits[name]}, MAIN.replace("MODEL", name), step, method)
    status, events, lowest, first, last = map(float, line.split())
    assert status == 0.0
    assert events < 40
    assert END < first < END + 2.0 * step
    assert lowest > -10.0 * LEAKS[name] - 1e-9
    assert abs(last) < 1e-6


def test_fortran(circuits: dict[str, acausal.Translation], tmp_path: Path) -> None:
    if COMPILER is None:
        return
    circuits["ideal"].export("fortran", tmp_path / "ideal.f90", step=1e-4)
    last, _, said = last_row(compiled(tmp_path, "ideal"), "--stop", "0.035", "--interval", "0.001")
    assert int(said.split()[0]) < 40
    assert abs(last["L.i"]) < 1e-6


@pytest.mark.parametrize("name", LEAKS)
def test_python_module(circuits: dict[str, acausal.Translation], name: str, tmp_path: Path) -> None:
    circuits[name].export("python", tmp_path / f"{name}.py")
    found = loaded(tmp_path / f"{name}.py").simulate(stop=0.035, tolerance=1e-6)
    assert max(t for t, _ in found.events if t < 0.015) == pytest.approx(END, abs=2e-7)
    assert found.columns["L.i"].min() > -10.0 * LEAKS[name] - 1e-6
    assert abs(found.columns["L.i"][-1]) < 1e-6


def test_fmu(circuits: dict[str, acausal.Translation], tmp_path: Path) -> None:
    files = fmu_files(circuits["ideal"]._model, "ideal", TargetOptions(source_only=True, kind="cs"), 3)
    made = Fmu(tmp_path, ("-O0",), files).co_simulation().initialize(0.035)
    currents = []
    for number in range(35):
        status, *_ = made.step(0.001 * number, 0.001)
        assert status == OK
        currents += made.get("L.i")
    assert max(currents) == pytest.approx(9.4, abs=0.2)
    assert min(currents) > -1e-6
    assert abs(currents[14]) < 1e-6
    assert currents[24] > 5.0
    made.free()


BRIDGE_MAIN = """
#include <stdio.h>
#include "bridge.h"
static bridge_t m;
int main(void)
{
    bridge_out o;
    int status = bridge_init(&m, 0.0, NULL, NULL, &o);
    while (status == 0 && m.time < 0.019995)
        status = bridge_step(&m, NULL, &o);
    printf("%d %.17g\\n", status, o.L_i);
    return 0;
}
"""


def test_a_start_that_not_all_values_solve(tmp_path: Path) -> None:
    """Six diodes without resistance: C and a Python module begin as `simulate` does, and commutate alike."""
    bridge = acausal.translate(BRIDGE.format("0"))
    expected = bridge.simulate(tolerance=1e-8)["L.i"][-1]
    (line,) = executed(tmp_path, {"bridge": bridge}, BRIDGE_MAIN, 1e-5, "rk4")
    status, current = map(float, line.split())
    assert status == 0.0
    assert current == pytest.approx(expected, rel=1e-6)
    bridge.export("python", tmp_path / "b.py")
    found = loaded(tmp_path / "b.py").simulate(tolerance=1e-8)
    assert found.columns["L.i"][-1] == pytest.approx(expected, rel=1e-6)
