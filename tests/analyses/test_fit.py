"""Fitting against known parameters and linear regression; A040 to A043. More: python -m tests.long "fitting"."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.analyses.sensitivities.native_runs import PATIENCE
from acausal.analyses.sensitivities.repeated import RepeatedSlopes
from acausal.base.diagnostics import ModelError, SimulationError, UsageError
from acausal.cli import main
from acausal.render import as_json
from acausal.sweep.native_sweep import Done, NativeSweep
from acausal.translation import Translation

DECAY = """model Decay
  parameter k (unit="1/s") = 1, a = 2, b = 1, other = 3
  local x (start=1, unit="V"), y (unit="V"), z
  der(x) = -k*x
  y = a*b*x
  z = other*x
  experiment (stop=2)
end
"""
LINE = """model Line
  parameter slope = 1, offset = 0
  local x (start=0), y
  der(x) = 1
  y = slope*x + offset
end
"""
TIME = np.linspace(0, 2, 21)


@pytest.fixture(scope="module")
def decay() -> Translation:
    return acausal.translate(DECAY, cache=False)


def test_exact_data(decay: Translation) -> None:
    data = {"time": TIME, "x": np.exp(-1.7 * TIME), "volt": 6 * np.exp(-1.7 * TIME)}
    found = decay.fit(data, {"k": (0.1, 10, "log"), "a": (0, 10)}, measured={"x": "x", "y": "volt"})
    assert found["k"] == pytest.approx(1.7, rel=1e-5)
    assert found["a"] == pytest.approx(6.0, rel=1e-5)
    assert found.result.success
    assert found.units["x"] == "V"
    assert found.notes == ()


def test_bounds_with_units() -> None:
    model = acausal.translate(LINE.replace("offset = 0", 'offset (unit="m") = 0'), cache=False)
    data = {"time": TIME, "y": TIME + 0.25}
    assert model.fit(data, {"offset": ("-200 cm", "1 km")})["offset"] == pytest.approx(0.25, rel=1e-5)
    with pytest.raises(ModelError, match="A040") as caught:
        model.fit(data, {"offset": ("50 cm", "1 m")})
    assert "0.5 to 1" in str(caught.value)
    for wrong, code in (("1 Ohm", "U005"), ("some", "T014")):
        with pytest.raises(UsageError, match=code):
            model.fit(data, {"offset": (wrong, 10)})


def test_line_against_regression() -> None:
    """Values, standard errors, intervals and correlation are those of linear regression."""
    noise = np.random.default_rng(3).standard_normal(len(TIME))
    y = 2 * TIME - 1 + 0.1 * noise
    found = acausal.translate(LINE, cache=False).fit({"time": TIME, "y": y}, {"slope": None, "offset": None})
    matrix = np.array([TIME, np.ones_like(TIME)]).T
    exact, (rest,), *_ = np.linalg.lstsq(matrix, y, rcond=None)
    covariance = np.linalg.inv(matrix.T @ matrix) * rest / (len(TIME) - 2)
    assert list(found.values.values()) == pytest.approx(exact, rel=1e-6)
    assert list(found.errors.values()) == pytest.approx(np.sqrt(np.diag(covariance)), rel=1e-5)
    low, high = found.intervals["slope"]
    assert (high - low) / 2 == pytest.approx(2.0930240544 * found.errors["slope"])  # quantile of t, 19 degrees
    correlation = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.correlations[0, 1] == pytest.approx(correlation, rel=1e-4)
    assert found.sigma["y"] == pytest.approx(np.sqrt(rest / 19), rel=1e-6)
    assert found.residuals[0][:, 0] == pytest.approx(matrix @ exact - y, abs=1e-6)


def test_what_the_data_do_not_determine(decay: Translation) -> None:
    """Of y = a*b*x only the product is known; a rises by as much as b falls."""
    data = {"time": TIME, "y": 6 * np.exp(-1.7 * TIME)}
    found = decay.fit(data, {"k": None, "a": (0.1, 10, "log"), "b": (0.1, 10, "log")})
    (note,) = found.notes
    assert note.code == "A042"
    assert "a, b" in note.message
    assert "k" not in note.message.split()
    assert found["a"] * found["b"] == pytest.approx(6.0, rel=1e-5)
    assert found.errors["a"] == np.inf
    assert found.errors["k"] < 1e-3
    assert "not determined" in str(found)


def test_experiments_and_robust_loss(decay: Translation) -> None:
    """Runs with values of their own; an outlier counts little with a robust loss."""
    first, second = np.exp(-1.7 * TIME), 3 * np.exp(-1.7 * TIME)
    first[4] += 5
    runs = [
        {"data": {"time": TIME, "x": first}},
        {"data": {"time": TIME, "x": second}, "initial": {"x": 3}},
    ]
    plain = decay.fit(None, {"k": (0.1, 10)}, experiments=runs)
    robust = decay.fit(None, {"k": (0.1, 10)}, experiments=runs, loss="cauchy", f_scale=0.01)
    assert abs(robust["k"] - 1.7) < 1e-2 < abs(plain["k"] - 1.7)
    assert len(robust.residuals) == 2


def test_several_starts() -> None:
    """sin(w*t): of the many minima over w the best is found."""
    text = "model M\n  parameter w=1\n  local x (start=0), y\n  der(x) = 1\n  y = sin(w*x)\nend\n"
    data = {"time": TIME, "y": np.sin(7 * TIME)}
    model = acausal.translate(text, cache=False)
    assert abs(model.fit(data, {"w": (0.5, 20)})["w"] - 7) > 1
    found = model.fit(data, {"w": (0.5, 20)}, starts=10, jobs=2)
    assert found["w"] == pytest.approx(7, rel=1e-6)
    assert len(found.costs) == 10
    assert found.costs[0] < 1e-9 < found.costs[-1]


def test_errors(decay: Translation) -> None:
    good = {"time": TIME, "x": np.exp(-TIME)}

    def code(error: type[Exception], data: object, parameters: dict[str, object], **options: object) -> str:
        with pytest.raises(error) as found:
            decay.fit(data, parameters, **options)  # type: ignore[arg-type]  # wrong on purpose
        return found.value.report.diagnostics[0].code  # type: ignore[attr-defined,no-any-return]  # our errors

    assert code(UsageError, good, {"x": (0, 1)}) == "F005"
    assert code(UsageError, good, {"k": (0, 2)}, measured={"q": "x"}) == "F005"
    assert code(UsageError, good, {"k": (0, 2)}, measured={"x": "q"}) == "F005"
    assert code(UsageError, good, {"k": (2, 0)}) == "F006"
    assert code(UsageError, good, {"k": (0, 2, "log")}) == "F006"
    assert code(UsageError, good, {"k": (0, 2)}, loss="square") == "F006"
    assert code(UsageError, good, {"k": None}, starts=3) == "F006"
    assert code(UsageError, good, {"k": None}, seed=-1) == "F006"
    assert code(UsageError, good, {"k": None}, sigma={"x": 1, "y": 1}) == "F005"
    assert code(UsageError, {"time": [0.0], "x": [1.0]}, {"k": None}) == "A043"
    assert code(UsageError, None, {"k": (0, 2)}) == "F006"
    assert code(ModelError, good, {"k": (2, 3)}) == "A040"
    assert code(ModelError, good, {"k": (0, 2), "other": (0, 9)}) == "A041"
    assert code(UsageError, {"x": good["x"]}, {"k": (0, 2)}) == "A043"
    assert code(UsageError, {**good, "x": np.where(TIME > 1, np.nan, 1.0)}, {"k": (0, 2)}) == "A043"
    assert code(UsageError, {**good, "time": TIME[::-1]}, {"k": (0, 2)}) == "A043"


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "decay.mdl").write_text(DECAY)
    data = tmp_path / "data.csv"
    rows = [f"{t},{1000 * x}" for t, x in zip(TIME.tolist(), np.exp(-1.7 * TIME).tolist(), strict=True)]
    data.write_text("\n".join(["time,x", "[s],[mV]", *rows]))
    run = ["fit", str(tmp_path / "decay.mdl"), str(data), "--vary", "k=0.1:10:log", "--json"]
    assert main(run) == 0
    found = json.loads(capsys.readouterr().out)["fit"]
    assert found["values"]["k"] == pytest.approx(1.7, rel=1e-5)
    data.write_text("\n".join(["time,x", "[s],[A]", *rows]))
    assert main(run) == 2
    assert "A043" in capsys.readouterr().out
    assert main(["fit", str(tmp_path / "decay.mdl"), str(data), "--vary", "k=a:b"]) == 2


@pytest.mark.parametrize(
    ("flags", "text", "message"),
    [
        (["k"], "time,x\n0,1\n1,\n2,0.1\n", "line 3, column x: the cell is empty"),
        (["k"], "time,x\n[s],[V]\n0,1\n1,a\n", "line 4, column x: `a` is not a number"),
        (["k"], "time,x\n0,1\n1\n", "line 3 has 1 cells, the header 2"),
        (["k"], "time,x,x\n0,1,1\n1,0,0\n", "two columns are called x"),
        (["k"], "time;x\n0;1\n", "all separated by commas"),
        (["k"], "", "no header row"),
        (["k", "k=1:2"], "time,x\n0,1\n1,0\n", "--vary names k twice"),
        (["=1:2"], "time,x\n0,1\n1,0\n", "--vary =1:2 has no name"),
    ],
)
def test_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flags: list[str], text: str, message: str
) -> None:
    (tmp_path / "decay.mdl").write_text(DECAY)
    (tmp_path / "data.csv").write_text(text)
    varied = [word for flag in flags for word in ("--vary", flag)]
    assert main(["fit", str(tmp_path / "decay.mdl"), str(tmp_path / "data.csv"), *varied]) == 2
    said = capsys.readouterr().err
    assert said.count("error[") == 1
    assert message in said


def test_data_behind_the_end_of_the_run_are_refused() -> None:
    text = "model M\n parameter k (tunable=true) = 1\n local x (start=1)\n der(x) = -k*x\n"
    t = acausal.translate(f'{text} terminate(x < 0.3, "low")\nend\n')
    time = np.linspace(0, 2, 20)
    with pytest.raises(SimulationError) as caught:
        t.fit({"time": time, "x": np.exp(-1.1 * time)}, {"k": (0.1, 10)})
    assert caught.value.report.diagnostics[0].code == "A043"
    assert "before the last of the data" in str(caught.value)


def test_a_solution_on_a_bound() -> None:
    """The way without bounds leaves them; the one with bounds ends on one."""
    t = acausal.translate("model M\n parameter k (tunable=true) = 1.5\n local x (start=1)\n der(x) = -k*x\nend\n")
    time = np.linspace(0.1, 3, 20)
    found = t.fit({"time": time, "x": np.exp(-0.7 * time)}, {"k": (1, 10)})
    assert found["k"] == pytest.approx(1, rel=1e-5)
    assert found.result.active_mask.tolist() == [-1]
    assert found.at_bounds == {"k": "lower"}
    assert "at its lower bound" in str(found)


DURATIONS = np.rint(TIME * 1e9).astype("timedelta64[ns]")


@pytest.mark.parametrize(
    ("times", "label", "factor"),
    [({"time": DURATIONS}, "x", 1), ({"time [ms]": 1e3 * TIME}, "x [mV]", 1e3), ({"time": TIME}, "x [kV]", 1e-3)],
)
def test_units_and_durations_of_columns(
    decay: Translation, times: dict[str, object], label: str, factor: float
) -> None:
    data = {**times, label: factor * np.exp(-1.7 * TIME)}
    assert decay.fit(data, {"k": (0.1, 10)}, measured={"x": label})["k"] == pytest.approx(1.7, rel=1e-5)


def test_units_of_xarray(decay: Translation) -> None:
    xarray = pytest.importorskip("xarray")
    values = ("time", 1e3 * np.exp(-1.7 * TIME), {"units": "mV"})
    data = xarray.Dataset({"x": values}, coords={"time": ("time", 1e3 * TIME, {"units": "ms"})})
    assert decay.fit(data, {"k": (0.1, 10)})["k"] == pytest.approx(1.7, rel=1e-5)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"time": DURATIONS + np.datetime64("2026-01-01"), "x": TIME}, "the column time of the data does not contain"),
        ({"time": TIME, "x": DURATIONS}, "the column x of the data does not contain numbers"),
        ({"time": TIME, "x": TIME + 1j}, "the column x of the data does not contain numbers"),
        ({"time": TIME, "x [A]": TIME}, "x [A] of the data is in A, but x in V"),
        ({"time [m]": TIME, "x": TIME}, "time of the data is in m, but time in s"),
    ],
)
def test_columns_of_another_kind(decay: Translation, data: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match="A043") as caught:
        decay.fit(data, {"k": (0.1, 10)}, measured={"x": next(name for name in data if name.startswith("x"))})
    assert words in str(caught.value)


RUNS = {
    "smooth": "der(x) = -k*x",
    "switched": "T*der(x) = (if x < 2 then k else 2.5) - x",
    "restarted": "der(x) = k\n  when x > T then\n    init(x) = 0\n  endwhen",
    "driven": "T*der(x) = k*u - x",
    "two": "der(x) = -k*x\n  local z (start=1)\n  der(z) = -T*z",
}


@pytest.mark.parametrize("kind", RUNS)
def test_runs_by_machine_code(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their numbers are those of runs by Python to the last bit, at events and with inputs, too.

    Python examines inputs and relations in the first run of a fit.
    """
    head = "parameter k (tunable=true) = 3, T (tunable=true) = 0.7\n  local x (start=0.4)"
    inputs = {"u": "1 + sin(3*time)"} if kind == "driven" else {}
    head = f"input u\n  {head}" if inputs else head
    model = acausal.translate(f"model M\n  {head}\n  {RUNS[kind]}\nend\n", cache=False)
    times = np.linspace(0.15, 0.28, 9) if kind == "restarted" else np.linspace(0.1, 2, 20)
    true = {"k": 2.6} if kind == "smooth" else {"k": 2.6, "T": 0.6}
    measured = ("x", "z") if kind == "two" else ("x",)
    exact = model.simulate(stop=2, interval=0.01, parameters=true, inputs=inputs, tolerance=1e-9)
    data = {"time": times, **{name: np.interp(times, exact.time, exact[name]) for name in measured}}
    natively = RepeatedSlopes._natively
    done: list[bool] = []

    def compared(self: RepeatedSlopes, own: Mapping[str, float]) -> "np.ndarray | None":
        found = natively(self, own)
        done.append(found is not None)
        assert found is None or (found == self._by_python(own)).all()
        return found

    monkeypatch.setattr(RepeatedSlopes, "_natively", compared)
    for _ in range(2):
        found = model.fit(data, {name: (0.2 * value, 3 * value) for name, value in true.items()}, inputs=inputs)
        assert found.values == pytest.approx(true, rel=1e-2)
    is_examined = kind in ("switched", "restarted", "driven")
    assert done.count(True) >= len(done) - 2 * is_examined > (1 if kind == "restarted" else 3)


def test_runs_that_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that machine code does not do is left to Python; where it mostly does not, all are."""
    text = 'parameter k (tunable=true) = 1.2\n  local x (start=2)\n  der(x) = -k*x\n  assert(x > 0, "x")'
    model = acausal.translate(f"model M\n  {text}\nend\n", cache=False)
    data = {"time": TIME, "x": 2 * np.exp(-0.9 * TIME)}
    expected = model.fit(data, {"k": (0.1, 5)})
    asked: list[float] = []

    def failed(self: NativeSweep, values: Sequence[Sequence[float]]) -> Done:
        asked.append(values[0][0])
        return Done([], is_fallback=True)

    monkeypatch.setattr(NativeSweep, "run", failed)
    model = acausal.translate(f"model M\n  {text}\nend\n", cache=False)
    assert model.fit(data, {"k": (0.1, 5)}).values == expected.values
    assert len(asked) == PATIENCE


def test_fewer_data_than_parameters_have_no_standard_deviation() -> None:
    text = "model M\n  parameter a (tunable=true) = 1, b (tunable=true) = 1\n  local x (start=a)\n  der(x) = -b*x\nend"
    data = {"time": np.array([0.5, 1.0]), "x": np.array([0.9, 0.5])}
    found = acausal.translate(text, cache=False).fit(data, {"a": (0.1, 9), "b": (0.1, 9)})
    assert "standard deviation of the residuals: x not determined" in str(found)
    assert "nan" not in str(found)
    shown = json.loads(as_json(found.data()))
    assert shown["sigma"] == {"x": None}
    assert shown["errors"] == {"a": None, "b": None}
    assert shown["values"]["a"] == pytest.approx(found["a"])


ARRAY = """model M
  parameter k[2] (tunable=true) = [1, 2]
  input u[2]
  local x[2] (start=1), y
  der(x) = [-k[1]*x[1] + u[1], -k[2]*x[2] + u[2]]
  y = x[1]
end"""
REST: dict[str, float] = {"u[1]": 0, "u[2]": 0}


@pytest.fixture(scope="module")
def pair() -> Translation:
    return acausal.translate(ARRAY, cache=False)


@pytest.mark.parametrize("measured", [["x"], {"x": "x"}, {"x": ["a", "b"]}, {"x[1]": "a", "x[2]": "b"}])
def test_arrays_are_measured_by_columns(pair: Translation, measured: object) -> None:
    time = np.linspace(0.1, 2, 20)
    first, second = np.exp(-1.5 * time), np.exp(-2.5 * time)
    data = {"time": time, "x[1]": first, "x[2]": second, "a": first, "b": second}
    found = pair.fit(data, {"k[1]": (0.1, 10), "k[2]": (0.1, 10)}, measured=measured, inputs=REST)  # type: ignore[arg-type]
    assert [*found.values.values()] == pytest.approx([1.5, 2.5], rel=1e-6)
    with pytest.raises(UsageError, match="x has 2 elements, measured are 1 columns"):
        pair.fit(data, {"k[1]": None}, measured={"x": ["a"]}, inputs=REST)


def test_arrays_stand_for_their_elements(pair: Translation) -> None:
    linear = pair.linearize(["u"], ["x", "y"], input_values=REST)
    assert (linear.inputs, linear.outputs) == (("u[1]", "u[2]"), ("x[1]", "x[2]", "y"))
    slopes = pair.sensitivities(["k"], ["x"], stop=1, inputs=REST, tolerance=1e-9)
    assert slopes.derivatives[-1] == pytest.approx(-np.diag([np.exp(-1), np.exp(-2)]), abs=1e-8)
    assert pair.gradient("final(y)", ["k"], stop=1, inputs=REST)[1].shape == (2,)


def test_errors_about_parameters_show_their_declaration(pair: Translation) -> None:
    time = np.linspace(0.1, 2, 20)
    for bounds, code in (({"k[1]": (3, 4)}, "A040"), ({"k[2]": (1, 3)}, "A041")):
        with pytest.raises(ModelError) as raised:
            pair.fit({"time": time, "x[1]": time}, bounds, inputs=REST)  # type: ignore[arg-type]
        (found,) = raised.value.report.diagnostics
        assert found.code == code
        assert found.primary is not None
        assert found.primary.span.text.startswith("k[2] (tunable=true)")


@pytest.mark.parametrize("rows", ["time [s],x [V]\n0.5,0.6\n1,0.4\n", "time [ms],x [mV]\n500,600\n1000,400\n"])
def test_units_in_the_header_of_a_file(decay: Translation, tmp_path: Path, rows: str) -> None:
    """As with a row of units; a column is named with its unit or without."""
    (tmp_path / "d.csv").write_text(rows, encoding="utf-8")
    (tmp_path / "plain.csv").write_text("time,x\ns,V\n0.5,0.6\n1,0.4\n", encoding="utf-8")
    expected = decay.fit(tmp_path / "plain.csv", {"k": (0.1, 10)})["k"]
    for measured in (None, ["x"], {"x": "x [V]"}):
        found = decay.fit(tmp_path / "d.csv", {"k": (0.1, 10)}, measured=measured)  # type: ignore[arg-type]
        assert found["k"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("time [V],x", "F001.*its times are in V, not in a unit of time"),
        ("time [s],x [kg]", "A043.*x of d.csv is in kg"),
    ],
)
def test_wrong_units_in_the_header_of_a_file(decay: Translation, tmp_path: Path, header: str, words: str) -> None:
    (tmp_path / "d.csv").write_text(f"{header}\n0.5,0.6\n1,0.4\n", encoding="utf-8")
    with pytest.raises(UsageError, match=words):
        decay.fit(tmp_path / "d.csv", {"k": (0.1, 10)})


def test_inputs_and_parameters_are_not_mixed_up(pair: Translation) -> None:
    """`values` are parameters in fits; values of inputs have names of their own."""
    with pytest.raises(UsageError, match=r"u\[1\] is an input, not a parameter(?s:.)*inputs="):
        pair.fit({"time": TIME, "x[1]": TIME}, {"k[1]": None}, values={"u[1]": 0.0})
    with pytest.raises(UsageError, match=r"k\[1\] is a parameter, not an input(?s:.)*parameters="):
        pair.linearize(["u"], ["x"], input_values={"k[1]": 2.0, **REST})
