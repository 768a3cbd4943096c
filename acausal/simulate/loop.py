"""The run: first instant, states on the grid of output times, then all variables there."""

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic
from acausal.simulate.conditions import first_stop
from acausal.simulate.failures import block_failed, not_finite, solver_failed
from acausal.simulate.integrator import Counts, Integrator, StuckError, make_integrator
from acausal.simulate.outcome import Outcome, Stats
from acausal.simulate.settings import Settings
from acausal.simulate.signals import Signals
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

Progress = Callable[[float], None]
"""Called with the time reached, at every output time."""

NO_STATES = Counts(0, 0)


def simulate(
    executable: "Executable", p: "Array", signals: Signals, settings: Settings, progress: Progress | None = None
) -> Outcome:
    """The rows of a run at the output times.

    `p` is complete (`parameter_values`). SimulationError R001 or R004 where the first instant cannot
    be computed; what happens later ends the run with a `failure`, its rows up to then are kept.
    """
    begin = perf_counter()
    system = System(executable, p, signals)
    times = settings.grid
    run = _Run(system, times, settings)
    run.go(progress)
    stored, failed = system.store(times[: run.done], run.states[: run.done])
    failure = run.failure
    if failed:
        row = len(stored)
        failure = block_failed(system.program, failed, float(times[row]), run.states[row]).report.diagnostics[0]
    stop = first_stop(system.program, times, stored)
    if stop is not None:
        stored, failure = stored[: stop.rows], stop.failure
    cost = run.counts()
    stats = Stats(run.solver, cost.steps, system.rhs_calls, cost.jacobians, perf_counter() - begin)
    notes = (stop.note,) if stop is not None and stop.note is not None else ()
    return Outcome(system.program, times[: len(stored)], stored, p, stats, failure, run.interrupted, notes)


class _Run:
    """The states on the grid: `done` rows of `states` are valid."""

    def __init__(self, system: System, times: "Array", settings: Settings) -> None:
        import numpy as np

        self.done = 0
        self.failure: Diagnostic | None = None
        self.interrupted = False
        self.solver = "none"
        self.states = np.empty((len(times), len(system.program.state_slots)))
        self._system = system
        self._times = times
        self._settings = settings
        self._integrator: Integrator | None = None

    def go(self, progress: Progress | None) -> None:
        """From the first instant as far as it goes."""
        system, settings = self._system, self._settings
        y = system.start(settings.start)
        if not len(y):
            self.done = len(self._times)
            return
        self.states[0] = y
        self.done = 1
        self.failure = self._wrong_slope(settings.start, y)
        if self.failure is not None:
            return
        try:
            self._integrator = make_integrator(system, y, settings)
            self.solver = self._integrator.name
            self._advance(self._integrator, progress)
        except StuckError as stuck:
            self.failure = self._explain(stuck)
        except KeyboardInterrupt:
            self.interrupted = True

    def _advance(self, integrator: Integrator, progress: Progress | None) -> None:
        for row, t in enumerate(self._times[1:].tolist(), 1):
            self.states[row] = integrator.advance(t)
            self.done = row + 1
            if progress is not None:
                progress(t)

    def counts(self) -> Counts:
        """The solver's cost."""
        return NO_STATES if self._integrator is None else self._integrator.counts()

    def _explain(self, stuck: StuckError) -> Diagnostic:
        """Why the solver is stuck: a block or derivative that fails there, else what the solver says."""
        import numpy as np

        system, failed = self._system, self._system.failed_block
        wrong = self._wrong_slope(stuck.t, stuck.y)
        if wrong is not None:
            return wrong
        if failed is not None and failed[1] > stuck.t:
            return block_failed(system.program, failed[0], failed[1], stuck.y).report.diagnostics[0]
        slope = np.empty_like(stuck.y)
        system.slope(stuck.t, stuck.y, slope)
        return solver_failed(system.program, stuck.t, stuck.y, slope, stuck.why)

    def _wrong_slope(self, t: float, y: "Array") -> Diagnostic | None:
        """What is wrong with the derivatives at a point, None if nothing."""
        import numpy as np

        slope = np.empty_like(y)
        status = self._system.slope(t, y, slope)
        if status:
            return block_failed(self._system.program, status, t, y).report.diagnostics[0]
        wrong = np.flatnonzero(~np.isfinite(slope))
        return not_finite(self._system.program, t, y, int(wrong[0])) if len(wrong) else None
