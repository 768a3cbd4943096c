"""The history of what is delayed in one run (`runtime/delays`): its memory, which grows, and errors."""

from collections.abc import Mapping
from math import inf
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, SimulationError
from acausal.codegen.context_memory import ContextMemory, struct_view
from acausal.ir.program.program import Program
from acausal.runtime.delays import NODES, DelayHistory, begin_history, polynomial, start_history
from acausal.runtime.kernel.signature import fields
from acausal.simulate.inputs.growing_history import GrowingHistory, one_time

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ROOM = 256
"""Pieces and events for which there is room at first."""
_ARRAYS = ("times", "before", "at", "ends", "nodes", "breaks")
"""Arrays of a history that another run goes on from."""


class Delays(GrowingHistory):
    """The delays of one run with their history, whatever states it has; machine code works on its memory, too."""

    def __init__(self, program: Program, start: float, stop: float) -> None:
        import numpy as np

        self._names = [slot.name for slot in program.delays]
        self._origins = [slot.origin for slot in program.delays]
        self.times: list[float] = []
        count = len(self._names)
        self._late = count - program.recorded
        if not count:
            return
        numbers = {"count": count, "late": self._late}
        arrays = {"times": np.zeros(count), "before": np.zeros(count), "at": np.zeros(count, dtype=np.int64)}
        self.memory = ContextMemory(tuple(fields(DelayHistory)), {**numbers, **arrays})
        self.history = struct_view(self.memory, DelayHistory)
        self._make_room(ROOM, ROOM)
        start_history(self.history, float(start), one_time(start, stop))

    def make_room(self) -> None:
        """For as many pieces and events again as there are, so that machine code can go on."""
        h = self.history
        if 2 * h.pieces > h.piece_room or 2 * h.break_count > len(self.memory.array("breaks")):
            self._make_room(2 * h.piece_room, 2 * len(self.memory.array("breaks")))

    def _make_room(self, pieces: int, breaks: int) -> None:
        import numpy as np

        lengths = {"ends": pieces + 1, "nodes": pieces * NODES * len(self._names), "breaks": breaks}
        found = {name: np.zeros(length) for name, length in lengths.items()}
        h, size = self.history, NODES * len(self._names)
        used = {
            "ends": h.pieces + 1,
            "nodes": (h.pieces + 1) * size,
            "breaks": h.break_count,
        }  # no other page is touched
        for name, array in found.items():
            if self.memory.has(name):
                before = self.memory.array(name)[: used[name]]
                array[: len(before)] = before
        self.memory.fill({**found, "piece_room": pieces})

    @property
    def shortest(self) -> float:
        """The shortest delay, infinite where there is none."""
        return min(self.times) if self.times else inf

    @property
    def seen(self) -> float:
        """The time whose event has been treated; see `DelayHistory`."""
        return self.history.seen if self._names else -inf

    @seen.setter
    def seen(self, t: float) -> None:
        if self._names:
            self.history.seen = t

    def begin(self, results: "Array") -> bool:
        """Set the values before the start; True if they are as assumed. SimulationError R009 for a delay time of 0."""
        self.times = results[1 : 2 * self._late : 2].tolist()
        for time, origin in zip(self.times, self._origins, strict=False):
            if not time > 0.0:
                hint = "choose the parameters so that the delay time is positive"
                where = Label(origin.span, "delayed here")
                raise SimulationError(Diagnostic("R009", f"the delay time is {time:g}", where, help=hint))
        return begin_history(self.history, results)

    def check_orders(self, program: Program) -> None:
        """SimulationError R009 where the equations need a second derivative."""
        origins = dict(zip(self._names, self._origins, strict=True))
        for name, order in program.input_slots:
            if order > 1 and name in origins:
                message = "the equations require the second derivative of a delayed expression"
                raise SimulationError(Diagnostic("R009", message, Label(origins[name].span, "delayed here")))

    def saved(self, end: float) -> "dict[str, Array]":
        """The history up to `end` as arrays."""
        if not self._names:
            return {}
        import numpy as np

        h = self.history
        lengths = {"ends": h.pieces + 1, "nodes": h.pieces * NODES * len(self._names), "breaks": h.break_count}
        found = {name: self.memory.array(name)[: lengths.get(name)].copy() for name in _ARRAYS}
        found["numbers"] = np.array([h.seen, h.largest, h.start])
        if h.ends[h.pieces] > end:
            found |= self._shortened(found, end)
        return {f"delay_{name}": array for name, array in found.items()}

    def _shortened(self, found: "dict[str, Array]", end: float) -> "dict[str, Array]":
        """Without what comes after `end`: a solver may have stepped beyond it. The last piece is cut."""
        import numpy as np

        h, count, ends = self.history, len(self._names), found["ends"]
        last = max(int(np.searchsorted(ends, end)) - 1, 0)
        begin, length = float(ends[last]), float(ends[last + 1] - ends[last])
        nodes = found["nodes"][: (last + 1) * NODES * count].copy()
        for node in range(NODES):
            at = (end - begin) / length * node / (NODES - 1)
            for k in range(count):
                nodes[(last * NODES + node) * count + k] = polynomial(h, last, k, 0, at, length)
        breaks = found["breaks"]
        return {
            "ends": np.append(ends[: last + 1], end),
            "nodes": nodes,
            "breaks": breaks[breaks <= end],
            "at": np.minimum(found["at"], last),
        }

    def restore(self, saved: "Mapping[str, Array]") -> None:
        """The history as `saved` has it."""
        if not self._names:
            return
        found = {name: saved[f"delay_{name}"] for name in _ARRAYS}
        pieces, breaks = len(found["ends"]) - 1, len(found["breaks"])
        self._make_room(2 * max(pieces, ROOM), 2 * max(breaks, ROOM))
        for name, array in found.items():
            self.memory.array(name)[: len(array)] = array
        h = self.history
        h.pieces, h.break_count, h.has_begun = pieces, breaks, 1
        h.seen, h.largest, h.start = saved["delay_numbers"].tolist()
        self.times = found["times"][: self._late].tolist()

    def jump(self, t: float) -> None:
        """Record an event at t, which the delays will repeat."""
        if self._names:
            super().jump(t)

    def next_event(self, t: float) -> float:
        """The first time after t at which an earlier event comes through a delay."""
        return super().next_event(t) if self._names else inf
