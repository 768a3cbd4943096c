"""Held values of a run: what they become where an event is, and when time alone changes them next."""

from collections.abc import Mapping
from math import floor, inf
from typing import TYPE_CHECKING

from acausal.codegen.event_rules import NEAR
from acausal.ir.program import EventTable, HeldSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_TRUE_ABOVE = {"<": False, "<=": False, ">": True, ">=": True}
_TRUE_AT_ZERO = {"<": False, "<=": True, ">": False, ">=": True}


def holds(relation: str, difference: float) -> bool:
    """Whether `difference relation 0`."""
    if difference == 0.0:
        return _TRUE_AT_ZERO[relation]
    return _TRUE_ABOVE[relation] == (difference > 0.0)


def value_after(slot: HeldSlot, now: float, direction: float) -> float:
    """The held value behind a crossing: the difference, or the argument of a step, has grown or fallen."""
    if slot.kind == "relation":
        return float(_TRUE_ABOVE[slot.relation] == (direction > 0))
    return float(round(now)) if direction > 0 else float(round(now) - 1)


def value_now(slot: HeldSlot, now: float) -> float:
    """The held value as the model's variables have it."""
    return float(holds(slot.relation, now)) if slot.kind == "relation" else float(floor(now))


def side_of(slot: HeldSlot, held: float) -> float:
    """1 or -1: the sign of what crosses, as long as the value is held."""
    if slot.kind == "step":
        return 1.0
    return 1.0 if _TRUE_ABOVE[slot.relation] == bool(held) else -1.0


class Clocks:
    """Events that are known in advance: relations and steps in time alone, and samples."""

    def __init__(self, table: EventTable) -> None:
        self._table = table
        self._slots = [(i, s) for i, s in enumerate(table.held) if s.clock is not None or s.kind == "sample"]

    @property
    def tick(self) -> bool:
        """Whether there are any."""
        return bool(self._slots)

    def next_time(self, t: float, held: "Array", results: "Array") -> float:
        """The time of the next of them, infinite if there is none; `results` are those of `events` at t."""
        return min([self._time(i, slot, t, held, results) for i, slot in self._slots], default=inf)

    def due(self, t: float, held: "Array", results: "Array") -> dict[int, float]:
        """Those whose time is now, with the direction in which they cross; samples with direction 0."""
        margin = NEAR * abs(t)
        found: dict[int, float] = {}
        for i, slot in self._slots:
            if slot.kind == "sample":
                if abs(self._nearest_sample(slot, t, results) - t) <= margin:
                    found[i] = 0.0
            elif abs(self._time(i, slot, t, held, results) - t) <= margin:
                assert slot.clock is not None
                found[i] = 1.0 if results[slot.clock] > 0 else -1.0
        return found

    def _time(self, i: int, slot: HeldSlot, t: float, held: "Array", results: "Array") -> float:
        if slot.kind == "sample":
            first, interval = results[slot.now], results[slot.now + 1]
            if t < first - NEAR * abs(first):
                return float(first)
            done = floor((t - first) / interval * (1 + NEAR) + NEAR) if interval > 0 else inf
            return float(first + interval * (done + 1))
        assert slot.clock is not None
        rate, rest = results[slot.clock], results[slot.clock + 1]
        if rate == 0.0:
            return inf
        if slot.kind == "step":
            return float((held[i] + (rate > 0) - rest) / rate)
        pending = bool(held[i]) != (_TRUE_ABOVE[slot.relation] == (rate > 0))
        return float(-rest / rate) if pending else inf

    @staticmethod
    def _nearest_sample(slot: HeldSlot, t: float, results: "Array") -> float:
        first, interval = results[slot.now], results[slot.now + 1]
        number = round((t - first) / interval) if interval > 0 else 0
        return float(first + interval * max(number, 0))


def directions(table: EventTable, crossed: Mapping[int, int], held: "Array", results: "Array") -> dict[int, float]:
    """Slots whose crossing the solver has located, with the direction in which their difference or argument goes."""
    found: dict[int, float] = {}
    for i, slot in enumerate(table.held):
        if slot.crossing is None or slot.crossing not in crossed:
            continue
        if slot.kind == "relation":
            found[i] = float(crossed[slot.crossing])
        else:
            found[i] = 1.0 if results[slot.now] - held[i] > 0.5 else -1.0
    return found
