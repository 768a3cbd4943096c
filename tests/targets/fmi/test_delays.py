"""Delays in Co-Simulation, against the method of steps; with events that come through a delay, and restored states."""

import ctypes
from math import factorial

import pytest

import acausal
from acausal.base.diagnostics import ModelError
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import OK, Fmu, Instance, Pointer

TEXT = """
model Delayed
  parameter T(unit="s", tunable=true) = 1 "delay"
  local x(start=1, fixed=true), s(start=0.5, fixed=true)
  discrete flips(start=0)
  der(x) = -delay(x, T)
  der(s) = if delay(s, T) > 0 then -1 else 1
  when delay(s, T) > 0 then
    new(flips) = flips + 1
  endwhen
  experiment (stop=10, tolerance=1e-8)
end
"""
INTERVAL = 0.3


def smooth(t: float, delay: float) -> float:
    """x' = -x(t - delay) with x = 1 before 0: the sum of (-(t - (k - 1)*delay))^k/k! up to the step of t."""
    return sum([(-(t - (k - 1) * delay)) ** k / factorial(k) for k in range(int(t / delay) + 2)])


def relay(t: float) -> float:
    """Falls from 0.5, and turns a second behind each zero: a triangle between -1 and 1."""
    phase = (t - 1.5) % 4.0
    return -1.0 + phase if phase < 2.0 else 3.0 - phase


@pytest.fixture(scope="module")
def delayed(tmp_path_factory: pytest.TempPathFactory) -> Fmu:
    model = acausal.translate(TEXT, cache=False)
    files = fmu_files(model._model, "delayed", TargetOptions(source_only=True), 3)
    assert "<ModelExchange" not in str(files["modelDescription.xml"])
    return Fmu(tmp_path_factory.mktemp("delayed"), ("-O0",), files)


def steps(made: Instance, first: int, last: int) -> list[float]:
    found = []
    for i in range(first, last):
        assert made.step(INTERVAL * i, INTERVAL)[0] == OK
        found += [made.get("x")[0], made.get("s")[0]]
    return found


@pytest.mark.parametrize("delay", [1.0, 0.7])
def test_method_of_steps(delayed: Fmu, delay: float) -> None:
    made = delayed.co_simulation().initialize(10.0, T=delay)
    for i in range(30):
        t = INTERVAL * (i + 1)
        x, s = steps(made, i, i + 1)
        assert x == pytest.approx(smooth(t, delay), abs=1e-6)
        assert delay != 1.0 or s == pytest.approx(relay(t), abs=1e-7)
    assert delay != 1.0 or made.get("flips") == [2.0]  # s > 0 from 3.5 - 1 and from 7.5 - 1 on
    made.free()


def test_the_history_is_saved(delayed: Fmu) -> None:
    made = delayed.co_simulation().initialize(10.0)
    steps(made, 0, 8)
    saved = Pointer()
    assert made.call("GetFMUState", ctypes.byref(saved)) == OK
    first = steps(made, 8, 25)
    assert made.call("SetFMUState", saved) == OK
    again = steps(made, 8, 25)
    assert made.call("FreeFMUState", ctypes.byref(saved)) == OK
    assert again == pytest.approx(first, abs=1e-7)
    assert first[-2] == pytest.approx(smooth(7.5, 1.0), abs=1e-6)
    made.free()


def test_model_exchange_is_refused() -> None:
    model = acausal.translate(TEXT, cache=False)
    with pytest.raises(ModelError, match="the target fmi2 for Model Exchange does not support delays") as error:
        fmu_files(model._model, "delayed", TargetOptions(source_only=True, kind="me"), 2)
    assert "--kind cs" in str(error.value)
