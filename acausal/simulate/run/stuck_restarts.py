"""Restarts of a solver that is stuck but need not be: from where it is, knowing nothing of what was before."""

from math import inf

from acausal.base.diagnostics import SimulationError
from acausal.simulate.failure.checked import checked
from acausal.simulate.solver.cvode_settings import NO_SOLUTION
from acausal.simulate.solver.integrator import StuckError
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

MOST_BEGINNINGS = 20
"""Restarts of stuck solvers in a run; also attempts of one solver, for any reason, until it has come over an event."""
PROGRESS = 1e-4
"""A share of the whole time: a solver that gets stuck again within it is stuck."""


class StuckRestarts:
    """Where the solvers of a run were stuck, and how often."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stuck, self._again = -inf, 0

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
        far = stuck.t - self._stuck > PROGRESS * (self._settings.stop - self._settings.start)
        self._stuck = stuck.t
        self._again += 1
        return far and stuck.why == NO_SOLUTION and self._again <= MOST_BEGINNINGS and stuck.t > self._settings.start
