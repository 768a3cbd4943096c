"""A run of many steps: whether it chatters at a jump that makes no events, or rounding errors limit its steps."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.failure.messages import rounding_errors
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

STEPS, SHARE = 5_000, 1e-3
"""So many steps within this share of the whole time are slow."""
LIMITED, MANY = 2, 50_000
"""So often in succession rounding errors must limit the steps; so many steps count twice."""
OF_EACH = 200
"""Steps for each state, of which the search for rounding errors takes a few percent."""


class ProgressWatch:
    """Counts the steps of a run."""

    def __init__(self, settings: Settings) -> None:
        self._stop, self._span = settings.stop, settings.stop - settings.start
        self._begin = self._looked = settings.begin, 0
        self._patience = STEPS
        self._limited = 0

    def seen(self, system: System, t: float, y: "Array", steps: int, tolerance: float) -> Diagnostic | None:
        """The report if the run hardly advances and chatters, or if rounding errors limit its steps.

        `tolerance` is that of the present method.
        """
        since = steps - self._looked[1]
        looks = since >= STEPS and since >= OF_EACH * len(y) and (t < self._stop or self._reports_after(since))
        limited = self._limit(system, t, y, steps, tolerance) if looks else None
        begin, before = self._begin
        if limited is not None or steps - before < self._patience:
            return limited
        self._begin = t, steps
        if t - begin > SHARE * self._span * self._patience / STEPS:
            return None
        self._patience *= 2
        from acausal.simulate.solver.chattering import sliding

        return sliding(system, t, y, max((t - begin) / (steps - before), 1e-15 * abs(t)))

    def _limit(self, system: System, t: float, y: "Array", steps: int, tolerance: float) -> Diagnostic | None:
        """The report if rounding errors limit the steps, as they did before."""
        from acausal.simulate.solver.rounding_limit import rounding_limit

        (begin, before), self._looked = self._looked, (t, steps)
        limit = rounding_limit(system, t, y, (t - begin) / (steps - before), step_tolerance(tolerance))
        reports = self._reports_after(steps - before)
        self._limited = 0 if limit is None else self._limited + 1 + (steps - before) // MANY
        if limit is None or not reports:
            return None
        return rounding_errors(system.program, t, y, limit.rate, limit.state, limit.change)

    def _reports_after(self, steps: int) -> bool:
        """True if a limit of so many steps is one in succession that is reported."""
        return self._limited + 1 + steps // MANY >= LIMITED
