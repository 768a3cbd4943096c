"""Events of a run with slopes.

A parameter moves the time of an event. Before it is treated, slopes are made those of the states at the time of the
event, S + f dt/dp; the program then computes slopes of new values and restarts like these themselves, and behind it
slopes at fixed time are S - f dt/dp with the derivatives f behind the event. This is

    S+ = h_y S- + h_p + (h_y f- + h_t - f+) dt/dp

for a restart y+ = h(t, y-, p). Machine code does what is ordinary (`runtime/events/slope_event`).
(Galan, Feehery, Barton, Appl. Numer. Math. 31, 1999, pages 17-47.)
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.names import Symbol
from acausal.runtime.events.relations.discrete import clock_time, has_come, is_clocked
from acausal.runtime.events.slope_event import SAME, ZERO
from acausal.simulate.sensitivities.causes import Cause, EventSlope, simultaneous
from acausal.simulate.sensitivities.crossings import Crossings
from acausal.simulate.sensitivities.input_rates import InputRates
from acausal.simulate.sensitivities.late_events import late_causes
from acausal.simulate.sensitivities.native_slopes import NativeSlopes, may_be_native
from acausal.simulate.sensitivities.restart_slopes import RestartSlopes
from acausal.simulate.sensitivities.run_ends import RunEnds
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.solver.integrator import EventBatch
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array


class SlopeInstant(Instant):
    """The events of a run with slopes of the `asked` variables; `log` takes them as they come.

    `functions` are inputs without derivative.
    """

    def __init__(
        self,
        system: System,
        settings: Settings,
        augmented: Augmented,
        log: list[EventSlope],
        functions: Collection[str] = (),
        asked: Collection[Symbol] = (),
    ) -> None:
        super().__init__(system, settings)
        self._augmented, self._log = augmented, log
        self._unknown = InputRates(augmented, functions)
        self._crossings = Crossings(system, settings, augmented, self._unknown)
        self._ends = RunEnds(system, settings, augmented, self._crossings, asked)
        self._seen = system.delays.seen
        self._machine = NativeSlopes(settings, augmented) if may_be_native(augmented) else None
        if augmented.events.restarts:
            self._context.restart_others = RestartSlopes(augmented, self._crossings.functions, self._context)

    @property
    def slope_fields(self) -> "FieldValues | None":
        """None where events are done here."""
        return None if self._machine is None else self._machine.fields

    def note(self, events: EventBatch) -> None:
        """Into the log."""
        if self._machine is not None:
            self._log += self._machine.events(events)

    def with_log(self, log: list[EventSlope]) -> "SlopeInstant":
        """Itself for another run, whose events go into this log."""
        self._log = log
        return self

    def start(self, t: float) -> "Array":
        """The first instant; SimulationError A021 for an event there that parameters move."""
        y = super().start(t)
        self._ends.require_none(t, y, is_start=True)
        return y

    def verify_samples(self, t: float, y: "Array") -> None:
        """As of every run; SimulationError A021 for an event at its end that parameters move."""
        super().verify_samples(t, y)
        if t == self.settings.stop:
            self._ends.require_none(t, y, is_start=False)

    def leave(self, t: float, y: "Array") -> float:
        """Prepares the crossings for what comes; the time of the next event that is known."""
        self._seen = self.system.delays.seen
        return super().leave(t, y)

    def at(self, t: float, y: "Array", crossed: Mapping[int, int]) -> "Array":
        """The states after the event at t, where these crossings were located or time has come."""
        system, places = self.system, self._augmented.places
        n, count, time = places.states, places.count, places.time
        assert time is not None
        rates = self._rates_before(t, y)
        slopes, causes = self._time_slopes(t, y, rates, crossed)
        if slopes.any():
            self._unknown.require_values(t)
        moved, before = y.copy(), system.frozen.copy()
        self._move(moved, rates, slopes)
        system.frozen[time : time + count] = slopes
        after = super().at(t, moved, crossed).copy()
        system.frozen[time : time + count] = 0.0
        if slopes.any():
            self._move(after, self._crossings.rates(t, after), -slopes)
        assert len(after) == n * (1 + count)
        self._require_alone((t, y, rates, before), slopes, causes)
        texts = tuple(dict.fromkeys([cause.text for cause in causes if cause.text]))
        self._log.append(EventSlope(t, slopes, texts))
        return after

    def _move(self, y: "Array", rates: "Array", slopes: "Array") -> None:
        """Slopes at the time of an event, or back, in place."""
        n = self._augmented.places.states
        for k, slope in enumerate(slopes.tolist()):
            y[n * (1 + k) : n * (2 + k)] += rates[:n] * slope

    def _rates_before(self, t: float, y: "Array") -> "Array":
        """Derivatives before the event, also before what comes through a delay at this time."""
        delays = self.system.delays
        seen, delays.seen = delays.seen, self._seen
        try:
            return self._crossings.rates(t, y)
        finally:
            delays.seen = seen

    # ------------------------------------------------------------ the time of the event

    def _time_slopes(
        self, t: float, y: "Array", rates: "Array", crossed: Mapping[int, int]
    ) -> "tuple[Array, list[Cause]]":
        """dt/dp of the event, and what says when it is."""
        import numpy as np

        functions, events = self._crossings.functions, self._augmented.events
        count = self._augmented.places.count
        results = functions.at(t, y)
        moving: Array | None = None
        found: list[Cause] = []
        late = late_causes(self.system, self.settings, self._augmented, self._log, t)
        for i in self._causes(t, results, crossed):
            slot = self._augmented.base.table.frozen[i]
            at = events.now[i]
            if slot.kind == "sample":
                number, interval = self.system.next_sample[i], events.intervals[i]
                of_sample = results[at : at + count] + number * results[interval : interval + count]
                found.append(Cause(of_sample, slot.text, slot.origin))
                continue
            moving = functions.rates(t, y, rates) if moving is None else moving
            if self._crossings.has_jumped(t, y, results, moving, i):
                found += [] if late else [Cause(np.zeros(count), slot.text, slot.origin, i)]
                continue
            self._crossings.require_crossing(t, y, rates, moving, i)
            found.append(Cause(self._crossings.slopes(t, results, moving, i), slot.text, slot.origin, i))
        found += late
        if not found:
            return np.zeros(count), []
        slopes = found[0].slopes
        for cause in found[1:]:
            if (abs(cause.slopes - slopes) > SAME * (abs(cause.slopes) + abs(slopes))).any():
                raise SimulationError(simultaneous(t, found[0], cause))
        return slopes, found

    def _require_alone(self, here: "tuple[float, Array, Array, Array]", slopes: "Array", causes: list[Cause]) -> None:
        """SimulationError A022 where a relation has changed that was at its crossing, too, and moves otherwise."""
        t, y, rates, before = here
        system, table, known = self.system, self._augmented.base.table, [cause.number for cause in causes]
        changed = [i for i, slot in enumerate(table.frozen) if slot.crossing is not None and i not in known]
        changed = [i for i in changed if system.frozen[i] != before[i]]
        if not changed:
            return
        after = system.frozen.copy()
        system.frozen[:] = before
        results, moving = self._crossings.functions.at(t, y), self._crossings.functions.rates(t, y, rates)
        sizes = [self._crossings.size(t, y, i) for i in changed]
        system.frozen[:] = after
        for i, size in zip(changed, sizes, strict=True):
            slot, at = table.frozen[i], self._augmented.events.now[i]
            if abs(results[slot.now]) > ZERO * size or not moving[at]:
                continue
            own = self._crossings.slopes(t, results, moving, i)
            if (abs(own - slopes) > SAME * (abs(own) + abs(slopes))).any():
                other = Cause(own, slot.text, slot.origin, i)
                raise SimulationError(simultaneous(t, causes[0] if causes else other, other))

    def _causes(self, t: float, results: "Array", crossed: Mapping[int, int]) -> list[int]:
        """Frozen values whose crossing was located, or whose time has come."""
        context, slots = self._context, self._augmented.base.table.frozen
        context.results = results.tolist()
        located = [i for i, slot in enumerate(slots) if slot.crossing is not None and slot.crossing in crossed]
        timed = [i for i in range(len(slots)) if is_clocked(context, i) and has_come(clock_time(context, i), t)]
        return located + timed

    def turning(self, t: float, y: "Array") -> None:
        """SimulationError A021 where a relation is at zero, but for the error of the run: it is nearly crossed."""
        self._crossings.require_none_grazing(t, y)
