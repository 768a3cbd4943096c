"""A run under way: first instant, then from output time to output time, and over events and changes of states."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.base.lazy import lazy
from acausal.simulate.failure.checked import continued_notes
from acausal.simulate.rows.conditions import Stop, announced
from acausal.simulate.rows.event_log import EventLog
from acausal.simulate.rows.run_rows import RunRows
from acausal.simulate.run.initial_cache import InitialState, initial_state
from acausal.simulate.run.progress_watch import ProgressWatch
from acausal.simulate.run.run_events import MakeInstant, RunEvents
from acausal.simulate.run.short_delays import notes_of_delays
from acausal.simulate.run.solver_driver import Driver
from acausal.simulate.run.solver_pool import RunContext
from acausal.simulate.run.switch_states import StateSwitching
from acausal.simulate.run.variants import Variants
from acausal.simulate.solver.integrator import StepResult, StuckError
from acausal.simulate.solver.solver_failure import explain_stuck, wrong_slope
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.fmu.start import StepReports
    from acausal.simulate.run.switch_states import SignalsOf
    from acausal.simulate.state.restore import needs_event, restore
    from acausal.simulate.state.state import State
else:
    needs_event = lazy("simulate.state.restore", "needs_event")
    restore = lazy("simulate.state.restore", "restore")

Progress = Callable[[float], None]
"""Called with the time reached whenever the solver returns to Python: after about 20 ms, and at the end."""
Halted = Callable[[], bool]
"""Polled for whether the run is to be ended as if the user had interrupted it: signals do not reach threads."""


class Run:
    """States and frozen values at the output times and events, in the segments of `rows` as far as the run came."""

    def __init__(
        self,
        system: System,
        settings: Settings,
        variants: Variants | None,
        signals: "SignalsOf",
        context: RunContext | None = None,
        end_run: "Callable[[Run], bool] | None" = None,
        start_state: "State | None" = None,
        instants: MakeInstant | None = None,
    ) -> None:
        self.failure: Diagnostic | None = None
        self.interrupted = False
        self.steps: StepReports | None = None
        self._notes: list[Diagnostic] = []
        self.rows = RunRows(len(settings.grid))
        self._settings = settings
        self._grid = settings.grid
        self.transfers = None if variants is None else variants.transfers
        tolerance = settings.tolerance
        self._switching = None if variants is None else StateSwitching(variants, system, signals, tolerance)
        self._events = RunEvents(system, settings, self.rows, instants)
        self.driver = Driver(settings, self._events.leave, self._events.note, context)
        self._context = context
        self._end_run = end_run
        self._start_state = start_state
        self._initial_state: InitialState | None = None
        self._watch = ProgressWatch(settings)
        self._begin(system)

    @property
    def events(self) -> EventLog:
        """The events so far."""
        return self._events.log

    def _begin(self, system: System) -> None:
        """A new segment."""
        context, rows, earlier = self._context, None, None
        if system not in self.rows.systems and context is not None and context.system is system:
            rows = context.rows.clear()
            earlier = context.instant
        self.rows.begin(system, rows)
        self._system = system
        self._events.begin(system, earlier)

    def go(self, progress: Progress | None, halted: Halted | None) -> None:
        """From the first instant as far as it goes."""
        settings, known = self._settings, self._cached_initial_state()
        start = settings.begin
        if self._start_state is not None:
            y = self._resume(self._start_state)
        else:
            y = self._start(start) if known is None else known.again(self._system)
        if known is None:
            self.rows.add(start, y)
            self.failure = wrong_slope(self._system, start, y)
        else:
            self.rows.current.add(start, y, self._system.frozen, known.memory)
        if self.failure is not None or self._announced():
            return
        try:
            if known is None and self._events.instant is not None and self._start_state is None:
                self._events.instant.limit_samples()
            self._notes += notes_of_delays(self._system.program, self._system.delays, self._settings)
            self.driver.begin(self._system, self._events.instant, self.rows.current, start, y)
            if known is None:
                self._events.leave(start, y)
            else:
                self._events.limit = known.known
            if self._start_state is None:
                limit = self._events.limit
                self._initial_state = known or initial_state(self._system, settings, self.rows.current, limit)
            self._advance(y, progress, halted)
        except StuckError as stuck:
            self.failure = explain_stuck(self._system, stuck, self._settings.stop - self._settings.start)
        except SimulationError as error:
            self.failure = error.report.diagnostics[0]
        except KeyboardInterrupt:
            self.interrupted = True
        self._events.verify_end(self.failure is not None or self.interrupted)

    # ------------------------------------------------------------ first instant

    def _cached_initial_state(self) -> InitialState | None:
        """Initial state of the previous run, if this one begins alike."""
        context, system = self._context, self._system
        if self._start_state is not None or context is None or context.system is not system:
            return None
        found = context.initial_state
        return found if found is not None and found.serves(system, self._settings) else None

    def _resume(self, state: "State") -> "Array":
        """The states of a saved state, with the selection of states that it has."""
        if state.dummies:
            assert self._switching is not None
            self._begin(self._switching.with_dummies(self._system, state.dummies))
        y = restore(self._system, state)
        if needs_event(self._system, state):
            self._system.delays.jump(state.time)
            if self._events.instant is not None:
                y = self._events.instant.at(state.time, y, {})
        return y

    def dummies(self, system: System) -> tuple[str, ...]:
        """The dummy derivatives of a system, where other states were selected than at first."""
        return () if system is self.rows.systems[0] or self._switching is None else self._switching.dummies(system)

    def _start(self, t: float) -> "Array":
        """The first instant; where other states are the better ones there, with these."""
        switching = self._switching
        try:
            y = self._start_system(t)
        except SimulationError:
            other = switching and switching.at_failed_start(self._system, t)
            if not other:
                raise
        else:
            other = switching and switching.at_start(self._system)
            if not other:
                return y
        self.rows.begin_again()
        self._begin(other)
        return self._start_system(t)

    def _start_system(self, t: float) -> "Array":
        instant = self._events.instant
        return initial_states(self._system, t) if instant is None else instant.start(t)

    # ------------------------------------------------------------------ going on

    def _advance(self, y: "Array", progress: Progress | None, halted: Halted | None) -> None:
        grid, events, t, number = self._grid, self._events, self._settings.begin, 1
        last = float(grid[-1])
        while number < len(grid):
            if self._end_run is not None and self._end_run(self):
                return
            ahead = grid[number:] if self.steps is None else grid[number : number + 1]
            reached = self.driver.forward(ahead, events.limit, StepResult(t, y, {}))
            if not reached.crossed:
                reached = events.verified(reached, self.driver.watched(reached.t))
            t, y, judged = reached.t, reached.y, reached.judged
            events.reached(t, y)
            chattering = self._watch.seen(self._system, t, y, self.driver.steps, self.driver.tolerance)
            if chattering is not None:
                self.failure = chattering
                return
            if halted is not None and halted():
                raise KeyboardInterrupt
            if events.is_due(reached) or (self.steps is not None and self.steps.completed(self._system, t, y)):
                y = self._event(reached)
                judged = False
                if self.failure is not None or self._announced():
                    return
            elif reached.crossed:
                events.turning(t, y)
            if self._switching and not judged and t < last:
                y = self._with_good_states(self._switching, t, y)
            number = len(grid) if t >= last else number + int(grid[number:].searchsorted(t, "right"))
            if t == grid[number - 1] and self.rows.last_time != t:
                self.rows.add(t, y)
            if progress is not None:
                progress(t)

    def _event(self, reached: StepResult) -> "Array":
        """The states after the event, from which the solver begins again unless the motion is as before."""
        events, t = self._events, reached.t
        after, is_as_before = events.treat(reached)
        self.failure = events.failure
        if not (is_as_before and self.driver.goes_on(t, events.limit)):
            self.driver.restart(t, after, events.first_step(t, after))
        events.reached(t, after)
        return after

    def _with_good_states(self, changes: StateSwitching, t: float, y: "Array") -> "Array":
        """The states, or others where these are chosen badly: the run goes on with them."""
        other = changes.switched(self._system, t, y)
        if other is None:
            return y
        system, after = other
        self._begin(system)
        self._events.leave(t, after)
        self.driver.begin(self._system, self._events.instant, self.rows.current, t, after)
        return after

    def _announced(self) -> bool:
        return self._events.instant is not None and self._events.instant.announced is not None

    # ------------------------------------------------------------------ the end

    def leaves(self, system: System) -> RunContext | None:
        """Run context for another run, if this system has served this one from the start to the end."""
        alone = len(self.rows.systems) == 1 and self._system is system
        return self.driver.leaves(system, self._events.instant, self._initial_state) if alone else None

    def stop(self, rows: int) -> Stop | None:
        """Result of an `assert` or `terminate` in a `when`, once all rows are complete."""
        found = None if self._events.instant is None else self._events.instant.announced
        if found is None or rows < len(self.rows):
            return None
        return announced(found, rows, self.rows.last_time)

    def notes(self) -> list[Diagnostic]:
        """Notes on short delays, and at lines of the user on blocks that only the homotopy solved."""
        continued = [note for system in self.rows.systems if system.continued for note in continued_notes(system)]
        return [*self._notes, *continued]
