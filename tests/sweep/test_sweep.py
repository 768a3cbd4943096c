"""Sweeps from Python, against closed forms and single runs."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from acausal.base.diagnostics import SimulationError, UsageError
from acausal.base.options import TranslateOptions
from acausal.compiled_model import CompiledModel
from acausal.pipeline import run_stages, translate
from acausal.sweep.result import SweepInterrupted
from acausal.translation import Translation
from tests.collection import ROOT

DECAY = (
    "model M\n  parameter k=1, j=2\n  local x (start=1, fixed=true)\n  der(x) = -k*x\n  experiment (plot=[x])\nend\n"
)
BLOWS_UP = "model M\n  parameter a=2\n  local x\n  initial x = a\n  der(x) = x^2\n  experiment (stop=1)\nend\n"


class Translator:
    """Counts how often it translates."""

    def __init__(self, folder: Path, text: str) -> None:
        self.count = 0
        self.file = folder / "m.mdl"
        self.file.write_text(text, encoding="utf-8")

    def __call__(self, values: Mapping[str, float]) -> Translation:
        self.count += 1
        options = TranslateOptions(parameters=tuple(values.items()))
        return Translation(CompiledModel(run_stages(self.file, options)), self)


def model(folder: Path, text: str) -> Translation:
    (folder / "m.mdl").write_text(text, encoding="utf-8")
    return translate(folder / "m.mdl")


@pytest.mark.parametrize("jobs", [1, 3])
def test_decay_against_the_closed_form(tmp_path: Path, jobs: int) -> None:
    """x = exp(-k t); k = 1 at translation is part of the equations: one further translation serves all others."""
    translator = Translator(tmp_path, DECAY)
    s = translator({}).sweep({"k": "0.5:3:6", "j": "1,2"}, final=["x"], minimum=["x"], maximum=["x"], jobs=jobs)
    assert translator.count == 2
    assert [note.code for note in s.notes] == ["R012"]
    assert len(s) == len(s.runs) == 12
    assert s["k"].tolist() == np.repeat(np.linspace(0.5, 3, 6), 2).tolist()
    assert s["final(x)"] == pytest.approx(np.exp(-s["k"]), rel=1e-5)
    assert np.array_equal(s["min(x)"], s["final(x)"])
    assert s["max(x)"].tolist() == [1.0] * 12
    assert not s.failures
    r = s.runs[-1]
    assert r["x"] == pytest.approx(np.exp(-3 * r.time), abs=1e-6)
    assert (r["k"][0], r["j"][0]) == (3, 2)


def test_each_run_is_what_simulate_gives() -> None:
    """Nonlinear blocks, events, states that change: threads share nothing that changes."""
    for name, parameters, columns in (
        ("power_supply", {"steady.R": "60:120:3"}, ["regulated"]),
        ("pendulum", {"L": "0.5:1.5:3"}, ["x"]),
        ("double_pendulum", {"m": "0.5:4:5"}, ["j2.q"]),
    ):
        t = translate(ROOT / "examples" / f"{name}.mdl")
        s = t.sweep(parameters, final=columns, maximum=columns, jobs=4)
        for i in range(len(s)):
            single = t.simulate(parameters=s.given(i))
            assert s[f"final({columns[0]})"][i] == single[columns[0]][-1]
            assert s[f"max({columns[0]})"][i] == single[columns[0]].max()


def test_last_values_alone_are_those_of_whole_runs() -> None:
    """Rows that nobody looks at are left out; the solver's steps stay the same."""
    t = translate(ROOT / "examples" / "double_pendulum.mdl")
    short, long = (t.sweep({"m": "1:3:4"}, final=["j1.q"], keep=keep, jobs=1) for keep in (False, True))
    assert np.array_equal(short["final(j1.q)"], long["final(j1.q)"])
    assert len(long.runs[2].time) == len(short.runs[2].time) == 601
    assert np.array_equal(long.runs[2].stored, short.runs[2].stored)


def test_a_parameter_that_shapes_the_model_is_translated_once_a_value(tmp_path: Path) -> None:
    text = "model M\n  parameter integer N=2\n  parameter k=3\n  local x[N]\n  for i = 1 to N\n"
    text += "    x[i] = k*i\n  endfor\nend\n"
    translator = Translator(tmp_path, text)
    s = translator({}).sweep({"k": "5,6", "N": "2,4,3"}, final=["x[1]", "x[2]"], jobs=2)
    assert translator.count == 3
    assert s["final(x[2])"].tolist() == [10, 10, 10, 12, 12, 12]
    assert s.runs[1].final["x[4]"] == 20


def test_zero_where_the_equations_divide_by_a_symbol(tmp_path: Path) -> None:
    """k x' = 1 - x is no differential equation at k = 0: x = 1; elsewhere x = 1 - exp(-t/k)."""
    text = "model M\n  parameter k=2\n  local x\n  k*der(x) = 1 - x\nend\n"
    translator = Translator(tmp_path, text)
    s = translator({}).sweep({"k": "0,0.5,2"}, final=["x"], tolerance=1e-8)
    assert translator.count == 2
    assert s["final(x)"] == pytest.approx([1, 1 - np.exp(-2), 1 - np.exp(-0.5)], rel=1e-6)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_that_fails_stops_no_other(tmp_path: Path, jobs: int) -> None:
    """x = a/(1 - a t) is infinite at t = 1/a."""
    s = model(tmp_path, BLOWS_UP).sweep({"a": "0.5,2,0.25,4"}, final=["x"], jobs=jobs)
    assert sorted(s.failures) == [1, 3]
    assert {failure.code for failure in s.failures.values()} <= {"R002", "R004"}
    assert s["final(x)"][[0, 2]] == pytest.approx([1, 1 / 3], rel=1e-4)
    assert np.isnan(s["final(x)"][[1, 3]]).all()
    assert s.status(1).startswith("R00")
    assert s.status(0) == "ok"
    assert "2 failed" in repr(s)
    assert s.runs[1].time[-1] < 0.6


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_quantity_that_is_not_finite_is_a_failure(tmp_path: Path, jobs: int) -> None:
    """y is real up to t = a only; what x is at the end remains."""
    text = "model M\n  parameter a=2\n  local y, x (start=1, fixed=true)\n  y = log(a - time)\n  der(x) = -x\nend\n"
    s = model(tmp_path, text).sweep({"a": "0.5,2,3"}, final=["x", "y"], jobs=jobs, tolerance=1e-8)
    assert {index: (f.code, f.message) for index, f in s.failures.items()} == {0: ("R004", "final(y) is not finite")}
    assert s["final(x)"] == pytest.approx([np.exp(-1)] * 3, rel=1e-6)
    assert s["final(y)"][1:] == pytest.approx([0, np.log(2)], abs=1e-12)
    assert (s.status(0)[:4], s.status(1)) == ("R004", "ok")


def test_a_run_whose_first_instant_fails(tmp_path: Path) -> None:
    s = model(tmp_path, "model M\n  parameter a=2\n  local x\n  x^2 = a\nend\n").sweep({"a": "4,-1"}, final=["x"])
    assert [s.failures[i].code for i in s.failures] == ["R001"]
    assert s["final(x)"][0] ** 2 == pytest.approx(4)
    with pytest.raises(SimulationError, match="R001"):
        s.runs[1]


def test_names_and_options_are_looked_at_before_any_run(tmp_path: Path) -> None:
    t = model(tmp_path, DECAY)
    for values, options, code in (
        ({"kk": "1,2"}, {}, "F005"),
        ({"x": "1,2"}, {}, "F005"),
        ({"something": "1,2"}, {}, "F005"),
        ({"k": "1,2"}, {"final": ["y"]}, "F005"),
        ({"k": "1,2"}, {"jobs": 0}, "F006"),
        ({"k": "1,2"}, {"inputs": {"u": "1"}}, "F005"),
        ({"k": "1,2"}, {"solver": "euler"}, "F006"),
        ({"k": "1,2"}, {"trajectories": "npz"}, "F006"),
        ({"k": "1,2"}, {"trajectories": "xls", "folder": tmp_path / "out"}, "F006"),
    ):
        with pytest.raises(UsageError) as caught:
            t.sweep(values, **options)  # type: ignore[arg-type]  # names as in sweep
        (told,) = caught.value.report.diagnostics
        assert told.code == code
        assert told.help
    assert not (tmp_path / "out").exists()


def test_columns_of_all_kinds_of_variables(tmp_path: Path) -> None:
    text = "model M\n  parameter k=3\n  local x, y, z, w\n  der(x) = k\n  y = -x\n  z = 2*k\n  w = time\nend\n"
    s = model(tmp_path, text).sweep({"k": "3,5"}, final=["*", "k", "time"], minimum=["y"], maximum=["y"], stop=2.0)
    for name, values in (
        ("x", [6, 10]),
        ("y", [-6, -10]),
        ("z", [6, 10]),
        ("w", [2, 2]),
        ("k", [3, 5]),
        ("time", [2, 2]),
    ):
        assert s[f"final({name})"] == pytest.approx(values)
    assert s["min(y)"] == pytest.approx([-6, -10])
    assert s["max(y)"] == pytest.approx([0, 0])
    with pytest.raises(UsageError, match="F005"):
        s["x"]


def test_an_interrupted_sweep_has_what_is_done(tmp_path: Path) -> None:
    t = model(tmp_path, DECAY)

    def stop(done: int, count: int) -> None:
        if done < count:
            raise KeyboardInterrupt

    with pytest.raises(SweepInterrupted) as caught:
        t.sweep({"k": "2:3:4000"}, progress=stop, jobs=2)
    s = caught.value.result
    assert 0 < s.stats.done < 4000
    assert len(s.missing) == 4000 - s.stats.done
    done = ~np.isnan(s["final(x)"])
    assert done.sum() == s.stats.done
    assert s["final(x)"][done] == pytest.approx(np.exp(-s["k"][done]), rel=1e-5)


def test_steady_starts_and_inputs(tmp_path: Path) -> None:
    """x' = u - k x rests at u/k, and ends at u/k + (1 - e^-k)/k if u grows by 1 at once."""
    t = model(tmp_path, "model M\n  parameter k=2\n  input u\n  local x\n  der(x) = u - k*x\nend\n")
    s = t.sweep({"k": "2,4"}, final=["x"], inputs={"u": "3*k"}, steady=True)
    assert s["final(x)"] == pytest.approx([3, 3])


def test_tables_are_written_and_shown(tmp_path: Path) -> None:
    s = model(tmp_path, DECAY).sweep({"k": "2:3:30"})
    for name in ("t.csv", "t.npz"):
        s.write(tmp_path / name)
    lines = (tmp_path / "t.csv").read_text().splitlines()
    assert lines[0] == "run,k,final(x),status"
    assert [float(x) for x in lines[30].split(",")[:3]] == [29, s["k"][29], s["final(x)"][29]]
    with np.load(tmp_path / "t.npz") as data:
        assert np.array_equal(data["values"][:, 1], s["final(x)"])
        assert data["names"].tolist() == ["k", "final(x)"]
    assert str(s).count("\n") == 22
    assert s._repr_html_().count("<tr>") == 22
    with pytest.raises(UsageError, match="F008"):
        s.write(tmp_path / "t.xls")


def test_an_assertion_about_states_is_looked_at_in_all_rows(tmp_path: Path) -> None:
    """x = sin(k t) is above 0.9 in between only."""
    text = "model M\n  parameter k=2\n  local x, v\n  initial v = k\n  der(x) = v\n  der(v) = -k^2*x\n"
    text += '  assert(x < 0.9, "too far")\n  assert(k > 0, "the rate is above 0")\nend\n'
    s = model(tmp_path, text).sweep({"k": "0.5,3,1,-1"}, final=["x"], tolerance=1e-8)
    assert {i: failure.code for i, failure in s.failures.items()} == {1: "R010", 3: "R010"}
    assert s["final(x)"][[0, 2]] == pytest.approx(np.sin([0.5, 1.0]), rel=1e-6)


@pytest.mark.parametrize("maximum", [[], ["x"]])
def test_the_quick_way_gives_the_bits_of_the_ordinary_one(tmp_path: Path, maximum: list[str]) -> None:
    """A solver that has made other runs before begins like a new one; tolerances and steps may follow parameters."""
    text = "model M\n  parameter k=2, n=3\n  local x (nominal=n), y\n  y^3 + y = x\n  der(x) = 3*sin(k*time) - y\nend\n"
    t = model(tmp_path, text)
    s = t.sweep({"k": "0.5,9,3", "n": "2,5"}, final=["x"], maximum=maximum, jobs=1, stop=5.0)
    for i in range(len(s)):
        single = t.simulate(parameters=s.given(i), stop=5.0)
        assert s["final(x)"][i] == single["x"][-1]
        assert not maximum or s["max(x)"][i] == single["x"].max()


@pytest.mark.parametrize("speeds", ["1:4:4", "1,9,2,8", "9,1"])
def test_runs_that_may_change_their_states_have_the_bits_of_single_ones(tmp_path: Path, speeds: str) -> None:
    """The Cartesian pendulum swings, or goes over the top with other states; which runs were before does not matter."""
    text = "model M\n  parameter v=1\n  local x (start=0), y (start=-1), vx (start=v), vy, f\n  x^2 + y^2 = 1\n"
    text += "  der(x) = vx\n  der(y) = vy\n  der(vx) = -f*x\n  der(vy) = -f*y - 9.81\nend\n"
    t = model(tmp_path, text)
    s = t.sweep({"v": speeds}, final=["x", "y"], jobs=1, stop=3.0)
    for i in range(len(s)):
        single = model(tmp_path, text).simulate(parameters=s.given(i), stop=3.0)
        assert s["final(x)"][i] == single["x"][-1]
        assert s["final(y)"][i] == single["y"][-1]


def test_a_sparse_matrix_is_solved_by_one_thread_at_a_time(tmp_path: Path) -> None:
    """SuperLU_MT has variables of its own: without a turn for each thread this ends the process."""
    count = 255  # a tree, which no order makes a band
    near = [[(i - 1) // 2] * (i > 0) + [c for c in (2 * i + 1, 2 * i + 2) if c < count] for i in range(count)]
    equations = [f"  der(x{i}) = k*({' + '.join(f'(x{j} - x{i})' for j in near[i])}) - x{i}^3" for i in range(count)]
    names = ", ".join(f"x{i} (start={1 + i % 3})" for i in range(count))
    t = model(tmp_path, "\n".join(["model M", "  parameter k=2", f"  local {names}", *equations, "end", ""]))
    one, three = (t.sweep({"k": "1:3:24"}, final=["x0", "x200"], jobs=jobs) for jobs in (1, 3))
    assert np.array_equal(one["final(x0)"], three["final(x0)"])
    assert np.array_equal(one["final(x200)"], three["final(x200)"])
