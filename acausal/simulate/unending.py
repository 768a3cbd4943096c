"""Events that follow each other without end: Zeno behaviour and chattering."""

from collections import Counter, deque
from collections.abc import Container
from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic, Label
from acausal.ir.program import EventTable

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

EVENTS = 24
SHARE = 1e-9
"""So many events within this share of the whole time do not end."""
SHOWN = 3


class Unending:
    """Watches the times of events and what changed at them."""

    def __init__(self, table: EventTable, span: float) -> None:
        self._table = table
        self._shortest = SHARE * span
        self._times: deque[float] = deque(maxlen=EVENTS)
        self._touched: deque[list[int]] = deque(maxlen=EVENTS)

    def seen(self, t: float, before: "Array", after: "Array", crossed: Container[int]) -> Diagnostic | None:
        """An event at t that took the held values from `before` to `after`, where the solver has located `crossed`.

        The report where such events do not end.
        """
        self._times.append(t)
        located = [
            i for i, slot in enumerate(self._table.held) if slot.crossing is not None and slot.crossing in crossed
        ]
        self._touched.append([*located, *(before != after).nonzero()[0].tolist()])
        if len(self._times) < EVENTS or t - self._times[0] > self._shortest:
            return None
        return self._report(t)

    def _report(self, t: float) -> Diagnostic:
        held = self._table.held
        count = Counter([i for touched in self._touched for i in touched])
        often = sorted(count, key=lambda i: (-count[i], i))
        slots = [held[i] for i in often if held[i].text][:SHOWN] or [s for s in held if s.text][:SHOWN]
        labels = [Label(s.origin.span, f"switches: {s.text}") for s in slots]
        labels += [Label(r.origin.span, f"sets {r.text} each time") for r in self._table.restarts[:1]]
        names = ", ".join(dict.fromkeys([s.text for s in slots]))
        within = t - self._times[0]
        return Diagnostic(
            "E011",
            f"at t = {t:.10g} events follow each other without end: {names}, {EVENTS} times within {within:.2g} s",
            labels[0] if labels else None,
            tuple(labels[1:]),
            help="a body that comes to rest needs a resting phase, a switch hysteresis, friction a sticking phase; "
            "or noevent(...) where a jump does not matter",
        )
