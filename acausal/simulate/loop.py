"""The run: first instant, states at output times and on both sides of events, then all variables there."""

from collections.abc import Callable
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, SimulationError
from acausal.simulate.conditions import Stop, announced, first_stop
from acausal.simulate.failures import block_failed, not_finite, solver_failed
from acausal.simulate.instant import Instant
from acausal.simulate.integrator import CloseCrossingsError, Counts, Integrator, Reached, StuckError, make_integrator
from acausal.simulate.no_states import NoStates
from acausal.simulate.outcome import Outcome, Stats
from acausal.simulate.rows import Rows
from acausal.simulate.settings import Settings
from acausal.simulate.signals import Signals
from acausal.simulate.system import System
from acausal.simulate.unending import Unending

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

Progress = Callable[[float], None]
"""Called with the time reached, at every output time."""

NOTHING = Counts(0, 0)
MOST_BEGINNINGS = 20
CLOSEST = 1e-15
"""No solver can go a shorter way than this share of the time."""


def simulate(
    executable: "Executable", p: "Array", signals: Signals, settings: Settings, progress: Progress | None = None
) -> Outcome:
    """The rows of a run at the output times and on both sides of each event.

    `p` is complete (`parameter_values`). SimulationError R001, R004 or E... where the first instant cannot
    be computed; what happens later ends the run with a `failure`, its rows up to then are kept.
    """
    begin = perf_counter()
    system = System(executable, p, signals)
    run = _Run(system, settings)
    run.go(progress)
    times, states, held = run.rows.arrays()
    stored, failed = system.store(times, states, held)
    failure = run.failure
    if failed:
        row = len(stored)
        failure = block_failed(system.program, failed, float(times[row]), states[row]).report.diagnostics[0]
    stop = first_stop(system.program, times, stored) or run.stop(len(stored))
    if stop is not None:
        stored, failure = stored[: stop.rows], stop.failure
    cost = run.counts()
    stats = Stats(run.solver, cost.steps, system.rhs_calls, cost.jacobians, perf_counter() - begin, run.events)
    notes = (stop.note,) if stop is not None and stop.note is not None else ()
    return Outcome(system.program, times[: len(stored)], stored, p, stats, failure, run.interrupted, notes)


class _Run:
    """States and held values at the output times and events: `rows` as far as the run came."""

    def __init__(self, system: System, settings: Settings) -> None:
        self.failure: Diagnostic | None = None
        self.interrupted = False
        self.solver = "none"
        self.events = 0
        program = system.program
        self.rows = Rows(len(program.state_slots), len(program.table.held))
        self._system = system
        self._settings = settings
        self._integrator: Integrator | None = None
        span = settings.stop - settings.start
        self._instant = Instant(system, span) if program.table.held else None
        self._limit = inf
        self._unending = Unending(program.table, span)

    def go(self, progress: Progress | None) -> None:
        """From the first instant as far as it goes."""
        system, settings = self._system, self._settings
        y = system.start(settings.start) if self._instant is None else self._instant.start(settings.start)
        self.rows.add(settings.start, y, system.held)
        self.failure = self._wrong_slope(settings.start, y)
        if self.failure is not None or self._announced():
            return
        try:
            if len(y):
                self._integrator = make_integrator(system, y, settings)
                self.solver = self._integrator.name
            else:
                self._integrator = NoStates(system, y, settings.start)
            self._advance(self._integrator, y, progress)
        except StuckError as stuck:
            self.failure = self._explain(stuck)
        except SimulationError as error:
            self.failure = error.report.diagnostics[0]
        except KeyboardInterrupt:
            self.interrupted = True

    def _advance(self, integrator: Integrator, y: "Array", progress: Progress | None) -> None:
        t, stop = self._settings.start, self._settings.stop
        limit = self._after_event(t, y)
        for output in self._settings.grid[1:].tolist():
            while t < output:
                goal = min(output, limit)
                if goal - t > CLOSEST * max(abs(t), abs(goal)):
                    t, y, crossed = self._go_on(integrator, goal, min(stop, limit), Reached(t, y, {}))
                else:
                    t, crossed = goal, {}
                if t >= limit or self._is_event(crossed):
                    y = self._event(integrator, Reached(t, y, crossed))
                    if self.failure is not None or self._announced():
                        return
                    limit = self._limit
            if self.rows.last_time != t:
                self.rows.add(t, y, self._system.held)
            if progress is not None:
                progress(t)

    def _go_on(self, integrator: Integrator, goal: float, limit: float, here: Reached) -> Reached:
        """To the goal or the next crossing; where something stays at zero after it, the solver begins again."""
        for _ in range(MOST_BEGINNINGS):
            try:
                return integrator.advance(goal, limit)
            except CloseCrossingsError:
                self._after_event(here.t, here.y)
                integrator.restart(here.t, here.y)
        raise StuckError("what decides the next event stays at zero", here.t, here.y)

    def _is_event(self, crossed: dict[int, int]) -> bool:
        """Whether more than turning points was crossed."""
        return any(i < self._system.program.table.watched for i in crossed)

    def _event(self, integrator: Integrator, reached: Reached) -> "Array":
        """The states after the event; both sides are kept."""
        t, y, crossed = reached
        system, instant = self._system, self._instant
        assert instant is not None
        self.events += 1
        if self.rows.last_time != t:
            self.rows.add(t, y, system.held)
        before = system.held.copy()
        after = instant.at(t, y, crossed)
        self.rows.add(t, after, system.held)
        self.failure = self._unending.seen(t, before, system.held)
        self._limit = self._after_event(t, after)
        integrator.restart(t, after, instant.first_step(t, after))
        return after

    def _after_event(self, t: float, y: "Array") -> float:
        """The time of the next event that is known in advance; crossings at zero begin there."""
        if self._instant is None:
            return inf
        return self._instant.leave(t, y)

    def _announced(self) -> bool:
        return self._instant is not None and self._instant.announced is not None

    def stop(self, rows: int) -> Stop | None:
        """What an `assert` or `terminate` in a `when` said, once all rows are there."""
        found = None if self._instant is None else self._instant.announced
        if found is None or rows < len(self.rows):
            return None
        return announced(found, rows, self.rows.last_time)

    def counts(self) -> Counts:
        """The solver's cost."""
        return NOTHING if self._integrator is None else self._integrator.counts()

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

        if not len(y):
            return None
        slope = np.empty_like(y)
        status = self._system.slope(t, y, slope)
        if status:
            return block_failed(self._system.program, status, t, y).report.diagnostics[0]
        wrong = np.flatnonzero(~np.isfinite(slope))
        return not_finite(self._system.program, t, y, int(wrong[0])) if len(wrong) else None
