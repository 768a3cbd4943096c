"""The command `sweep`: tables, files, exit codes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acausal.cli import main
from acausal.render import progress
from tests.collection import ROOT

RC = str(ROOT / "examples" / "rc.mdl")
BLOWS_UP = "model M\n  parameter a=2\n  local x\n  initial x = a\n  der(x) = x^2\n  experiment (stop=1)\nend\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blow.mdl").write_text(BLOWS_UP)
    return tmp_path


def test_a_table_for_people_and_one_in_a_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--set", "R.R=500,1000", "--set", "C.C=1e-6:4e-6:3:log", "--max", "C.i", "-o", "t.csv"]
    assert main(["sweep", RC, *arguments]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split() == ["run", "R.R", "C.C", "max(C.i)", "status"]
    assert said.out.splitlines()[4].split() == ["3", "1000", "1e-06", "0.01", "ok"]
    assert "6 runs" in said.err
    assert Path("t.csv").read_text().splitlines()[1] == "0,500.0,1e-06,0.02,ok"


def test_one_value_goes_into_the_translation_and_a_table_of_runs(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("runs.csv").write_text("R.R,C.C\n500,1e-6\n250,1e-6\n")
    assert main(["sweep", RC, "--runs", "runs.csv", "--set", "U.V=5", "--max", "C.i", "--json", "--jobs", "2"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["table"]["max(C.i)"] == pytest.approx([0.01, 0.02])
    assert (data["ok"], data["failed"], data["stats"]["done"]) == (True, [], 2)


def test_failed_runs_are_told_and_give_their_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "blow.mdl", "--set", "a=0.5:4:8", "--final", "x"]) == 3
    said = capsys.readouterr()
    assert "run 2: a = 1.5" in said.err
    assert said.err.count("error[R00") == 5
    assert "7 runs failed; details of the first 5 follow" in said.err
    assert main(["sweep", "blow.mdl", "--set", "a=0.5,2", "--final", "x", "--json"]) == 3
    data = json.loads(capsys.readouterr().out)
    assert data["table"]["final(x)"][1] is None
    assert data["failed"][0]["parameters"] == {"a": 2.0}
    assert data["exit_code"] == 3


@pytest.mark.parametrize(
    ("arguments", "code", "exit_code"),
    [
        (["--set", "a=1:2"], "W001", 2),
        (["--set", "a=1"], "W001", 2),
        (["--set", "a=x"], "W001", 2),
        (["--set", "a=1,2", "--set", "a=3,4"], "W001", 2),
        (["--set", "b=1,2"], "F005", 2),
        (["--set", "b=1", "--set", "a=1,2"], "N031", 2),
        (["--set", "a=1,2", "--final", "y"], "F005", 2),
        (["--runs", "none.csv"], "F001", 2),
        (["--set", "a=1:2:9", "--limit", "runs=8"], "W003", 4),
        (["--set", "a=1,2", "-o", "t.xls"], "F008", 2),
        (["--set", "a=1,2", "-o", "none/t.csv"], "F008", 2),
        (["--set", "a=1,2", "--trajectories", "npz"], "F006", 2),
    ],
)
def test_mistakes_give_one_error_with_a_hint(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], code: str, exit_code: int
) -> None:
    assert main(["sweep", "blow.mdl", *arguments, "--json"]) == exit_code
    (told,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert told["code"] == code


def test_the_part_that_is_wrong_is_marked(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sweep", "blow.mdl", "--set", "a=1,2:3"]) == 2
    said = capsys.readouterr().err
    assert "--> --set:1:5" in said
    assert "^^^" in said


def test_progress_is_for_terminals(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    arguments = ["sweep", "blow.mdl", "--set", "a=0.1:0.5:20", "--final", "x"]
    assert main(arguments) == 0
    assert "running M" not in capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert main([*arguments, "--color", "never"]) == 0
    assert "running M: " in capsys.readouterr().err
    assert main([*arguments, "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def _hear() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.name == "nt", reason="signals to processes are those of POSIX")
def test_interruption_keeps_what_is_done_and_the_same_call_goes_on(folder: Path) -> None:
    command = [sys.executable, "-m", "acausal", "sweep", "blow.mdl", "--set", "a=0.1:0.5:20000", "--folder", "out"]
    command += ["--final", "x", "--stop", "0.5", "--tolerance", "1e-10", "--quiet"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # a shell makes what it runs in the background deaf to this signal
    with subprocess.Popen(command, env=environment, preexec_fn=_hear, **pipes) as process:  # type: ignore[call-overload]  # noqa: PLW1509
        for _ in range(600):
            parts = list(folder.glob("out/parts/*.csv"))
            if parts and parts[0].read_bytes().count(b"\n") > 20:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 130
    rows = parts[0].read_text().splitlines()
    assert 20 < len(rows) < 20001
    numbers = [int(row.split(",")[0]) for row in rows[1:]]
    assert len(numbers) == len(set(numbers))
    assert not (folder / "out" / "runs.csv").exists()
