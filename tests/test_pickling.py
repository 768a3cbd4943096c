"""Public objects and exceptions survive pickling and copying, and processes that fail say why."""

import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import InternalError, ModelError
from acausal.base.options import Limits
from acausal.render import render
from acausal.runs import RunError, RunInterrupted
from acausal.sweep.result import SweepInterrupted, SweepResult

EXAMPLES = Path(acausal.__file__).parent.parent / "examples"
BLOWUP = "model M\n  local x (start=1)\n  der(x) = x^2\n  experiment (stop=2)\nend\n"
BROKEN = "model M\n  local x\n  der(x) = y\nend\n"

Round = Callable[[object], object]


def pickled(thing: object) -> object:
    return pickle.loads(pickle.dumps(thing))  # noqa: S301 - what we have just written


@pytest.fixture(params=[pickled, copy.copy, copy.deepcopy], ids=["pickle", "copy", "deepcopy"])
def there_and_back(request: pytest.FixtureRequest) -> Round:
    made: Round = request.param
    return made


def _error(work: Callable[[], object]) -> BaseException:
    with pytest.raises(BaseException) as caught:  # noqa: PT011 - any of ours
        work()
    return caught.value


def _written(folder: Path, text: str) -> Path:
    path = folder / "m.mdl"
    path.write_text(text)
    return path


def test_exceptions(there_and_back: Round, tmp_path: Path) -> None:
    model = _written(tmp_path, BROKEN)
    result = acausal.translate(EXAMPLES / "rc.mdl").simulate(stop=1e-4)
    errors = [
        _error(lambda: acausal.translate(tmp_path / "none.mdl")),
        _error(lambda: acausal.translate(model)),
        _error(lambda: acausal.translate(EXAMPLES / "rc.mdl", limits=Limits(file_length=10))),
        _error(lambda: result["nothing"]),
        _error(lambda: acausal.translate(EXAMPLES / "rc.mdl").simulate(parameters={"none": 1.0})),
    ]
    for error in errors:
        assert isinstance(error, ModelError)
        again = there_and_back(error)
        assert type(again) is type(error)
        assert isinstance(again, ModelError)
        assert render(again.report) == render(error.report)
        assert (str(again), again.exit_code) == (str(error), error.exit_code)
    internal = there_and_back(InternalError("lower", "what"))
    assert isinstance(internal, InternalError)
    assert (internal.stage, str(internal)) == ("lower", "lower: what")


def test_errors_of_runs_keep_their_results(there_and_back: Round, tmp_path: Path) -> None:
    error = _error(lambda: acausal.translate(_written(tmp_path, BLOWUP)).simulate())
    again = there_and_back(error)
    assert isinstance(error, RunError)
    assert isinstance(again, RunError)
    assert render(again.report) == render(error.report)
    assert np.array_equal(again.result["x"], error.result["x"])
    stopped = there_and_back(RunInterrupted(error.result))
    assert isinstance(stopped, RunInterrupted)
    assert len(stopped.result) == len(error.result)


def test_translations(there_and_back: Round) -> None:
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl", parameters={"arm.m": 2.0})
    again = there_and_back(motor)
    assert isinstance(again, acausal.Translation)
    assert again.name == motor.name
    for options in ({}, {"parameters": {"arm.m": 1.0}}, {"steady": True}):
        ours, theirs = motor.simulate(stop=0.1, **options), again.simulate(stop=0.1, **options)  # type: ignore[arg-type]
        assert np.array_equal(ours.stored, theirs.stored)
    assert again.equations("sorted") == motor.equations("sorted")
    assert again.why("La.i") == motor.why("La.i")
    assert again.statistics["states"] == motor.statistics["states"]


def test_translation_of_a_file_that_has_changed(tmp_path: Path) -> None:
    model = _written(tmp_path, BLOWUP)
    data = pickle.dumps(acausal.translate(model))
    model.write_text(BLOWUP.replace("x^2", "x^3"))
    again = pickle.loads(data)  # noqa: S301
    assert again.simulate(stop=0.5).final["x"] == pytest.approx(2, rel=1e-4)  # 1/(1 - t)
    with pytest.raises(acausal.UsageError, match="F014"):
        again.equations()


def test_results_derivatives_and_reports(there_and_back: Round) -> None:
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl")
    f = there_and_back(motor.derivative)
    assert f(0.0, np.arange(3.0)).tolist() == motor.derivative(0.0, np.arange(3.0)).tolist()  # type: ignore[operator]
    ball = acausal.translate(EXAMPLES / "h_bridge.mdl").simulate(stop=0.01)
    again = there_and_back(ball)
    assert isinstance(again, acausal.Result)
    assert (again.events, again.names, again.stats) == (ball.events, ball.names, ball.stats)
    assert np.array_equal(again.stored, ball.stored)
    assert there_and_back(motor.report) == motor.report


@pytest.mark.parametrize("where", ["anew", "memory", "folder"])
def test_sweeps(there_and_back: Round, tmp_path: Path, where: str) -> None:
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl")
    values = {"arm.m": "0.5:4:3"}
    if where == "folder":
        sweep = motor.sweep(values, stop=0.05, folder=tmp_path / "sweep", trajectories="npz")
    else:
        sweep = motor.sweep(values, stop=0.05, keep=where == "memory")
    again = there_and_back(sweep)
    assert isinstance(again, SweepResult)
    assert list(again.rows()) == list(sweep.rows())
    assert np.array_equal(again.runs[1]["La.i"], sweep.runs[1]["La.i"])
    stopped = there_and_back(SweepInterrupted(sweep))
    assert isinstance(stopped, SweepInterrupted)
    assert stopped.result.summary == sweep.summary


def _fail(path: str) -> int:
    return len(acausal.translate(path).simulate())


@pytest.mark.parametrize(("text", "kind"), [(BLOWUP, RunError), (BROKEN, ModelError), (None, acausal.UsageError)])
def test_pools_tell_why_a_task_has_failed(tmp_path: Path, text: str | None, kind: type[BaseException]) -> None:
    path = str(tmp_path / "none.mdl" if text is None else _written(tmp_path, text))
    context = get_context("spawn")
    with context.Pool(1) as pool, pytest.raises(kind):
        pool.map_async(_fail, [path]).get(timeout=60)
    with ProcessPoolExecutor(1, mp_context=context) as executor, pytest.raises(kind):
        list(executor.map(_fail, [path]))
