"""The child process of an FMU, from outside: requests with a time limit; whatever it does, the host goes on."""

import json
import os
import struct
import subprocess
import sys
import tempfile
import threading
import weakref
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from time import monotonic

from acausal.imports.fmu.archive import Archive
from acausal.simulate.fmu.child.protocol import HEAD, LOAD, About

ROOT = Path(__file__).parents[3]
"""Folder of this package."""
CHILD = "import sys; sys.path.insert(0, sys.argv[1]); from acausal.simulate.fmu.child.main import main; main()"
TIMEOUT = 60.0
"""Seconds that one request may take; ACAUSAL_FMU_TIMEOUT gives others."""


class FmuFailureError(Exception):
    """The FMU failed: it reported an error, ended, crashed or did not answer in time."""


class FmuProcess:
    """A running FMU; the process and its folder go with this object."""

    def __init__(self, archive: Archive, binary: str, most: int) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="acausal-fmu-"))
        self._since = [0.0]
        try:
            archive.extract((binary.rsplit("/", 1)[0] + "/", "resources/", "modelDescription.xml"), self.folder, most)
            (self.folder / "resources").mkdir(exist_ok=True)
            self.timeout = timeout()
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-c", CHILD, str(ROOT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=self.folder,
            )
        except BaseException:
            rmtree(self.folder, ignore_errors=True)
            raise
        self._close = weakref.finalize(self, _end, self._process, self.folder)
        watch = (self._process, self._since, self.timeout)
        threading.Thread(target=_watch, args=watch, daemon=True, name="acausal-fmu").start()

    def load(self, about: About) -> None:
        """Load the library."""
        text = json.dumps(about).encode()
        self._exchanged(HEAD.pack(LOAD, len(text)) + text)

    def ask(self, command: int, values: Sequence[float]) -> tuple[float, ...]:
        """Numbers for numbers; FmuFailureError."""
        return self._exchanged(struct.pack(f"=ii{len(values)}d", command, len(values), *values))

    def _exchanged(self, request: bytes) -> tuple[float, ...]:
        self._since[0] = monotonic()
        try:
            self._write(request)
            status, count = HEAD.unpack(self._read(HEAD.size))
            data = self._read(count if status else 8 * count)
        except OSError:
            raise self._ended() from None
        finally:
            late, self._since[0] = self._since[0] < 0.0, 0.0
        if late:
            raise self._ended()
        if status:
            raise FmuFailureError(data.decode("utf-8", "replace"))
        return struct.unpack(f"={count}d", data)

    def _write(self, data: bytes) -> None:
        assert self._process.stdin is not None
        place = self._process.stdin.fileno()
        while data:
            data = data[os.write(place, data) :]

    def _read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        place, data = self._process.stdout.fileno(), b""
        while len(data) < count:
            more = os.read(place, count - len(data))
            if not more:
                raise self._ended()
            data += more
        return data

    def _ended(self) -> FmuFailureError:
        if self._since[0] < 0.0:
            return FmuFailureError(f"it did not answer within {self.timeout:g} s and was ended")
        code = self._process.wait()
        return FmuFailureError(f"its process ended {f'with signal {-code}' if code < 0 else f'(exit code {code})'}")

    def close(self) -> None:
        """End the process."""
        self._close()


def timeout() -> float:
    """Seconds that one request may take."""
    given = os.environ.get("ACAUSAL_FMU_TIMEOUT", "")
    try:
        seconds = float(given)
    except ValueError:
        return TIMEOUT
    return seconds if 0 < seconds < 1e6 else TIMEOUT


def _watch(process: "subprocess.Popen[bytes]", since: list[float], limit: float) -> None:
    """Kill the process when a request takes too long; `since` is when the current one began, below 0 when it was."""
    while process.poll() is None:
        threading.Event().wait(min(0.2, limit / 4))
        if since[0] > 0.0 and monotonic() - since[0] > limit:
            since[0] = -1.0
            process.kill()


def _end(process: "subprocess.Popen[bytes]", folder: Path) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    try:
        process.wait(0.2)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    rmtree(folder, ignore_errors=True)
