"""Detection of chattering and Zeno behavior: events whose number grows without advance of time."""

from collections import Counter, deque
from collections.abc import Container
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import Diagnostic, Label
from acausal.ir.program.slots import EventTable
from acausal.runtime.events.event_outcome import is_chattering
from acausal.runtime.limits import WITHIN, WITHOUT_END
from acausal.simulate.solver.integrator import EventBatch

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 3


class Seen(NamedTuple):
    """An event at t with the frozen values before and after it (2, frozen), where the solver has located `crossed`."""

    t: float
    frozen: "Array"
    crossed: Container[int]


class ChatteringDetection:
    """Watches the times of events and what changed at them."""

    def __init__(self, table: EventTable, span: float) -> None:
        self._table = table
        self._shortest = WITHIN * span
        self._seen: deque[Seen] = deque(maxlen=WITHOUT_END)
        self._done: list[EventBatch] = []

    def forget(self) -> list[int]:
        """The frozen values that had to do with the events seen last, which are forgotten."""
        found = list(dict.fromkeys([i for event in self._seen for i in self._touched(event)]))
        self._seen.clear()
        return found

    def seen(self, event: Seen) -> Diagnostic | None:
        """One more event; the report where such events do not end."""
        self._take()
        self._seen.append(event)
        is_full = len(self._seen) == WITHOUT_END
        is_endless = is_full and is_chattering(self._seen[0].t, event.t, self._shortest)
        return self._report(event.t) if is_endless else None

    def add(self, events: EventBatch) -> None:
        """Events of which the machine code knows that they end."""
        self._done.append(events)
        later = sum([len(batch.times) for batch in self._done])
        while later - len(self._done[0].times) >= WITHOUT_END:
            later -= len(self._done.pop(0).times)

    def _take(self) -> None:
        """The last ones of those are examined only where Python does another one."""
        for events in self._done:
            last = [values[-WITHOUT_END:] for values in (events.times.tolist(), events.frozen, events.roots)]
            found = zip(*last, strict=True)
            self._seen.extend([Seen(t, frozen, roots.nonzero()[0]) for t, frozen, roots in found])
        self._done.clear()

    def _touched(self, event: Seen) -> list[int]:
        """The frozen values that have to do with an event."""
        slots = enumerate(self._table.frozen)
        located = [i for i, slot in slots if slot.crossing is not None and slot.crossing in event.crossed]
        return [*located, *(event.frozen[0] != event.frozen[1]).nonzero()[0].tolist()]

    def _report(self, t: float) -> Diagnostic:
        frozen = self._table.frozen
        count = Counter([i for event in self._seen for i in self._touched(event)])
        often = sorted(count, key=lambda i: (-count[i], i))
        slots = [frozen[i] for i in often if frozen[i].text][:SHOWN] or [s for s in frozen if s.text][:SHOWN]
        labels = [Label(s.origin.span, f"switches: {s.text}") for s in slots]
        labels += [Label(r.origin.span, f"sets {r.text} each time") for r in self._table.restarts[:1]]
        names = ", ".join(dict.fromkeys([f"`{s.text}`" for s in slots]))
        within = t - self._seen[0].t
        return Diagnostic(
            "E011",
            f"chattering: at t = {t:.10g} {names} triggered {WITHOUT_END} events within {within:.2g} s",
            labels[0] if labels else None,
            tuple(labels[1:]),
            help=(
                "add a resting phase to a body that comes to rest, hysteresis to a switch, a sticking phase to "
                "friction; or use noevent(...) if the jump does not matter"
            ),
        )
