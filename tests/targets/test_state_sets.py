"""Exported programs of a model whose experiment selects other states on the way.

A point runs on the unit circle at speed 2 from (0, 1): x = sin(2 t), y = cos(2 t). Neither can be the state all the
way; the lower half, where y < 0, is entered at pi/4 and left at 3 pi/4.
"""

import shutil
import subprocess
from ctypes import byref
from math import cos, pi, sin
from pathlib import Path
from xml.etree import ElementTree

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.c.machine import executed
from tests.targets.fmi.importer import OK, Bool, Double, Fmu, Size
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
            sets |= 1 << m.sets.number;
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


@pytest.fixture(scope="module")
def fmu(swing: acausal.Translation, tmp_path_factory: pytest.TempPathFactory) -> Fmu:
    files = fmu_files(swing._model, "swing", TargetOptions(source_only=True), 3)
    return Fmu(tmp_path_factory.mktemp("swing"), ("-O0",), files)


def test_co_simulation(fmu: Fmu) -> None:
    made = fmu.co_simulation().initialize(3.0)
    for i in range(6):
        assert made.step(0.5 * i, 0.5)[0] == OK
        assert [made.get(name)[0] for name in NAMES] == pytest.approx(wanted(0.5 * (i + 1)), abs=1e-5)
    made.free()


def test_states_of_model_exchange_have_names_of_their_own(swing: acausal.Translation, fmu: Fmu) -> None:
    assert {"dynamicStates", "der(dynamicStates)", *NAMES} <= set(fmu.references)
    files = fmu_files(swing._model, "swing", TargetOptions(source_only=True, kind="me"), 2)
    root = ElementTree.fromstring(str(files["modelDescription.xml"]))
    variables = {v.attrib["name"]: v for v in root.iterfind("ModelVariables/*")}
    names, indices = list(variables), [int(u.attrib["index"]) for u in root.iterfind("ModelStructure/Derivatives/*")]
    assert [names[i - 1] for i in indices] == ["der(dynamicStates[1])", "der(dynamicStates[2])"]
    assert variables["dynamicStates[2]"][0].attrib["reinit"] == "true"
    assert set(NAMES) <= set(names)
    assert root.attrib["numberOfEventIndicators"] == str(swing.program.table.crossings + 1)


def test_model_exchange_reports_other_states(fmu: Fmu) -> None:
    """Steps of Runge and Kutta; other states are announced by completed steps, and by an event indicator."""
    made, step = fmu.model_exchange().initialize(), 0.005
    numbers, indicators, enter, leave = (Double * 2)(), (Double * 4)(), Bool(), Bool()

    def enter_event_mode() -> list[bool]:
        flags = [Bool() for _ in range(5)]
        assert made.call("UpdateDiscreteStates", *[byref(flag) for flag in flags], byref(Double())) == OK
        assert made.call("EnterContinuousTimeMode") == OK
        return [flag.value for flag in flags]

    def rates(t: float, states: list[float]) -> list[float]:
        assert made.call("SetTime", Double(t)) == OK
        assert made.call("SetContinuousStates", (Double * 2)(*states), Size(2)) == OK
        assert made.call("GetContinuousStateDerivatives", numbers, Size(2)) == OK
        return list(numbers)

    def moved(states: list[float], size: float, rate: list[float]) -> list[float]:
        return [y + size * f for y, f in zip(states, rate, strict=True)]

    def signs() -> list[bool]:
        assert made.call("GetEventIndicators", indicators, Size(4)) == OK
        return [z > 0.0 for z in indicators]

    assert enter_event_mode() == [False] * 5
    switches, before = 0, signs()
    for i in range(600):
        t, states = step * i, made.states()
        slopes = [rates(t, states)]
        for share in (0.5, 0.5, 1.0):
            slopes.append(rates(t + share * step, moved(states, share * step, slopes[-1])))
        mean = [(a + 2.0 * b + 2.0 * c + d) / 6.0 for a, b, c, d in zip(*slopes, strict=True)]
        rates(t + step, moved(states, step, mean))
        assert made.call("CompletedIntegratorStep", Bool(False), byref(enter), byref(leave)) == OK
        now = signs()
        assert enter.value == (not now[-1])
        if now != before:
            assert made.call("EnterEventMode") == OK
            flags = enter_event_mode()
            assert flags[2] == flags[3] == (not now[-1])
            switches += flags[2]
            now = signs()
            assert now[-1]
        before = now
    assert switches == 3
    assert [made.get(name)[0] for name in NAMES[:4]] == pytest.approx(wanted(3.0)[:4], abs=1e-5)
    assert made.get("times")[0] == pytest.approx(pi / 4, abs=2 * step)
    made.free()


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
