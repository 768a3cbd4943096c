"""Events of a run as Python sees them: done one by one, or by machine code in a batch; rows, log and chattering.

What happens at an event, what it has changed and whether its motion is as before is decided by the kernels of
`runtime/events`, also here. Machine code goes through events with CVODE (`runtime/events/event`) and leaves to Python
those that need more than a context: errors that name variables, relations at rest, solvers of SciPy.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.runtime.events.event_outcome import CHANGED, MOVED, UNCHANGED
from acausal.runtime.events.relations.discrete import has_come
from acausal.simulate.rows.event_log import EventLog, changes
from acausal.simulate.rows.run_rows import RunRows
from acausal.simulate.solver.event_iteration import Instant, instant_of
from acausal.simulate.solver.integrator import EventBatch, StepResult
from acausal.simulate.solver.zeno import ChatteringDetection, Seen
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MakeInstant = Callable[[System, Settings, Instant | None], Instant]
"""The events of a system in a run; those of an earlier run may serve again."""


class RunEvents:
    """Events of a run; `limit` is the time of the next one that is known, `failure` is set where events do not end."""

    def __init__(self, system: System, settings: Settings, rows: RunRows, make: MakeInstant | None) -> None:
        self.log = EventLog()
        self.limit = inf
        self.failure: Diagnostic | None = None
        self.instant: Instant | None = None
        self._system, self._settings, self._rows = system, settings, rows
        self._make = make or instant_of
        self._instants: dict[System, Instant] = {}
        self._here: tuple[Instant, float, Array] | None = None
        self._chattering = ChatteringDetection(system.program.table, settings.stop - settings.start)

    def begin(self, system: System, earlier: Instant | None) -> None:
        """The run goes on with a system; `earlier` are the events of an earlier run."""
        self._system, self.instant = system, self._instants.get(system)
        if self.instant is None and system.program.table.frozen:
            self.instant = self._instants[system] = self._make(system, self._settings, earlier)

    def leave(self, t: float, y: "Array") -> float:
        """The time of the next event that is known in advance; crossings at zero begin there."""
        late = self._system.delays.next_event(t)
        self.limit = late if self.instant is None else min(late, self.instant.leave(t, y))
        return self.limit

    def verified(self, reached: StepResult, watched: "Array | None") -> StepResult:
        """With crossings that the solver has not reported: frozen values always agree with their root functions."""
        if watched is None or self.instant is None:
            return reached
        crossed = self.instant.violated(watched)
        return replace(reached, crossed=crossed) if crossed else reached

    def is_due(self, reached: StepResult) -> bool:
        """True if time has come for an event, or more than turning points was crossed."""
        watched = self._system.program.table.watched
        return has_come(self.limit, reached.t) or any(i < watched for i in reached.crossed)

    def treat(self, reached: StepResult) -> "tuple[Array, bool]":
        """The states after the event, and whether the motion is as before; rows of both sides.

        It is none where the interpolation of a solver crosses zero and the motion goes back to the side it was on.
        """
        t, y, rows, system = reached.t, reached.y, self._rows, self._system
        is_new_row = rows.last_time != t
        if is_new_row:
            rows.add(t, y)
        before = system.frozen.copy()
        system.delays.jump(t)
        after, outcome = y, CHANGED if has_come(self.limit, t) else UNCHANGED
        if self.instant is not None:
            after = self.instant.at(t, y, reached.crossed)
            outcome = self.instant.outcome(t, self.limit, (y, before), after)
        if outcome != UNCHANGED:
            rows.add(t, after)
        elif is_new_row:
            rows.current.drop()
        if self.instant is not None:
            self._record(reached, before, outcome)
        self.leave(t, after)
        evaluated = bool(reached.crossed) or not system.program.table.crossings  # all root functions, at the event
        return after, evaluated and outcome != MOVED and system.keeps_motion

    def _record(self, reached: StepResult, before: "Array", outcome: int) -> None:
        """Into the log; `failure` where such events do not end."""
        import numpy as np

        system, t = self._system, reached.t
        table, frozen = system.program.table, np.array([[before, system.frozen]])
        if outcome != UNCHANGED and (not system.delays.times or changes(table, frozen)[0]):
            self.log.add(table, (t,), frozen)
        endless = self._chattering.seen(Seen(t, frozen[0], reached.crossed))
        self.failure = endless if endless is not None and not self._rests() else None

    def _rests(self) -> bool:
        """True if the events that follow each other come from relations at rest; these get a band then."""
        return self.instant is not None and self.instant.rests(self._chattering.forget())

    def note(self, events: EventBatch) -> None:
        """Events that the machine code has done."""
        self.limit = events.limit
        if not len(events.times) or self.instant is None:
            return
        self.instant.note(events)
        table, found = self._system.program.table, events
        if self._system.delays.times:  # what comes through a delay need not change anything
            changed = [bool(words) for words in changes(table, events.frozen)]
            found = EventBatch(events.times[changed], events.frozen[changed], events.roots[changed], events.limit)
        if len(found.times):
            self.log.add(table, found.times, found.frozen)
        self._chattering.add(events)

    def turning(self, t: float, y: "Array") -> None:
        """A root function has a turning point at t."""
        if self.instant is not None:
            self.instant.turning(t, y)

    def first_step(self, t: float, y: "Array") -> float:
        """Upper limit of the solver's first step behind an event; 0 if unknown."""
        return 0.0 if self.instant is None else self.instant.first_step(t, y)

    # ------------------------------------------------------------------ the end

    def reached(self, t: float, y: "Array") -> None:
        """Where the run is, with the events of its system there."""
        self._here = None if self.instant is None else (self.instant, t, y)

    def verify_end(self, is_failed: bool) -> None:
        """No instant of a sample was left before the time that the run has come to, however it ends."""
        if self._here is None:
            return
        instant, t, y = self._here
        try:
            instant.verify_samples(t, y)
        except SimulationError:  # the last states of a run that has failed
            if not is_failed:
                raise
