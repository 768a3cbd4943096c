"""Output that nobody can take, and signals: ordinary errors, exit codes as documented, partial results kept."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

import acausal
from acausal.cli import main
from acausal.cli.process.streams import UNWRITABLE

EXAMPLES = Path(acausal.__file__).parent.parent / "examples"
RC = str(EXAMPLES / "rc.mdl")
COMMAND = (sys.executable, "-m", "acausal")
TELLING = (
    ("translate", RC, "--show", "sorted"),
    ("translate", RC, "--json"),
    ("check", "none.mdl", "--json"),
    ("check", "none.mdl", "--format", "sarif"),
    ("explain", "C001"),
    ("--help",),
    ("check", "--help"),
    ("fmt", RC, "--stdout"),
)
WAVE = "model Wave\n  local x (start=1), v (start=0)\n  der(x) = v\n  der(v) = -x\nend\n"


def _run(arguments: tuple[str, ...], redirection: str) -> tuple[int, str]:
    """The exit code of a command with standard streams as a shell redirects them, and its messages."""
    command = f'exec "$@" {redirection}'
    done = subprocess.run(
        ["/bin/sh", "-c", command, "sh", *COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60
    )
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    assert "Exception ignored" not in done.stderr
    return done.returncode, done.stderr


@pytest.mark.parametrize("arguments", TELLING, ids=" ".join)
def test_output_that_cannot_be_written(arguments: tuple[str, ...]) -> None:
    for redirection, why in ((">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")):
        code, said = _run(arguments, redirection)
        assert code == UNWRITABLE
        assert said.splitlines()[-1] == f"error: standard output cannot be written: {why}"
    assert _run(arguments, ">/dev/full 2>/dev/full")[0] == UNWRITABLE
    assert _run(arguments, ">&- 2>&- <&-")[0] == UNWRITABLE
    _run(arguments, "| true")


def test_messages_that_nobody_wants_are_no_mistake() -> None:
    assert _run(("check", RC), "2>&-") == (0, "")
    assert _run(("check", RC, "--json"), "2>&- >/dev/null") == (0, "")


def test_characters_that_the_output_does_not_know() -> None:
    os.environ["PYTHONIOENCODING"] = "ascii"
    try:
        code, _ = _run(("explain",), ">/dev/null")
    finally:
        del os.environ["PYTHONIOENCODING"]
    assert code == 0


STOPPED = """
import gc, os, signal, sys, threading, time
from acausal.cli import main, runs
from acausal.simulate.system.trajectory import Rows
run = runs.run
def with_signal(*arguments):
    def stop():  # once there is a row besides the first
        while not any(rows.last_time > 0 for rows in gc.get_objects() if type(rows) is Rows):
            time.sleep(0.05)
        time.sleep(0.2)
        os.kill(os.getpid(), signal.{signal})
    threading.Thread(target=stop, daemon=True).start()
    return run(*arguments)
runs.run = with_signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
signal.signal(signal.SIGTERM, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # ignored under nohup
sys.argv = ["acausal", "simulate", "wave.mdl", "--stop", "1e8", "--interval", "50", "-o", "{file}"]
sys.exit(main())
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("kind", ["csv", "npz"])
def test_signals_keep_what_there_is(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "wave.mdl").write_text(WAVE)
    script = STOPPED.format(signal=name, file=f"wave.{kind}")
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100
    )
    assert done.returncode == 130, done.stderr
    assert "interrupted at t = " in done.stderr
    result = acausal.read(tmp_path / f"wave.{kind}")
    assert 0 < result.time[-1] < 1e8
    assert np.isfinite(result["x"]).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["wave.mdl", f"wave.{kind}"])


@pytest.mark.parametrize("kind", ["csv", "npz", "mat"])
def test_killed_writers_leave_the_former_file_or_the_new_one(tmp_path: Path, kind: str) -> None:
    """SIGKILL at any moment: the file is the one before or complete, never the beginning of one."""
    rng = Random(kind)
    (tmp_path / "wave.mdl").write_text(WAVE)
    target = tmp_path / f"wave.{kind}"
    acausal.translate(tmp_path / "wave.mdl").simulate(stop=1).write(target)
    before = target.read_bytes()
    script = f"""
import acausal
r = acausal.translate("wave.mdl").simulate(stop=10, interval=1e-4)
print("now", flush=True)
r.write("wave.{kind}")
"""
    for _ in range(4):
        process = subprocess.Popen([sys.executable, "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0, 0.03))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert target.read_bytes() == before or len(acausal.read(target).time) == 100_001


def test_quiet_tells_errors_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    noted = tmp_path / "wave.mdl"
    noted.write_text(WAVE)
    assert main(["simulate", str(noted), "--stop", "1"]) == 0
    assert "note[" in capsys.readouterr().err
    for flags in ((), ("--format", "github")):
        assert main(["simulate", str(noted), "--stop", "1", "--quiet", *flags]) == 0
        said = capsys.readouterr()
        assert (said.out.strip(), said.err) == ("", "")
    noted.write_text(WAVE.replace("= -x", "= -y"))
    assert main(["check", str(noted), "--quiet"]) == 1
    assert "error[N002]" in capsys.readouterr().err


def test_no_memory_is_a_limit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("acausal.checking.check", full)
    assert main(["check", RC]) == 4
    assert capsys.readouterr().err.startswith("error[L015]: not enough memory")
