"""The run: first instant, states at output times and on both sides of events, then all variables there."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, Severity, SimulationError
from acausal.simulate.choices import Variants, poor
from acausal.simulate.conditions import Stop, announced, first_stop
from acausal.simulate.cvode import NO_SOLUTION
from acausal.simulate.failures import continued, not_finite, solver_failed
from acausal.simulate.instant import Instant
from acausal.simulate.integrator import (
    CloseCrossingsError,
    Counts,
    Integrator,
    Reached,
    Rusher,
    StuckError,
    make_integrator,
)
from acausal.simulate.no_states import NoStates
from acausal.simulate.outcome import Outcome, RunEvent, Stats
from acausal.simulate.past import Past
from acausal.simulate.rows import Rows
from acausal.simulate.segments import Segment, explain_not_finite, stored_rows, values_at
from acausal.simulate.settings import Settings
from acausal.simulate.signals import Signals
from acausal.simulate.system import System
from acausal.simulate.unending import Unending

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.equations import Equations

Progress = Callable[[float], None]
"""Called with the time reached, at every output time."""
Halted = Callable[[], bool]
"""Asked now and then whether the run is to be ended as if the user had interrupted it; in threads nobody else can."""

NOTHING = Counts(0, 0)
MOST_BEGINNINGS = 20
PROGRESS = 1e-4
"""A share of the whole time: a solver that gets stuck again within it is stuck."""
CLOSEST = 1e-15
"""No solver can go a shorter way than this share of the time."""
AT_ONCE, MOST_AT_ONCE = 64, 4096
"""So many output times are gone through in one call, at first and at most."""
PATIENCE = 0.02
"""Seconds of a call after which fewer are taken: only between calls Python sees whether the user wants to stop."""


def simulate(
    executable: "Executable",
    p: "Array",
    signals: Signals,
    settings: Settings,
    progress: Progress | None = None,
    variants: Variants | None = None,
    equations: "Equations | None" = None,
    halted: Halted | None = None,
) -> Outcome:
    """The rows of a run at the output times and on both sides of each event.

    `p` is complete (`parameter_values`). `variants` gives the same model with other states,
    `equations` those behind the program, for messages.
    SimulationError R001, R004 or E... where the first instant cannot be computed; what happens later ends
    the run with a `failure`, its rows up to then are kept.
    """
    begin = perf_counter()
    past = Past(executable.program, settings.start, settings.stop)
    run = _Run(System(executable, p, signals, past, equations), settings, variants)
    run.go(progress, halted)
    rows = stored_rows(run.segments)
    times, stored, failure = rows.times, rows.stored, run.failure
    if rows.failed:
        t = float(times[len(stored)])
        failure = rows.system.explain("variables", rows.failed, t, rows.last)
    notes = list(run.continued())
    wrong = None if failure is not None else explain_not_finite(run.segments, stored)
    if wrong is not None and wrong[1].code == "R004":
        notes.append(replace(wrong[1], severity=Severity.WARNING))
    elif wrong is not None:
        stored, failure = stored[: wrong[0]], wrong[1]
    system = run.segments[0].system
    stop = first_stop(system.program, times, stored) or run.stop(len(stored))
    if stop is not None:
        stored, failure = stored[: stop.rows], stop.failure
    cost = run.counts()
    calls = sum(segment.system.rhs_calls for segment in run.segments)
    seconds = perf_counter() - begin
    stats = Stats(run.solver, cost.steps, calls, cost.jacobians, seconds, len(run.events), cost.matrix)
    if stop is not None and stop.note is not None:
        notes.append(stop.note)
    ending = failure, run.interrupted, tuple(notes), tuple(run.events)
    return Outcome(system.program, times[: len(stored)], stored, p, stats, *ending)


class _Run:
    """States and held values at the output times and events, in `segments` as far as the run came."""

    def __init__(self, system: System, settings: Settings, variants: Variants | None) -> None:
        self.failure: Diagnostic | None = None
        self.interrupted = False
        self.solver = "none"
        self.events: list[RunEvent] = []
        self.segments: list[Segment] = []
        self._settings = settings
        self._variants = variants
        self._integrator: Integrator | None = None
        self._counts = NOTHING
        self._limit = inf
        self._rusher: Rusher | None = None
        self._at_once = AT_ONCE
        self._stuck, self._again = -inf, 0
        self._unending = Unending(system.program.table, settings.stop - settings.start)
        self._begin(system)

    def _begin(self, system: System) -> None:
        """A new segment."""
        program = system.program
        rows = Rows(len(program.state_slots), len(program.table.held), program.memory)
        self.segments.append(Segment(system, rows))
        self._system = system
        self._rows = rows
        span = self._settings.stop - self._settings.start
        self._instant = Instant(system, span) if program.table.held else None

    def go(self, progress: Progress | None, halted: Halted | None) -> None:
        """From the first instant as far as it goes."""
        settings = self._settings
        y = self._start(settings.start)
        self._add(settings.start, y)
        self.failure = self._wrong_slope(settings.start, y)
        if self.failure is not None or self._announced():
            return
        try:
            self._integrate(y, settings.start)
            self._advance(y, progress, halted)
        except StuckError as stuck:
            self.failure = self._explain(stuck)
        except SimulationError as error:
            self.failure = error.report.diagnostics[0]
        except KeyboardInterrupt:
            self.interrupted = True

    def _start(self, t: float) -> "Array":
        """The first instant; where other states are the better ones there, with these."""
        y = self._start_system(t)
        system, variants = self._system, self._variants
        table = system.program.choice_table
        if variants is not None and table.slots and poor(table, system.start_choices):
            values = dict(zip(table.values, system.start_choices.tolist(), strict=False))
            self.segments.clear()
            self._begin(System(*variants(values), system.past, system.equations))
            y = self._start_system(t)
        return y

    def _add(self, t: float, y: "Array") -> None:
        self._rows.add(t, y, self._system.held, self._system.memory)

    def _start_system(self, t: float) -> "Array":
        return self._system.start(t) if self._instant is None else self._instant.start(t)

    def _integrate(self, y: "Array", t: float) -> None:
        """A solver for the present system."""
        system = self._system
        if len(y):
            self._integrator = make_integrator(system, y, replace(self._settings, start=t))
            self.solver = self._integrator.name
        else:
            self._integrator = NoStates(system, y, t)
        watched = bool(system.program.choice_table.slots)
        self._rusher = self._integrator if isinstance(self._integrator, Rusher) and not watched else None

    def _advance(self, y: "Array", progress: Progress | None, halted: Halted | None) -> None:
        grid, t, number = self._settings.grid, self._settings.start, 1
        self._limit = self._after_event(t, y)
        while number < len(grid):
            t, y, crossed = self._forward(grid[number:], Reached(t, y, {}), progress is None)
            if halted is not None and halted():
                raise KeyboardInterrupt
            if t >= self._limit or (crossed and self._is_event(crossed)):
                y = self._event(Reached(t, y, crossed))
                if self.failure is not None or self._announced():
                    return
            if self._system.program.choice_table.slots:
                y = self._with_good_states(t, y)
            number += int(grid[number:].searchsorted(t, "right"))
            if t != grid[number - 1]:
                continue
            if self._rows_end() != t:
                self._add(t, y)
            if progress is not None:
                progress(t)

    def _forward(self, outputs: "Array", here: Reached, may_rush: bool) -> Reached:
        """To the first of the output times, or through some that follow, or to an event before."""
        stop, first = self._settings.stop, float(outputs[0])
        goal, limit = min(first, self._limit), min(stop, self._limit)
        if goal - here.t <= CLOSEST * max(abs(here.t), abs(goal)):
            return Reached(goal, here.y, {})
        if not may_rush or self._rusher is None or first >= self._limit:
            return self._go_on(outputs[:1].clip(max=goal), limit, here)
        free = outputs[: min(self._at_once, int(outputs.searchsorted(limit, "left")) + (limit == stop))]
        begin = perf_counter()
        reached = self._go_on(free, limit, here)
        if perf_counter() - begin > PATIENCE:
            self._at_once = max(1, self._at_once // 2)
        elif reached.t == free[-1]:
            self._at_once = min(MOST_AT_ONCE, 2 * self._at_once)
        return reached

    def _rows_end(self) -> float:
        """The time of the last row of all."""
        if len(self._rows):
            return self._rows.last_time
        return next(s.rows.last_time for s in reversed(self.segments) if len(s.rows))

    def _with_good_states(self, t: float, y: "Array") -> "Array":
        """The states, or others where these are chosen badly: the run goes on with them."""
        system, variants = self._system, self._variants
        table = system.program.choice_table
        if not table.slots or variants is None:
            return y
        results = system.choices(t, y)
        if not poor(table, results):
            return y
        values = values_at(system, t, y) | dict(zip(table.values, results.tolist(), strict=False))
        other = variants(values)
        if other[0] is system.executable:
            return y
        self._counts = self.counts()
        self._begin(System(*other, system.past, system.equations))
        self._system.go_on(values, system.held)
        after = self._system.states_of(values)
        self._limit = self._after_event(t, after)
        self._integrate(after, t)
        return after

    def _go_on(self, goals: "Array", limit: float, here: Reached) -> Reached:
        """Through the goals or to the next crossing; where something stays at zero, the solver begins again."""
        integrator = self._integrator
        assert integrator is not None
        for _ in range(MOST_BEGINNINGS):
            try:
                if len(goals) == 1 or self._rusher is None:
                    return integrator.advance(float(goals[0]), limit)
                return self._rusher.through(goals, limit, self._rows, self._system.held)
            except CloseCrossingsError:
                if self._rows.last_time > here.t:
                    here = Reached(self._rows.last_time, self._rows.last_states, {})
                self._after_event(here.t, here.y)
                integrator.restart(here.t, here.y)
                goals = goals[goals > here.t]
            except StuckError as stuck:
                if not self._begins_again(stuck):
                    raise
                integrator.restart(stuck.t, stuck.y)
                goals = goals[goals > stuck.t]
        raise StuckError("what decides the next event stays at zero", here.t, here.y)

    def _begins_again(self, stuck: StuckError) -> bool:
        """Whether a solver that cannot go on from what it has seen may try from where it is, knowing nothing.

        It may, as long as the run advances: a junction that begins to conduct looks like nothing that was before.
        """
        far = stuck.t - self._stuck > PROGRESS * (self._settings.stop - self._settings.start)
        self._stuck = stuck.t
        self._again += 1
        return far and stuck.why == NO_SOLUTION and self._again <= MOST_BEGINNINGS and stuck.t > self._settings.start

    def _is_event(self, crossed: dict[int, int]) -> bool:
        """Whether more than turning points was crossed."""
        return any(i < self._system.program.table.watched for i in crossed)

    def _event(self, reached: Reached) -> "Array":
        """The states after the event; both sides are kept."""
        t, y, crossed = reached
        system, instant = self._system, self._instant
        assert self._integrator is not None
        if self._rows_end() != t:
            self._add(t, y)
        before = system.held.copy()
        system.past.jump(t)
        after = y if instant is None else instant.at(t, y, crossed)
        self._add(t, after)
        if instant is not None:
            changes = instant.changes(before)
            if changes or not system.past.times:
                self.events.append(RunEvent(t, changes))
            self.failure = self._unending.seen(t, before, system.held, crossed)
        self._limit = self._after_event(t, after)
        self._integrator.restart(t, after, 0.0 if instant is None else instant.first_step(t, after))
        return after

    def _after_event(self, t: float, y: "Array") -> float:
        """The time of the next event that is known in advance; crossings at zero begin there."""
        late = self._system.past.next_event(t)
        return late if self._instant is None else min(late, self._instant.leave(t, y))

    def _announced(self) -> bool:
        return self._instant is not None and self._instant.announced is not None

    def stop(self, rows: int) -> Stop | None:
        """What an `assert` or `terminate` in a `when` said, once all rows are there."""
        found = None if self._instant is None else self._instant.announced
        if found is None or rows < sum(len(s.rows) for s in self.segments):
            return None
        return announced(found, rows, self._rows_end())

    def continued(self) -> Iterator[Diagnostic]:
        """Notes on blocks that only the homotopy solved."""
        for segment in self.segments:
            yield from continued(segment.system.program, segment.system.continued)

    def counts(self) -> Counts:
        """The cost of all solvers."""
        if self._integrator is None:
            return self._counts
        before, now = self._counts, self._integrator.counts()
        steps = None if now.steps is None else (before.steps or 0) + now.steps
        return Counts(steps, before.jacobians + now.jacobians, now.matrix)

    def _explain(self, stuck: StuckError) -> Diagnostic | None:
        """Why the solver is stuck: a block or derivative that fails there, else what the solver says."""
        import numpy as np

        system, failed = self._system, self._system.failed_block
        wrong = self._wrong_slope(stuck.t, stuck.y)
        if wrong is not None:
            return wrong
        if failed is not None and failed[1] > stuck.t:
            return system.explain("derivatives", failed[0], failed[1], stuck.y)
        nearly = system.nearly_singular(stuck.t, stuck.y)
        if nearly is not None:
            return nearly
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
            return self._system.explain("derivatives", status, t, y)
        wrong = np.flatnonzero(~np.isfinite(slope))
        if not len(wrong):
            return None
        found = self._system.explain("derivatives", 0, t, y)
        return found or not_finite(self._system.program, t, y, int(wrong[0]))
