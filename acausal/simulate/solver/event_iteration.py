"""Events of a run in which Python goes from event to event: `runtime/events/event_iteration` with a system.

Machine code does all events (`native_instant`), but for a first instant with delays; what is out of the ordinary, and
failures that become errors, is done by the same kernels in Python.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.program.slots import AnnouncementSlot, EventTable
from acausal.runtime.context import (
    CONTRADICTORY,
    DONE,
    INCONSISTENT,
    RESTLESS,
    UNREACHABLE,
    EventContext,
)
from acausal.runtime.events.angular_velocity import next_check_at
from acausal.runtime.events.event_iteration import find_next_time, instant
from acausal.runtime.events.event_outcome import event_outcome
from acausal.runtime.events.first_instant import first_instant
from acausal.runtime.events.relations.consistency import is_sample_left
from acausal.runtime.events.relations.evaluate import evaluate_events
from acausal.runtime.events.relations.first_values import find_first_values
from acausal.runtime.events.relations.fixed_point import UNKNOWN
from acausal.runtime.events.root_functions import find_first_step, find_violated, leave
from acausal.simulate.solver.event_context import python_context
from acausal.simulate.solver.event_failures import contradiction, endless_iteration, inconsistent
from acausal.simulate.solver.integrator import EventBatch
from acausal.simulate.solver.unmet_restarts import unmet
from acausal.simulate.system.derivative_inputs import moving_flags
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array
    from acausal.simulate.solver.native_instant import NativeInstant

MOST_SAMPLES = 10_000_000
"""Instants of one sample in a run: each takes about a microsecond and two rows."""
RESOLVED = 1e-11
"""Least interval of a sample as a share of the time: instants are located to a few hundred rounding errors."""


def instant_of(system: System, settings: Settings, earlier: "Instant | None") -> "Instant":
    """The events of a run; those of an `earlier` one of the system with these settings serve again."""
    return (None if earlier is None else earlier.again(settings)) or Instant(system, settings)


class Instant:
    """The events of a run; `frozen` of the system is changed in place.

    `announced` is an `assert` that failed or a `terminate` that held inside a `when` that fired.
    """

    def __init__(self, system: System, settings: Settings) -> None:
        import numpy as np

        self.system = system
        self.table: EventTable = system.program.table
        self.settings = settings
        self._y: Array = np.zeros(len(system.program.state_slots))
        self._context = python_context(system, settings, self._y)
        self._has_samples = any(slot.kind == "sample" for slot in self.table.frozen)
        self._rest: tuple[float, Array] | None = None
        self._native: NativeInstant | None = None

    def again(self, settings: Settings) -> "Instant | None":
        """Itself as it was when it was made; None where another run takes another one."""
        if settings is not self.settings and settings != self.settings:
            return None
        self._context.announced, self._rest = -1, None
        return self

    @property
    def slope_fields(self) -> "FieldValues | None":
        """Fields of `LoopContext` for slopes at events; None where events are not left to machine code."""
        return {}

    def note(self, events: EventBatch) -> None:
        """Events that machine code has done."""

    @property
    def announced(self) -> AnnouncementSlot | None:
        """Announcement that ends the run."""
        number = self._context.announced
        return None if number < 0 else self.table.announcements[number]

    def start(self, t: float) -> "Array":
        """Consistent states and frozen values at the first instant."""
        native = None if self.system.program.delays else self._machine_code()
        found = None if native is None else native.start(t)
        if found is not None:
            self._rest = None
            self._context.results = found[1]
            return found[0]
        if native is not None:
            self.system.forget_branches()
        u, _, m = self.system.arrays
        before = u.copy(), m.copy()
        try:
            return self._run(first_instant, t, {})
        except SimulationError:
            u[:], m[:] = before
            if find_first_values(self._context, t) != DONE:
                raise
            self.system.forget_branches()
        return self._run(first_instant, t, {})

    def at(self, t: float, y: "Array", crossed: Mapping[int, int]) -> "Array":
        """The states after the event at t, where these crossings were located or time has come."""
        native = self._machine_code()
        after = None if native is None else native.at(t, y, crossed)
        if after is not None:
            self._rest = None
            return after
        self._y[:] = y
        return self._run(instant, t, crossed)

    def outcome(self, t: float, limit: float, before: "tuple[Array, Array]", after: "Array") -> int:
        """Outcome of the event at t (`runtime/events/event_outcome`); `before` are states and frozen values."""
        if self._native is not None:
            return self._native.outcome(t, limit, before, after)
        self._y[:] = after
        return event_outcome(self._context, t, limit, *before, self._moves)

    @cached_property
    def _moves(self) -> list[int]:
        return moving_flags(self.system.program)

    def turning(self, t: float, y: "Array") -> None:
        """A root function has a turning point at t: nothing changes."""

    def _machine_code(self) -> "NativeInstant | None":
        if self._native is None and self.system.address("events") is not None:
            from acausal.simulate.solver.native_instant import NativeInstant

            self._native = NativeInstant(self.system, self.settings)
        return self._native

    def leave(self, t: float, y: "Array") -> float:
        """Prepares the crossings for what comes; the time of the next event that is known."""
        context, rest = self._context, self._rest
        anew = rest is None or rest[0] != t or rest[1] is not y
        known = self._native.leave(t, y) if anew and self._native is not None else None
        if known is not None:
            return known
        if anew:
            context.is_ahead = UNKNOWN
            evaluate_events(context, t, y, context.results)
        if leave(context, t, y) == INCONSISTENT:
            raise inconsistent(self.table, context, t)
        find_next_time(context, t, y)
        return context.limit

    def first_step(self, t: float, y: "Array") -> float:
        """Upper limit of the solver's first step; 0 if unknown."""
        found = None if self._native is None else self._native.first_step(t, y)
        if found is not None:
            return found
        find_first_step(self._context, t, y)
        return self._context.first_step

    def begin_checks(self) -> None:
        """The solver begins: nothing is known of sines."""
        self._context.is_checking = 0
        if self._native is not None:
            self._native.begin_checks()

    def next_check(self, t: float, y: "Array", watched: "Array | None") -> float:
        """The time of the next evaluation of sines; `watched` are the root functions at t, where these are known."""
        native, context = self._machine_code(), self._context
        if native is not None:
            return native.next_check(t, y, watched)
        if watched is not None:
            context.watched_values = [*watched.tolist(), t]
        else:
            context.watched_values = [nan] * (context.crossing_count + 1)
        return next_check_at(context, t, y)

    def violated(self, values: "Array") -> dict[int, int]:
        """Root functions that a solver has brought to the other side without a report, with directions."""
        if self._native is not None:
            return self._native.violated(values)
        context, numbers = self._context, values.tolist()
        if not find_violated(context, numbers):
            return {}
        for i in range(context.crossing_count):
            context.roots[i] = 0
        find_violated(context, numbers)
        return {i: context.roots[i] for i in range(context.crossing_count) if context.roots[i]}

    def rests(self, slots: Iterable[int]) -> bool:
        """True if events of these frozen values that follow each other come from relations at rest: they get bands."""
        from acausal.simulate.solver.rest_band import give_bands

        return give_bands(self.system, self._context, slots)

    def verify_samples(self, t: float, y: "Array") -> None:
        """InternalError where an instant of a sample before t, the end of the run, has not fired."""
        if self._has_samples and is_sample_left(self._context, t, y):
            raise inconsistent(self.table, self._context, t)

    def _run(self, iteration: Callable[[EventContext, float], int], t: float, crossed: Mapping[int, int]) -> "Array":
        context = self._context
        for i in range(context.crossing_count):
            context.roots[i] = crossed.get(i, 0)
        context.agrees_later = 0
        status = iteration(context, t)
        if status == CONTRADICTORY:
            raise contradiction(self.system, context, t, self._y)
        if status == RESTLESS:
            raise endless_iteration(self.table, context, t, self._y)
        if status == INCONSISTENT:
            raise inconsistent(self.table, context, t)
        if status == UNREACHABLE:
            raise unmet(t, self.table.restarts, context.results)
        assert status == DONE
        after = self._y.copy()
        self._rest = t, after
        return after

    def limit_samples(self) -> None:
        """SimulationError E016 for a sample with more instants than a run can have; behind the first instant."""
        results, settings = self._context.results, self.settings
        for slot in self.table.frozen:
            if slot.kind != "sample":
                continue
            interval, latest = results[slot.now + 1], max(abs(settings.start), abs(settings.stop))
            span = settings.stop - max(settings.start, results[slot.now])
            if interval < RESOLVED * latest and span >= 0.0:
                message = f"{slot.text} has intervals of {interval:g} s, which are not resolved at t = {latest:g}"
                hint = f"start nearer to time 0, or use intervals longer than {RESOLVED * latest:g} s"
                raise SimulationError(Diagnostic("E016", message, Label(slot.origin.span), help=hint))
            if span > MOST_SAMPLES * interval:
                count = span / interval
                message = f"{slot.text} has {count:.3g} instants up to t = {settings.stop:g}, at most {MOST_SAMPLES:,}"
                hint = "increase the interval, or end the run earlier"
                raise SimulationError(Diagnostic("E016", message, Label(slot.origin.span), help=hint))
