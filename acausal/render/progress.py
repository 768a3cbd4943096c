"""Progress display on a terminal or in a notebook: nothing for the first second, then the progress."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.progress import Progress

PATIENCE = 1.0
"""Seconds of work that need no word."""
_REFRESH = 0.1
EXTENSION = "acausal"
"""Name of the extension of IPython, without which nothing is displayed in a notebook."""


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
    with _progress_bar(_OnTerminal) as bar:
        yield _reached(bar, what, start, stop)


@contextmanager
def counting(what: str, shown: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Callback of a sweep for the numbers of runs done and in all; None without a terminal."""
    if not (shown and sys.stderr.isatty()):
        yield None
        return
    with _progress_bar(_OnTerminal) as bar:
        yield lambda done, count: bar.reached(f"{what} {done} of {count}", done / count)


def running_in_notebook(
    given: Callable[[float], None] | None, what: Callable[[], str], span: Callable[[], tuple[float, float]]
) -> AbstractContextManager[Callable[[float], None] | None]:
    """Callback of a run in IPython with our extension loaded; elsewhere, and where one is `given`, that one."""
    canvas = None if given is not None else _notebook_canvas()
    return nullcontext(given) if canvas is None else _running_on(canvas, what(), span)


@contextmanager
def _running_on(
    canvas: "Callable[[], _Canvas]", what: str, span: Callable[[], tuple[float, float]]
) -> Iterator[Callable[[float], None]]:
    with _progress_bar(canvas) as bar:
        yield _reached(bar, what, *span())


@contextmanager
def counting_in_notebook(
    given: Callable[[int, int], None] | None, what: str
) -> Iterator[Callable[[int, int], None] | None]:
    """Callback of a sweep in IPython with our extension loaded; elsewhere, and where one is `given`, that one."""
    canvas = None if given is not None else _notebook_canvas()
    if canvas is None:
        yield given
        return
    with _progress_bar(canvas) as bar:
        yield lambda done, count: bar.reached(f"{what} {done} of {count}", done / count)


def _reached(bar: "_Bar", what: str, start: float, stop: float) -> Callable[[float], None]:
    return lambda t: bar.reached(f"{what} t = {t:.4g}", (t - start) / (stop - start) if stop > start else 1.0)


def _notebook_canvas() -> "Callable[[], _Canvas] | None":
    """Display of the IPython that runs us; None where there is none, or our extension is not loaded."""
    ipython = sys.modules.get("IPython")
    shell: Any = ipython.get_ipython() if ipython is not None else None
    if shell is None or EXTENSION not in shell.extension_manager.loaded:
        return None
    if hasattr(shell, "kernel"):
        return _InNotebook
    return _OnTerminal if sys.stderr.isatty() else None


class _Canvas(Protocol):
    def show(self, text: str, share: float) -> None: ...

    def close(self) -> None: ...


class _Bar:
    """A bar that is made when the work has lasted a second."""

    def __init__(self, make: Callable[[], _Canvas]) -> None:
        self._make = make
        self._due = monotonic() + PATIENCE
        self._canvas: _Canvas | None = None

    def reached(self, text: str, share: float) -> None:
        """This share of the work is done."""
        if monotonic() < self._due:
            return
        if self._canvas is None:
            self._canvas = self._make()
        self._canvas.show(text, share)
        self._due = monotonic() + _REFRESH

    def close(self) -> None:
        """Take the bar away."""
        if self._canvas is not None:
            self._canvas.close()


@contextmanager
def _progress_bar(make: Callable[[], _Canvas]) -> Iterator[_Bar]:
    bar = _Bar(make)
    try:
        yield bar
    finally:
        bar.close()


class _OnTerminal:
    """A bar of rich on standard error."""

    def __init__(self) -> None:
        self._progress = _rich_bar()
        self._progress.start()
        self._task = self._progress.add_task("", total=1.0)

    def show(self, text: str, share: float) -> None:
        self._progress.update(self._task, completed=share, description=text)

    def close(self) -> None:
        self._progress.stop()


def _rich_bar() -> "Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True), transient=True)


class _InNotebook:
    """A bar in the output of a cell, which is empty at the end."""

    def __init__(self) -> None:
        from IPython.display import display

        show: Any = display
        self._handle: Any = show(self._content("", 0.0), raw=True, display_id=True)

    def show(self, text: str, share: float) -> None:
        self._handle.update(self._content(text, share), raw=True)

    def close(self) -> None:
        self._handle.update({"text/html": "", "text/plain": ""}, raw=True)

    @staticmethod
    def _content(text: str, share: float) -> dict[str, str]:
        from html import escape

        bar = f'<progress value="{share:.3f}" max="1"></progress> {escape(text)}'
        return {"text/html": bar, "text/plain": f"{text} ({share:.0%})"}
