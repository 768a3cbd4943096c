"""Relations at an event: to a fixed point with the variables, and where they are heading.

Where settling all relations at once goes in circles, only the first of those that disagree is
changed (the least index rule of Murty, Math. Programming 7 (1974)): switches and diodes in
networks, which form a linear complementarity problem, then come to rest.
"""

from collections.abc import Iterable
from math import floor, inf
from typing import TYPE_CHECKING

from acausal.codegen.event_rules import (
    AHEAD,
    ALL_AT_ONCE,
    ASIDE,
    LEAST,
    MOST_SETTLING,
    SEEN,
    SHARE_OF_FLIGHT,
    SHORT,
    UNCHANGED,
)
from acausal.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.program import HeldSlot
from acausal.simulate.held import side_of, value_after, value_now
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Settling:
    """The relations and steps of a run; `held` of the system is changed in place."""

    def __init__(self, system: System, span: float) -> None:
        self.system = system
        self._ahead = AHEAD * span
        self.slots = [(i, s) for i, s in enumerate(system.program.table.held) if s.kind in ("relation", "step")]
        self._located: dict[int, tuple[float, float]] = {}

    def locate(self, t: float, y: "Array", found: dict[int, float]) -> None:
        """Held values go behind the crossings that were located."""
        if not found:
            self._located = {}
            return
        results, table = self.system.events(t, y), self.system.program.table
        self._located = {i: (d, float(results[table.held[i].now])) for i, d in found.items()}
        for i, (direction, now) in self._located.items():
            self.system.held[i] = value_after(table.held[i], now, direction)

    def settle(self, t: float, y: "Array") -> "Array":
        """Relations to a fixed point; the results of `events` there. SimulationError E013 where there is none."""
        held = self.system.held
        seen: set[bytes] = set()
        for number in range(MOST_SETTLING):
            results = self.system.events(t, y)
            wrong = [(i, slot, v) for i, slot in self.slots if (v := self._value(i, slot, t, y, results)) != held[i]]
            if not wrong:
                return results
            one_by_one = number >= ALL_AT_ONCE
            for i, _, value in wrong[:1] if one_by_one else wrong:
                held[i] = value
            if one_by_one:
                if held.tobytes() in seen:
                    raise self.contradiction(t, y, [(i, s) for i, s, _ in wrong])
                seen.add(held.tobytes())
        raise self.contradiction(t, y, [(i, s) for i, s, _ in wrong])

    def _value(self, i: int, slot: HeldSlot, t: float, y: "Array", results: "Array") -> float:
        now = float(results[slot.now])
        located = self._located.get(i)
        if located is not None and abs(now - located[1]) > UNCHANGED * abs(located[1]) + 1e-300:
            located = None
        if located is not None and slot.clock is not None:
            return value_after(slot, now, located[0])
        if located is None and (now if slot.kind == "relation" else now - floor(now)):
            return value_now(slot, now)
        direction = self._slope(slot, t, y, results) or (located[0] if located is not None else 0.0)
        return value_after(slot, now, direction) if direction else value_now(slot, now)

    def _slope(self, slot: HeldSlot, t: float, y: "Array", results: "Array") -> float:
        """How what crosses goes on from here; 0 where that cannot be seen."""
        if slot.clock is not None:
            return float(results[slot.clock])
        system = self.system
        rate = system.rates(t, y)
        if rate is None:
            return 0.0
        now, later = float(results[slot.now]), float(system.events(t + self._ahead, y + self._ahead * rate)[slot.now])
        change = later - now
        return change if abs(change) > SEEN * max(abs(now), abs(later)) else 0.0

    def contradiction(self, t: float, y: "Array", slots: Iterable[tuple[int, HeldSlot]]) -> SimulationError:
        """E013, or E011 where the solution slides along a crossing."""
        results = self.system.events(t, y)
        shown = list({s.text: (i, s) for i, s in slots}.values())[:3]
        notes = tuple([f"{s.text}: its sides differ by {results[s.now]:.6g}" for _, s in shown])
        labels = [Label(s.origin.span, "decided here") for _, s in shown]
        names = ", ".join(s.text for _, s in shown)
        if any(i in self._located for i, _ in shown):
            return SimulationError(
                Diagnostic(
                    "E011",
                    f"at t = {t:.10g} {names} switches back as soon as it has switched",
                    labels[0],
                    tuple(labels[1:]),
                    ("with either value the solution goes back to where it switches: it slides along that point",),
                    "give the switch hysteresis, friction a sticking phase, or smooth the jump: tanh(x/1e-3)",
                )
            )
        return SimulationError(
            Diagnostic(
                "E013",
                f"at t = {t:.10g} no values of {names} agree with the equations",
                labels[0] if labels else None,
                tuple(labels[1:]),
                notes,
                "each value makes the variables contradict it: give the relation hysteresis, or a case in between",
            )
        )

    def leave(self, t: float, y: "Array") -> None:
        """Crossings on the wrong side, or at zero, begin just on theirs."""
        system = self.system
        offset = system.offset
        offset.fill(0.0)
        if len(offset):
            values = offset.copy()
            system.crossings(t, y, values)
            offset[values == 0.0] = LEAST
            for i, slot in self.slots:
                if slot.crossing is None:
                    continue
                value, side = float(values[slot.crossing]), side_of(slot, system.held[i])
                if value * side <= 0.0:
                    offset[slot.crossing] = side * max(ASIDE * abs(value), LEAST) - value

    def first_step(self, t: float, y: "Array") -> float:
        """A tenth of the shortest time in which something that crosses now comes back; 0 if nothing does.

        A solver that does not know the past could step over a short flight as a whole.
        """
        system, ahead = self.system, self._ahead
        if not system.offset.any():
            return 0.0
        values = []
        for number in range(3):
            values.append(system.offset.copy())
            system.crossings(t + number * ahead, y, values[-1])
            rate = system.rates(t + number * ahead, y)
            if rate is None:
                return 0.0
            y = y + ahead * rate
        flights = [
            2 * ahead * (b - a) / (2 * b - a - c)
            for a, b, c, offset in zip(*values, system.offset, strict=True)
            if offset and (b - a) * (2 * b - a - c) > 0
        ]
        shortest = SHARE_OF_FLIGHT * float(min(flights, default=inf))
        return shortest if shortest < SHORT * ahead / AHEAD else 0.0
