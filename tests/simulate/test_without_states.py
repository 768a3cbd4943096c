"""Runs without states: kernels in place of CVODE, as machine code and as Python; events against closed forms."""

from collections.abc import Callable
from math import asin, pi
from pathlib import Path

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.simulate.run import choose_solver
from acausal.simulate.solver.stateless import NoStates
from acausal.translation import Translation
from tests.events.models import event_times
from tests.python_loop import simulate_in_python

HEIGHT = 0.6823278038280193
"""The largest value of c, by c^3 + c = 1."""
BELOW = 1e-8
TEXT = f"""model M
  input f
  local x, y, late, c, r (start=1)
  discrete integer n, k, m
  x = sin(7*time)
  y = if x > 0.5 then 0.5 else x
  late = delay(y, 0.05)
  c^3 + c = sin(3*time)
  r^3 + r = 2 + x
  when x < 0.5 then
    new(n) = n + 1
  endwhen
  when sample(0.1, 0.25) then
    new(k) = k + 1
  endwhen
  when c - f > {HEIGHT - BELOW!r} then
    new(m) = m + 1
  endwhen
  experiment (stop=3, interval=0.02)
end
"""
FALLS = [(pi - asin(0.5) + 2 * pi * k) / 7 for k in range(3)]
TOPS = [(0.5 * pi + 2 * pi * k) / 3 for k in range(2)]
"""c exceeds its threshold for 1.5e-4 s about these times, which is less than the parts of the way."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    file: Path = tmp_path_factory.mktemp("stateless") / "m.mdl"
    file.write_text(TEXT, encoding="utf-8")
    return translate(file)


def _bytes(result: Result) -> list[bytes]:
    return [result.time.tobytes(), *[np.asarray(result[name]).tobytes() for name in result.names]]


@pytest.fixture(scope="module")
def found(model: Translation) -> Result:
    return model.simulate(inputs={"f": "0"})


def test_events_are_where_they_belong(found: Result) -> None:
    assert event_times(found, "n") == pytest.approx(FALLS, abs=1e-12)
    assert event_times(found, "m") == pytest.approx(TOPS, abs=1e-4)
    assert event_times(found, "k") == pytest.approx(np.arange(0.1, 3, 0.25), abs=1e-12)
    once = np.append(np.diff(found.time) > 0, True)
    ago = found.time[once] - 0.05
    np.testing.assert_allclose(found["late"][once], np.where(ago > 0, np.minimum(np.sin(7 * ago), 0.5), 0), atol=1e-7)
    np.testing.assert_allclose(found["r"] ** 3 + found["r"], 2 + np.sin(7 * found.time), atol=1e-9)


@pytest.mark.parametrize(
    "run",
    [
        lambda model: model.simulate(inputs={"f": "0"}, progress=lambda _: None),
        lambda model: model.simulate(inputs={"f": lambda _: 0.0}),
        lambda model: simulate_in_python(model, inputs={"f": "0"}),
    ],
    ids=["progress", "callable", "one by one"],
)
def test_every_path_gives_the_same_bits(
    run: Callable[[Translation], Result], model: Translation, found: Result
) -> None:
    assert _bytes(run(model)) == _bytes(found)


def test_kernels_that_python_runs(model: Translation, found: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choose_solver, "_without_states", lambda system, y, s: NoStates(system, y, s.start))
    assert _bytes(model.simulate(inputs={"f": "0"})) == _bytes(found)


def test_runs_follow_each_other(model: Translation, found: Result) -> None:
    assert _bytes(model.simulate(inputs={"f": "0"})) == _bytes(found)
    short = model.simulate(inputs={"f": "0"}, stop=1)
    assert event_times(short, "n") == pytest.approx(FALLS[:1], abs=1e-12)
