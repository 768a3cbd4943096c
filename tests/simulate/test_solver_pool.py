"""What runs leave for the next ones changes no number: each run is compared with one that makes everything anew."""

import gc
from pathlib import Path
from threading import Thread
from weakref import ref

import numpy as np
import pytest

from acausal.base.options import SimulateOptions
from acausal.pipeline import translate
from acausal.results.result import Result
from acausal.runs import RunError, run
from acausal.simulate.system.parameters import Folded, parameter_values
from acausal.translation import Translation

EXAMPLES = Path(__file__).parents[2] / "examples"
GROWING = """model Growing
  parameter a=1
  local x (start=1, fixed=true), far
  der(x) = a*x*x
  far = if x > 5 then 1 else 0
end
"""


def anew(model: Translation, given: dict[str, float], options: SimulateOptions) -> Result:
    """A run that takes nothing from others."""
    p = parameter_values(model.executable, given, model.folded)
    assert not isinstance(p, Folded)
    return run(model.executable, p, options, None, None, *model.run_context(given))


def same(a: Result, b: Result) -> bool:
    """Whether all numbers and all the work are the same."""
    work = [(r.stats.steps, r.stats.rhs_calls, r.stats.jacobians, r.events) for r in (a, b)]
    return np.array_equal(a.time, b.time) and np.array_equal(a.stored, b.stored) and work[0] == work[1]


@pytest.mark.parametrize("name", ["double_pendulum", "pendulum", "suspension", "power_supply", "hydraulic_lift"])
def test_a_later_run_has_the_numbers_of_a_first_one(name: str) -> None:
    model = translate(EXAMPLES / f"{name}.mdl")
    stop = 0.1 * (model.program.experiment.stop or 1.0)
    asked = [SimulateOptions(stop=stop)] * 2 + [SimulateOptions(stop=0.7 * stop, tolerance=1e-4)] * 2
    asked += [SimulateOptions(stop=stop), SimulateOptions(stop=stop, solver="adams"), SimulateOptions(stop=stop)]
    asked += [SimulateOptions(stop=stop, tolerance=tolerance) for tolerance in (1e-5, 1e-6, 1e-7)]
    for options in asked:
        assert same(model.run(options, {}, None, None), anew(model, {}, options))


def growing(tmp_path: Path) -> Translation:
    """A model whose solution ends at t = 1/a."""
    file = tmp_path / "growing.mdl"
    file.write_text(GROWING)
    return translate(file)


def test_a_run_after_a_failure_and_with_other_parameters(tmp_path: Path) -> None:
    model = growing(tmp_path)
    options = SimulateOptions(stop=0.9)
    first = model.run(options, {}, None, None)
    assert len(first.events) == 1
    assert first.events[0].time == pytest.approx(0.8, abs=1e-4)  # x = 1/(1 - t) is 5
    for _ in range(2):
        with pytest.raises(RunError):
            model.simulate(stop=1.5)
        slow = model.simulate(stop=0.9, parameters={"a": 0.5})
        assert slow["x"][-1] == pytest.approx(1 / (1 - 0.45), abs=1e-5)
        assert not slow.events
        assert same(model.run(options, {}, None, None), first)
    assert same(first, anew(model, {}, options))  # its rows are its own


def test_a_run_inside_a_run_and_runs_in_threads(tmp_path: Path) -> None:
    model = growing(tmp_path)
    options = SimulateOptions(stop=0.9, interval=0.3)
    inner: list[Result] = []

    def progress(_: float) -> None:
        inner.append(model.run(options, {}, None, None))

    expected = anew(model, {}, options)
    outer = model.run(options, {}, None, progress)
    watched = len(inner)
    assert watched > 0
    threads = [Thread(target=lambda: [progress(0.0) for _ in range(20)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(inner) == watched + 60
    assert all(same(result, expected) for result in (outer, *inner))


def test_nothing_of_a_run_waits_for_the_collector(tmp_path: Path) -> None:
    model = growing(tmp_path)
    gc.disable()
    try:
        model.simulate(stop=0.9)
        context = model._runs._pool.take()
        assert context is not None
        left = [ref(context.system), ref(context.solver), ref(context.rows)]
        del context
        assert [r() for r in left] == [None, None, None]
    finally:
        gc.enable()


def test_a_run_with_many_events_serves_the_next_one(tmp_path: Path) -> None:
    file = tmp_path / "counter.mdl"
    lines = "model Counter", "local x (start=1), n", "der(x) = -x", "n = if sin(300*time) > 0 then 1 else 0", "end"
    file.write_text("\n".join(lines))
    model = translate(file)
    result = model.simulate(stop=1.0, interval=0.0004)
    assert len(result.time) > 2500 + 2 * 90  # more rows than output times: arrays have grown
    context = model._runs._pool.take()
    assert context is not None
    assert context.rows._room > 2501
