"""States of runs (A010, A011, A012): runs that go on from them, initial values by name, files."""

import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import ModelError, UsageError
from acausal.cli import main
from acausal.ir.program.slots import UnitSlot
from acausal.simulate.state.state import require_no_units
from acausal.translation import Translation

BALL = """model Ball
  parameter g = 9.81, e = 0.8
  local h (start=1, unit="m"), v (start=0)
  discrete n (start=0)
  der(h) = v
  der(v) = -g
  when h < 0 then
    init(v) = -e*v
    new(n) = n + 1
  endwhen
end
"""
SAMPLED = """model Sampled
  local x (start=1), y
  discrete u (start=0)
  der(x) = u - x
  y = delay(x, 0.3)
  when sample(0.1, 0.25) then
    new(u) = 0.5*y
  endwhen
end
"""
PENDULUM = """model Pendulum
  local x (start=0), y (start=-1), vx (start=7), vy, F
  der(x) = vx
  der(y) = vy
  der(vx) = -F*x
  der(vy) = -F*y - 9.81
  x^2 + y^2 = 1
end
"""


@pytest.fixture(scope="module")
def ball() -> Translation:
    return acausal.translate(BALL, cache=False)


@pytest.fixture(scope="module")
def sampled() -> Translation:
    return acausal.translate(SAMPLED, cache=False)


def test_goes_on_with_the_bounces_that_are_left(ball: Translation) -> None:
    """Bounce k comes at t1*(1 + 2*(e + ... + e^k)), t1 = sqrt(2/g)."""
    first = math.sqrt(2 / 9.81)
    times = [first * (1 + 2 * sum([0.8**j for j in range(1, k + 1)])) for k in range(6)]
    whole = ball.simulate(stop=3)
    for t in (0.2, times[1] + 1e-6, 1.7):
        state = whole.state(t)
        later = ball.simulate(stop=3, start_from=state)
        left = [k for k in times if t < k < 3]
        assert [event.time for event in later.events] == pytest.approx(left, abs=1e-6)
        assert later["n"][-1] == len([k for k in times if k < 3])
        assert later.time[0] == t
        assert set(whole.time[whole.time > t][-20:]) <= set(later.time)


def test_samples_and_delays_go_on(sampled: Translation) -> None:
    whole = sampled.simulate(stop=4, interval=0.05, tolerance=1e-8)
    for t in (0.1, 0.35, 1.2345, 2.1, 3.99):
        later = sampled.simulate(stop=4, interval=0.05, tolerance=1e-8, start_from=whole.state(t))
        assert [e.time for e in later.events] == pytest.approx([e.time for e in whole.events if e.time > t], abs=1e-12)
        for name in ("x", "u", "y"):
            assert later.at(4)[name] == pytest.approx(whole.at(4)[name], abs=1e-7)


def test_switched_states_go_on(tmp_path: Path) -> None:
    """A pendulum in Cartesian coordinates that turns over: its states change each quarter; its energy is kept."""
    pendulum = acausal.translate(PENDULUM, cache=False)
    whole = pendulum.simulate(stop=2, tolerance=1e-9)
    seen = set()
    for t in (0.1, 0.35, 0.7, 1.15):
        state = whole.state(t)
        seen.add(state.names)
        state.write(tmp_path / "s.npz")
        later = pendulum.simulate(stop=2, tolerance=1e-9, start_from=tmp_path / "s.npz")
        energy = (later["vx"] ** 2 + later["vy"] ** 2) / 2 + 9.81 * later["y"]
        assert energy == pytest.approx(7**2 / 2 - 9.81, abs=1e-6)
        for name in ("x", "y"):
            assert later[name][-1] == pytest.approx(whole[name][-1], abs=1e-6)
    assert len(seen) > 1


def test_state_has_names_units_and_values(ball: Translation) -> None:
    state = ball.simulate(stop=1, parameters={"g": 5}).state()
    assert repr(state) == "<State of Ball at t = 1 s: 2 states>"
    assert re.match(r"Ball at t = 1 s\n  h  [-+.e\d]+ m\n  v  [-+.e\d]+ m/s\n  n  1$", str(state))
    assert dict(state).keys() == {"h", "v", "n"}
    assert state["n"] == 1
    assert state.parameters == {"g": 5}


def test_state_in_a_file_is_the_same(sampled: Translation, tmp_path: Path) -> None:
    state = sampled.simulate(stop=1.3).state()
    state.write(tmp_path / "s.npz")
    state.write(tmp_path / "t.npz")
    assert (tmp_path / "s.npz").read_bytes() == (tmp_path / "t.npz").read_bytes()
    runs = [sampled.simulate(stop=3, start_from=s) for s in (state, tmp_path / "s.npz", str(tmp_path / "s.npz"))]
    assert (runs[0].stored == runs[1].stored).all()
    assert (runs[0].stored == runs[2].stored).all()


def test_parameters_of_a_state_stay_unless_given(ball: Translation) -> None:
    state = ball.simulate(stop=0.1, parameters={"g": 5}).state()
    assert ball.simulate(stop=0.2, start_from=state)["g"][0] == 5
    later = ball.simulate(stop=0.2, start_from=state, parameters={"g": "2"}, initial={"v": 0, "n": 7})
    assert later["h"][-1] == pytest.approx(1 - 5 * 0.1**2 / 2 - 2 * 0.1**2 / 2, abs=1e-6)
    assert later["n"][-1] == 7


def test_relations_follow_changed_values(ball: Translation) -> None:
    """Below the floor the relation h < 0 is true at once, and the ball is reflected."""
    state = ball.simulate(stop=0.1).state()
    later = ball.simulate(stop=0.2, start_from=state, initial={"h": -0.01, "v": -2})
    assert later["v"][0] == pytest.approx(1.6)
    assert later["n"][0] == 1


def test_initial_values_by_name(ball: Translation) -> None:
    run = ball.simulate(stop=0.3, initial={"h": "200 cm", "v": 3})
    assert (run["h"][0], run["v"][0]) == (2, 3)
    assert run["h"][-1] == pytest.approx(2 + 3 * 0.3 - 9.81 * 0.3**2 / 2, abs=1e-6)
    started = len(ball._started)
    assert ball.simulate(stop=0.3, initial={"h": 5, "v": 0})["h"][0] == 5
    assert len(ball._started) == started  # no second translation
    assert ball.simulate(stop=0.1)["h"][0] == 1


def test_initial_values_replace_conditions_of_the_model() -> None:
    model = acausal.translate(
        """model M
  local x (start=1, fixed=true), y, z
  initial z = 3
  der(x) = -x
  der(y) = x
  z = y + x
end
""",
        cache=False,
    )
    run = model.simulate(stop=0.1, initial={"x": 2})
    assert (run["x"][0], run["z"][0], run["y"][0]) == (2, 3, 1)
    run = model.simulate(stop=0.1, initial={"z": 5})
    assert (run["x"][0], run["z"][0]) == (1, 5)
    with pytest.raises(ModelError, match="I002"):  # x = 1 is a condition of the model
        model.simulate(stop=0.1, initial={"der(x)": -4})


def test_steady_state_without_initial_conditions() -> None:
    model = acausal.translate(
        "model M\n  local x (start=1, fixed=true)\n  parameter u=2\n  der(x) = u - x\nend\n", cache=False
    )
    assert model.simulate(stop=1, steady=True)["x"][0] == 1
    assert model.simulate(stop=1, steady=True, free_initial=True)["x"][[0, -1]] == pytest.approx([2, 2])


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ({"initial": {"g": 1}}, "F005", "g is a parameter"),
        ({"initial": {"hh": 1}}, "F005", "did you mean h?"),
        ({"initial": {"n": 1}}, "F005", "n is discrete"),
        ({"initial": {"h": "1 kg"}}, "U005", "kg"),
        ({"free_initial": True}, "F006", "--steady"),
        ({"start_from": 3}, "F006", "r.state(t)"),
        ({"start_from": "state", "steady": True}, "F006", "mutually exclusive"),
        ({"start_from": "state", "stop": 0.5}, "F006", "continues from a state at t = 1"),
        ({"start_from": "state", "initial": {"w": 1}}, "F005", "w is not a state of Ball"),
        ({"start_from": __file__}, "F001", "contains no state"),
    ],
)
def test_mistakes(ball: Translation, options: dict[str, object], code: str, words: str) -> None:
    if options.get("start_from") == "state":
        options = {**options, "start_from": ball.simulate(stop=1).state()}
    with pytest.raises(UsageError, match=code) as caught:
        ball.simulate(**options)  # type: ignore[arg-type]
    assert words in str(caught.value)


def test_state_of_another_model_is_rejected(ball: Translation, sampled: Translation) -> None:
    with pytest.raises(UsageError, match="A011") as caught:
        sampled.simulate(start_from=ball.simulate(stop=1).state())
    assert "one of Ball, not of Sampled" in str(caught.value)
    assert "states that it does not include: x" in str(caught.value)
    assert "a state of this model" in str(caught.value)


def test_times_outside_of_a_run(ball: Translation, tmp_path: Path) -> None:
    run = ball.simulate(stop=1)
    with pytest.raises(UsageError, match="A012"):
        run.state(2)
    run.write(tmp_path / "r.npz")
    with pytest.raises(UsageError, match="A012"):
        acausal.read(tmp_path / "r.npz").state(0.5)


def test_damaged_files_are_rejected(ball: Translation, tmp_path: Path) -> None:
    path = tmp_path / "s.npz"
    ball.simulate(stop=1).state().write(path)
    with np.load(path) as data:
        whole = dict(data)
    changes = {
        "state_y": whole["state_y"][:1],
        "state_frozen": whole["state_frozen"][:0],
        "state_band": np.array(["x"]),
        "state": np.array(["{}"]),
    }
    for name, array in changes.items():
        np.savez(path, **{**whole, name: array})
        with pytest.raises(UsageError, match="F001"):
            ball.simulate(stop=2, start_from=path)


def test_parameters_of_the_translation_count_at_a_restart() -> None:
    """As those that the run gives: relations are asked again with them."""
    text = """model Limited
  parameter limit = 2
  local x (start=0), y
  der(x) = 1
  y = if x > limit then 1 else 0
end
"""
    state = acausal.translate(text, cache=False).simulate(stop=1).state()
    lower = acausal.translate(text, parameters={"limit": 0.5}, cache=False)
    assert lower.simulate(stop=1.2, start_from=state)["y"].tolist()[::20][:1] == [1]
    for model, given in ((lower, None), (acausal.translate(text, cache=False), {"limit": 0.5})):
        assert model.linearize([], ["y"], at=state, parameters=given).y.tolist() == [1]


@pytest.mark.parametrize(("old", "new"), [("limit=2", "limit=0.5"), ("v = x", "v = -x")])
def test_relations_follow_an_edited_text(old: str, new: str) -> None:
    """The state of a run of the text as it was: parameters and equations decide again, as in a stepper."""
    text = "model Edited\n parameter limit=2\n local x (start=0), v, y, z\n der(x) = 1\n v = x\n"
    text += " y = if x > limit then 1 else 0\n z = if v > 0.1 then 1 else 0\nend\n"
    before = acausal.translate(text, cache=False).simulate(stop=1)
    edited = acausal.translate(text.replace(old, new), cache=False)
    found = edited.simulate(stop=1.2, start_from=before.state())
    whole = edited.simulate(stop=1.2)
    stepper = edited.stepper()
    stepper.restore(before.state())
    for name in ("y", "z"):
        assert found[name][0] == found[name][-1] == whole[name][-1] == stepper[name]
    assert (found["y"][0], found["z"][0]) != (before["y"][-1], before["z"][-1])


def test_command_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ball.mdl").write_text(BALL, encoding="utf-8")
    assert main(["simulate", "ball.mdl", "--init", "h=2", "--set", "e=0.7", "--stop", "1", "-o", "a.npz"]) == 0
    assert main(["simulate", "ball.mdl", "--from", "a.npz", "--stop", "2", "-o", "b.npz"]) == 0
    assert main(["simulate", "ball.mdl", "--from", "a.npz@0.5", "--stop", "2", "-o", "c.npz"]) == 0
    whole = acausal.translate(BALL, cache=False).simulate(stop=2, initial={"h": 2}, parameters={"e": 0.7})
    for name, begin in (("b.npz", 1), ("c.npz", 0.5)):
        run = acausal.read(name)
        assert run.time[0] == begin
        assert run["h"][-1] == pytest.approx(whole["h"][-1], abs=1e-5)
    assert main(["simulate", "ball.mdl", "--from", "a.npz", "--set", "e=0.4", "--stop", "2", "-o", "d.npz"]) == 0
    lower = acausal.translate(BALL, cache=False).simulate(stop=2, start_from="a.npz", parameters={"e": 0.4})
    assert acausal.read("d.npz")["h"][-1] == pytest.approx(lower["h"][-1], abs=1e-12)
    assert abs(lower["h"][-1] - whole["h"][-1]) > 0.01
    heavier = ["--set", "g=20", "--set", "e=0.7"]
    assert main(["simulate", "ball.mdl", "--from", "a.npz@0.9", *heavier, "--stop", "2", "-o", "f.npz"]) == 0
    assert acausal.read("f.npz")["v"][0] == pytest.approx(whole.at(0.9)["v"], abs=1e-5)  # with the g of that run
    capsys.readouterr()
    assert main(["simulate", "ball.mdl", "--from", "a.npz@7"]) == 2
    assert "it covers 0 to 1" in capsys.readouterr().err
    assert main(["simulate", "ball.mdl", "--from", "a.npz@x"]) == 2
    assert "is not a time" in capsys.readouterr().err
    assert main(["simulate", "ball.mdl", "--init", "h"]) == 2


def test_command_repeats_a_run_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not that of a text that was edited since, with another file of an input, other --set or --outputs."""
    monkeypatch.chdir(tmp_path)
    table, model = Path("u.csv"), Path("pull.mdl")
    table.write_text("time,u\n0,1\n3,1\n", encoding="utf-8")
    text = "model Pull\n parameter m=2\n input u\n local x (start=0), y\n m*der(x) = u\n y = 2*x\nend\n"
    model.write_text(text, encoding="utf-8")
    pull = ["simulate", "pull.mdl", "--input", "u=u.csv", "--stop"]
    assert main([*pull, "2", "--outputs", "y", "-o", "a.npz"]) == 0
    assert main([*pull, "3", "--set", "m=1", "--from", "a.npz@1", "--write", "x", "-o", "b.npz"]) == 0
    assert acausal.read("b.npz")["x"][[0, -1]] == pytest.approx([0.5, 2.5])
    table.write_text("time,u\n0,3\n3,3\n", encoding="utf-8")
    assert main([*pull, "3", "--from", "a.npz@1"]) == 2
    assert "a file of its inputs has changed since" in capsys.readouterr().err
    table.write_text("time,u\n0,1\n3,1\n", encoding="utf-8")
    model.write_text(text.replace("m=2", "m=1"), encoding="utf-8")
    assert main([*pull, "3", "--from", "a.npz@1"]) == 2
    assert "the model has changed since" in capsys.readouterr().err
    assert main([*pull, "3", "--from", "a.npz", "--write", "x", "-o", "b.npz"]) == 0
    assert acausal.read("b.npz")["x"][[0, -1]] == pytest.approx([1, 2])


def test_states_of_models_with_units_cannot_be_saved(ball: Translation) -> None:
    """A010: the units have states of their own."""
    unit = UnitSlot(("u",), None, None)  # type: ignore[arg-type]  # only that there is one counts
    with pytest.raises(UsageError, match="A010"):
        require_no_units(replace(ball.program, units=(unit,)))
