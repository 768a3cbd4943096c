"""Runs that machine code does, many a call: the bits of single runs, and what is out of the ordinary left to Python."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from acausal.pipeline import translate
from acausal.sweep import native_sweep, native_sweep_fields, version
from acausal.sweep.runs.portion import Run
from acausal.translation import Translation
from tests.collection import ROOT
from tests.events import test_native as events
from tests.events.test_library import STOP
from tests.events.test_reference import CLUTCHES, RECTIFIER, STICK_SLIP
from tests.python_loop import simulate_in_python

GROWS = "model M\n  parameter a=2\n  local x\n  initial x = a\n  der(x) = x^2\n  experiment (stop=1)\nend\n"
"""x = a/(1 - a t) is infinite at t = 1/a."""
BALL = (
    events.BALL.replace("local h", "parameter g=9.81, e=0.75\n  local h").replace("-9.81", "-g").replace("0.8*", "e*")
)
SAMPLED = events.SAMPLED.replace("local x", "parameter k=0.3\n  local x").replace("0.4*", "k*").replace("I, k", "I, n")
SAMPLED = SAMPLED.replace("new(k) = k + 1", "new(n) = n + 1")
STEPS = events.STEPS.replace("local x", "parameter k=4\n  local x").replace("3*time", "k*time")


def model(folder: Path, text: str) -> Translation:
    (folder / "m.mdl").write_text(text, encoding="utf-8")
    return translate(folder / "m.mdl")


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the runs that Python does."""
    numbers: list[int] = []
    single = version.Version.run

    def run(self: version.Version, index: int, *arguments: Any, **options: Any) -> Run | None:
        numbers.append(index)
        return single(self, index, *arguments, **options)

    monkeypatch.setattr(version.Version, "run", run)
    return numbers


@pytest.mark.parametrize("solver", ["auto", "adams"])
@pytest.mark.parametrize(
    ("name", "values"), [("double_pendulum", {"m": "1:3:4", "d.d": "0.1,0.3"}), ("R3mbs", {"i.g": "9.81,9"})]
)
def test_columns_have_the_bits_of_single_runs(name: str, values: dict[str, str], solver: str, left: list[int]) -> None:
    t = translate(ROOT / "examples" / f"{name}.mdl")
    asked = t.simulate(stop=0.5).names[:12]
    options: dict[str, Any] = {"stop": 0.5, "solver": solver}
    s = t.sweep(values, final=asked, minimum=asked, maximum=asked, jobs=2, **options)
    for i in range(len(s)):
        single = t.simulate(parameters=s.given(i), **options)
        for column in asked:
            found = [float(s[f"{kind}({column})"][i]) for kind in ("final", "min", "max")]
            assert found == [single[column][-1], single[column].min(), single[column].max()]
    assert not left


def test_the_run_behind_one_that_failed_is_as_if_it_were_the_first(tmp_path: Path, left: list[int]) -> None:
    """Half of them fail, in the solver: it is not used again."""
    t = model(tmp_path, GROWS)
    s = t.sweep({"a": "0.5,2,0.25,4,0.75,3,-1"}, final=["x"], jobs=1)
    assert sorted(s.failures) == [1, 3, 5] == left
    for i in (0, 2, 4, 6):
        assert s["final(x)"][i] == t.simulate(parameters=s.given(i))["x"][-1]
        assert s["final(x)"][i] == pytest.approx(s["a"][i] / (1 - s["a"][i]), rel=1e-4)


def test_what_python_has_to_tell_is_left_to_it(tmp_path: Path, left: list[int]) -> None:
    """A limit, an assertion, a value that is part of the equations, a first instant without solution."""
    text = "model M\n  parameter k (min=0.5) = 2, a=1, n=3, b=4\n  local x, y (start=1)\n  initial x = n\n  y^2 = b\n"
    text += '  assert(x < 5, "far")\n  der(x) = -k*a*y*x\nend\n'
    s = model(tmp_path, text).sweep(runs=columns(), final=["x"], jobs=1)
    assert {i: failure.code for i, failure in s.failures.items()} == {1: "T013", 2: "R010", 4: "R001"}
    assert s["final(x)"][[0, 3, 5]] == pytest.approx([3 * np.exp(-4), 3 * np.exp(-8), 2 * np.exp(-4)], rel=1e-5)
    assert {1, 2, 3, 4} <= set(left)
    assert s.stats.translations == 1


def columns() -> dict[str, list[float]]:
    return {"k": [2, 0.1, 2, 2, 2, 2], "a": [1, 1, 1, 2, 1, 1], "n": [3, 3, 6, 3, 3, 2], "b": [4, 4, 4, 4, -1, 4]}


def test_what_ends_a_run_as_wanted_is_left_to_python(tmp_path: Path, left: list[int]) -> None:
    text = 'model M\n  parameter k=2\n  local x\n  der(x) = k\n  terminate(k > 4, "fast")\nend\n'
    s = model(tmp_path, text).sweep({"k": "2,5,3"}, final=["x"], jobs=1)
    assert left == [1]
    assert s["final(x)"][[0, 2]] == pytest.approx([2, 3])


def test_a_call_takes_a_portion(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many runs there are; what is left is done by further calls."""
    counts: list[int] = []
    several = native_sweep.NativeSweep.run

    def run(self: native_sweep.NativeSweep, values: Any) -> native_sweep.Done:
        done = several(self, values)
        counts.append(len(done.numbers))
        return done

    monkeypatch.setattr(native_sweep.NativeSweep, "run", run)
    monkeypatch.setattr(native_sweep, "PORTION", 1e-4)
    monkeypatch.setattr(version, "PORTION", 1e-4)
    t = model(tmp_path, "model M\n  parameter k=2\n  local x (start=1)\n  der(x) = -k*x\nend\n")
    s = t.sweep({"k": "2:3:500"}, final=["x"], jobs=1)
    assert s["final(x)"] == pytest.approx(np.exp(-s["k"]), rel=1e-5)
    assert sum(counts) == 500
    assert len(counts) > 20


def test_sines_that_begin_or_end_within_a_run(tmp_path: Path, left: list[int]) -> None:
    """The longest step changes there; whether they do follows from the parameters of each run."""
    text = "model M\n  parameter T=-2, d=0.1\n  local x (start=0), y (start=1)\n"
    text += "  der(x) = exp(-d*time)*sin(70*time)\n  der(y) = (if time < T then 0 else sin(50*time)) - y\nend\n"
    t = model(tmp_path, text)
    s = t.sweep({"T": "-2,0.5,-3", "d": "0.1,100,0.2"}, final=["x", "y"], jobs=1)
    for i in range(len(s)):
        single = t.simulate(parameters=s.given(i))
        assert [s["final(x)"][i], s["final(y)"][i]] == [single["x"][-1], single["y"][-1]]
    assert sorted(left) == [1, 3, 4, 5, 7]


def test_most_runs_out_of_the_ordinary_end_the_attempts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    attempts: list[int] = []
    several = native_sweep.NativeSweep.run

    def run(self: native_sweep.NativeSweep, values: Any) -> native_sweep.Done:
        attempts.append(len(values))
        return several(self, values)

    monkeypatch.setattr(native_sweep.NativeSweep, "run", run)
    s = model(tmp_path, GROWS).sweep({"a": "2:4:30"}, final=["x"], jobs=1)
    assert len(s.failures) == 30
    assert len(attempts) == version.PATIENCE


@pytest.mark.parametrize(
    ("text", "values", "stop"),
    [
        (BALL, {"g": "9.81,3,30", "e": "0.8,0.9"}, 2.0),
        (SAMPLED, {"k": "0.4,0.2,0.4"}, 3.0),
        (STEPS, {"k": "3,5,3"}, 1.5),
        (RECTIFIER, {"I.I": "500,300,500"}, 0.01),
        (CLUTCHES, {"T.amplitude": "10,8,12"}, 1.5),
        (STICK_SLIP, {"drive.W": "0.5,0.3,0.6"}, 10.0),
        (STOP.replace("J=1", "J=1.5"), {"J.J": "2,4,3"}, 3.0),
    ],
)
def test_events_have_the_bits_that_python_gives(
    text: str, values: dict[str, str], stop: float, tmp_path: Path, left: list[int]
) -> None:
    t = model(tmp_path, text)
    asked = t.simulate(stop=stop).names
    s = t.sweep(values, final=asked, minimum=asked, maximum=asked, jobs=1, stop=stop)
    for i in range(len(s)):
        single = simulate_in_python(t, parameters=s.given(i), stop=stop)
        for column in asked:
            found = [float(s[f"{kind}({column})"][i]) for kind in ("final", "min", "max")]
            assert found == [single[column][-1], single[column].min(), single[column].max()]
    assert not left


def test_events_that_are_out_of_the_ordinary_are_left_to_python(tmp_path: Path, left: list[int]) -> None:
    """Bounces without end, the end that the model wants, more rows than there is room for."""
    t = model(tmp_path, BALL)
    s = t.sweep({"e": "0.8,0.3,0.7"}, final=["h", "n"], jobs=1, stop=2.0)
    assert {i: failure.code for i, failure in s.failures.items()} == {1: "E011"}
    assert left == [1]
    text = BALL.replace("endwhen", 'endwhen\n  when n > most then\n    terminate(true, "enough")\n  endwhen')
    ended = model(tmp_path, text.replace("g=9.81", "g=9.81, most=3")).sweep({"most": "9,2"}, final=["n"], stop=2.0)
    assert ended["final(n)"].tolist() == [s["final(n)"][0], 3]
    assert left == [1, 1]


def test_a_run_with_more_events_than_there_is_room_for(
    tmp_path: Path, left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Calls of machine code for events go on where one is full; where the rows are full Python does the run."""
    t, values = model(tmp_path, BALL), {"g": "9.81,30,9.81"}
    whole = t.sweep(values, final=["h", "n"], jobs=1, stop=1.7)
    monkeypatch.setattr(native_sweep_fields, "AT_ONCE", 2)
    several = t.sweep(values, final=["h", "n"], jobs=1, stop=1.7)
    assert not left
    monkeypatch.setattr(native_sweep_fields, "MORE_ROWS", 14)
    few = t.sweep(values, final=["h", "n"], jobs=1, stop=1.7)
    assert left == [1]
    for name in ("final(h)", "final(n)"):
        assert whole[name].tolist() == several[name].tolist() == few[name].tolist()


BLOCK = """model M
  parameter a=0.7
  local x (start=1, fixed=true), y, z
  der(x) = -a*y
  y + 0.2*y^3 + sin(z) = x
  z + 0.3*z^3 - cos(y) = a*x
end
"""


def test_nonlinear_blocks_have_the_bits_of_single_runs_in_the_last_row(tmp_path: Path, left: list[int]) -> None:
    """Newton's method starts where single runs start it: at the solutions that were predicted for the time."""
    t = model(tmp_path, BLOCK)
    values = [0.3 + 0.07 * i for i in range(20)]
    s = t.sweep({"a": values}, final=["y", "z"], stop=2.0, jobs=1)
    assert not left
    for i, a in enumerate(values):
        single = t.simulate(parameters={"a": a}, stop=2.0)
        assert [s["final(y)"][i], s["final(z)"][i]] == [single["y"][-1], single["z"][-1]]


DRIVEN = """model M
  parameter k=2, b=0.3, hard=1.5
  input u
  local x, v
  der(x) = v
  der(v) = u - k*x - b*v
  when x > hard then
    init(v) = -0.5*v
  endwhen
end
"""
TIMES = np.linspace(0.0, 5.0, 51)


@pytest.mark.parametrize("text", [DRIVEN, "".join(DRIVEN.partition("  when")[:1]) + "end\n"])
@pytest.mark.parametrize("u", ["2*sin(3*time)", "0.2*k*time + b", 1.5, (TIMES, np.cos(TIMES) ** 2)])
def test_inputs_from_outside_have_the_bits_of_single_runs(tmp_path: Path, left: list[int], text: str, u: Any) -> None:
    t = model(tmp_path, text.replace(", hard=1.5", "") if "when" not in text else text)
    options: dict[str, Any] = {"inputs": {"u": u}, "stop": 5.0}
    s = t.sweep({"k": "1:3:7"}, final=["x", "u"], maximum=["x", "u"], jobs=2, **options)
    assert not left
    for i in range(len(s)):
        single = t.simulate(parameters=s.given(i), **options)
        for name in ("x", "u"):
            values = np.asarray(single[name])
            assert (s[f"final({name})"][i], s[f"max({name})"][i]) == (values[-1], values.max())


def test_inputs_whose_form_depends_on_a_parameter_are_left_to_python(tmp_path: Path, left: list[int]) -> None:
    """The truth value is part of the expression: x = +-t^2/2 from rest."""
    variables = "  parameter boolean up=true\n  input u\n  local x, v\n"
    text = f"model M\n{variables}  der(x) = v\n  der(v) = u\nend\n"
    t = model(tmp_path, text)
    s = t.sweep({"up": [True, False]}, inputs={"u": "if up then 1 else -1"}, stop=1.0, final=["x"], jobs=1)
    assert left
    np.testing.assert_allclose(s["final(x)"], [0.5, -0.5], rtol=1e-5)


def test_inputs_that_are_functions_are_left_to_python(tmp_path: Path, left: list[int]) -> None:
    t = model(tmp_path, DRIVEN)
    s = t.sweep({"k": [1.0, 2.0]}, inputs={"u": np.sin}, stop=1.0, final=["x"], jobs=1)
    assert left == [0, 1]
    assert s["final(x)"][1] == t.simulate(parameters={"k": 2.0}, inputs={"u": np.sin}, stop=1.0)["x"][-1]


SELECTED = """model M
  parameter g=9.81, x0=0.5, v0=1.3
  local x (start=x0, state="prefer"), y (start=-1), vx (start=v0, state="prefer"), vy, F, e
  discrete n
  x^2 + y^2 = 1
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - g
  e = (vx^2 + vy^2)/2 + g*y
  when x > 0.1 then
    new(n) = n + 1
  endwhen
end
"""
"""A pendulum by its horizontal position, which is no state beside the horizontal."""
SELECTED_ALONE = SELECTED.partition("  when")[0].replace("  discrete n\n", "") + "end\n"


@pytest.mark.parametrize("text", [SELECTED, SELECTED_ALONE])
def test_states_that_stay_well_conditioned_have_the_bits_of_single_runs(
    tmp_path: Path, left: list[int], text: str
) -> None:
    """The run over the top, whose states have to change, is left to Python; e = v^2/2 + g*y with v = vx/|y|."""
    t = model(tmp_path, text)
    assert t.program.choice_table.slots
    asked = ["x", "y", "vx", "F", "e", *(["n"] if "n" in t.simulate(stop=0.1).names else [])]
    options: dict[str, Any] = {"stop": 3.0, "tolerance": 1e-8}
    s = t.sweep({"v0": "1.1,2,9,1.5"}, final=asked, maximum=asked, jobs=1, **options)
    assert left == [2]
    for i in range(len(s)):
        single = t.simulate(parameters=s.given(i), **options)
        for name in asked:
            values = np.asarray(single[name])
            assert (s[f"final({name})"][i], s[f"max({name})"][i]) == (values[-1], values.max())
    y = -(0.75**0.5)
    np.testing.assert_allclose(s["final(e)"], (s["v0"] / y) ** 2 / 2 + 9.81 * y, rtol=1e-5)


def test_states_that_are_no_states_at_the_start_are_left_to_python(tmp_path: Path, left: list[int]) -> None:
    """Beside the horizontal y is the state, from its own start on; released there it falls by (1 - y^2)*g/2*t^2."""
    text = SELECTED_ALONE.replace("start=v0", "start=0").replace(", v0=1.3", "").replace("start=-1", "start=-0.2")
    t = model(tmp_path, text)
    s = t.sweep({"x0": [0.5, 1.0 - 1e-12, 0.6]}, final=["y"], stop=0.01, tolerance=1e-8, jobs=1)
    assert left == [1]
    assert s["final(y)"][1] == pytest.approx(-0.2 - (1 - 0.2**2) * 9.81 / 2 * 0.01**2, rel=1e-5)
