"""Events exactly where a run begins or ends: a parameter moves them into the run, or out of it.

What the run computes is the derivative from one side only. A relation whose sides are equal there has none with
respect to a parameter that moves them apart, if it matters on which side of it the run is (`relation_sides`).
Where the sides stay equal there is no event.
"""

from collections.abc import Collection
from math import isnan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.codegen.tangent.sensitivities.augment import Augmented
from acausal.ir.names import Symbol
from acausal.ir.program.slots import FrozenSlot
from acausal.runtime.events.slope_event import ZERO
from acausal.runtime.events.slope_functions import DEPTH, STEP
from acausal.simulate.sensitivities.crossings import Crossings
from acausal.simulate.sensitivities.relation_sides import AFTER, BEFORE, EQUAL, RelationSides, jumps
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

BESIDE = 1e-9
"""A share of the run, before and after which slopes are compared."""


class RunEnds:
    """The relations of a system at the ends of its runs; `asked` are the variables whose slopes are asked for."""

    def __init__(
        self, system: System, settings: Settings, augmented: Augmented, crossings: Crossings, asked: Collection[Symbol]
    ) -> None:
        self._system, self._settings, self._augmented, self._crossings = system, settings, augmented, crossings
        slots = [slot for slot in augmented.base.variable_slots if slot.symbol in asked and slot.type == "real"]
        slopes = [slot for row in augmented.outputs for slot in row]
        self._values = [slot.position for slot in slots if slot.kind == "stored"]
        self._slopes = [slot.position for slot in slopes if slot.kind == "stored"]
        self._sides: RelationSides | None = None

    def require_none(self, t: float, y: "Array", *, is_start: bool) -> None:
        """SimulationError A021 for an event at t, the start or the end of the run, that parameters move."""
        results = self._crossings.functions.at(t, y)
        moved = [i for i in self._augmented.events.now if self._is_moved(i, results)]
        if not moved:
            return
        rates = self._crossings.rates(t, y)
        moving = self._crossings.functions.rates(t, y, rates)
        for i in moved:
            slot, now = self._augmented.base.table.frozen[i], self._augmented.events.now
            if slot.kind == "sample":
                if self._is_sample(t, i, results):
                    raise SimulationError(at_end(t, slot, is_start=is_start))
                continue
            rate = float(moving[now[i]])
            if isnan(rate) or not self._is_equal((t, y, rates), i, float(results[slot.now]), rate, is_start):
                continue
            equal = {j: float(moving[now[j]]) for j in moved if self._is_same(i, j, results, moving)}
            own = self._crossings.slopes(t, results, moving, i) if rate else None
            shift = -float(results[slot.now]) / rate if rate else 0.0
            there = t + shift, self._moved(y, shift, rates[: self._augmented.places.states])
            if self._matters(there, equal, i, own, is_start=is_start):
                raise SimulationError(at_end(t, slot, is_start=is_start))

    def _matters(
        self, here: "tuple[float, Array]", equal: dict[int, float], number: int, own: "Array | None", *, is_start: bool
    ) -> bool:
        """True if a number that is asked for is another one on the other side, where sides are equal.

        Behind the start the states are, too, if their derivatives jump; at the end only what is asked for counts, and
        its slopes, which an event changes by the slopes `own` of its time.
        """
        sides = self._sides = self._sides or RelationSides(self._system, self._augmented.base)
        (t, y), places, span = here, self._augmented.places, self._settings.stop - self._settings.start
        before, after = sides.at(t, y, equal, BEFORE), sides.at(t, y, equal, AFTER)
        if before is None or after is None:
            return False
        if jumps(before.stored[self._values], after.stored[self._values]) or sides.decides(before, after, equal):
            return True
        if is_start or own is None:
            return jumps(before.rates, after.rates)
        change = before.rates - after.rates
        is_after = self._system.frozen[number] == sides.frozen(number, equal.get(number, 0.0), AFTER)
        first, second = y.copy(), y.copy()
        other, sign = (first, -1.0) if is_after else (second, 1.0)
        for k, slope in enumerate(own.tolist()):
            other[places.states * (1 + k) : places.states * (2 + k)] += sign * slope * change
        step = BESIDE * span
        beside = (
            sides.at(t - step, self._moved(first, -step, before.rates), equal, BEFORE),
            sides.at(t + step, self._moved(second, step, after.rates), equal, AFTER),
        )
        slopes = [numbers.stored[self._slopes] for numbers in beside if numbers is not None]
        return len(slopes) == len(beside) and jumps(slopes[0], slopes[1], EQUAL)

    def _moved(self, y: "Array", step: float, rates: "Array") -> "Array":
        moved = y.copy()
        moved[: len(rates)] += step * rates
        return moved

    def _is_moved(self, number: int, results: "Array") -> bool:
        """True for a relation or sample whose time may depend on the parameters."""
        events, count = self._augmented.events, self._augmented.places.count
        kind, at = self._augmented.base.table.frozen[number].kind, events.now[number]
        interval = events.intervals.get(number, at)
        found = results[at : at + count].any() or results[interval : interval + count].any()
        return kind in ("relation", "sample") and bool(found)

    def _is_same(self, i: int, j: int, results: "Array", moving: "Array") -> bool:
        """True for the relation itself, and others of the same sides."""
        slots, now = self._augmented.base.table.frozen, self._augmented.events.now
        if slots[j].kind != "relation" or slots[j].relation in ("==", "<>"):
            return False
        sides = [(abs(float(results[slots[k].now])), abs(float(moving[now[k]]))) for k in (i, j)]
        return sides[0] == sides[1]

    def _is_sample(self, t: float, i: int, results: "Array") -> bool:
        """True if an instant of a sample is at t, and moves."""
        events, count, now = (
            self._augmented.events,
            self._augmented.places.count,
            self._augmented.base.table.frozen[i].now,
        )
        first, interval = (float(x) for x in results[now : now + 2])
        number = max(round((t - first) / interval), 0) if interval > 0 else 0
        near = ZERO * max(abs(t), self._settings.stop - self._settings.start)
        start, each = (results[at : at + count] for at in (events.now[i], events.intervals[i]))
        return abs(first + number * interval - t) <= near and bool((start + number * each).any())

    def _is_equal(
        self, here: "tuple[float, Array, Array]", number: int, value: float, rate: float, is_start: bool
    ) -> bool:
        """True if the sides are equal, but for the error of the run, and do not stay so."""
        t, y, rates = here
        span = self._settings.stop - self._settings.start
        size = self._crossings.size(t, y, number)
        near = ZERO * (size + abs(rate) * span)
        near += 0.0 if is_start else DEPTH * self._settings.tolerance * size
        if abs(value) > near:
            return False
        if abs(rate) * span > near:
            return True
        step = STEP * span if is_start else -STEP * span
        beside = self._moved(y, step, rates[: self._augmented.places.states])
        other = self._crossings.functions.rates(t + step, beside, self._crossings.rates(t + step, beside))
        return abs(float(other[self._augmented.events.now[number]]) - rate) * span > STEP * near


def at_end(t: float, slot: FrozenSlot, *, is_start: bool) -> Diagnostic:
    """A021."""
    where, other = ("start", "another start") if is_start else ("end", "another stop")
    message = (
        f"at t = {t:.10g}, the {where} of the run, {slot.text or 'an event'} switches: a small change of the "
        "parameters moves this event into the run or out of it, so that no derivative exists"
    )
    hint = f"choose {other}, or other parameters, so that the event is clearly within the run or outside of it"
    return Diagnostic("A021", message, Label(slot.origin.span, "switches here"), help=hint)
