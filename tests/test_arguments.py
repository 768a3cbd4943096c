"""Whatever the functions are given: they work, or it is a UsageError (or an error of the run) with a plain text."""

import math
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import acausal

EXAMPLES = Path(acausal.__file__).parent.parent / "examples"
MODEL = (
    "model M\n  local x (start=0)\n  input u\n  parameter k=2, integer n=3, boolean b=true\n  der(x) = u - k*x*n\nend\n"
)
VALUES = (
    None,
    "1",
    10**400,
    1j,
    math.nan,
    math.inf,
    [],
    {},
    object(),
    b"x",
    1e-300,
    -1,
    0,
    "",
    True,
    (1, 2),
    1e308,
    5e-324,
)
RAW = ("CV_", "Traceback", "internal error")


def calls(folder: Path, value: object) -> Iterator[tuple[str, Callable[[], object]]]:
    """Everything that takes a value."""
    motor = acausal.translate(EXAMPLES / "dc_motor.mdl")
    (folder / "m.mdl").write_text(MODEL)
    driven = acausal.translate(folder / "m.mdl")
    result = motor.simulate(stop=0.01)
    for name in ("stop", "interval", "tolerance", "solver", "parameters", "inputs", "progress"):
        yield name, lambda name=name: motor.simulate(**({"stop": 0.01} | {name: value}))  # type: ignore[misc]
    for name in ("k", "n", "b"):
        yield name, lambda name=name: driven.simulate(stop=0.01, inputs={"u": 1}, parameters={name: value})  # type: ignore[misc]
    if not isinstance(value, list | dict):
        yield "name", lambda: motor.simulate(stop=0.01, parameters={value: 1})  # type: ignore[dict-item]
    yield "input", lambda: driven.simulate(stop=0.01, inputs={"u": value})  # type: ignore[dict-item]
    yield "function", lambda: driven.simulate(stop=0.01, inputs={"u": lambda _: value})  # type: ignore[dict-item,return-value]
    for name in ("model", "known", "unknown", "outputs", "parameters", "path"):
        yield name, lambda name=name: acausal.translate(EXAMPLES / "rc.mdl", **{name: value})  # type: ignore[misc]
    for call in (acausal.translate, acausal.check, acausal.read, acausal.read_model_cards, motor.why, motor.equations):
        yield call.__name__, lambda call=call: call(value)  # type: ignore[misc,operator]
    for call in (result.at, result.write, result.animate, motor.for_values, result.__getitem__, result.__contains__):
        yield call.__name__, lambda call=call: call(value)  # type: ignore[misc,operator]
    swept = ("parameters", "runs", "final", "stop", "solver", "inputs", "folder", "trajectories", "jobs", "limit")
    for name in swept:
        given = {"parameters": {"arm.m": "1,2"}, "stop": 0.01, "jobs": 1} | {name: value}
        yield f"sweep {name}", lambda given=given: motor.sweep(**given)  # type: ignore[misc]
    yield "sweep value", lambda: motor.sweep({"arm.m": value}, stop=0.01, jobs=1)  # type: ignore[dict-item]
    yield "derivative", lambda: motor.derivative(0.0, value)  # type: ignore[arg-type]
    yield "batch", lambda: motor.derivative.batch(np.zeros((2, 3)), parameters={"arm.m": value})  # type: ignore[dict-item]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: repr(v)[:12])
def test_any_value_works_or_is_an_ordinary_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], value: object
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, call in calls(tmp_path, value):
        try:
            call()
        except acausal.ModelError as error:
            text = str(error)
            assert not any(raw in text for raw in RAW), (name, text)
        except Exception as error:
            raise AssertionError(f"{name}: {type(error).__name__}: {error}") from error
    said = capfd.readouterr()
    assert (said.out, said.err) == ("", "")


@pytest.mark.parametrize("stop", [1e-300, 5e-324, math.inf, math.nan, -1.0])
@pytest.mark.parametrize("solver", ["auto", "lsoda"])
def test_times_that_no_run_can_have(stop: float, solver: str) -> None:
    with pytest.raises(acausal.UsageError, match="F006"):
        acausal.translate(EXAMPLES / "dc_motor.mdl").simulate(stop=stop, solver=solver)


def test_a_run_close_to_its_start(tmp_path: Path) -> None:
    file = tmp_path / "m.mdl"
    file.write_text("model M\n  local x (start=1)\n  der(x) = -x\n  experiment (start=1e6)\nend\n")
    model = acausal.translate(file)
    with pytest.raises(acausal.UsageError, match="too close to the start"):
        model.simulate(stop=1e6 + 1e-9)
    assert model.simulate(stop=1e6 + 1e-5).final["x"] == pytest.approx(1 - 1e-5, rel=1e-6)


FLAGS = {
    "steady": lambda model, value: model.simulate(stop=0.01, steady=value),
    "sweep steady": lambda model, value: model.sweep({"arm.m": "1,2"}, stop=0.01, steady=value),
    "sweep keep": lambda model, value: model.sweep({"arm.m": "1,2"}, stop=0.01, keep=value),
    "cache": lambda model, value: acausal.translate(EXAMPLES / "rc.mdl", cache=value),
    "numeric": lambda model, value: acausal.check(EXAMPLES / "rc.mdl", numeric=value),
    "units": lambda model, value: model.simulate(stop=0.01).write("r.csv", units=value),
}


@pytest.mark.parametrize("name", FLAGS)
@pytest.mark.parametrize("value", [np.ones(2), np.zeros(1), "no", None, 2, 0.5, [True]], ids=lambda v: repr(v)[:12])
def test_flags_are_true_or_false(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: object) -> None:
    monkeypatch.chdir(tmp_path)
    model = acausal.translate(EXAMPLES / "dc_motor.mdl")
    with pytest.raises(acausal.UsageError, match=f"{name.rsplit(maxsplit=1)[-1]} must be True or False, not (a|None)"):
        FLAGS[name](model, value)
    FLAGS[name](model, np.bool_(False))
