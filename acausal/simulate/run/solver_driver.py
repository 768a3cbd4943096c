"""A solver between events: through the output times, and begun again where it is stuck but need not be."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.runtime.limits import CLOSEST
from acausal.simulate.run.choose_solver import make_integrator
from acausal.simulate.run.initial_cache import InitialState
from acausal.simulate.run.method_choice import MethodChoice, adams_tolerance, may_choose
from acausal.simulate.run.solver_pool import RunContext
from acausal.simulate.run.stuck_restarts import StuckRestarts
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.solver.integrator import (
    BatchIntegrator,
    CloseCrossingsError,
    Counts,
    EventBatch,
    Integrator,
    StepResult,
    StuckError,
)
from acausal.simulate.solver.scipy_solvers.stuck_steps import MOST_RESTARTS
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import longest_step, longest_step_until
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

AT_ONCE, MOST_AT_ONCE = 64, 4096
"""So many output times are gone through in one call, at first and at most."""
PATIENCE = 0.02
"""Seconds of a call after which fewer are taken: only between calls Python sees whether the user wants to stop."""


class Driver:
    """The solver of a run; another one after each change of states.

    `leave` prepares the crossings for what comes after a time and states, and returns the next event that is known;
    `on_events` is called with events that the machine code has done.
    """

    def __init__(
        self,
        settings: Settings,
        leave: Callable[[float, "Array"], float],
        on_events: Callable[[EventBatch], None],
        context: RunContext | None = None,
    ) -> None:
        self.solver = "none"
        self.tolerance = settings.tolerance
        """Tolerance of the present method."""
        self._settings = settings
        self._leave, self._on_events = leave, on_events
        self._known = float("inf")
        self._instant: Instant | None = None
        self._integrator: Integrator | None = None
        self._batch: BatchIntegrator | None = None
        self._watching = False
        self._context = context
        self._made: dict[tuple[System, str], Integrator] = {}
        self._method: MethodChoice | None = None
        self._at_once = context.at_once if context else AT_ONCE
        self._restarts = StuckRestarts(settings)

    def begin(self, system: System, instant: Instant | None, rows: Rows, t: float, y: "Array") -> None:
        """A solver for this system with its events, which fills these rows, from y at t on."""
        self._rows, self._system, self._instant = rows, system, instant
        self._begun, self._counted, self._calls = t, system.rhs_calls, 0
        self._longest, self._unlimited = longest_step(system, t), longest_step_until(system, t)
        system.branches.point_by_steps(False)  # the solver of this run says otherwise if it reports them
        integrator = self._take(self._settings.solver, t, y)
        is_free = integrator.name == "cvode" and may_choose(system.program, self._settings)
        self._method = MethodChoice(system, self._settings, self._batch.parts) if is_free and self._batch else None
        self._watching = bool(system.program.table.crossings)
        table = system.program.table
        has_phases = (table.phase is not None or bool(table.angles)) and not integrator.is_loop
        self._checks = instant if has_phases else None
        self._begin_checks()

    def _take(self, name: str, t: float, y: "Array") -> Integrator:
        """The solver of this name for the system, which begins here."""
        key, settings = (self._system, name), self._settings
        if name != settings.solver:
            settings = replace(settings, solver=name, tolerance=adams_tolerance(settings.tolerance))
        self.tolerance = settings.tolerance
        integrator = self._made.get(key)
        if integrator is not None:
            integrator.restart(t, y)
        else:
            settings = settings if t == settings.start else replace(settings, start=t)
            integrator = self._again_used(self._system, settings, y) or make_integrator(self._system, y, settings)
            self.solver = integrator.name if not self._made or self._method is None else f"cvode, {integrator.name}"
        self._integrator = self._made[key] = integrator
        self._batch = integrator.batch
        if self._batch is not None:
            self._batch.begin_loop(self._settings, {} if self._instant is None else self._instant.slope_fields)
        return integrator

    def _choose_method(self, method: MethodChoice, reached: StepResult) -> None:
        """Goes on with the method that serves best from here on."""
        before, steps = method.name, self.counts().steps
        name = method.choose(reached.t, reached.y, steps)
        if name != before:
            self._take(self._settings.solver if name == "cvode" else name, reached.t, reached.y)

    def _again_used(self, system: System, settings: Settings, y: "Array") -> Integrator | None:
        """The solver of an earlier run of this system, at its start."""
        context, self._context = self._context, None
        if context is None or context.solver is None or context.system is not system:
            return None
        return context.solver if context.solver.begin(settings, y) else None

    def leaves(self, system: System, instant: Instant | None, initial_state: InitialState | None) -> RunContext:
        """Run context for another run of this system, which has been the only one."""
        solver = next(iter(self._made.values())).batch if self._made else None
        return RunContext(system, solver, self._rows, instant, initial_state, self._at_once)

    def restart(self, t: float, y: "Array", first: float) -> None:
        """Goes on from other states; see `Integrator`."""
        assert self._integrator is not None
        self._integrator.restart(t, y, first)
        self._begin_checks()
        self._longest, self._unlimited = longest_step(self._system, t), longest_step_until(self._system, t)

    def _begin_checks(self) -> None:
        if self._checks is not None:
            self._checks.begin_checks()

    def watched(self, t: float) -> "Array | None":
        """See `Integrator`."""
        assert self._integrator is not None
        return self._integrator.watched(t) if self._watching else None

    def goes_on(self, t: float, known: float) -> bool:
        """True if the solver goes on from an event that left the motion as it was; `known` is as in `forward`."""
        assert self._integrator is not None
        return self._integrator.goes_on(t, min(self._settings.stop, known))

    def forward(self, outputs: "Array", known: float, here: StepResult) -> StepResult:
        """To the first of the output times, or through some that follow, or to an event before.

        `known` is the time of the next event that is known in advance.
        """
        assert self._integrator is not None
        if here.t >= self._unlimited:
            self.restart(here.t, here.y, self._first_step(here.t))
        first = float(outputs[0])
        goal, self._known = min(first, known, self._unlimited), known
        if not self._integrator.is_loop and goal - here.t <= CLOSEST * max(abs(here.t), abs(goal)):
            return StepResult(goal, here.y, {})
        if self._batch is None or self._unlimited < self._settings.stop:
            if self._checks is not None:
                goal = min(goal, self._checks.next_check(here.t, here.y, self.watched(here.t)))
            return self._go_on(outputs[:1].clip(max=goal), here, self._one)
        begin, free, method = perf_counter(), outputs[: self._at_once], self._method
        free = free if method is None else method.within(free)
        reached = self._go_on(free, here, self._many)
        self._expect_calls(reached.t)
        patient = PATIENCE / (perf_counter() - begin)
        if patient < 1.0 or reached.t == free[-1]:
            self._at_once = max(1, min(MOST_AT_ONCE, int(patient * len(free))))
        if method is not None and method.is_due(reached.t, free):
            self._choose_method(method, reached)
        return reached

    def _expect_calls(self, t: float) -> None:
        """Have the code optimized where that pays for the calls that are to come, by those up to t."""
        assert self._batch is not None
        done = self._system.rhs_calls - self._counted
        self._counted += done
        self._calls += done
        past = t - self._begun
        ahead = self._calls * (self._settings.stop - t) / past if past > 0.0 else 0.0
        if self._system.executable.expect(done, ahead):
            self._batch.take_code()

    def _first_step(self, t: float) -> float:
        """The longest step up to now, or from now on if that is shorter: the next output time has no part in it."""
        longest = min(self._longest, longest_step(self._system, t))
        return longest if longest < inf else 0.0

    def _one(self, goals: "Array", here: StepResult) -> StepResult:  # noqa: ARG002 - the solver knows where it is
        assert self._integrator is not None
        return self._integrator.advance(float(goals[0]), self._limit)

    def _many(self, goals: "Array", here: StepResult) -> StepResult:
        assert self._batch is not None
        return self._batch.through(goals, self._known, here.t, self._rows, self._take_events)

    @property
    def _limit(self) -> float:
        """The solver does not go beyond."""
        return min(self._settings.stop, self._known)

    def _take_events(self, events: EventBatch) -> None:
        self._known = events.limit
        self._on_events(events)

    def _go_on(self, goals: "Array", here: StepResult, way: Callable[["Array", StepResult], StepResult]) -> StepResult:
        """Through the goals or to the next crossing; where something stays at zero, the solver begins again."""
        integrator, rows = self._integrator, self._rows
        assert integrator is not None
        beginnings, first = 0, None
        while beginnings < MOST_RESTARTS:
            beginnings += 1
            try:
                return way(goals, here)
            except CloseCrossingsError as close:
                if close.here is not None:
                    beginnings = beginnings if close.here.t <= here.t else 0  # it has come over events since
                    here = close.here
                elif len(rows) and rows.last_time > here.t:
                    here = StepResult(rows.last_time, rows.last_states, {})
                self._known = self._leave(here.t, here.y)
                integrator.restart(here.t, here.y)
                self._begin_checks()
                goals = goals[goals > here.t]
            except StuckError as error:
                stuck = error
                if stuck.t <= here.t:  # CVODE takes its prediction back: what is left beside a huge one is rounding
                    stuck = StuckError(error.why if first is None else first.why, here.t, here.y)
                if not self._restarts.may_begin_again(self._system, stuck):
                    raise stuck from None
                first = stuck
                here = StepResult(stuck.t, stuck.y, {})
                integrator.restart(stuck.t, stuck.y)
                self._begin_checks()
                goals = goals[goals > stuck.t]
        raise StuckError("the root function of the next event stays at zero", here.t, here.y)

    @property
    def steps(self) -> int:
        """Steps of the run."""
        return self.counts().steps

    def counts(self) -> Counts:
        """The cost of all solvers of the run."""
        if self._integrator is None:
            return Counts(0, 0)
        now = self._integrator.counts()
        return now if len(self._made) == 1 else now.with_all([one.counts() for one in self._made.values()])
