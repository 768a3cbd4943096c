"""Parameters that are 0 where the equations of their symbols divide by them: runs are as with the 0 in the text."""

from pathlib import Path

import numpy as np
import pytest

from acausal import ModelError, Result, RunError, Translation, translate
from acausal.base.options import SimulateOptions
from acausal.ir.experiment import AS_MODELED
from acausal.results.recorder import Recorder

TEXT = """model Loaded
  parameter u=5, R={R}, S=3, C={C}
  local i
  output v (start=1)
  R*i = u - v
  C*der(v) = i - v/S
  experiment (stop=4, tolerance=1e-8)
end
"""


def loaded(folder: Path, R: float = 2, C: float = 4) -> Translation:  # noqa: N803 - as in the model
    path = folder / f"loaded_{R}_{C}.mdl"
    path.write_text(TEXT.format(R=R, C=C))
    return translate(path)


@pytest.fixture(scope="module")
def t(tmp_path_factory: pytest.TempPathFactory) -> Translation:
    return loaded(tmp_path_factory.mktemp("zeros"))


def same(one: Result, other: Result) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in ("time", "v", "i"))


@pytest.mark.parametrize(("zero", "v", "i"), [("R", 5, 5 / 3), ("C", 3, 1)])
def test_a_run_is_that_of_the_zero_in_the_text_and_of_a_sweep(
    t: Translation, tmp_path: Path, zero: str, v: float, i: float
) -> None:
    """R = 0: v = u, i = u/S; C = 0: v = u*S/(R + S), i = u/(R + S)."""
    r = t.simulate(parameters={zero: 0})
    assert r["v"] == pytest.approx(np.full(len(r.time), v), rel=1e-12)
    assert r["i"] == pytest.approx(np.full(len(r.time), i), rel=1e-12)
    assert [(note.code, zero in note.message) for note in r.notes] == [("R012", True)]
    assert same(r, loaded(tmp_path, **{zero: 0}).simulate())
    s = t.sweep({zero: [1, 0]}, final=["v", "i"], jobs=1)
    assert (s["final(v)"][1], s["final(i)"][1]) == (r["v"][-1], r["i"][-1])
    assert same(s.runs[1], r)


def test_runs_that_do_not_divide_have_no_other_translation(t: Translation) -> None:
    assert not t.simulate(parameters={"u": 0}).notes
    assert t.simulate()["v"][-1] == pytest.approx(3 - 2 * np.exp(-4 / 4 * (1 / 2 + 1 / 3)), rel=1e-6)


def test_steps_checkpoints_and_states(t: Translation, tmp_path: Path) -> None:
    s = t.stepper(parameters={"R": 0})
    s.step(0.5)
    assert (s["v"], s.time) == (5, 0.5)
    later = t.simulate(start_from=s.state)
    assert (later.time[0], later["v"][-1]) == (0.5, 5)
    whole = t.simulate(parameters={"R": 0}, checkpoint=tmp_path / "run.npz", checkpoint_interval=1)
    assert same(whole, t.simulate(parameters={"R": 0}))


def test_analyses(t: Translation) -> None:
    """di/dS = -u/S^2 and v = u at R = 0; at C = 0 v = u*S/(R + S)."""
    slope = t.sensitivities(["S"], ["i"], values={"R": 0})["i", "S"]
    assert slope == pytest.approx(np.full(len(slope), -5 / 9), rel=1e-9)
    assert t.gradient("final(v)", ["S"], values={"C": 0})[1] == pytest.approx([5 * 2 / 25], rel=1e-9)
    linear = t.linearize(["u"], ["i"], parameters={"R": 0})
    assert np.asarray(linear.D) == pytest.approx(np.array([[1 / 3]]), rel=1e-12)
    assert t.trim({"v": 2.5}, ["u"], parameters={"C": 0}).values["u"] == pytest.approx(2.5 * 5 / 3)
    data = {"time": np.linspace(0, 4, 5), "v": np.full(5, 5 * 7 / 9)}
    assert t.fit(data, {"S": (1, 20)}, values={"C": 0}).values["S"] == pytest.approx(7)


def test_what_fails_for_another_reason_keeps_its_error(tmp_path: Path) -> None:
    """x = 1/(1 - t) + k is infinite at t = 1 whatever k is."""
    path = tmp_path / "pole.mdl"
    path.write_text("model M\n  parameter k=2\n  local x (start=1)\n  der(x) = x^2 + k*(x - 1/(1 - time))\nend\n")
    with pytest.raises(RunError) as caught:
        translate(path).simulate(parameters={"k": 0}, stop=2)
    assert 0.5 < caught.value.result.time[-1] < 1.01
    assert not caught.value.result.notes


def test_a_zero_without_translation_keeps_the_error_of_the_run(tmp_path: Path) -> None:
    """At R = 0 nothing determines w."""
    path = tmp_path / "open.mdl"
    path.write_text("model M\n  parameter R=2\n  local w\n  R*w = time\nend\n")
    with pytest.raises(ModelError, match="R00"):
        translate(path).simulate(parameters={"R": 0})


def test_the_file_has_the_rows_of_the_run_that_succeeds(t: Translation, tmp_path: Path) -> None:
    """And those of the first attempt where there is none."""
    for given, last in (({"R": 0.0}, 5.0), ({"R": 0.0, "S": 0.0}, None)):
        path = tmp_path / "run.csv"
        recorder = Recorder(path, lambda result: result.visible, lambda _: ("v",))
        begun = t.begun(SimulateOptions(), given, None, AS_MODELED, {})[1]
        if last is None:
            with pytest.raises(ModelError):
                begun.run(recorder=recorder)
            recorder.discard()
            continue
        result = begun.run(recorder=recorder)
        recorder.finish()
        assert result["v"][-1] == last
        assert len(path.read_text().splitlines()) == len(result.time) + 1
