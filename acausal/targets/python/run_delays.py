"""Delayed expressions in a run (`runtime/delays`): their history grows with the steps of the solver."""

from collections.abc import Callable
from math import inf
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acausal.runtime.delays import (
    NODES,
    DelayHistory,
    add_break,
    begin_history,
    delayed_value,
    end_piece,
    next_delayed_event,
    node_time,
    store_node,
)
from acausal.targets.python.run_values import SimulationError

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

ONE_TIME = 1e-13
"""Times that differ by this share of the run are one time."""


class Delayed:
    """The history of one run; lists take the place of arrays, as they grow."""

    def __init__(self, model: SimpleNamespace, stop: float) -> None:
        start, count = model.start, model.delays
        self._ends, self._nodes, self._breaks = [start], list[float](), [start]
        self._count = count
        self.times = [0.0] * count
        self._history = DelayHistory(
            count=count,
            late=count,
            times=self.times,
            before=[0.0] * count,
            has_begun=0,
            start=start,
            near=ONE_TIME * max(abs(start), abs(stop), stop - start),
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

    def begin(self, results: "Array") -> bool:
        """Set the values before the start; True if they are as assumed."""
        is_known = begin_history(self._history, results.tolist())
        if not min(self.times) > 0.0:
            raise SimulationError(f"the delay time is {min(self.times):g}")
        return bool(is_known)

    def value(self, number: int, order: int, t: float) -> float:
        """A delayed expression, or its derivative."""
        return float(delayed_value(self._history, number, order, t))

    def extend(self, end: float, results: "Callable[[float], Array]") -> None:
        """The history continues to `end`; `results` are those of the routine `delayed`."""
        history = self._history
        if end <= self._ends[history.pieces]:
            return
        self._ends.append(0.0)
        self._nodes.extend([0.0] * (NODES * self._count))
        for node in range(NODES):
            store_node(history, node, results(node_time(history, node, end)).tolist())
        end_piece(history, end)

    def jump(self, t: float) -> None:
        """Record an event at t, which the delays will repeat."""
        if len(self._breaks) == self._history.break_count:
            self._breaks.append(0.0)
        add_break(self._history, t)

    def next_event(self, t: float) -> float:
        """The first time after t at which an earlier event comes through a delay."""
        return float(next_delayed_event(self._history, t))
