"""The rows of a run, segment by segment."""

from math import inf
from typing import TYPE_CHECKING

from acausal.simulate.rows.segments import Segment
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class RunRows:
    """The rows of each system are in one place, `current` those of the last segment; `count` output times are asked."""

    def __init__(self, count: int) -> None:
        self.segments: list[Segment] = []
        self.current: Rows
        self._of: dict[System, Rows] = {}
        self._count = count
        self._forgotten = -inf

    def begin(self, system: System, place: Rows | None) -> None:
        """A new segment; `place` is for the rows of a system that has none yet, None where it is to be made."""
        program = system.program
        rows = self._of.get(system, place)
        if rows is None:
            rows = Rows(len(program.state_slots), len(program.table.frozen), program.memory, self._count)
        self.segments.append(Segment(system, rows, len(rows)))
        self.current = self._of[system] = rows

    def begin_again(self) -> None:
        """As if there had been no segment."""
        self.segments.clear()
        self._of.clear()

    def add(self, t: float, y: "Array") -> None:
        """One more row, with the frozen values and solutions of blocks as they are."""
        system = self.segments[-1].system
        system.branches.predict(t)
        self.current.add(t, y, system.frozen, system.memory)

    @property
    def last_time(self) -> float:
        """The time of the last row of all."""
        if len(self.current) > self.segments[-1].first:
            return self.current.last_time
        return max([rows.last_time for rows in self._of.values() if len(rows)], default=self._forgotten)

    def __len__(self) -> int:
        return sum([len(rows) for rows in self._of.values()])

    def forget(self) -> None:
        """The rows have been handed on: what comes is a new beginning of the segment."""
        self._forgotten = self.last_time
        for rows in self._of.values():
            rows.forget()
        self.segments[:] = [Segment(self.segments[-1].system, self.current, 0)]

    @property
    def systems(self) -> tuple[System, ...]:
        """Systems of the segments, each once."""
        return tuple(self._of)
