"""Each sample instant acts exactly once, whatever happens near it; so does each crossing in time alone."""

from pathlib import Path

import pytest

from acausal.base.diagnostics import SimulationError
from acausal.pipeline import translate
from acausal.translation import Translation
from tests.python_loop import simulate_in_python

NEXT_TO_A_STATE_EVENT = """model M
  discrete integer n, k
  local x (start=0, fixed=true)
  parameter t0=0.3, d=0
  der(x) = 1
  when sample(t0, 0.1*t0) then
    new(n) = n + 1
  endwhen
  when x > t0 + d then
    new(k) = k + 1
  endwhen
end
"""
TWICE = """model SampleTwice
  discrete integer n
  local x (start=0, fixed=true)
  local k = floor(x)
  der(x) = 1
  when sample(0, 1) then
    new(n) = n + 1
  endwhen
  experiment (stop=10.5)
end
"""
CLOCK = """model M
  discrete integer n, k
  local x (start=0, fixed=true)
  parameter d=0
  der(x) = 1
  when 2*time > 0.6 then
    new(n) = n + 1
  elsewhen floor(7*time + 0.1) > 1 then
    new(n) = n + 10
  endwhen
  when x > 0.3 + d then
    new(k) = k + 1
  endwhen
end
"""
SOLVERS = ("auto", "rk45", "dop853", "lsoda", "radau", "bdf")
DISTANCES = [0.0, *[sign * 10.0**k for k in range(-18, -7) for sign in (-1, 1, 3)]]


WAYS = (("auto", Translation.simulate), ("auto", simulate_in_python))


def translated(text: str, folder: Path) -> Translation:
    file = folder / "model.mdl"
    file.write_text(text, encoding="utf-8")
    return translate(file)


@pytest.mark.parametrize("t0", [0.3, 1.0, 100.0])
def test_next_to_a_state_event(t0: float, tmp_path: Path) -> None:
    """The instants are t0, 1.1*t0, ... up to 2*t0; x = time crosses t0 + d."""
    model = translated(NEXT_TO_A_STATE_EVENT, tmp_path)
    for number, d in enumerate(DISTANCES):
        for solver, simulate in (*WAYS, (SOLVERS[number % len(SOLVERS)], Translation.simulate)):
            result = simulate(model, parameters={"t0": t0, "d": d}, stop=2.05 * t0, solver=solver)
            assert (result["n"][-1], result["k"][-1]) == (11, 1), (d, solver, simulate)


@pytest.mark.parametrize("solver", SOLVERS)
def test_together_with_steps_of_a_state(solver: str, tmp_path: Path) -> None:
    model = translated(TWICE, tmp_path)
    for interval in (1.0, 0.3, 0.1, 0.021):
        assert model.simulate(solver=solver, interval=interval)["n"][-1] == 11


@pytest.mark.parametrize(("start", "count"), [("0", 11), ("-0.25", 10), ("0.3", 8), ("1", 1), ("-7.3", 11), ("1.1", 0)])
def test_instants_from_start_to_stop(start: str, count: int, tmp_path: Path) -> None:
    """t0 + k/10 within 0 ... 1, both ends included but for rounding."""
    text = f"model M\ndiscrete integer n\nwhen sample({start}, 0.1) then\nnew(n) = n + 1\nendwhen\nend\n"
    model = translated(text, tmp_path)
    for interval in (1.0, 0.1, 0.03):
        assert model.simulate(stop=1, interval=interval)["n"][-1] == count


def test_crossings_in_time_next_to_a_state_event(tmp_path: Path) -> None:
    """2*time > 0.6 at 0.3, floor(7*time + 0.1) > 1 at 1.9/7 = 0.2714; x crosses next to the former."""
    model = translated(CLOCK, tmp_path)
    for d in DISTANCES:
        for solver, simulate in (*WAYS, ("radau", Translation.simulate)):
            result = simulate(model, parameters={"d": d}, stop=0.4, solver=solver)
            assert (result["n"][-1], result["k"][-1]) == (11, 1), (d, solver, simulate)


@pytest.mark.parametrize("solver", ["auto", "dop853"])
def test_a_run_that_begins_late(tmp_path: Path, solver: str) -> None:
    """Instants before the run do not count: five from 1e9 to 1e9 + 1, or an error where time does not resolve them."""
    for start, count in ((1e6, 5), (1e9, 5), (1e10, 5), (1e12, None), (-1e9, 0)):
        text = "model M\ndiscrete n\nlocal x (start=0, fixed=true)\nder(x) = 1\nwhen sample(0, 0.25) then\n"
        model = translated(
            text + f"new(n) = n + 1\nendwhen\nexperiment (start={start:.0f}, stop={start + 1:.0f})\nend\n", tmp_path
        )
        if count is None:
            with pytest.raises(SimulationError, match="E016"):
                model.simulate(solver=solver)
        else:
            assert model.simulate(solver=solver)["n"][-1] == count
