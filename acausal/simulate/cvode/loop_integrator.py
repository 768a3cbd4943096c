"""An integrator whose way over output times and events is that of the machine code (`runtime/events/event_loop`)."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from math import nan
from typing import TYPE_CHECKING, Protocol

from acausal.codegen.context_memory import ContextMemory
from acausal.runtime.context import SolverRecord
from acausal.runtime.events.run_parts import RunParts
from acausal.runtime.events.single_steps import NOT_DELAYED
from acausal.simulate.cvode.native_events import NativeEvents
from acausal.simulate.failure.checked import delayed_values
from acausal.simulate.solver.cvode_settings import (
    CLOSE_CROSSINGS,
    NO_SOLUTION,
    ROOT,
    STOPPED,
    TOO_MUCH_WORK,
    WHY,
)
from acausal.simulate.solver.integrator import CloseCrossingsError, Counts, EventBatch, StepResult, StuckError
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

SUCCESS = 0


class SolverInstance(Protocol):
    """The memory of a solver that machine code calls: CVODE, or what stands in its place where there are no states."""

    @property
    def context(self) -> ContextMemory:
        """The `LoopContext`."""
        ...

    @property
    def record(self) -> SolverRecord:
        """Statistics and failures."""
        ...

    @property
    def watched(self) -> "Array":
        """Root functions where it has evaluated them last, and the time."""
        ...

    def can_begin(self, settings: Settings) -> bool:
        """True if it can serve another run with these settings."""
        ...

    def forget_roots(self) -> None:
        """Make it watch root functions again that were zero at last."""
        ...

    def forget_first_step(self) -> None:
        """Machine code may have set another one."""
        ...

    def limit_steps(self, settings: Settings, y: "Array") -> None:
        """Set what depends on settings, parameters and the states with which a run begins."""
        ...

    def reinitialize(self, t: float, y: "Array", first: float) -> None:
        """Begin at other states; `first` is how long the first step may be, 0 where nothing is known."""
        ...

    def solved_until(self) -> float:
        """The time to which blocks are solved that lies between output times; -inf where the states have one."""
        ...

    def states(self) -> "Array":
        """The states where it is."""
        ...

    def crossed(self) -> dict[int, int]:
        """The root functions found zero, and whether they grow (1) or fall (-1)."""
        ...

    def counts(self) -> tuple[int, int]:
        """Steps and Jacobians since the last beginning."""
        ...

    def status_name(self, status: int) -> str:
        """Name of a status."""
        ...


class LoopIntegrator:
    """See `Integrator`; `by_loop` if the loop goes to single times as well, as with delays and without states."""

    matrix_text = ""
    turn: AbstractContextManager[object] = nullcontext()
    """Held while the machine code runs."""

    def __init__(
        self, name: str, instance: SolverInstance, begin: "tuple[System, Array, Settings]", by_loop: bool
    ) -> None:
        self.name = name
        system, y, settings = begin
        self._system, self._instance, self._by_loop = system, instance, by_loop
        self._limit: float | None = None
        self._done = Counts(0, 0)
        self._counted: Counts | None = None
        self._code = system.executable.address("derivatives")
        self._loop = NativeEvents(system, instance.context)
        instance.limit_steps(settings, y)
        if by_loop:
            self._loop.begin(settings, {})
            self._loop.begin_at(settings.start)

    @property
    def is_loop(self) -> bool:
        """True with delays and without states."""
        return self._by_loop

    @property
    def batch(self) -> "LoopIntegrator":
        """The batch integrator: this object."""
        return self

    def begin(self, settings: Settings, y: "Array") -> bool:
        """Begins another run, as if it were the first."""
        if not self._instance.can_begin(settings):
            return False
        self._instance.forget_roots()
        self.take_code()
        self._done = Counts(0, 0)
        self._instance.limit_steps(settings, y)
        if self._by_loop:
            self._loop.begin(settings, {})
        self._loop.begin_run()
        self._begin_at(settings.start, y, 0.0)
        return True

    def take_code(self) -> None:
        """Goes on with code that has been optimized, if there is any: the numbers are the same."""
        code = self._system.executable.address("derivatives")
        if code != self._code:
            self._code = code
            self._instance.context.fill(self._system.take_code())

    def watched(self, t: float) -> "Array | None":
        """The root functions where they were evaluated last."""
        watched = self._instance.watched
        return watched[:-1] if watched[-1] == t else None

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:
        """Begins again."""
        self._done = self.counts()
        self._loop.note(t, self._done.steps)
        self._begin_at(t, y, first)

    def goes_on(self, t: float, limit: float) -> bool:
        """True if no step may have gone beyond the limit."""
        if self._limit is not None and limit < self._limit:
            return False
        self._instance.watched[-1] = nan
        self._loop.note(t)
        return True

    def _begin_at(self, t: float, y: "Array", first: float) -> None:
        self._limit = self._counted = None
        self._instance.watched[-1] = nan
        self._instance.reinitialize(t, y, first)
        if self._by_loop:
            self._loop.begin_at(t)

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        if self._system.program.delays:
            self._system.delays.make_room()
        with self.turn:
            status, here, self._limit = self._loop.advance(t, limit, self._limit)
        reached = self.stopped(status, here)
        return StepResult(reached.t, reached.y, reached.crossed)

    def begin_loop(self, settings: Settings, slopes: "FieldValues | None") -> None:
        """Makes ready for `through`."""
        self._loop.begin(settings, slopes)

    @property
    def parts(self) -> RunParts:
        """The part of a run without events, at whose end it comes back to Python."""
        return self._loop.parts

    def through(
        self, times: "Array", known: float, here: float, rows: Rows, on_events: Callable[[EventBatch], None]
    ) -> StepResult:
        """Rows at these times and on both sides of events on the way; see `BatchIntegrator`."""
        if self._by_loop and self._system.program.delays:
            self._system.delays.make_room()
        with self.turn:
            run = self._loop.run(times, (here, known, rows.last_time, self._limit), rows)
        self._limit = run.solver_limit
        if len(run.events.times):
            self._instance.forget_first_step()
            before = self._done
            self._done = Counts(before.steps + run.steps, before.jacobians + run.jacobians)
        on_events(run.events)
        try:
            return self.stopped(run.status, run.t)
        except CloseCrossingsError:
            raise CloseCrossingsError(StepResult(run.t, self._instance.states(), {})) from None

    def stopped(self, status: int, t: float) -> StepResult:
        """Step result for the status where the machine code stopped, which is one of CVODE's."""
        self._counted = None
        self._take_record()
        instance = self._instance
        if status == CLOSE_CROSSINGS and self._system.program.table.crossings:
            raise CloseCrossingsError
        if status == NOT_DELAYED:
            delayed_values(self._system, t, instance.states())
            raise StuckError(NO_SOLUTION, t, instance.states())
        if status < 0 and status != TOO_MUCH_WORK:
            why = WHY.get(status) or f"CVODE returned {instance.status_name(status)}"
            raise StuckError(why, max(t, instance.solved_until()), instance.states())
        if status == STOPPED:
            self._limit = None
        return StepResult(t, instance.states(), instance.crossed() if status == ROOT else {}, status == SUCCESS)

    def _take_record(self) -> None:
        """Read the record of the machine code, for messages and statistics; what functions of the host have raised."""
        if self._system.inputs is not None:
            self._system.inputs.check()
        self._system.take_record(self._instance.record)

    def counts(self) -> Counts:
        """Steps and Jacobians; solvers count from the last restart."""
        if self._counted is None:
            steps, jacobians = self._instance.counts()
            before = self._done
            self._counted = Counts(before.steps + steps, before.jacobians + jacobians, self.matrix_text)
        return self._counted
