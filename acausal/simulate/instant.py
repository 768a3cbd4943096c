"""One event: passes over the equations of the instant until nothing changes any more.

    settle    relations follow the variables, the variables the relations, to a fixed point
    act       the branches of `when` that have become true set new values and restart states
    again     until nothing changes

Where settling all relations at once goes in circles, only the first of those that disagree is
changed (the least index rule of Murty, Math. Programming 7 (1974)): switches and diodes in
networks, which form a linear complementarity problem, then come to rest.
"""

from collections.abc import Iterable
from math import floor, inf
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.names import show_name
from acausal.ir.program import AnnouncementSlot, EventTable, HeldSlot
from acausal.simulate.held import Clocks, directions, side_of, value_after, value_now
from acausal.simulate.restart import restarted
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ALL_AT_ONCE = 12
"""Passes in which every relation that disagrees is changed, before only the first one is."""
MOST_SETTLING = 2000
MOST_PASSES = 200
UNCHANGED = 1e-9
"""A located crossing stays one as long as what crosses is that near to its value there, relatively."""
AHEAD = 1e-8
"""How far, as a share of the whole time, one looks ahead to see where a crossing goes."""


LEAST = 1e-200
"""Next to zero: a function that is zero throughout never crosses."""
SHORT = 1e-5
"""A share of the whole time so short that a solver may not see it at its start."""


class Instant:
    """The events of a run; `held` of the system is changed in place.

    `announced` is an `assert` that failed or a `terminate` that held inside a `when` that fired.
    """

    def __init__(self, system: System, span: float) -> None:
        self.system = system
        self.table: EventTable = system.program.table
        self.clocks = Clocks(self.table)
        self.announced: AnnouncementSlot | None = None
        self._ahead = AHEAD * span
        self._slots = [(i, s) for i, s in enumerate(self.table.held) if s.kind in ("relation", "step")]
        self._before = [(i, s) for i, s in enumerate(self.table.held) if s.kind == "before"]
        self._discrete = [(i, s) for i, s in enumerate(self.table.held) if s.kind == "discrete"]
        self._located: dict[int, tuple[float, float]] = {}
        self._passes = 0

    # ------------------------------------------------------------ first instant

    def start(self, t: float) -> "Array":
        """Consistent states and held values at the first instant."""
        system, held = self.system, self.system.held
        for i, slot in self._discrete:
            assert slot.start is not None
            held[i] = system.parameter(slot.start)
        y = system.start(t)
        results = system.events(t, y)
        flags = {i: 1.0 for i, s in enumerate(self.table.held) if s.kind == "initial"}
        due = self.clocks.due(t, held, results)
        flags |= {i: 1.0 for i, d in due.items() if d == 0.0}
        y = self._settle_start(t, y, {i: d for i, d in due.items() if d})
        for i, slot in self._before:
            held[i] = system.events(t, y)[slot.now]
        for i in flags:
            held[i] = 1.0
        return self._passes_until_rest(t, y, flags)

    def _settle_start(self, t: float, y: "Array", due: dict[int, float]) -> "Array":
        """States and relations together: the first instant is solved again where a relation changes."""
        seen: set[bytes] = set()
        self._locate(t, y, due)
        while True:
            before = self.system.held.copy()
            self._settle(t, y)
            if (self.system.held == before).all():
                return y
            if self.system.held.tobytes() in seen:
                raise self._contradiction(t, y, self._slots)
            seen.add(self.system.held.tobytes())
            y = self.system.start(t)

    def leave(self, t: float, y: "Array") -> float:
        """The time of the next event that is known; crossings on the wrong side, or at zero, begin just on theirs."""
        system = self.system
        offset = system.offset
        offset.fill(0.0)
        if len(offset):
            values = offset.copy()
            system.crossings(t, y, values)
            offset[values == 0.0] = LEAST
            for i, slot in self._slots:
                if slot.crossing is None:
                    continue
                value, side = float(values[slot.crossing]), side_of(slot, system.held[i])
                if value * side <= 0.0:
                    offset[slot.crossing] = side * max(1e-10 * abs(value), LEAST) - value
        return self.clocks.next_time(t, system.held, system.events(t, y))

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
        shortest = 0.1 * float(min(flights, default=inf))
        return shortest if shortest < SHORT * ahead / AHEAD else 0.0

    # ----------------------------------------------------------------- an event

    def at(self, t: float, y: "Array", crossed: dict[int, int]) -> "Array":
        """The states after the event at t, where these crossings were located or time has come."""
        system, held = self.system, self.system.held
        results = system.events(t, y)
        due = self.clocks.due(t, held, results)
        flags = {i: 1.0 for i, d in due.items() if d == 0.0}
        located = directions(self.table, crossed, held, results)
        self._locate(t, y, located | {i: d for i, d in due.items() if d})
        for i in flags:
            held[i] = 1.0
        return self._passes_until_rest(t, y, flags)

    def _locate(self, t: float, y: "Array", found: dict[int, float]) -> None:
        """Held values go behind the crossings that were located."""
        results = self.system.events(t, y)
        self._located = {i: (d, float(results[self.table.held[i].now])) for i, d in found.items()}
        for i, (direction, now) in self._located.items():
            self.system.held[i] = value_after(self.table.held[i], now, direction)

    def _passes_until_rest(self, t: float, y: "Array", flags: Iterable[int]) -> "Array":
        system, held = self.system, self.system.held
        self._settle(t, y)
        self._passes = 0
        while True:
            results = system.events(t, y)
            changed, y = self._act(t, y, results)
            if not changed:
                break
            self._passes += 1
            if self._passes > MOST_PASSES:
                raise self._restless(t, changed)
            self._settle(t, y)
        for i in flags:
            held[i] = 0.0
        if flags:
            self._settle(t, y)
            results = system.events(t, y)
            for i, slot in self._before:
                held[i] = results[slot.now]
        return y

    def _act(self, t: float, y: "Array", results: "Array") -> tuple[list[str], "Array"]:
        """New values and restarts of one pass; the names of what changed."""
        held, changed = self.system.held, []
        for announcement in self.table.announcements:
            fired, truth = results[announcement.position], results[announcement.position + 1]
            if fired and (truth == 0.0) == (announcement.kind == "assert"):
                self.announced = announcement
        fired = [r for r in self.table.restarts if results[r.position]]
        new = [(i, float(results[s.now]), s) for i, s in self._discrete]
        for i, slot in self._before:
            held[i] = results[slot.now]
        after = restarted(self.system, t, y, fired, results) if fired else y
        if after is not y and (after != y).any():
            changed += [r.text for r in fired]
        for i, value, slot in new:
            if held[i] != value:
                changed.append(f"{show_name(slot.name)} = {held[i]:g} or {value:g}")
                held[i] = value
        return changed, after

    # --------------------------------------------------------------- relations

    def _settle(self, t: float, y: "Array") -> None:
        """Relations to a fixed point; SimulationError E013 where there is none."""
        held = self.system.held
        seen: set[bytes] = set()
        for number in range(MOST_SETTLING):
            results = self.system.events(t, y)
            wrong = [(i, slot, v) for i, slot in self._slots if (v := self._value(i, slot, t, y, results)) != held[i]]
            if not wrong:
                return
            one_by_one = number >= ALL_AT_ONCE
            for i, _, value in wrong[:1] if one_by_one else wrong:
                held[i] = value
            if one_by_one:
                if held.tobytes() in seen:
                    raise self._contradiction(t, y, [(i, s) for i, s, _ in wrong])
                seen.add(held.tobytes())
        raise self._contradiction(t, y, [(i, s) for i, s, _ in wrong])

    def _value(self, i: int, slot: HeldSlot, t: float, y: "Array", results: "Array") -> float:
        now = float(results[slot.now])
        located = self._located.get(i)
        if located is not None and abs(now - located[1]) > UNCHANGED * abs(located[1]) + 1e-300:
            located = None
        if located is not None and slot.clock is not None:
            return value_after(slot, now, located[0])
        if located is None and (now if slot.kind == "relation" else now - floor(now)):
            return value_now(slot, now)
        direction = self._slope(slot, t, y, now) or (located[0] if located is not None else 0.0)
        return value_after(slot, now, direction) if direction else value_now(slot, now)

    def _slope(self, slot: HeldSlot, t: float, y: "Array", now: float) -> float:
        """How what crosses goes on from here; 0 where that cannot be seen."""
        system = self.system
        rate = system.rates(t, y)
        if rate is None:
            return 0.0
        later = float(system.events(t + self._ahead, y + self._ahead * rate)[slot.now])
        change = later - now
        return change if abs(change) > 1e-13 * max(abs(now), abs(later)) else 0.0

    # ---------------------------------------------------------------- failures

    def _contradiction(self, t: float, y: "Array", slots: Iterable[tuple[int, HeldSlot]]) -> SimulationError:
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

    def _restless(self, t: float, changed: list[str]) -> SimulationError:
        places = [s.origin for _, s in self._discrete] + [r.origin for r in self.table.restarts]
        return SimulationError(
            Diagnostic(
                "E010",
                f"at t = {t:.10g} the event does not come to rest: {', '.join(changed[:3])}",
                Label(places[0].span) if places else None,
                help="each pass over the event changes it again: let a condition end by what it sets",
            )
        )
