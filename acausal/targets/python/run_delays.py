"""Delayed expressions in a run (`runtime/delays`): their history grows with the steps of the solver."""

from math import inf
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acausal.runtime.delays import NODES, DelayHistory, begin_history, delayed_value, start_history
from acausal.simulate.inputs.growing_history import GrowingHistory, one_time
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Delayed(GrowingHistory):
    """The history of one run; lists take the place of arrays, as they grow."""

    def __init__(self, model: SimpleNamespace, stop: float) -> None:
        start, count = model.start, model.delays
        self._ends, self._nodes, self._breaks = [start], list[float](), [start]
        self._count = count
        self.times = [0.0] * count
        self.history = DelayHistory(
            count=count,
            late=count,
            reported=0,
            times=self.times,
            before=[0.0] * count,
            has_begun=0,
            start=start,
            near=0.0,
            seen=-inf,
            pieces=0,
            piece_room=0,
            ends=self._ends,
            nodes=self._nodes,
            at=[0] * count,
            break_count=1,
            breaks=self._breaks,
            largest=0.0,
        )
        start_history(self.history, start, one_time(start, stop))

    def begin(self, results: "Array") -> bool:
        """Set the values before the start; True if they are as assumed."""
        is_known = begin_history(self.history, results.tolist())
        if not min(self.times) > 0.0:
            raise SimulationError(f"the delay time is {min(self.times):g}")
        return bool(is_known)

    def value(self, number: int, order: int, t: float) -> float:
        """A delayed expression, or its derivative."""
        return float(delayed_value(self.history, number, order, t))

    def make_room(self) -> None:
        """For another piece and another event."""
        if len(self._ends) == self.history.pieces + 1:
            self._ends.append(0.0)
            self._nodes.extend([0.0] * (NODES * self._count))
        if len(self._breaks) == self.history.break_count:
            self._breaks.append(0.0)
