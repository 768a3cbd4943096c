"""Exported programs of a model whose experiment selects other states on the way.

A point runs on the unit circle at speed 2 from (0, 1): x = sin(2 t), y = cos(2 t). Neither can be the state all the
way; the lower half, where y < 0, is entered at pi/4 and left at 3 pi/4.
"""

import shutil
import subprocess
from math import cos, pi, sin
from pathlib import Path

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.c.machine import executed
from tests.targets.fmi.importer import OK, Fmu
from tests.targets.test_python_target import loaded

SWING = """model Swing
  local x (start=0, state="prefer"), y (start=1), u (start=2, state="prefer"), v, f
  discrete boolean low
  discrete times (start=0)
  der(x) = u
  der(y) = v
  der(u) = -f*x
  der(v) = -f*y
  x^2 + y^2 = 1
  when y < 0 then
    new(low) = true
    new(times) = times + time
  elsewhen y > 0 then
    new(low) = false
  endwhen
  experiment (stop=3, tolerance=1e-8)
end
"""
NAMES = ("x", "y", "u", "f", "times")
MAIN = """
#include <stdio.h>
#include "swing.h"
static swing_t m, copy;
int main(void)
{
    static swing_out o;
    int status = swing_init(&m, 0.0, NULL, NULL, &o), sets = 0;
    for (int row = 1; row <= 6 && status == 0; row++) {
        for (int i = 0; i < 250 && status == 0; i++) {
            status = swing_step(&m, NULL, &o);
            sets |= 1 << m.set[0];
            swing_copy(&copy, &m);
            swing_copy(&m, &copy);
        }
        printf("%.17g %.17g %.17g %.17g %.17g\\n", o.x, o.y, o.u, o.f, o.times);
    }
    printf("%d %d\\n", status, sets);
    return 0;
}
"""


def wanted(t: float) -> list[float]:
    """The closed form at t."""
    return [sin(2 * t), cos(2 * t), 2 * cos(2 * t), 4.0, pi / 4 if t > pi / 4 else 0.0]


@pytest.fixture(scope="module")
def swing() -> acausal.Translation:
    return acausal.translate(SWING)


def test_c(swing: acausal.Translation, tmp_path: Path) -> None:
    *rows, last = executed(tmp_path, {"swing": swing}, MAIN, 0.002)
    assert last == "0 3"
    for k, row in enumerate(rows, 1):
        assert [float(x) for x in row.split()] == pytest.approx(wanted(0.5 * k), abs=1e-6)


def test_python(swing: acausal.Translation, tmp_path: Path) -> None:
    swing.export("python", tmp_path / "swing_sets.py")
    module = loaded(tmp_path / "swing_sets.py")
    found = module.simulate(interval=0.5, tolerance=1e-8)
    assert len(found.events) == 2
    for i, t in enumerate(found.columns["time"]):
        if abs(t - pi / 4) > 1e-9:
            assert [found.columns[name][i] for name in NAMES] == pytest.approx(wanted(t), abs=1e-6)


def test_co_simulation(swing: acausal.Translation, tmp_path: Path) -> None:
    files = fmu_files(swing._model, "swing", TargetOptions(source_only=True), 3)
    assert "<ModelExchange" not in str(files["modelDescription.xml"])
    made = Fmu(tmp_path, ("-O0",), files).co_simulation().initialize(3.0)
    for i in range(6):
        assert made.step(0.5 * i, 0.5)[0] == OK
        assert [made.get(name)[0] for name in NAMES] == pytest.approx(wanted(0.5 * (i + 1)), abs=1e-5)
    made.free()


def test_model_exchange_has_one_set(swing: acausal.Translation, tmp_path: Path) -> None:
    with pytest.raises(acausal.ModelError) as error:
        swing.export("fmi3", tmp_path / "m.fmu", kind="both", source_only=True)
    (diagnostic,) = error.value.report.diagnostics
    assert diagnostic.code == "F040"
    assert "other states during a run" in diagnostic.message
    assert diagnostic.help is not None
    assert "--kind cs" in diagnostic.help
    assert diagnostic.primary is not None
    assert diagnostic.primary.span.text.startswith(("x (", "u ("))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs gfortran")
def test_fortran(swing: acausal.Translation, tmp_path: Path) -> None:
    swing.export("fortran", tmp_path / "m.f90", step=0.002)
    flags = ["-std=f2008", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"]
    command = ["gfortran", *flags, "m.f90", "m.main.f90", "-o", "m"]
    subprocess.run(command, cwd=tmp_path, check=True, timeout=120)
    done = subprocess.run(["./m", "--interval", "0.5"], cwd=tmp_path, capture_output=True, text=True, check=True)
    names, *rows = done.stdout.splitlines()
    places = [names.strip().split(",").index(name) for name in NAMES]
    assert "2 events" in done.stderr
    for row in rows:
        numbers = [float(x) for x in row.split(",")]
        assert [numbers[place] for place in places] == pytest.approx(wanted(numbers[0]), abs=1e-6)
