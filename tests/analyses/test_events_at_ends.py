"""Events exactly where a run begins or ends: no derivative exists if a parameter moves them and they matter."""

import numpy as np
import pytest

import acausal
from acausal.analyses.fitting.measurements import Experiment
from acausal.analyses.sensitivities.native_runs import NativeRuns

TEXT = """model Ends
  parameter b (tunable=true) = 0.5, c (tunable=true) = 0
  parameter T0 (tunable=true) = 0.6
  local x (start=0), jumping (start=0), bent (start=0), timed (start=0), resting (start=0), set (start=0)
  local kink, always
  discrete real m (start=0)
  der(x) = 1
  der(jumping) = if x >= b then 1 else 0
  der(bent) = if x >= b then x - b else 0
  kink = if x >= b then x - b else 0
  der(timed) = if time >= T0 then 1 else 0
  der(resting) = if c >= 0*x then 1 else 0
  always = if time >= 0 then b else 0
  when x >= 3*b then
    new(m) = 1
  endwhen
  der(set) = m
end
"""
"""With t at the end: jumping = t - b, bent = (t - b)^2/2, timed = t - T0, set = t - 3 b, behind the events."""


@pytest.fixture(scope="module")
def ends() -> acausal.Translation:
    return acausal.translate(TEXT, cache=False)


def diagnostic_of(raised: pytest.ExceptionInfo[acausal.ModelError]) -> tuple[str, str]:
    (found,) = raised.value.report.diagnostics
    assert found.primary is not None
    return found.code, found.primary.span.text


@pytest.mark.parametrize(
    ("variable", "parameter", "values", "where", "line"),
    [
        ("jumping", "b", {"b": 1.0}, "t = 1, the end of the run, x >= b", "der(jumping)"),
        ("jumping", "b", {"b": 0.0}, "t = 0, the start of the run, x >= b", "der(jumping)"),
        ("timed", "T0", {"T0": 1.0}, "t = 1, the end of the run, time >= T0", "der(timed)"),
        ("timed", "T0", {"T0": 0.0}, "t = 0, the start of the run, time >= T0", "der(timed)"),
        ("kink", "b", {"b": 1.0}, "t = 1, the end of the run, x >= b", "der(jumping)"),
    ],
)
def test_events_at_ends_are_reported(
    ends: acausal.Translation, variable: str, parameter: str, values: dict[str, float], where: str, line: str
) -> None:
    with pytest.raises(acausal.SimulationError) as raised:
        ends.sensitivities([parameter], [variable], values=values, stop=1)
    code, text = diagnostic_of(raised)
    assert code == "A021"
    assert text.startswith(line)
    assert where in str(raised.value)
    with pytest.raises(acausal.SimulationError, match=where):
        ends.gradient(f"final({variable})", [parameter], values=values, stop=1)
    with pytest.raises(acausal.SimulationError, match=where):
        ends.simulate(sensitivities=[parameter], parameters=values, stop=1)


def test_a_discrete_variable_that_is_set_at_the_end(ends: acausal.Translation) -> None:
    with pytest.raises(acausal.SimulationError, match=r"at t = 0\.9, the end of the run, x >= 3"):
        ends.sensitivities(["b"], ["set"], values={"b": 0.3}, stop=0.9)
    assert ends.sensitivities(["b"], ["set"], values={"b": 0.3}, stop=1)["set", "b"][-1] == pytest.approx(-3)


def test_what_does_not_matter_is_not_refused(ends: acausal.Translation) -> None:
    """The relation does not depend on the parameter, its sides stay equal, or nothing that is asked for jumps."""
    for variable, parameter, values, slope in (
        ("x", "b", {"b": 1.0, "T0": 0.0}, 0.0),  # jumping jumps, but it is not asked for
        ("timed", "b", {"T0": 1.0}, 0.0),
        ("always", "b", {}, 1.0),
        ("resting", "c", {}, 0.0),
        ("bent", "b", {"b": 1.0}, 0.0),
        ("jumping", "b", {"b": 1.0 - 1e-3}, -1.0),
        ("jumping", "b", {"b": 1.0 + 1e-3}, 0.0),
    ):
        found = ends.sensitivities([parameter], [variable], values=values, stop=1)
        assert found[variable, parameter][-1] == pytest.approx(slope, abs=1e-6)


def test_a_continuous_switch_at_the_start() -> None:
    """y = t^2/2 - b t for small b of both signs: the derivative at b = 0 is -t, where the relation has equal sides."""
    text = "model M\n  parameter b (tunable=true) = 0\n  local x (start=0), y (start=0)\n  der(x) = 1\n"
    text += "  der(y) = if x >= b then x - b else 0\nend"
    found = acausal.translate(text, cache=False).sensitivities(["b"], ["y"], stop=2)
    assert found["y", "b"][-1] == pytest.approx(-2, rel=1e-8)


def test_adjoint_equations_leave_it_to_slopes() -> None:
    text = TEXT.replace("  when x >= 3*b then\n    new(m) = 1\n  endwhen\n", "")
    text = text.replace("  discrete real m (start=0)\n", "").replace("der(set) = m", "der(set) = 0")
    model = acausal.translate(text, cache=False)
    for b in (0.0, 1.0):
        with pytest.raises(acausal.SimulationError, match=r"A020.*do not pass x >= b at t = ") as raised:
            model.gradient("final(jumping)", ["b"], values={"b": b}, stop=1, method="adjoint")
        assert "forward" in str(raised.value)
    value, slopes = model.gradient("final(jumping)", ["b"], values={"b": 0.25}, stop=1, method="adjoint")
    assert (value, slopes) == (pytest.approx(0.75), pytest.approx([-1.0]))


def test_a_fit_that_begins_there(ends: acausal.Translation) -> None:
    data = {"time": np.array([0.25, 0.5, 1.0]), "jumping": np.array([0.0, 0.1, 0.6])}
    assert ends.fit(data, {"b": (0.1, 0.9)})["b"] == pytest.approx(0.4, abs=1e-4)
    with pytest.raises(acausal.SimulationError, match="the end of the run, x >= b"):
        ends.fit(data, {"b": (0.1, 2.0)}, values={"b": 1.0})


def test_later_runs_of_a_fit(ends: acausal.Translation) -> None:
    """Machine code sees an event at the end of any run: it is left to Python, which reports it or says why it may be.

    Where nothing of what is asked for jumps there, the numbers stay those of the other runs.
    """
    done: list[bool] = []
    by_machine_code = NativeRuns.rows

    def rows(runs: NativeRuns, values: list[float], times: np.ndarray) -> object:
        found = by_machine_code(runs, values, times)
        done.append(found is not None)
        return found

    runs = ends.fit_slopes(["b"], ["jumping", "x"], None, "auto")
    experiment = Experiment("", np.array([0.5, 1.0]), np.zeros((2, 2)), {}, {}, {})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(NativeRuns, "rows", rows)
        for b in (0.25, 0.75):
            assert runs(experiment, {"b": b})[1][-1, 0, 0] == pytest.approx(-1.0, rel=1e-9)
        for b, where in ((1.0, "t = 1, the end"), (0.0, "t = 0, the start")):
            with pytest.raises(acausal.SimulationError, match=where):
                runs(experiment, {"b": b})
        assert done == [True, True, False, False]
        assert not ends.fit_slopes(["b"], ["x"], None, "auto")(experiment, {"b": 1.0})[1].any()
    assert done[4:] == [False]
