"""Delays in FMUs, against the method of steps; with events and inputs that come later, and restored states."""

import ctypes
from math import cos, factorial, sin

import pytest

import acausal
from acausal.targets.fmi.fmu_files import fmu_files
from acausal.targets.target_options import TargetOptions
from tests.targets.fmi.importer import ERROR, OK, Fmu, Instance, Pointer, Size
from tests.targets.fmi.integrator import Integrator

TEXT = """
model Delayed
  input u
  parameter T(unit="s", tunable=true) = 1 "delay"
  local x(start=1, fixed=true), s(start=0.5, fixed=true)
  local z(start=0, fixed=true)
  discrete flips(start=0)
  der(x) = -delay(x, T)
  der(s) = if delay(s, T) > 0 then -1 else 1
  der(z) = delay(u, T)
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


# ------------------------------------------------------------ Model Exchange


@pytest.mark.parametrize("delay", [1.0, 0.7])
def test_steps_of_an_importer_are_the_history(delayed: Fmu, delay: float) -> None:
    made = delayed.model_exchange().initialize(T=delay)
    run = Integrator(made, 3, 0.05)
    for i in range(1, 26):
        run.to(0.4 * i)
        assert made.get("x")[0] == pytest.approx(smooth(run.time, delay), abs=1e-7)
        assert delay != 1.0 or made.get("s")[0] == pytest.approx(relay(run.time), abs=1e-7)
    assert delay != 1.0 or made.get("flips") == [2.0]
    made.free()


def test_few_reports_are_enough(delayed: Fmu) -> None:
    """Steps as long as the delay: events in between make them shorter until what is delayed is known well enough."""
    delayed.messages.clear()
    made = delayed.model_exchange().initialize()
    run = Integrator(made, 3, 1.0)
    run.to(6.0)
    assert made.get("x")[0] == pytest.approx(smooth(6.0, 1.0), abs=1e-4)  # by the errors of such steps
    assert run.events[:2] == [0.125, 0.25]
    made.free()


def test_an_input_jumps_behind_its_delay(delayed: Fmu) -> None:
    made = delayed.model_exchange().initialize()
    run = Integrator(made, 3, 0.3)
    run.to(2.41)
    run.event(u=1.0)
    run.to(4.0)
    assert made.get("z")[0] == pytest.approx(4.0 - 3.41, abs=1e-12)
    assert any(abs(t - 3.41) < 1e-12 for t in run.events)
    made.free()


def test_an_input_is_smooth_between_steps(delayed: Fmu) -> None:
    made = delayed.model_exchange().initialize()
    run = Integrator(made, 3, 0.05, {"u": sin})
    run.to(5.0)
    assert made.get("z")[0] == pytest.approx(1.0 - cos(4.0), abs=1e-7)
    made.free()


def test_the_state_of_an_instance_has_its_history(delayed: Fmu) -> None:
    made, other = delayed.model_exchange().initialize(), delayed.model_exchange().initialize()
    run = Integrator(made, 3, 0.05)
    run.to(2.4)
    saved, size = Pointer(), Size()
    assert made.call("GetFMUState", ctypes.byref(saved)) == OK
    assert made.call("SerializedFMUStateSize", saved, ctypes.byref(size)) == OK
    data = (ctypes.c_ubyte * size.value)()
    assert made.call("SerializeFMUState", saved, data, size) == OK
    run.to(5.0)
    wanted = [*made.get("x"), *made.get("s")]
    assert made.call("SetFMUState", saved) == OK
    copied = Pointer()
    assert other.call("DeserializeFMUState", data, size, ctypes.byref(copied)) == OK
    assert other.call("SetFMUState", copied) == OK
    for instance in (made, other):
        again = Integrator.__new__(Integrator)
        again.__dict__.update(run.__dict__, _made=instance, time=2.4, next_time=2.5)
        again.to(5.0)
        assert [*instance.get("x"), *instance.get("s")] == pytest.approx(wanted, abs=1e-12)
        assert instance.call("FreeFMUState", ctypes.byref(saved if instance is made else copied)) == OK
        instance.free()


def test_the_time_of_a_delay_is_fixed_during_a_run(delayed: Fmu) -> None:
    made = delayed.model_exchange().initialize()
    run = Integrator(made, 3, 0.05)
    run.to(2.4)
    delayed.messages.clear()
    assert made.call("EnterEventMode") == OK
    assert made.set("T", 0.5) == OK
    flags, time = [ctypes.c_bool() for _ in range(5)], ctypes.c_double()
    assert made.call("UpdateDiscreteStates", *[ctypes.byref(f) for f in flags], ctypes.byref(time)) == ERROR
    assert delayed.messages == ["the time of a delay has changed during the run"]
    made.free()
