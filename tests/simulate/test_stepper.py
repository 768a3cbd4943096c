"""Step by step: inputs, outputs, events within steps, return to earlier states."""

import math

import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.runs import RunError
from tests.simulate.test_state import BALL, SAMPLED

LAG = """model Lag
  input u
  local x (start=0), y
  discrete n (start=0)
  der(x) = (u - x)/0.5
  y = 3*x + u
  when u > 2 then
    new(n) = n + 1
  endwhen
end
"""


def test_follows_inputs_that_change_between_steps() -> None:
    """x = u + (x0 - u)*exp(-t/0.5) for each constant u."""
    s = acausal.translate(LAG, cache=False).stepper(inputs={"u": 1}, tolerance=1e-8)
    assert (s.time, s["x"], s["y"]) == (0, 0, 1)
    x = 0.0
    for u in (1.0, -2.0, 3.0, 3.0, 0.0, 4.0):
        s.inputs["u"] = u
        s.step(0.2)
        x = u + (x - u) * math.exp(-0.4)
        assert s["x"] == pytest.approx(x, abs=1e-7)
        assert s["y"] == pytest.approx(3 * x + u, abs=1e-6)
    assert s.time == pytest.approx(1.2)
    assert s["n"] == 2
    assert repr(s) == "<Stepper Lag at t = 1.2 s>"


def test_returns_to_earlier_states() -> None:
    s = acausal.translate(SAMPLED, cache=False).stepper()
    for _ in range(7):
        s.step(0.13)
    state, x = s.state, s["x"]
    seen = [(s.step(0.2), s["x"], s["u"]) for _ in range(3)]
    s.restore(state)
    assert (s.time, s["x"]) == (state.time, x)
    assert [(s.step(0.2), s["x"], s["u"]) for _ in range(3)] == seen


def test_events_within_steps_are_those_of_a_run() -> None:
    model = acausal.translate(BALL, cache=False)
    s, run = (
        model.stepper(initial={"h": 2}, parameters={"e": 0.7}),
        model.simulate(stop=2, initial={"h": 2}, parameters={"e": 0.7}),
    )
    for _ in range(20):
        s.step(0.1)
    assert s["n"] == run["n"][-1]
    assert s["h"] == pytest.approx(run["h"][-1], abs=1e-5)
    assert s["e"] == 0.7


def test_mistakes() -> None:
    model = acausal.translate(LAG, cache=False)
    with pytest.raises(UsageError, match="R005"):
        model.stepper()
    s = model.stepper(inputs={"u": 1})
    for wrong in (0, -1, "x"):
        with pytest.raises(UsageError, match="F006"):
            s.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="F005") as caught:
        s.inputs["v"] = 1
    assert "the inputs are u" in str(caught.value)
    with pytest.raises(UsageError, match="F006"):
        s.inputs["u"] = "fast"  # type: ignore[assignment]
    with pytest.raises(UsageError, match="A011"):
        s.restore(acausal.translate(BALL, cache=False).stepper().state)
    assert s.time == 0


def test_stays_where_it_was_when_a_step_fails() -> None:
    s = acausal.translate("model M\n  local x (start=1)\n  der(x) = x^2\nend\n", cache=False).stepper()
    s.step(0.5)
    with pytest.raises(RunError):
        s.step(1)
    assert (s.time, s["x"]) == (0.5, pytest.approx(2, abs=1e-4))
    s.step(0.25)
    assert s["x"] == pytest.approx(4, abs=1e-3)


def test_terminates() -> None:
    s = acausal.translate('model M\n  local x (start=0)\n  der(x) = 1\n  terminate(x > 0.5, "there")\nend\n').stepper()
    state = s.state
    s.step(1)
    assert (s.time, s.is_finished) == (pytest.approx(0.5), True)
    with pytest.raises(UsageError, match="terminated"):
        s.step(1)
    s.restore(state)
    assert not s.is_finished


def test_state_of_another_run_brings_its_parameters() -> None:
    """As where a run starts from it; those that were given to the stepper stay."""
    text = "model Decay\n parameter k=1.5\n local x (start=1)\n der(x) = -k*x\nend\n"
    model = acausal.translate(text, cache=False)
    state = model.simulate(stop=1, parameters={"k": 3}).state()
    for given, rate in (({}, 3), ({"k": 2}, 2)):
        stepper = model.stepper(parameters=given)
        own = stepper.state
        stepper.restore(state)
        stepper.step(1)
        whole = model.simulate(stop=2, start_from=state, parameters=given)
        assert stepper["k"] == rate
        assert stepper["x"] == pytest.approx(whole["x"][-1], rel=1e-5)
        assert stepper["x"] == pytest.approx(math.exp(-3 - rate), rel=1e-4)
        stepper.restore(own)
        assert stepper["k"] == given.get("k", 1.5)
