"""Standard streams and signals of a process of our own: closed streams, full disks, readers that have gone, SIGTERM."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EBADF
from pathlib import Path
from types import FrameType

UNWRITABLE = 2
"""Exit code where the output cannot be written."""
_STREAMS = 3
_ENDING = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]


def prepare() -> None:
    """Make the streams usable, and have SIGTERM and SIGHUP end a command as an interruption does.

    What a stream cannot encode is written with backslashes. A closed standard output counts as full: writing to it
    is an error, being silent is none.
    """
    for number in range(_STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number: no file that is opened later takes its place
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115 - as long as the process
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _Closed()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    for number in _ENDING:
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


def restore_signals() -> None:
    """For a dialogue, which goes on where a command is interrupted: a signal to end it ends it."""
    for number in _ENDING:
        if signal.getsignal(number) is signal.default_int_handler:
            signal.signal(number, signal.SIG_DFL)


@contextmanager
def ending_signals() -> Iterator[Callable[[], bool]]:
    """Within the block a signal to end is only noted, for work that saves itself first; a second one interrupts."""
    noted: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *_ENDING)}

    def note(number: int, frame: FrameType | None) -> None:
        if noted:
            signal.default_int_handler(number, frame)
        noted.append(number)

    for number, handler in before.items():
        if handler is signal.default_int_handler:
            signal.signal(number, note)
    try:
        yield lambda: bool(noted)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def unread() -> int:
    """Nobody reads the output any more, as with `| head`: that is no mistake, the rest goes nowhere."""
    _discard(sys.stdout)
    return 0


def unwritable(error: OSError) -> int:
    """Tell that the output, or a file that the error names, cannot be written; the exit code."""
    _discard(sys.stdout)
    what = "standard output cannot be written" if error.filename is None else str(error.filename)
    try:
        print(f"error: {what}: {error.strerror or error}", file=sys.stderr, flush=True)
    except OSError:
        _discard(sys.stderr)
    return UNWRITABLE


def _discard(stream: object) -> None:
    """Have what is still in its buffer go nowhere."""
    if isinstance(stream, io.TextIOWrapper):
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)


class _Closed(io.TextIOBase):
    """A standard output that was closed before the process began."""

    def write(self, text: str, /) -> int:
        if text:
            raise OSError(EBADF, os.strerror(EBADF))
        return 0
