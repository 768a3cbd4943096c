"""Values in failure reports, against the model's own formulas."""

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import Diagnostic
from acausal.runs import RunError


def failure(folder: Path, text: str, **options: float | str) -> tuple[Diagnostic, Mapping[str, np.ndarray]]:
    """How a run of the model fails, and its rows."""
    path = folder / "model.mdl"
    path.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    with pytest.raises(RunError) as caught:
        acausal.translate(path).simulate(**options)
    return caught.value.report.diagnostics[0], caught.value.result


def numbers(text: str) -> dict[str, float]:
    """name = number, as a note has them."""
    return {name: float(x) for name, x in re.findall(r"(\S+) = (-?[\d.]+(?:e[+-]?\d+)?)", text)}


@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("power", [2, 3])
def test_finite_escape(tmp_path: Path, tolerance: float, power: int) -> None:
    """x' = x^p: large where it ends, near the pole 1/(p - 1), and the slope is the power of x."""
    text = f"  local x (start=1)\n  der(x) = x^{power}\n  experiment (stop=2)"
    error, rows = failure(tmp_path, text, tolerance=tolerance)
    assert error.code == "R002"
    t = float(re.search(r"at t = ([\d.]+)", error.message)[1])  # type: ignore[index]  # it has one
    assert t == pytest.approx(1 / (power - 1), abs=20 * tolerance)
    assert rows["time"][-1] <= t
    last, fastest = numbers(error.notes[1]), numbers(error.notes[0])
    assert last["x"] > 1e5
    assert fastest["x"] == last["x"]
    assert fastest["der(x)"] == pytest.approx(last["x"] ** power, rel=1e-4)


def test_no_run_comes_out_behind_a_pole(tmp_path: Path) -> None:
    """x' = a x^2 from x = 1 is infinite at 1/a, whatever the start time and the interval."""
    path = tmp_path / "model.mdl"
    path.write_text("model M\n  parameter a=2\n  local x (start=1)\n  der(x) = a*x^2\nend\n", encoding="utf-8")
    translation = acausal.translate(path)
    for a in np.linspace(1.1, 6, 50):
        for interval in (0.01, 0.5):
            with pytest.raises(RunError) as caught:
                translation.simulate(parameters={"a": float(a)}, interval=interval)
            assert caught.value.report.diagnostics[0].code == "R002"


def test_a_linear_block_that_becomes_singular(tmp_path: Path) -> None:
    """x + y = 1, x + (1 - a) y = 2 with a = 1 - t: y = -1/a, z' = y; singular at t = 1."""
    text = "  local x, y, z, a\n  a = 1 - time\n  x + y = 1\n  x + (1-a)*y = 2\n  der(z) = y\n  experiment (stop=2)"
    error, _ = failure(tmp_path, text)
    assert error.code in ("R002", "R003")
    t = float(re.search(r"at t = ([\d.]+)", error.message)[1])  # type: ignore[index]  # it has one
    assert t == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("solver", ["auto", "lsoda", "dop853", "radau"])
@pytest.mark.parametrize("tolerance", [1e-3, 1e-6, 1e-9])
def test_newton_without_solution(tmp_path: Path, tolerance: float, solver: str) -> None:
    """exp(y) - 3 y has its least value 3 - 3 log 3 at y = log 3: the branch below ends where 6 - 4 t is that."""
    text = "  local y (start=-2), z\n  exp(y) - 3*y = 6 - 4*time\n  der(z) = y\n  experiment (stop=2)"
    error, _ = failure(tmp_path, text, tolerance=tolerance, solver=solver)
    least = 3 - 3 * np.log(3)
    assert error.code == "R003"
    assert "Newton's method failed for 1 nonlinear equation (iteration variables y)" in error.message
    t = float(re.search(r"at t = ([\d.]+)", error.message)[1])  # type: ignore[index]  # it has one
    end = (6 - least) / 4
    assert t == pytest.approx(end, abs=1e-2 if tolerance == 1e-3 else 1e-3)
    assert error.primary is not None
    residual = float(error.primary.text.removeprefix("largest residual: ").split(",")[0])
    y = numbers(error.notes[0])["y"]
    assert y == pytest.approx(np.log(3), abs=1e-3)
    assert residual == pytest.approx(np.exp(y) - 3 * y - (6 - 4 * t), rel=1e-3, abs=1e-7)
    assert residual > 0


NAN = {
    "of a parameter": ("  parameter a=-2\n  local y\n  y = sqrt(a)", "y = sqrt(a)", ("a = -2",)),
    "of a number": ("  parameter a=-1\n  local y\n  y = sqrt(a)", "y = sqrt(a)", ()),
    "infinite": ("  local y\n  y = log(0)", "y = log(0)", ()),
    "an output": ("  parameter a=0\n  output y\n  y = 3/a", "y = 3/a", ()),
    "in the first row alone": ("  local y\n  y = 1/time", "y = 1/time", ()),
    "in later rows": ("  local y\n  y = sqrt(0.5 - time)", "y = sqrt(0.5 - time)", ()),
}


@pytest.mark.parametrize("name", NAN)
@pytest.mark.parametrize("states", ["", "  local x (start=1, fixed=true)\n  der(x) = -x\n"])
def test_variables_that_are_not_finite(tmp_path: Path, name: str, states: str) -> None:
    """Constant or not, with states or without: the run ends as it should, with an error that marks the equation."""
    text, equation, known = NAN[name]
    path = tmp_path / "model.mdl"
    path.write_text(f"model M\n{text}\n{states}end\n", encoding="utf-8")
    error = not_finite(path)
    assert error.severity.value == "error"
    assert error.primary is not None
    assert error.primary.span.text == equation
    assert error.notes == tuple(f"there: {text}" for text in known)


def not_finite(path: Path) -> Diagnostic:
    """The error of a run to its end; the result is complete."""
    with pytest.raises(acausal.RunError) as caught:
        acausal.translate(path).simulate()
    assert caught.value.result.time[-1] == 1.0
    assert not caught.value.result.notes
    (error,) = caught.value.report.diagnostics
    assert error.code == "R004"
    return error


def test_all_of_several_constants_are_named(tmp_path: Path) -> None:
    """The model of the issue: y = sqrt(-1), z = log(0)."""
    path = tmp_path / "model.mdl"
    text = "  parameter a=-1\n  local y, z, x (start=1, fixed=true)\n  y = sqrt(a)\n  z = log(0)\n  der(x) = -x"
    path.write_text(f"model T\n{text}\nend\n", encoding="utf-8")
    error = not_finite(path)
    assert "y is not finite" in error.message
    assert error.notes[-1] == "also not finite: z"


@pytest.mark.parametrize("act", ["new(k) = log(-1 - x)", "init(x) = sqrt(-x)"])
def test_events_that_set_what_is_not_finite(tmp_path: Path, act: str) -> None:
    discrete = "" if "init" in act else "  discrete k\n"
    when = f"  when sample(0.5, 1) then\n    {act}\n  endwhen\n"
    error, _ = failure(tmp_path, f"  local x (start=1, fixed=true)\n{discrete}{when}  der(x) = -x")
    assert error.code == "R004"
    assert error.message.startswith("at t = 0.5: ")


def test_discrete_values_that_are_infinite(tmp_path: Path) -> None:
    path = tmp_path / "model.mdl"
    when = "  when sample(0.5, 1) then\n    new(k) = 1/floor(x)\n  endwhen"
    text = f"  local x (start=1, fixed=true)\n  discrete k\n{when}\n  der(x) = -x"
    path.write_text(f"model M\n{text}\nend\n", encoding="utf-8")
    error = not_finite(path)
    assert error.message == "at t = 0.5: k is not finite"
