"""A compiled FMU of FMI 3.0, driven by ctypes: Model Exchange, Co-Simulation, and the state machine of the standard."""

import ctypes
from itertools import permutations
from math import sqrt

import pytest

from tests.targets.fmi.importer import ERROR, OK, Bool, Double, Fmu, Instance, Pointer, Size

FALL = 9.81 - 0.5 / 2.0
"""Acceleration with the start value of the force."""
BOUNCE = sqrt(2.0 / FALL)


def height(t: float, e: float = 0.7) -> float:
    """The closed form behind the first bounce."""
    after = t - BOUNCE
    return e * FALL * BOUNCE * after - FALL * after**2 / 2.0


def test_co_simulation_over_an_event(slave: Instance) -> None:
    slave.initialize()
    for i in range(10):
        status, _, last = slave.step(0.1 * i, 0.1)
        assert status == OK
    assert last == pytest.approx(1.0, abs=1e-14)
    assert slave.get_integer("bounces") == 1
    assert slave.get("pair", 2)[0] == pytest.approx(height(1.0), abs=1e-5)
    assert slave.get("height")[0] == pytest.approx(1000.0 * height(1.0), abs=1e-2)


def test_parameters_in_any_order(fmu: Fmu) -> None:
    found = []
    for values in ({"e": 0.5, "g": 9.0, "f": 0.0}, {"f": 0.0, "g": 9.0, "e": 0.5}):
        made = fmu.co_simulation().initialize(**values)
        assert made.step(0.0, 0.8)[0] == OK
        found.append((made.get("h"), made.get("doubled")))
        made.free()
    assert found[0] == found[1]
    assert found[0][1] == [18.0]
    at = sqrt(2.0 / 9.0)
    assert found[0][0][0] == pytest.approx(0.5 * 9.0 * at * (0.8 - at) - 4.5 * (0.8 - at) ** 2, abs=1e-5)


def test_initial_states_are_set_in_every_order(fmu: Fmu) -> None:
    values = {"h": 2.0, "v": -1.0, "g": 9.0}
    for order in permutations(values):
        for late in range(len(order) + 1):
            made = fmu.model_exchange()
            assert made.get("h") == [1.0]
            for name in order[:late]:
                assert made.set(name, values[name]) == OK
            no, zero = Bool(False), Double(0.0)
            assert made.call("EnterInitializationMode", no, zero, zero, no, zero) == OK
            assert made.get("der(h)") == [-1.0 if "v" in order[:late] else 0.0]
            for name in order[late:]:
                assert made.set(name, values[name]) == OK
            assert made.get("height") == [2000.0]
            assert made.call("ExitInitializationMode") == OK
            assert made.states() == [2.0, -1.0]
            assert made.get("der(v)") == [-9.0 + 0.25]
            assert made.set("h", 1.0) == ERROR
            made.free()
    made = fmu.co_simulation().initialize(h=2.0, v=-1.0)
    assert made.step(0.0, 0.2)[0] == OK
    assert made.get("h")[0] == pytest.approx(2.0 - 0.2 - FALL * 0.02, abs=1e-6)
    made.free()


def test_early_return_and_event_mode(fmu: Fmu) -> None:
    made = fmu.co_simulation(event_mode=True).initialize()
    made.update()
    assert made.call("EnterStepMode") == OK
    status, has_event, last = made.step(0.0, 1.0)
    assert (status, has_event) == (OK, True)
    assert last == pytest.approx(BOUNCE, abs=1e-6) or last < BOUNCE  # `is_low` changes before
    events = 0
    while last < 1.0:
        assert made.call("EnterEventMode") == OK
        made.update()
        assert made.call("EnterStepMode") == OK
        status, has_event, last = made.step(last, 1.0 - last)
        assert status == OK
        events += 1
        assert events < 10
    assert made.get("h")[0] == pytest.approx(height(1.0), abs=1e-5)
    made.free()


def at_bounce(made: Instance) -> None:
    """In event mode, just beyond the bounce."""
    made.update()
    assert made.call("EnterContinuousTimeMode") == OK
    assert made.call("SetTime", Double(BOUNCE)) == OK
    assert made.call("SetContinuousStates", (Double * 2)(-1e-12, -FALL * BOUNCE), Size(2)) == OK
    assert made.call("EnterEventMode") == OK


def test_the_state_is_saved_and_restored_within_an_event(instance: Instance) -> None:
    instance.initialize()
    at_bounce(instance)
    saved = Pointer()
    assert instance.call("GetFMUState", ctypes.byref(saved)) == OK
    size = Size()
    assert instance.call("SerializedFMUStateSize", saved, ctypes.byref(size)) == OK
    content = (ctypes.c_ubyte * size.value)()
    assert instance.call("SerializeFMUState", saved, content, size) == OK
    assert instance.update() == (True, False)
    after = instance.states()
    assert after[1] == pytest.approx(0.7 * FALL * BOUNCE, rel=1e-14)
    assert instance.get_integer("bounces") == 1
    assert instance.call("SetFMUState", saved) == OK
    assert instance.get_integer("bounces") == 0
    assert instance.update() == (True, False)
    assert instance.states() == after
    again = Pointer()
    assert instance.call("DeserializeFMUState", content, size, ctypes.byref(again)) == OK
    assert instance.call("SetFMUState", again) == OK
    assert instance.states() == [-1e-12, -FALL * BOUNCE]
    content[0] ^= 1
    assert instance.call("DeserializeFMUState", content, size, ctypes.byref(again)) == ERROR
    for each in (saved, again):
        assert instance.call("FreeFMUState", ctypes.byref(each)) == OK
        assert each.value is None


def test_tunable_parameters_change_at_events(instance: Instance) -> None:
    instance.initialize()
    at_bounce(instance)
    assert instance.set("e", 0.25) == OK
    assert instance.set("g", 1.0) == ERROR
    assert "cannot be set now" in instance.fmu.messages[-1]
    assert instance.update()[0]
    assert instance.states()[1] == pytest.approx(0.25 * FALL * BOUNCE, rel=1e-14)


def test_what_is_not_allowed_is_an_error_with_a_message(instance: Instance) -> None:
    assert instance.call("EnterEventMode") == ERROR
    assert "fmi3EnterEventMode: not allowed" in instance.fmu.messages[-1]
    assert instance.call("SetContinuousStates", (Double * 2)(), Size(2)) == ERROR
    instance.initialize()
    assert instance.step(0.0, 1.0)[0] == ERROR
    assert instance.set("h", 1.0) == ERROR
    wrong = ctypes.c_uint32(99)
    assert instance.call("GetFloat64", ctypes.byref(wrong), Size(1), (Double * 1)(), Size(1)) == ERROR
    assert "value reference 99" in instance.fmu.messages[-1]
    assert instance.call("GetFloat64", None, Size(1), (Double * 1)(), Size(1)) == ERROR
    assert instance.call("Terminate") == OK
    assert instance.call("Reset") == OK
    instance.initialize()


def test_another_token_is_refused(fmu: Fmu) -> None:
    fmu.messages.clear()
    assert fmu.model_exchange(b"{0}").address is None
    assert fmu.messages == ["the instantiation token is not that of this FMU"]


def test_many_instances(fmu: Fmu) -> None:
    made = [fmu.co_simulation() for _ in range(50)]
    for i, each in enumerate(made):
        each.initialize(g=5.0 + 0.1 * i)
    for each in made:
        assert each.step(0.0, 0.2)[0] == OK
    for i, each in enumerate(made):
        assert each.get("h")[0] == pytest.approx(1.0 - (5.0 + 0.1 * i - 0.25) * 0.02, abs=1e-5)
        each.free()
    assert Bool(True).value
