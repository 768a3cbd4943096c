"""Events that leave the motion as it is do not disturb the solver; those that change it do.

An oscillator that is only watched goes through the very steps that it takes when nobody watches: the same numbers to
the last bit. What an event asks for within the step that the solver is in comes at its time (closed forms).
"""

from pathlib import Path

import numpy as np
import pytest

from acausal.results.result import Result
from tests.events.test_native import translated
from tests.python_loop import simulate_in_python

OSCILLATOR = "der(x) = y\nder(y) = -x\n"
COUNTED = "when x > 0.3 then\nnew(n) = n + 1\nendwhen\n"
LATER = """model M
  local x
  discrete due (start=1e9), n
  der(x) = 1
  when x > 1 then
    new(due) = time + 0.01
  endwhen
  when time > due then
    new(n) = n + 1
  endwhen
end
"""
TURNED = """model M
  local x, y (start=1)
  discrete n
  der(x) = 1 - 2*n
  der(y) = -y
  when x > 0.7 then
    new(n) = 1
  endwhen
end
"""
WAYS = pytest.mark.parametrize("solver", ["cvode", "adams", "lsoda"])


def both(text: str, folder: Path, **options: float | str) -> tuple[Result, Result]:
    """A run with events in machine code, and one with events in Python."""
    model = translated(text, folder)
    return model.simulate(**options), simulate_in_python(model, **options)


def at_outputs(result: Result, name: str, interval: float) -> np.ndarray:
    """The values at the output times, those of events left out."""
    steps = result.time / interval
    return result[name][np.abs(steps - steps.round()) < 1e-9]


@pytest.mark.parametrize("solver", ["cvode", "adams"])
def test_a_motion_that_is_only_watched_is_the_same_to_the_last_bit(solver: str, tmp_path: Path) -> None:
    options = {"stop": 20.0, "interval": 0.5, "solver": solver}
    alone = translated(f"model M\nlocal x, y (start=1)\n{OSCILLATOR}end\n", tmp_path).simulate(**options)
    watched = f"model M\nlocal x, y (start=1)\ndiscrete n\n{OSCILLATOR}{COUNTED}end\n"
    for result in both(watched, tmp_path, **options):
        assert result["n"][-1] == 4.0
        assert result.stats.events == 7
        assert result.stats.steps == alone.stats.steps
        assert np.array_equal(at_outputs(result, "x", 0.5), alone["x"])


@WAYS
def test_what_an_event_asks_for_within_the_same_step_comes_in_time(solver: str, tmp_path: Path) -> None:
    for result in both(LATER, tmp_path, stop=3.0, interval=3.0, solver=solver):
        assert [event.time for event in result.events] == pytest.approx([1.0, 1.01], abs=1e-8)
        assert result["x"][-1] == pytest.approx(3.0, abs=1e-8)
        assert result["n"][-1] == 1.0


@WAYS
def test_an_event_that_the_derivatives_see_begins_another_motion(solver: str, tmp_path: Path) -> None:
    for result in both(TURNED, tmp_path, stop=2.0, interval=2.0, solver=solver):
        assert result["x"][-1] == pytest.approx(0.7 - 1.3, abs=1e-6)
        assert result["y"][-1] == pytest.approx(np.exp(-2.0), rel=1e-5)
