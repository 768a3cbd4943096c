"""Checkpoints (A013): interrupted runs that continue compute the same bits as those that were not interrupted."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

import acausal
from acausal.base.diagnostics import UsageError
from acausal.results.result import Result
from acausal.runs import RunInterrupted
from acausal.translation import Translation
from tests.simulate.test_state import BALL, PENDULUM, SAMPLED

TERMINATED = """model Terminated
  local x (start=0)
  der(x) = 1
  terminate(x > 0.55, "arrived")
end
"""
FAST = """model Fast
  local x (start=1), v
  discrete n (start=0)
  der(x) = v
  der(v) = -x*1e4
  when x < 0 then
    new(n) = n + 1
  endwhen
  experiment (stop=20000, interval=0.5)
end
"""
FORCED = """model Forced
  parameter m=1.5
  input u, w
  local x (start=0)
  m*der(x) = u + w - x
end
"""


@pytest.fixture(scope="module")
def sampled() -> Translation:
    return acausal.translate(SAMPLED, cache=False)


def interrupting(after: float) -> Callable[[float], None]:
    def progress(t: float) -> None:
        if t > after:
            raise KeyboardInterrupt

    return progress


class Countdown:
    """True from the call on that follows `left` others."""

    def __init__(self, left: int) -> None:
        self.left = left

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def same(found: Result, whole: Result) -> bool:
    return np.array_equal(found.stored, whole.stored) and found.events == whole.events


@pytest.mark.parametrize("text", [BALL, SAMPLED, PENDULUM], ids=["ball", "sampled", "pendulum"])
def test_continues_to_the_last_bit(text: str, tmp_path: Path) -> None:
    model, file, rng = acausal.translate(text, cache=False), tmp_path / "run.npz", Random(text)
    options = {"stop": 3, "tolerance": 1e-8, "checkpoint": file, "checkpoint_interval": 0.3}
    whole = model.simulate(**options)
    plain = model.simulate(stop=3, tolerance=1e-8)
    assert whole["x" if "x" in whole else "h"][-1] == pytest.approx(plain["x" if "x" in plain else "h"][-1], abs=1e-4)
    assert len(whole.time) == len(plain.time)
    assert not list(tmp_path.iterdir())
    for _ in range(2):
        with pytest.raises(RunInterrupted):
            model.simulate(**options, progress=interrupting(rng.uniform(0.4, 2.8)))
        assert file.exists()
        assert same(model.simulate(**options), whole)
        assert not list(tmp_path.iterdir())


def test_goes_on_from_where_a_signal_ended_it(sampled: Translation, tmp_path: Path) -> None:
    """Behind that instant the solver begins again: within its error; the history of a delay is cut there."""
    from acausal.base.options import SimulateOptions
    from acausal.begun_run import begin_run
    from acausal.checkpointed_run import Checkpoints, run_with_checkpoints
    from acausal.ir.experiment import AS_MODELED

    options = SimulateOptions(stop=3.0, tolerance=1e-8)
    begun = begin_run(sampled, options, {}, None, AS_MODELED, {}, None)
    whole = sampled.simulate(stop=3, tolerance=1e-8)
    asked: list[int] = []
    run_with_checkpoints(begun, Checkpoints(tmp_path / "run.npz", 1.0, lambda: bool(asked.append(1))))
    for count in (0, len(asked) // 2, len(asked) - 1):
        halted = Checkpoints(tmp_path / "run.npz", 1.0, Countdown(count))
        with pytest.raises(RunInterrupted) as stopped:
            run_with_checkpoints(begun, halted)
        rows = len(stopped.value.result.time)
        found = run_with_checkpoints(begun, Checkpoints(tmp_path / "run.npz", 1.0))
        assert rows <= len(found.time) == len(whole.time)
        assert found["x"] == pytest.approx(whole["x"], abs=1e-7)


def test_run_that_terminates_is_complete(tmp_path: Path) -> None:
    model = acausal.translate(TERMINATED, cache=False)
    run = model.simulate(stop=1, checkpoint=tmp_path / "run.npz", checkpoint_interval=0.2)
    assert run.time[-1] == pytest.approx(0.55)
    assert [note.code for note in run.notes].count("R011") == 1
    assert not list(tmp_path.iterdir())


def test_checkpoint_of_another_run_is_rejected(sampled: Translation, tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    with pytest.raises(RunInterrupted):
        sampled.simulate(stop=3, checkpoint=file, progress=interrupting(1))
    for options in ({"stop": 4}, {"stop": 3, "tolerance": 1e-4}, {"stop": 3, "initial": {"x": 2}}):
        with pytest.raises(UsageError, match="A013") as caught:
            sampled.simulate(**options, checkpoint=file)  # type: ignore[arg-type]
        assert "have changed" in str(caught.value)
    assert sampled.simulate(stop=3, start_from=file).time[0] > 0.9  # it is a state, too
    rows = tmp_path / "run.npz.rows"
    rows.write_bytes(rows.read_bytes()[:-8])
    with pytest.raises(UsageError, match="A013") as caught:
        sampled.simulate(stop=3, checkpoint=file)
    assert "incomplete" in str(caught.value)
    sampled.simulate(stop=1).state().write(file)
    with pytest.raises(UsageError, match="A013"):
        sampled.simulate(stop=3, checkpoint=file)


def test_checkpoint_of_other_values_is_rejected(tmp_path: Path) -> None:
    """Parameters in the text and of the translation, numbers and contents of files for inputs."""
    file, table = tmp_path / "run.npz", tmp_path / "u.csv"
    table.write_text("time,u\n0,1\n3,1\n", encoding="utf-8")
    model = acausal.translate(FORCED, cache=False)
    inputs = {"u": str(table), "w": 2}
    with pytest.raises(RunInterrupted):
        model.simulate(stop=3, inputs=inputs, checkpoint=file, progress=interrupting(1))

    def refuses(other: Translation, given: dict[str, str | int]) -> bool:
        with pytest.raises(UsageError, match="A013"):
            other.simulate(stop=3, inputs=given, checkpoint=file)
        return True

    assert refuses(acausal.translate(FORCED.replace("m=1.5", "m=4"), cache=False), inputs)
    assert refuses(acausal.translate(FORCED, parameters={"m": 4}, cache=False), inputs)
    assert refuses(model, {"u": str(table), "w": 3})
    table.write_text("time,u\n0,5\n3,5\n", encoding="utf-8")
    assert refuses(model, inputs)
    table.write_text("time,u\n0,1\n3,1\n", encoding="utf-8")
    assert model.simulate(stop=3, inputs=inputs, checkpoint=file).time[-1] == 3


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"checkpoint_interval": 1}, "F006"),
        ({"checkpoint": "run.npz", "checkpoint_interval": 0}, "F006"),
        ({"checkpoint": "nowhere/run.npz"}, "F008"),
        ({"checkpoint": 3}, "F006"),
    ],
)
def test_mistakes(sampled: Translation, options: dict[str, object], code: str) -> None:
    with pytest.raises(UsageError, match=code):
        sampled.simulate(**options)  # type: ignore[arg-type]


def test_killed_command_continues(tmp_path: Path) -> None:
    """`kill -9` loses at most one interval; what continues is the same to the last bit."""
    (tmp_path / "fast.mdl").write_text(FAST, encoding="utf-8")
    file = tmp_path / "run.npz"
    command = [sys.executable, "-m", "acausal", "simulate", "fast.mdl", "--checkpoint", "run.npz"]
    process = subprocess.Popen([*command, "--checkpoint-interval", "20"], cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not file.exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    process.wait()
    with np.load(file, allow_pickle=False) as data:
        at = json.loads(str(data["state"][0]))["time"]
    assert at % 20 == 0
    model = acausal.translate(FAST, cache=False)
    whole = model.simulate(stop=at + 20, checkpoint=tmp_path / "other.npz", checkpoint_interval=20)
    later = model.simulate(stop=at + 20, start_from=file)
    count = len(later.time) - 1
    assert (later.stored[1:] == whole.stored[-count:]).all()


def test_values_that_are_not_finite_in_an_earlier_part(tmp_path: Path) -> None:
    """R004 with the first row, as without checkpoints; also where these rows come from a checkpoint."""
    text = "model M\n  local x (start=1), y\n  der(x) = -x\n  y = if time < 0.5 then 0*x/(0*x) else 1\nend"
    model = acausal.translate(text, cache=False)
    checkpoint = tmp_path / "run.npz"
    with pytest.raises(acausal.RunError, match=r"R004.*at t = 0: y is not finite") as raised:
        model.simulate(stop=1, checkpoint=checkpoint, checkpoint_interval=0.2)
    assert raised.value.result.time[-1] == 1
    assert raised.value.result.notes == ()
    with pytest.raises(RunInterrupted):
        model.simulate(stop=1, checkpoint=checkpoint, checkpoint_interval=0.2, progress=interrupting(0.7))
    assert checkpoint.exists()
    with pytest.raises(acausal.RunError, match=r"R004.*at t = 0: y is not finite"):
        model.simulate(stop=1, checkpoint=checkpoint, checkpoint_interval=0.2)
