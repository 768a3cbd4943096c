"""Signals of inputs and values of parameters."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import ModelError, UsageError
from acausal.codegen.executable import Executable
from acausal.pipeline import translate
from acausal.runs import RunError
from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.system.parameters import Folded, parameter_values
from tests.simulate.models import Model
from tests.simulate.runs import go


def follower(order: int) -> Executable:
    """x' = the derivative of u of that order; a parameter T for expressions."""
    model = Model()
    model.parameter("T", 0.5)
    u = model.input("u")
    x = model.state("x", start=0.0)
    for _ in range(order):
        u = model.pool.derivative(u)
    model.slope(x, u)
    return model.executable()


@pytest.mark.parametrize(
    ("order", "text", "exact"),
    [
        (0, "cos(time)", np.sin),
        (0, "1 - time/T", lambda t: t - t**2),
        (0, "if time < 0.25 then 0 else 2*(time - 0.25)", lambda t: np.where(t < 0.25, 0, (t - 0.25) ** 2)),
        (1, "time^2*exp(-time)", lambda t: t**2 * np.exp(-t)),
        (2, "sin(3*time)", lambda t: 3 * np.cos(3 * t) - 3),
        (0, "2", lambda t: 2 * t),
        (1, "2", lambda t: 0 * t),
    ],
)
def test_expressions_and_their_derivatives(order: int, text: str, exact: Callable[[np.ndarray], np.ndarray]) -> None:
    r = go(follower(order), inputs={"u": text}, tolerance=1e-8)
    assert np.abs(r["x"] - exact(r.time)).max() < 3e-7
    r = go(follower(order), inputs={"u": text}, tolerance=1e-8, solver="dop853")
    assert np.abs(r["x"] - exact(r.time)).max() < 3e-7


def test_numbers_and_functions() -> None:
    assert go(follower(0), inputs={"u": 3}).final["x"] == pytest.approx(3.0)
    assert go(follower(0), inputs={"u": lambda t: 2 * t}).final["x"] == pytest.approx(1.0, rel=1e-5)
    assert go(follower(0), inputs={"u": "time"})["u"].tolist() == go(follower(0), inputs={"u": "time"}).time.tolist()


@pytest.mark.parametrize(
    ("inputs", "code", "said"),
    [
        ({}, "R005", "--input 'u="),
        ({"u": "time", "v": "time"}, "F005", "inputs are u"),
        ({"u": "2*TT"}, "R006", "T"),
        ({"u": "time < 1"}, "R006", "must be a number"),
        ({"u": "sin(time"}, "P", ""),
        ({"u": "sinn(time)"}, "T004", "sin"),
    ],
)
def test_inputs_that_do_not_fit(inputs: dict[str, str], code: str, said: str) -> None:
    with pytest.raises(ModelError) as caught:
        go(follower(0), inputs=inputs)  # type: ignore[arg-type]
    diagnostic = caught.value.report.diagnostics[0]
    assert diagnostic.code.startswith(code)
    assert said in f"{diagnostic.message} {diagnostic.help}"


def test_the_derivative_of_a_function_is_not_invented() -> None:
    with pytest.raises(UsageError) as caught:
        go(follower(1), inputs={"u": lambda t: t})
    assert caught.value.report.diagnostics[0].code == "R008"


def test_tables(tmp_path: Path) -> None:
    table = tmp_path / "u.csv"
    table.write_text("time,w,u\n0,9,0\n0.5,9,1\n0.5,9,2\n1,9,0\n")
    r = go(follower(0), inputs={"u": str(table)}, tolerance=1e-8)
    assert r.final["x"] == pytest.approx(0.25 + 0.5, abs=1e-6)
    assert r["u"][[0, 125, 250, 375]].tolist() == pytest.approx([0, 0.5, 2, 1])
    r = go(follower(1), inputs={"u": table}, tolerance=1e-8)
    assert r.final["x"] == pytest.approx(0.5 * 2 - 0.5 * 4, abs=1e-6)
    table.write_text("0,1\n2,3\n")
    assert go(follower(0), inputs={"u": table}).final["x"] == pytest.approx(1.5)


def test_units_of_tables(tmp_path: Path) -> None:
    """A header with units, `u [mV]`, and a second header row, as acausal and Modelica tools write them."""
    text = 'model Heated\n input u (unit="V"), T (unit="K")\n input w\n local x (start=0)\n der(x) = 1\nend\n'
    model, table = acausal.translate(text, cache=False), tmp_path / "u.csv"
    columns = {"u": str(table), "T": table, "w": str(table)}
    for head in ("time [ms],u [mV],T [degC],w [deg]\n", "time,u,T,w\n[ms],voltage [mV],[degC|K],[deg]\n"):
        table.write_text(f"{head}0,1000,20,180\n500,3000,25,180\n")
        r = model.simulate(stop=0.5, inputs=columns)
        assert [r[name][-1] for name in ("u", "T", "w")] == pytest.approx([3, 298.15, 3.14159265], rel=1e-8)
    result = model.simulate(stop=0.5, inputs=columns)
    result.write(tmp_path / "again.csv", units=True)
    again = model.simulate(stop=0.5, inputs=dict.fromkeys(columns, tmp_path / "again.csv"))
    assert again["u"][-1] == result["u"][-1] == 3
    for head, said in (("time,u [A]", "the unit of a column is A"), ("time [V],u", "is V"), ("time,u [foo]", "foo")):
        table.write_text(f"{head}\n0,1\n1,1\n")
        with pytest.raises(UsageError, match="R007") as caught:
            model.simulate(stop=0.5, inputs={"u": table, "T": 1, "w": 1})
        assert said in str(caught.value)
    table.write_text("time,u [mV]\n0,1\n1,1\n")
    with pytest.raises(UsageError, match="not part of the program"):
        acausal.translate(text, outputs=["x"], cache=False).simulate(inputs={"u": table, "T": 1, "w": 1})


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("time,a,b\n0,1,2\n1,1,2\n", "R007"),
        ("0,1\n0.5,2\n", "R007"),
        ("0,1\n1,x\n", "R007"),
        ("1,1\n0,2\n", "R007"),
        ("", "R007"),
        (None, "F001"),
    ],
)
def test_tables_that_cannot_serve(tmp_path: Path, text: str | None, code: str) -> None:
    table = tmp_path / "u.csv"
    if text is not None:
        table.write_text(text)
    with pytest.raises(UsageError) as caught:
        go(follower(0), inputs={"u": str(table)})
    assert caught.value.report.diagnostics[0].code == code


def test_parameters() -> None:
    model = Model()
    q = model.pool
    a = model.parameter("a", 2.0)
    b = model.parameter("b", 4.0, q.mul(q.const(2), a))
    c = model.parameter("c", 1.0, q.sub(b, q.const(3)))
    model.parameter("g", 9.81, constant=True)
    model.variable("y", q.add(q.mul(a, q.time), b, c))
    executable = model.executable()
    assert go(executable).final["y"] == pytest.approx(2 + 4 + 1)
    assert go(executable, {"a": 5.0}).final["y"] == pytest.approx(5 + 10 + 7)
    assert go(executable, {"a": 5.0, "b": 1.0}).final["y"] == pytest.approx(5 + 1 - 2)
    r = go(executable, {"b": 7.0})
    assert (r["a"][0], r["b"][0], r["c"][-1]) == (2.0, 7.0, 4.0)
    for name, said in (("aa", "did you mean a"), ("g", "declare it as a parameter")):
        with pytest.raises(UsageError) as caught:
            go(executable, {name: 1.0})
        assert caught.value.report.diagnostics[0].code == "F005"
        assert said in (caught.value.report.diagnostics[0].help or "")


def test_folded_parameters_are_told_also_where_they_follow_from_others() -> None:
    model = Model()
    q = model.pool
    a = model.parameter("a", 2.0)
    model.parameter("c", 1.0, q.sub(a, q.one))
    executable = model.executable()
    assert not isinstance(parameter_values(executable, {}, [("c",)]), Folded)
    assert parameter_values(executable, {"a": 3.0}, [("c",)]) == Folded(("c",))
    assert parameter_values(executable, {"c": 0.0}, [("c",)]) == Folded(("c",))
    assert not isinstance(parameter_values(executable, {"a": 3.0, "c": 1.0}, [("c",)]), Folded)
    assert not isinstance(parameter_values(executable, {"a": 3.0}), Folded)


TYPED = """model M
  parameter k=2, v[2]=[1, 2], boolean b=true
  input u
  local y
  der(y) = u
end
"""


@pytest.mark.parametrize(
    "value",
    [
        *("delay(time, 1)", "sample(0, 1)", "initial()", "new(k)", "2*delay(sin(time), k)"),
        "if sample(0, 1) then 1 else 2",
        *("[1, 2]", "b", "true", '"x"', "time > 1", "dot(inverse([time + 1, 0; 0, 1])*[1, 2], [1, 2])", "zeros(0)"),
    ],
)
def test_what_an_input_cannot_be_is_told_with_its_place(value: str, tmp_path: Path) -> None:
    file = tmp_path / "model.mdl"
    file.write_text(TYPED, encoding="utf-8")
    with pytest.raises(UsageError) as raised:
        translate(file).simulate(stop=0.1, inputs={"u": value})
    (told,) = raised.value.report.diagnostics
    assert told.code == "R006"
    assert told.primary is not None and told.primary.span.text in value
    assert told.help


@pytest.mark.parametrize(
    ("value", "end"), [("dot([1, 2], [3, 4])*time", 5.5), ("sum(zeros(0))", 0), ("if b then k else 1", 2)]
)
def test_arrays_and_conditions_in_inputs(value: str, end: float, tmp_path: Path) -> None:
    """The integral from 0 to 1."""
    file = tmp_path / "model.mdl"
    file.write_text(TYPED, encoding="utf-8")
    assert translate(file).simulate(stop=1, inputs={"u": value})["y"][-1] == pytest.approx(end)


def test_a_value_that_is_no_number_ends_the_run(tmp_path: Path) -> None:
    file = tmp_path / "model.mdl"
    file.write_text(TYPED, encoding="utf-8")
    with pytest.raises(ModelError, match="not finite"):
        translate(file).simulate(stop=1, inputs={"u": "(-1)^0.5"})


@pytest.mark.parametrize("solver", ["auto", "adams", "lsoda", "radau", "rk45"])
@pytest.mark.parametrize(
    ("signal", "end"),
    [
        ("exp(1000*time)", 0.7098),
        ("log(0.5 - time)", 0.5),
        (lambda t: t if t < 0.3 else float("nan"), 0.3),
        (lambda t: t if t < 0.3 else float("inf"), 0.3),
    ],
)
def test_an_input_that_ceases_to_be_finite_ends_the_run(
    tmp_path: Path, signal: InputValue, end: float, solver: str
) -> None:
    """Whatever the solver makes of such derivatives: the rows up to there are kept, the report marks the equation."""
    path = tmp_path / "model.mdl"
    path.write_text("model M\n  input u\n  local x (start=0, fixed=true)\n  der(x) = u - x\nend\n", encoding="utf-8")
    with pytest.raises(RunError) as caught:
        translate(path).simulate(stop=2, inputs={"u": signal}, solver=solver)
    (error,) = caught.value.report.errors
    assert error.code in ("R002", "R004")
    assert error.primary is not None and error.primary.span.text == "der(x) = u - x"
    result = caught.value.result
    assert end - 0.02 < result.time[-1] <= end + 1e-4
    assert np.isfinite(result["x"]).all()
