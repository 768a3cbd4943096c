"""A run under way: first instant, then from output time to output time, and over events and changes of states."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.base.lazy import lazy
from acausal.runtime.events.discrete import has_come
from acausal.simulate.failure.checked import continued_notes
from acausal.simulate.rows.conditions import Stop, announced
from acausal.simulate.rows.event_log import EventLog, changes
from acausal.simulate.rows.run_rows import RunRows
from acausal.simulate.run.initial_cache import InitialState, initial_state
from acausal.simulate.run.progress_watch import ProgressWatch
from acausal.simulate.run.short_delays import notes_of_delays
from acausal.simulate.run.solver_driver import Driver
from acausal.simulate.run.solver_pool import RunContext
from acausal.simulate.run.switch_states import StateSwitching
from acausal.simulate.run.variants import Variants
from acausal.simulate.solver.event_iteration import Instant, instant_of
from acausal.simulate.solver.integrator import EventBatch, StepResult, StuckError
from acausal.simulate.solver.solver_failure import explain_stuck, wrong_slope
from acausal.simulate.solver.zeno import ChatteringDetection, Seen
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.fmu.start import StepReports
    from acausal.simulate.run.switch_states import SignalsOf
    from acausal.simulate.state.restore import restore
    from acausal.simulate.state.state import State
else:
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
        instants: "Callable[[System, Settings, Instant | None], Instant] | None" = None,
    ) -> None:
        self.failure: Diagnostic | None = None
        self.interrupted = False
        self.steps: StepReports | None = None
        self.events = EventLog()
        self._notes: list[Diagnostic] = []
        self.rows = RunRows(len(settings.grid))
        self._settings = settings
        self._grid = settings.grid
        self.transfers = None if variants is None else variants.transfers
        self._switching = None if variants is None else StateSwitching(variants, system, signals)
        self._instants: dict[System, Instant] = {}
        self._make_instant = instants or instant_of
        self.driver = Driver(settings, self._after_event, self._on_events, context)
        self._context = context
        self._end_run = end_run
        self._start_state = start_state
        self._limit = inf
        self._initial_state: InitialState | None = None
        self._here: tuple[Instant, float, Array] | None = None
        self._chattering = ChatteringDetection(system.program.table, settings.stop - settings.start)
        self._watch = ProgressWatch(settings)
        self._begin(system)

    def _begin(self, system: System) -> None:
        """A new segment."""
        context, rows, instant, earlier = self._context, None, self._instants.get(system), None
        if system not in self.rows.systems and context is not None and context.system is system:
            rows = context.rows.clear()
            earlier = context.instant
        self.rows.begin(system, rows)
        self._system = system
        if instant is None and system.program.table.frozen:
            instant = self._instants[system] = self._make_instant(system, self._settings, earlier)
        self._instant = instant

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
            if known is None and self._instant is not None and self._start_state is None:
                self._instant.limit_samples()
            self._notes += notes_of_delays(self._system.program, self._system.delays, self._settings)
            self.driver.begin(self._system, self._instant, self.rows.current, start, y)
            self._limit = self._after_event(start, y) if known is None else known.known
            if self._start_state is None:
                self._initial_state = known or initial_state(self._system, settings, self.rows.current, self._limit)
            self._advance(y, progress, halted)
        except StuckError as stuck:
            self.failure = explain_stuck(self._system, stuck, self._settings.stop - self._settings.start)
        except SimulationError as error:
            self.failure = error.report.diagnostics[0]
        except KeyboardInterrupt:
            self.interrupted = True
        self._verify_end()

    def _verify_end(self) -> None:
        """No instant of a sample was left before the time that the run has come to, however it ends."""
        if self._here is None:
            return
        instant, t, y = self._here
        try:
            instant.verify_samples(t, y)
        except SimulationError:  # the last states of a run that has failed
            if self.failure is None and not self.interrupted:
                raise

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
        if state.is_changed:
            self._system.delays.jump(state.time)
        if state.is_changed and self._instant is not None:
            y = self._instant.at(state.time, y, {})
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
        return initial_states(self._system, t) if self._instant is None else self._instant.start(t)

    # ------------------------------------------------------------------ going on

    def _advance(self, y: "Array", progress: Progress | None, halted: Halted | None) -> None:
        grid, t, number = self._grid, self._settings.begin, 1
        last = float(grid[-1])
        while number < len(grid):
            if self._end_run is not None and self._end_run(self):
                return
            ahead = grid[number:] if self.steps is None else grid[number : number + 1]
            reached = self.driver.forward(ahead, self._limit, StepResult(t, y, {}))
            if not reached.crossed:
                reached = self._verified(reached)
            t, y, judged = reached.t, reached.y, reached.judged
            self._reached(t, y)
            chattering = self._watch.seen(self._system, t, y, self.driver.steps, self.driver.tolerance)
            if chattering is not None:
                self.failure = chattering
                return
            if halted is not None and halted():
                raise KeyboardInterrupt
            is_due = has_come(self._limit, t) or bool(reached.crossed and self._is_event(reached.crossed))
            if is_due or (self.steps is not None and self.steps.completed(self._system, t, y)):
                y = self._event(reached)
                self._reached(t, y)
                judged = False
                if self.failure is not None or self._announced():
                    return
            elif reached.crossed and self._instant is not None:
                self._instant.turning(t, y)
            if self._switching and not judged and t < last:
                y = self._with_good_states(self._switching, t, y)
            number = len(grid) if t >= last else number + int(grid[number:].searchsorted(t, "right"))
            if t == grid[number - 1] and self.rows.last_time != t:
                self.rows.add(t, y)
            if progress is not None:
                progress(t)

    def _reached(self, t: float, y: "Array") -> None:
        """Where the run is, with the events of its system there."""
        self._here = None if self._instant is None else (self._instant, t, y)

    def _with_good_states(self, changes: StateSwitching, t: float, y: "Array") -> "Array":
        """The states, or others where these are chosen badly: the run goes on with them."""
        other = changes.switched(self._system, t, y)
        if other is None:
            return y
        system, after = other
        self._begin(system)
        self._limit = self._after_event(t, after)
        self.driver.begin(self._system, self._instant, self.rows.current, t, after)
        return after

    # -------------------------------------------------------------------- events

    def _is_event(self, crossed: dict[int, int]) -> bool:
        """True if more than turning points was crossed."""
        return any(i < self._system.program.table.watched for i in crossed)

    def _verified(self, reached: StepResult) -> StepResult:
        """With crossings that the solver has not reported: frozen values always agree with their root functions."""
        watched = None if self._instant is None else self.driver.watched(reached.t)
        if watched is None or self._instant is None:
            return reached
        crossed = self._instant.violated(watched)
        return replace(reached, crossed=crossed) if crossed else reached

    def _event(self, reached: StepResult) -> "Array":
        """The states after the event; both sides are kept.

        It is none where the interpolation of a solver crosses zero and the motion goes back to the side it was on.
        """
        import numpy as np

        t, y, crossed = reached.t, reached.y, reached.crossed
        system, instant = self._system, self._instant
        is_new_row = self.rows.last_time != t
        if is_new_row:
            self.rows.add(t, y)
        before = system.frozen.copy()
        system.delays.jump(t)
        after = y if instant is None else instant.at(t, y, crossed)
        is_event = has_come(self._limit, t) or (before != system.frozen).any() or (after != y).any()
        if is_event:
            self.rows.add(t, after)
        elif is_new_row:
            self.rows.current.drop()
        if instant is not None:
            table, frozen = system.program.table, np.array([[before, system.frozen]])
            if is_event and (not system.delays.times or changes(table, frozen)[0]):
                self.events.add(table, (t,), frozen)
            endless = self._chattering.seen(Seen(t, frozen[0], crossed))
            self.failure = endless if endless is not None and not self._rests() else None
        self._limit = self._after_event(t, after)
        if not self._goes_on(reached, before, after):
            self.driver.restart(t, after, 0.0 if instant is None else instant.first_step(t, after))
        return after

    def _rests(self) -> bool:
        """True if the events that follow each other come from relations at rest; these get a band then."""
        from acausal.simulate.solver.rest_band import give_bands

        return give_bands(self._system, self._chattering.forget())

    def _goes_on(self, reached: StepResult, before: "Array", after: "Array") -> bool:
        """True if the solver goes on from an event, as the motion is as before, and evaluates all crossings again."""
        system = self._system
        evaluated = bool(reached.crossed) or not system.program.table.crossings
        if not evaluated or system.moving is None or (after != reached.y).any():
            return False
        same = (before == system.frozen)[system.moving].all()
        return bool(same) and self.driver.goes_on(reached.t, self._limit)

    def _on_events(self, events: EventBatch) -> None:
        """Events that the machine code has done."""
        self._limit = events.limit
        if not len(events.times) or self._instant is None:
            return
        self._instant.note(events)
        table, found = self._system.program.table, events
        if self._system.delays.times:  # what comes through a delay need not change anything
            changed = [bool(words) for words in changes(table, events.frozen)]
            found = EventBatch(events.times[changed], events.frozen[changed], events.roots[changed], events.limit)
        if len(found.times):
            self.events.add(table, found.times, found.frozen)
        self._chattering.add(events)

    def _after_event(self, t: float, y: "Array") -> float:
        """The time of the next event that is known in advance; crossings at zero begin there."""
        late = self._system.delays.next_event(t)
        return late if self._instant is None else min(late, self._instant.leave(t, y))

    def _announced(self) -> bool:
        return self._instant is not None and self._instant.announced is not None

    # ------------------------------------------------------------------ the end

    def leaves(self, system: System) -> RunContext | None:
        """Run context for another run, if this system has served this one from the start to the end."""
        alone = len(self.rows.systems) == 1 and self._system is system
        return self.driver.leaves(system, self._instant, self._initial_state) if alone else None

    def stop(self, rows: int) -> Stop | None:
        """Result of an `assert` or `terminate` in a `when`, once all rows are complete."""
        found = None if self._instant is None else self._instant.announced
        if found is None or rows < len(self.rows):
            return None
        return announced(found, rows, self.rows.last_time)

    def notes(self) -> list[Diagnostic]:
        """Notes on short delays, and at lines of the user on blocks that only the homotopy solved."""
        continued = [note for system in self.rows.systems if system.continued for note in continued_notes(system)]
        return [*self._notes, *continued]
