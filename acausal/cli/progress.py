"""Progress display of a command on a terminal: nothing for the first second, then the progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds of work that need no word."""


@contextmanager
def working(what: str, shown: bool) -> Iterator[None]:
    """Show `what` is being done, if it lasts and there is a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield
        return
    timer = Timer(PATIENCE, lambda: print(f"{what} ...", end="\r", file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        print("\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def running(what: str, start: float, stop: float, shown: bool) -> Iterator[Callable[[float], None] | None]:
    """Callback of a run for the time reached; None without a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield None
        return
    bar = _Bar(what, start, stop)
    try:
        yield bar.reached
    finally:
        bar.close()


@contextmanager
def counting(what: str, shown: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Callback of a sweep for the numbers of runs done and in all; None without a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield None
        return
    bar = _Bar(what, 0.0, 1.0)
    try:
        yield lambda done, count: bar.reached(done / count, f"{done} of {count}")
    finally:
        bar.close()


class _Bar:
    """A bar of rich, made when the run has lasted a second."""

    def __init__(self, what: str, start: float, stop: float) -> None:
        self._what = what
        self._span = start, stop
        self._due = monotonic() + PATIENCE
        self._progress: Progress | None = None

    def reached(self, t: float, text: str | None = None) -> None:
        """The run is at time t; `text` says so in other words."""
        if monotonic() < self._due:
            return
        start, stop = self._span
        if self._progress is None:
            self._progress = _bar()
            self._progress.start()
            self._progress.add_task(self._what, total=stop - start)
        where = f"{self._what} {f't = {t:.4g}' if text is None else text}"
        self._progress.update(self._progress.task_ids[0], completed=t - start, description=where)
        self._due = monotonic() + 0.1

    def close(self) -> None:
        """Take the bar away."""
        if self._progress is not None:
            self._progress.stop()


def _bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)
