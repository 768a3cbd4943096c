"""One event: passes over the equations of the instant until nothing changes any more.

settle    relations follow the variables, the variables the relations, to a fixed point
act       the branches of `when` that have become true set new values and restart states
again     until nothing changes
"""

from collections.abc import Iterable
from math import inf
from typing import TYPE_CHECKING

from acausal.codegen.event_rules import MOST_PASSES
from acausal.diagnostics import Diagnostic, Label, SimulationError
from acausal.ir.names import show_name
from acausal.ir.program import AnnouncementSlot, EventTable
from acausal.simulate.held import Clocks, directions
from acausal.simulate.restart import restarted
from acausal.simulate.settling import Settling
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Instant:
    """The events of a run; `held` of the system is changed in place.

    `announced` is an `assert` that failed or a `terminate` that held inside a `when` that fired.
    """

    def __init__(self, system: System, span: float) -> None:
        self.system = system
        self.table: EventTable = system.program.table
        self.clocks = Clocks(self.table)
        self.span = span
        self.announced: AnnouncementSlot | None = None
        self._settling = Settling(system, span)
        self._before = [(i, s) for i, s in enumerate(self.table.held) if s.kind == "before"]
        self._discrete = [(i, s) for i, s in enumerate(self.table.held) if s.kind == "discrete"]
        self._passes = 0
        self._rest: tuple[float, Array, Array] | None = None

    def again(self, span: float) -> "Instant | None":
        """Itself as it was when it was made; None where another run takes another one."""
        if span != self.span:
            return None
        self.announced, self._rest = None, None
        return self

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
        y, settled = self._settle_start(t, y, {i: d for i, d in due.items() if d})
        for i, slot in self._before:
            held[i] = system.events(t, y)[slot.now]
        for i in flags:
            held[i] = 1.0
        return self._passes_until_rest(t, y, flags, None if flags or self._before else settled)

    def started(self, t: float, y: "Array", results: "Array") -> "Array":
        """Machine code has done the same, with these results of `events`."""
        self._rest = None if self._before else (t, y, results)
        return y

    def _settle_start(self, t: float, y: "Array", due: dict[int, float]) -> tuple["Array", "Array"]:
        """States and relations together: the first instant is solved again where a relation changes.

        With the results of `events` there.
        """
        seen: set[bytes] = set()
        self._settling.locate(t, y, due)
        while True:
            before = self.system.held.tobytes()
            results = self._settling.settle(t, y)
            if self.system.held.tobytes() == before:
                return y, results
            if self.system.held.tobytes() in seen:
                raise self._settling.contradiction(t, y, self._settling.slots)
            seen.add(self.system.held.tobytes())
            y = self.system.start(t)

    def leave(self, t: float, y: "Array") -> float:
        """Prepares the crossings for what comes; the time of the next event that is known."""
        self._settling.leave(t, y)
        if not self.clocks.tick:
            return inf
        rest = self._rest
        known = rest is not None and rest[0] == t and rest[1] is y
        results = rest[2] if rest is not None and known else self.system.events(t, y)
        return self.clocks.next_time(t, self.system.held, results)

    def first_step(self, t: float, y: "Array") -> float:
        """How long the solver's first step may be; 0 where nothing is known."""
        return self._settling.first_step(t, y)

    # ----------------------------------------------------------------- an event

    def at(self, t: float, y: "Array", crossed: dict[int, int]) -> "Array":
        """The states after the event at t, where these crossings were located or time has come."""
        system, held = self.system, self.system.held
        results = system.events(t, y)
        due = self.clocks.due(t, held, results)
        flags = {i: 1.0 for i, d in due.items() if d == 0.0}
        located = directions(self.table, crossed, held, results)
        self._settling.locate(t, y, located | {i: d for i, d in due.items() if d})
        for i in flags:
            held[i] = 1.0
        return self._passes_until_rest(t, y, flags)

    def _passes_until_rest(self, t: float, y: "Array", flags: Iterable[int], settled: "Array | None" = None) -> "Array":
        """`settled` are the results of `events` where relations are settled already."""
        held = self.system.held
        results = self._settling.settle(t, y) if settled is None else settled
        self._passes = 0
        while True:
            changed, y = self._act(t, y, results)
            if not changed:
                break
            self._passes += 1
            if self._passes > MOST_PASSES:
                raise self._restless(t, changed)
            results = self._settling.settle(t, y)
        for i in flags:
            held[i] = 0.0
        if flags:
            results = self._settling.settle(t, y)
            for i, slot in self._before:
                held[i] = results[slot.now]
        self._rest = None if self._before else (t, y, results)
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
                changed.append(f"{show_name(slot.name)} = {held[i] + 0.0:g} or {value + 0.0:g}")
                held[i] = value
        return changed, after

    # ---------------------------------------------------------------- failures

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
