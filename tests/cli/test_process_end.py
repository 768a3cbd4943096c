"""A command's process ends without freeing what it holds, and nothing is lost by that."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REGISTERED = """
import atexit, sys, tempfile, weakref
from acausal.cli import command

folder = tempfile.TemporaryDirectory()
atexit.register(print, "at exit", folder.name)
{before}
sys.argv = ["acausal", *{arguments!r}]
command()
"""


def ended(arguments: list[str], before: str = "") -> subprocess.CompletedProcess[str]:
    """A process that has registered something to do at its end."""
    code = REGISTERED.format(arguments=arguments, before=before)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("before", ["", "import threading; threading.Timer(0.3, print, ['timer']).start()"])
def test_what_is_registered_is_done(before: str) -> None:
    done = ended(["--version"], before)
    *said, last = done.stdout.splitlines()
    assert done.returncode == 0
    assert ("timer" in said) is bool(before)  # other threads are waited for
    (version,) = [line for line in said if line != "timer"]  # on a slow machine the timer may come first
    assert version.startswith("acausal ")
    what, _, folder = last.rpartition(" ")
    assert what == "at exit"
    assert not Path(folder).exists()


def test_what_the_c_library_has_in_its_buffer() -> None:
    library = "import ctypes; ctypes.CDLL('ucrtbase' if hasattr(ctypes, 'WinDLL') else None).puts(b'by a library')"
    assert "by a library" in ended(["--version"], library).stdout.splitlines()


def test_exit_codes_and_whole_output(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "acausal"]
    missing = subprocess.run([*command, "check", "missing.mdl"], capture_output=True, cwd=tmp_path, check=False)
    assert missing.returncode == 2
    assert b"F001" in missing.stderr
    shown = subprocess.run([*command, "list"], capture_output=True, check=True)
    again = subprocess.run([sys.executable, "-c", "import sys; from acausal.cli import main; sys.exit(main(['list']))"],
                           capture_output=True, check=True)  # fmt: skip
    assert len(shown.stdout) > 5000
    assert shown.stdout == again.stdout


def test_profilers_see_the_end() -> None:
    command = [sys.executable, "-m", "cProfile", "-m", "acausal", "--version"]
    assert "function calls" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
