"""The grid of output times, runs without states, and runs that end before their time."""

import math
import threading
from collections.abc import Callable

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError, UsageError
from acausal.base.options import SimulateOptions
from acausal.ir.experiment import Experiment
from acausal.ir.plan import SolveLinear, SolveNonlinear
from acausal.runs import RunError, RunInterrupted, run
from acausal.simulate.system.parameters import Folded, parameter_values
from tests.simulate.models import Model, at_line, system
from tests.simulate.runs import go


def decay(experiment: Experiment | None = None):
    model = Model()
    x = model.state("x", start=1.0)
    model.slope(x, model.pool.neg(x))
    return model.executable(experiment)


@pytest.mark.parametrize(
    ("options", "times"),
    [
        ({"stop": 1.0, "interval": 0.25}, [0, 0.25, 0.5, 0.75, 1]),
        ({"stop": 1.0, "interval": 0.4}, [0, 0.4, 0.8, 1]),
        ({"stop": 0.3, "interval": 0.1}, [0, 0.1, 0.2, 0.3]),
        ({"stop": 1.0, "interval": 5.0}, [0, 1]),
        ({"stop": 0.0}, [0]),
    ],
)
def test_grid(options: dict[str, float], times: list[float]) -> None:
    r = go(decay(), **options)
    assert r.time.tolist() == pytest.approx(times)
    assert r.time[-1] == options["stop"]
    assert np.abs(r["x"] - np.exp(-r.time)).max() < 5e-6


def test_options_come_before_the_experiment_and_that_before_defaults() -> None:
    assert len(go(decay()).time) == 501
    assert go(decay()).time[-1] == 1.0
    executable = decay(Experiment(start=2.0, stop=4.0, interval=0.5, tolerance=1e-9))
    r = go(executable)
    assert r.time.tolist() == [2.0, 2.5, 3.0, 3.5, 4.0]
    assert np.abs(r["x"] - np.exp(2 - r.time)).max() < 1e-8
    assert go(executable, stop=3.0).time.tolist() == [2.0, 2.5, 3.0]
    assert np.abs(go(executable, tolerance=1e-3)["x"] - np.exp(2 - r.time)).max() > 1e-7


@pytest.mark.parametrize(
    "options", [{"stop": -1.0}, {"stop": math.nan}, {"interval": 0.0}, {"interval": 1e-12}, {"tolerance": 0.0}]
)
def test_values_out_of_range(options: dict[str, float]) -> None:
    with pytest.raises(UsageError) as caught:
        go(decay(), **options)
    assert caught.value.report.diagnostics[0].code == "F006"


def test_a_model_without_states_is_evaluated_on_the_grid() -> None:
    model = Model()
    y = model.variable("y", model.pool.call("sin", model.pool.time))
    model.variable("z", model.pool.mul(model.pool.const(2), y))
    r = go(model.executable(), stop=3.0)
    assert np.allclose(r["z"], 2 * np.sin(r.time), rtol=1e-15, atol=0)
    assert r.stats.rhs_calls == 0


def test_escape_in_finite_time_keeps_what_was_computed() -> None:
    """x' = x^2, x(0) = 1 is 1/(1 - t)."""
    executable = system(lambda q, x: [q.mul(x[0], x[0])], {"x": 1.0})
    for solver in ("cvode", "dop853", "lsoda", "radau"):
        with pytest.raises(RunError) as caught:
            go(executable, stop=2.0, interval=0.01, solver=solver)
        diagnostic = caught.value.report.diagnostics[0]
        assert diagnostic.code in ("R002", "R004")
        assert "t = 1" in diagnostic.message or "t = 0.99" in diagnostic.message
        assert any("x = " in note for note in diagnostic.notes)
        r = caught.value.result
        assert 0.98 < r.time[-1] < 1.01
        assert r["x"][50] == pytest.approx(2.0, rel=1e-5)


def test_nothing_of_the_solver_reaches_standard_output(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RunError):
        go(system(lambda q, x: [q.mul(x[0], x[0])], {"x": 1.0}), stop=2.0)
    assert capfd.readouterr().out == ""


def test_a_derivative_that_is_no_number_at_the_start() -> None:
    model = Model()
    a = model.state("a", start=1.0)
    x = model.state("x", start=0.0)
    model.slope(a, model.pool.one)
    model.slope(x, model.pool.pow(x, model.pool.const(-1)))
    with pytest.raises(RunError) as caught:
        go(model.executable())
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code == "R004"
    assert "derivative of x" in diagnostic.message
    assert diagnostic.primary is not None
    assert diagnostic.primary.span.line == 3
    assert len(caught.value.result.time) == 1


def root_model(run_from: float) -> Model:
    """y^2 = x with x' = -1: no y after x = 0."""
    model = Model()
    q = model.pool
    x = model.state("x", start=run_from)
    model.slope(x, q.const(-1))
    y = model.variable("y", q.zero)
    model.steps.pop()
    model.initial_steps.pop()
    solve = SolveNonlinear(
        targets=(y,),
        inner=(),
        residuals=(q.sub(q.mul(y, y), x),),
        jacobian=((q.mul(q.const(2), y),),),
        guesses=(q.one,),
        nominals=(1.0,),
        size=1,
        origins=(at_line(7),),
    )
    model.steps.append(solve)
    model.initial_steps.append(solve)
    slope = q.variable(("z",))
    model.variables.append(model.variables[-1].__class__(slope, "local", "real", at_line(1)))
    model.states.append(slope)
    model.initial_steps.append(model.initial_steps[0].__class__(slope, q.zero, at_line(1)))
    model.slope(slope, y)
    return model


@pytest.mark.parametrize("solver", ["cvode", "dop853", "lsoda"])
def test_a_block_without_solution_in_the_run(solver: str) -> None:
    with pytest.raises(RunError) as caught:
        go(root_model(1.0).executable(), stop=2.0, solver=solver)
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code == "R003"
    assert "y" in diagnostic.message
    assert diagnostic.primary is not None
    assert diagnostic.primary.span.line == 7
    assert "last values" in diagnostic.notes[0]
    r = caught.value.result
    assert r.time[-1] == pytest.approx(1.0, abs=0.05)
    assert np.abs(r["z"] - 2 / 3 * (1 - (1 - r.time).clip(0) ** 1.5)).max() < 1e-4


def test_a_first_instant_without_solution() -> None:
    with pytest.raises(SimulationError) as caught:
        go(root_model(-1.0).executable())
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code == "R001"
    assert "y" in diagnostic.message
    assert diagnostic.primary is not None
    assert diagnostic.primary.span.line == 7
    assert "start" in (diagnostic.help or "")


def test_a_singular_linear_system_names_its_variables() -> None:
    model = Model()
    q = model.pool
    k = model.parameter("k", 2.0)
    a, b = (model.variable(name, q.zero) for name in "ab")
    model.steps.clear()
    model.initial_steps.clear()
    solve = SolveLinear((a, b), ((q.one, k), (q.one, q.const(2))), (q.time, q.one), 2, (at_line(4), at_line(5)))
    model.steps.append(solve)
    with pytest.raises(RunError) as caught:
        go(model.executable(), {"k": 2.0})
    diagnostic = caught.value.report.diagnostics[0]
    assert "a, b" in diagnostic.message
    assert [label.span.line for label in (diagnostic.primary, *diagnostic.secondary) if label] == [4, 5]
    assert len(go(model.executable(), {"k": 3.0}).time) == 501


def test_conditions_end_the_run() -> None:
    model = Model()
    q = model.pool
    x = model.state("x", start=0.0)
    model.slope(x, q.one)
    model.condition("terminate", q.call(">", x, q.const(0.5)), "far enough")
    r = go(model.executable(), interval=0.1)
    assert r.time[-1] == pytest.approx(0.6)
    assert [note.code for note in r.notes] == ["R011"]
    model.condition("assert", q.call("<", x, q.const(0.25)), "too far")
    with pytest.raises(RunError) as caught:
        go(model.executable(), interval=0.1)
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code == "R010"
    assert diagnostic.message.endswith("too far")
    assert caught.value.result.time[-1] == pytest.approx(0.3)


@pytest.mark.parametrize("solver", ["cvode", "dop853"])
def test_an_interrupted_run_keeps_its_rows(solver: str) -> None:
    """An exception in the progress callback ends the run between two calls of the solver."""
    executable = decay()
    p = parameter_values(executable, {})
    assert not isinstance(p, Folded)

    def progress(t: float) -> None:
        if t > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(RunInterrupted) as caught:
        run(executable, p, SimulateOptions(interval=1e-4, solver=solver), progress=progress)
    r = caught.value.result
    assert 0.5 < r.time[-1] < 1.0
    assert np.abs(r.time - 1e-4 * np.arange(len(r.time))).max() < 1e-12
    assert np.abs(r["x"] - np.exp(-r.time)).max() < 5e-6


def test_runs_in_threads_do_not_disturb_each_other(capfd: pytest.CaptureFixture[str]) -> None:
    executable = system(lambda q, x: [x[1], q.neg(x[0])], {"x": 1.0, "v": 0.0})
    escape = system(lambda q, x: [q.mul(x[0], x[0])], {"x": 1.0})
    alone = go(executable, stop=10.0)["x"]
    errors: list[float] = []

    def good() -> None:
        errors.append(float(np.abs(go(executable, stop=10.0)["x"] - alone).max()))

    def bad() -> None:
        with pytest.raises(RunError):
            go(escape, stop=2.0)

    work: list[Callable[[], None]] = [good, bad] * 4
    threads = [threading.Thread(target=w) for w in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == [0.0] * 4
    print("still here")
    assert capfd.readouterr().out == "still here\n"
