"""A limit of the wall-clock time of each run: a run that exceeds it has failed, with R018."""

from collections.abc import Callable
from time import monotonic

from acausal.base.diagnostics import Diagnostic
from acausal.sweep.runs.portion import Run

_CODE = "R018"
_HINT = "raise --time-limit; a call without it repeats the runs that exceeded it"


def timeout(index: int, limit: float) -> Run:
    """A run that took longer than the limit in seconds."""
    return Run(index, (), Diagnostic(_CODE, f"the run exceeded the time limit of {limit:g} s", help=_HINT))


def is_timeout(run: Run) -> bool:
    """True for a run that exceeded a limit."""
    return run.failure is not None and run.failure.code == _CODE


class Deadline:
    """The end of the time of a run, which begins now; a run asks now and then whether it is to end."""

    def __init__(self, limit: float | None, halted: Callable[[], bool] | None) -> None:
        self._due = None if limit is None else monotonic() + limit
        self._halted = halted
        self.has_passed = False

    def __call__(self) -> bool:
        """True if the run is to end."""
        if self._halted is not None and self._halted():
            return True
        if self._due is not None and monotonic() > self._due:
            self.has_passed = True
        return self.has_passed
