"""Restarts of a solver that is stuck but need not be: from where it is, knowing nothing of what was before."""

from acausal.base.diagnostics import SimulationError
from acausal.simulate.failure.checked import checked
from acausal.simulate.solver.cvode_settings import NO_SOLUTION
from acausal.simulate.solver.integrator import StuckError
from acausal.simulate.solver.scipy_solvers.stuck_steps import StuckSteps
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System


class StuckRestarts:
    """Where the solvers of a run were stuck, and how often."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._steps = StuckSteps(settings.stop - settings.start)

    def may_begin_again(self, system: System, stuck: StuckError) -> bool:
        """True if a solver of the system may try again from there."""
        return self._is_solved_behind_event(system, stuck) or self._begins_again(stuck)

    def _is_solved_behind_event(self, system: System, stuck: StuckError) -> bool:
        """True if homotopy solves the derivatives behind an event that leaves no start for Newton's method."""
        status = system.evaluate("derivatives", stuck.t, stuck.y) if system.branches.is_after_event else 0
        if not status or system.crosses or stuck.t == self._settings.start:
            return False
        try:
            checked(system, "derivatives", status, stuck.t)
        except SimulationError:
            return False
        system.forget_branches()
        return True

    def _begins_again(self, stuck: StuckError) -> bool:
        """True if a solver that cannot go on from what it has seen may try from where it is, knowing nothing.

        It may, as long as the run advances: a junction that begins to conduct looks like nothing that was before.
        """
        has_advanced = self._steps.has_advanced(stuck.t)
        return has_advanced and stuck.why == NO_SOLUTION and stuck.t > self._settings.start
