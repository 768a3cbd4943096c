"""A run that hardly advances: whether it chatters at a jump that makes no events."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

STEPS, SHARE = 5_000, 1e-3
"""So many steps within this share of the whole time are slow."""


class ProgressWatch:
    """Counts the steps of a run of so many seconds that begins at `start`."""

    def __init__(self, start: float, span: float) -> None:
        self._span = span
        self._begin = start, 0
        self._patience = STEPS

    def seen(self, system: System, t: float, y: "Array", steps: int) -> Diagnostic | None:
        """The report if the run hardly advances and chatters, after so many steps at t."""
        begin, before = self._begin
        if steps - before < self._patience:
            return None
        self._begin = t, steps
        if t - begin > SHARE * self._span * self._patience / STEPS:
            return None
        self._patience *= 2
        from acausal.simulate.solver.chattering import sliding

        return sliding(system, t, y, max((t - begin) / (steps - before), 1e-15 * abs(t)))
