"""Shards of a sweep in processes of their own: the same table as one process writes, byte by byte."""

import os
import subprocess
from pathlib import Path
from random import Random

import pytest

from acausal.base.diagnostics import UsageError
from acausal.cli import main
from acausal.pipeline import translate
from acausal.sweep.result import SweepInterrupted
from acausal.sweep.storage.status import sweep_status
from acausal.translation import Translation
from tests.collection import ROOT
from tests.sweep.killed import MODEL, killed_sweep

OSCILLATOR = """\
model M
  parameter w=1
  local x (start=1, fixed=true), v (start=0, fixed=true)
  der(x) = v
  der(v) = -w^2*x
"""
VALUES = {"L": "0.5:2:9", "D": "0:3:7"}


def model(folder: Path, text: str = MODEL) -> Translation:
    (folder / "m.mdl").write_text(text, encoding="utf-8")
    return translate(folder / "m.mdl")


def table(folder: Path) -> bytes:
    assert not list((folder / "parts").iterdir())
    return (folder / "runs.csv").read_bytes()


@pytest.mark.parametrize("order", [(1, 2, 3, 4, 5), (5, 3, 1, 4, 2)])
def test_shards_in_any_order_write_the_table_of_one_call(tmp_path: Path, order: tuple[int, ...]) -> None:
    """With values that are part of the equations (D = 0) and runs that fail (D = 3)."""
    t = model(tmp_path)
    whole = t.sweep(VALUES, folder=tmp_path / "whole", maximum=["w"])
    assert sorted({whole["D"][i] for i in whole.failures}) == [3.0]
    for number in order:
        assert not (tmp_path / "out" / "runs.csv").exists()
        s = t.sweep(VALUES, folder=tmp_path / "out", maximum=["w"], shard=f"{number}/5")
    assert not s.missing
    assert table(tmp_path / "out") == table(tmp_path / "whole")


@pytest.mark.skipif(os.name == "nt", reason="a killed process may hold its files open")
def test_killed_processes_leave_what_an_uninterrupted_sweep_leaves() -> None:
    killed_sweep(Random(3), kills=1)


def test_rows_that_are_torn_or_of_another_sweep_do_not_count(tmp_path: Path) -> None:
    t, out = model(tmp_path), tmp_path / "out"
    t.sweep(VALUES, folder=out, shard="1/2")
    t.sweep(VALUES, folder=tmp_path / "whole")
    (part,) = (out / "parts").iterdir()
    head, first, *rest = part.read_text().splitlines()
    moved = first.replace("0,", "1,", 1)  # the values of run 0
    torn = [head, moved, *rest[:-1], rest[-1][:-1]]
    part.write_text("\n".join(torn))
    s = t.sweep(VALUES, folder=out)
    assert s.stats.found == len(rest) - 1
    assert table(out) == table(tmp_path / "whole")


def test_a_shard_of_another_model_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    model(tmp_path).sweep(VALUES, folder=out, shard="0/2")
    with pytest.raises(UsageError, match=r"W004.*the model differs"):
        model(tmp_path, MODEL.replace("9.81", "1.62")).sweep(VALUES, folder=out, shard="2/2")


def test_the_status_counts_runs_failures_and_shards(tmp_path: Path) -> None:
    t, out = model(tmp_path), tmp_path / "out"
    t.sweep(VALUES, folder=out, shard="0/3")
    assert str(sweep_status(out)) == "Pendulum: 0 of 63 runs are done"
    t.sweep(VALUES, folder=out, shard="2/3")

    def stop(done: int, _: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(SweepInterrupted):
        t.sweep(VALUES, folder=out, shard="3/3", jobs=1, progress=stop)
    found = sweep_status(out)
    assert [(s.shard, s.done, s.count) for s in found.shards][:2] == [("1/3", 0, 21), ("2/3", 21, 21)]
    assert 21 + found.shards[2].done == found.done < 42
    assert sum(found.failures.values()) >= 3  # one in seven
    t.sweep(VALUES, folder=out)
    assert (sweep_status(out).done, sum(sweep_status(out).failures.values()), sweep_status(out).shards) == (63, 9, ())


@pytest.mark.skipif(os.name == "nt", reason="Slurm is of POSIX")
def test_the_script_of_an_array_does_the_shard_of_its_task(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a model.mdl").write_text(MODEL)
    command = ["sweep", "a model.mdl", "--set", "L=1,2", "--folder", "my runs"]
    assert main([*command, "--slurm", "2"]) == 0
    assert capsys.readouterr().out == "sbatch my runs/sweep.slurm\n"
    script = Path("my runs/sweep.slurm").read_text()
    assert "#SBATCH --array=1-2\n" in script
    assert "--slurm" not in script.replace(".slurm", "")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "SLURM_ARRAY_TASK_ID": "2"}
    subprocess.run(["sh", "my runs/sweep.slurm"], env=environment, check=True, capture_output=True)
    assert main(["sweep", "--status", "my runs"]) == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "Pendulum: 1 of 2 runs are done",
        "shard 1/2: 0 of 1",
        "shard 2/2: 1 of 1",
    ]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["m.mdl", "--set", "L=1,2", "--shard", "1/2"], "F006"),
        (["m.mdl", "--set", "L=1,2", "--folder", "o", "--shard", "3/2"], "F006"),
        (["m.mdl", "--set", "L=1,2", "--folder", "o", "--shard", "2"], "F006"),
        (["m.mdl", "--set", "L=1,2", "--slurm", "2"], "F006"),
        (["m.mdl", "--set", "L=1,2", "--folder", "o", "--slurm", "2", "--shard", "1/2"], "F006"),
        (["m.mdl", "--set", "L=1,2", "--time-limit", "0"], "F006"),
        (["--status", "nowhere"], "F001"),
        (["--set", "L=1,2"], "F006"),
    ],
)
def test_mistakes_give_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str], code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.mdl").write_text(MODEL)
    assert main(["sweep", *arguments]) == 2
    said = capsys.readouterr()
    assert said.err.count("error[") == 1
    assert f"error[{code}]" in said.err
    assert not Path("o").exists()


def test_a_run_beyond_its_time_limit_fails_and_is_repeated_without_one(tmp_path: Path) -> None:
    t, out = model(tmp_path, f"{OSCILLATOR}  experiment (stop=2e4, interval=10)\nend\n"), tmp_path / "out"
    limited = t.sweep({"w": "1,2"}, folder=out, time_limit=0.01)
    assert [failure.code for failure in limited.failures.values()] == ["R018", "R018"]
    kept = t.sweep({"w": "1,2"}, folder=out, time_limit=10.0)
    assert (kept.stats.done, len(kept.failures)) == (0, 2)
    free = t.sweep({"w": "1,2"}, folder=out)
    assert (free.stats.done, len(free.failures)) == (2, 0)
    t.sweep({"w": "1,2"}, folder=tmp_path / "whole", time_limit=1000.0)
    assert table(out) == table(tmp_path / "whole")


def test_a_long_run_of_machine_code_is_stopped(tmp_path: Path) -> None:
    t = model(tmp_path, f"{OSCILLATOR}  experiment (stop=1e9, interval=1e6)\nend\n")
    s = t.sweep({"w": "1,2"}, time_limit=0.05, jobs=1)
    assert [failure.code for failure in s.failures.values()] == ["R018", "R018"]
