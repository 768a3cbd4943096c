"""Events of a run with slopes.

A parameter moves the time of an event. Before it is treated, slopes are made those of the states at the time of the
event, S + f dt/dp; the program then computes slopes of new values and restarts like these themselves, and behind it
slopes at fixed time are S - f dt/dp with the derivatives f behind the event. This is

    S+ = h_y S- + h_p + (h_y f- + h_t - f+) dt/dp

for a restart y+ = h(t, y-, p). (Galan, Feehery, Barton, Appl. Numer. Math. 31, 1999, pages 17-47.)
"""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.base.frozen import dataclass
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.names import show_name
from acausal.ir.origin import Origin
from acausal.runtime.events.discrete import clock_time, has_come, is_clocked
from acausal.runtime.limits import NEAR
from acausal.simulate.failure.checked import checked
from acausal.simulate.sensitivities.event_time import EventFunctions, size_of
from acausal.simulate.sensitivities.input_rates import InputRates
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SAME = 1e-6
"""Slopes of times of events at one instant that differ by less, relatively, are one."""
ZERO = 1e-10
"""A share of its size: a function that is smaller is at its crossing."""
DEPTH = 10.0
"""A crossing that goes less than so many times the error of the run beyond zero is grazing."""
JUMP = 1e3
"""A relation that is farther than so many times the error of the run from zero has not come there continuously."""
STEP = 1e-6
"""A share of the run over which the rate of a crossing is compared."""


class Cause(NamedTuple):
    """The reason for the time of an event: the slopes of its time, and where it is written."""

    slopes: "Array"
    text: str
    origin: Origin
    number: int = -1
    """Of the frozen value that changes."""


@dataclass(frozen=True, slots=True)
class EventSlope:
    """An event at a time, the slopes of this time by the parameters, and the relations whose crossing it is."""

    time: float
    slopes: "Array"
    texts: tuple[str, ...]


class SlopeInstant(Instant):
    """The events of a run with slopes; `log` takes them as they come, `functions` are inputs without derivative."""

    def __init__(
        self,
        system: System,
        settings: Settings,
        augmented: Augmented,
        log: list[EventSlope],
        functions: Collection[str] = (),
    ) -> None:
        super().__init__(system, settings)
        self._augmented, self._log = augmented, log
        self._unknown = InputRates(augmented, functions)
        self._functions = EventFunctions(system, augmented, self._unknown.places)
        self._seen = system.delays.seen

    def again(self, settings: Settings) -> "Instant | None":  # noqa: ARG002 - as events without slopes
        """Another run has a log of its own."""
        return None

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
            self._move(after, self._rates(t, after), -slopes)
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
            return self._rates(t, y)
        finally:
            delays.seen = seen

    def _rates(self, t: float, y: "Array") -> "Array":
        found = self.system.rates_beside(t, y)
        if found is None:
            checked(self.system, "derivatives", self.system.evaluate("derivatives", t, y), t)
            found = self.system.results("derivatives").copy()
        return found

    # ------------------------------------------------------------ the time of the event

    def _time_slopes(
        self, t: float, y: "Array", rates: "Array", crossed: Mapping[int, int]
    ) -> "tuple[Array, list[Cause]]":
        """dt/dp of the event, and what says when it is."""
        import numpy as np

        functions, events = self._functions, self._augmented.events
        count = self._augmented.places.count
        results = functions.at(t, y)
        moving: Array | None = None
        found: list[Cause] = []
        for i in self._causes(t, results, crossed):
            slot = self._augmented.base.table.frozen[i]
            at = events.now[i]
            if slot.kind == "sample":
                number, interval = self.system.next_sample[i], events.intervals[i]
                of_sample = results[at : at + count] + number * results[interval : interval + count]
                found.append(Cause(of_sample, slot.text, slot.origin))
                continue
            moving = functions.rates(t, y, rates) if moving is None else moving
            if self._has_jumped(t, y, results, i):
                found.append(Cause(np.zeros(count), slot.text, slot.origin, i))
                continue
            self._require_crossing(t, y, rates, moving, i)
            found.append(Cause(self._own(t, results, moving, i), slot.text, slot.origin, i))
        found += self._late(t)
        if not found:
            return np.zeros(count), []
        slopes = found[0].slopes
        for cause in found[1:]:
            if (abs(cause.slopes - slopes) > SAME * (abs(cause.slopes) + abs(slopes))).any():
                raise SimulationError(_simultaneous(t, found[0], cause))
        return slopes, found

    def _own(self, t: float, results: "Array", moving: "Array", i: int) -> "Array":
        """dt/dp where a function crosses zero; SimulationError A020 where a derivative of an input is not known."""
        import numpy as np

        at, count = self._augmented.events.now[i], self._augmented.places.count
        numerator = results[at : at + count]
        if not numerator.any():
            return np.zeros(count)
        if np.isnan(moving[at]):
            self._unknown.refuse(t, self._augmented.base.table.frozen[i])
        found: Array = -numerator / moving[at]
        return found

    def _has_jumped(self, t: float, y: "Array", results: "Array", i: int) -> bool:
        """True for a relation that switches since an input jumps, at a time of its own: it is not at zero."""
        slot, first = self._augmented.base.table.frozen[i], self._augmented.places.first_input
        if slot.kind != "relation" or self._augmented.base.delays or not self._augmented.places.rates:
            return False
        size = size_of(self._functions, t, y, self._augmented.places.states, self._augmented.events.now[i])
        u = self.system.arrays_at(t)[0][first:]
        return bool(abs(results[slot.now]) > JUMP * self.settings.tolerance * (size + abs(u).max()))

    def _require_alone(self, here: "tuple[float, Array, Array, Array]", slopes: "Array", causes: list[Cause]) -> None:
        """SimulationError A022 where a relation has changed that was at its crossing, too, and moves otherwise."""
        t, y, rates, before = here
        system, table, known = self.system, self._augmented.base.table, [cause.number for cause in causes]
        n = self._augmented.places.states
        changed = [i for i, slot in enumerate(table.frozen) if slot.crossing is not None and i not in known]
        changed = [i for i in changed if system.frozen[i] != before[i]]
        if not changed:
            return
        after = system.frozen.copy()
        system.frozen[:] = before
        results, moving = self._functions.at(t, y), self._functions.rates(t, y, rates)
        sizes = [size_of(self._functions, t, y, n, self._augmented.events.now[i]) for i in changed]
        system.frozen[:] = after
        for i, size in zip(changed, sizes, strict=True):
            slot, at = table.frozen[i], self._augmented.events.now[i]
            if abs(results[slot.now]) > ZERO * size or not moving[at]:
                continue
            own = self._own(t, results, moving, i)
            if (abs(own - slopes) > SAME * (abs(own) + abs(slopes))).any():
                other = Cause(own, slot.text, slot.origin, i)
                raise SimulationError(_simultaneous(t, causes[0] if causes else other, other))

    def _causes(self, t: float, results: "Array", crossed: Mapping[int, int]) -> list[int]:
        """Frozen values whose crossing was located, or whose time has come."""
        context, slots = self._context, self._augmented.base.table.frozen
        context.results = results.tolist()
        located = [i for i, slot in enumerate(slots) if slot.crossing is not None and slot.crossing in crossed]
        timed = [i for i in range(len(slots)) if is_clocked(context, i) and has_come(clock_time(context, i), t)]
        return located + timed

    def _late(self, t: float) -> list[Cause]:
        """Earlier events that come through a delay at this time: they move with it, and with its length."""
        import numpy as np

        system, places, delays = self.system, self._augmented.places, self._augmented.base.delays
        p, found = system.arrays[1], []
        breaks = [(self.settings.start, np.zeros(places.count)), *[(e.time, e.slopes) for e in self._log]]
        for k, slot in enumerate(delays):
            length = system.delays.times[k]
            at = self._length_place(k)
            own = [places.parameters.get((at, c)) if at is not None else None for c in range(places.count)]
            moved = np.array([0.0 if place is None else p[place] for place in own])
            for time, slopes in breaks:
                if abs(time + length - t) <= NEAR * max(abs(t), abs(self.settings.stop)):
                    found.append(Cause(slopes + moved, show_name(slot.name), slot.origin))
        return found

    def _length_place(self, number: int) -> int | None:
        base, places = self._augmented.base, self._augmented.places
        first = len(base.table.frozen) + places.shift
        at = [first + i for i, symbol in enumerate(base.input_slots) if symbol[0] == base.delays[number].name]
        return next((places.lengths[i] for i in at if i in places.lengths), None)

    def turning(self, t: float, y: "Array") -> None:
        """SimulationError A021 where a relation is at zero, but for the error of the run: it is nearly crossed."""
        functions, events = self._functions, self._augmented.events
        results, rates = functions.at(t, y), self._rates(t, y)
        moving = functions.rates(t, y, rates)
        n, span = self._augmented.places.states, self.settings.stop - self.settings.start
        for i, slot in enumerate(self._augmented.base.table.frozen):
            if slot.crossing is None or slot.kind != "relation":
                continue
            near = DEPTH * self.settings.tolerance * size_of(functions, t, y, n, events.now[i])
            if abs(results[slot.now]) <= near and abs(moving[events.now[i]]) * STEP * span <= near:
                raise SimulationError(_grazing(t, Cause(rates, slot.text, slot.origin)))

    def _require_crossing(self, t: float, y: "Array", rates: "Array", moving: "Array", i: int) -> None:
        """SimulationError A021 for a crossing that is nearly none: its time has no derivative there."""
        base, functions, n = self._augmented.base, self._functions, self._augmented.places.states
        slot, at = base.table.frozen[i], self._augmented.events.now[i]
        rate = float(moving[at])
        span = STEP * (self.settings.stop - self.settings.start)
        before = y.copy()
        before[:n] -= span * rates[:n]
        second = (rate - float(functions.rates(t - span, before, self._rates(t - span, before))[at])) / span
        size = size_of(functions, t, y, n, at)
        depth = abs(rate) * (self.settings.stop - self.settings.start)
        if second:
            depth = min(depth, rate * rate / abs(2.0 * second))
        if depth <= DEPTH * self.settings.tolerance * size:
            raise SimulationError(_grazing(t, Cause(rates, slot.text, slot.origin)))


def _grazing(t: float, cause: Cause) -> Diagnostic:
    message = f"at t = {t:.10g} the crossing of {cause.text} is grazing: its time has no derivative by parameters"
    hint = "choose parameters for which the crossing is clearly made or clearly missed"
    return Diagnostic("A021", message, Label(cause.origin.span, "crosses here"), help=hint)


def _simultaneous(t: float, first: Cause, second: Cause) -> Diagnostic:
    message = (
        f"at t = {t:.10g} {first.text or 'an event'} and {second.text or 'another event'} switch at the same time, and "
        "parameters move them apart: there is no derivative by parameters"
    )
    labels = Label(first.origin.span, "one of them"), Label(second.origin.span, "the other one")
    hint = "change a parameter a little, so that one event comes first"
    return Diagnostic("A022", message, labels[0], (labels[1],), help=hint)
