"""A history of delayed expressions that Python extends (`runtime/delays`), as a solver advances."""

from collections.abc import Callable

from acausal.runtime.delay_events import add_break, next_delayed_event
from acausal.runtime.delays import NODES, DelayHistory, end_piece, node_time, store_node
from acausal.runtime.kernel.language import Reals

ONE_TIME = 1e-13
"""Times that differ by this share of the run are one time."""


class GrowingHistory:
    """`history` with what solvers and events add to it."""

    history: DelayHistory

    def make_room(self) -> None:
        """For another piece and another event."""
        raise NotImplementedError

    def extend(self, end: float, values: Callable[[float], Reals]) -> None:
        """The history continues to `end`; `values` are those of the routine `delayed`."""
        h = self.history
        if end <= h.ends[h.pieces]:
            return
        self.make_room()
        for node in range(NODES):
            store_node(h, node, values(node_time(h, node, end)))
        end_piece(h, end)

    def jump(self, t: float) -> None:
        """Record an event at t, which the delays will repeat."""
        self.make_room()
        add_break(self.history, t)

    def next_event(self, t: float) -> float:
        """The first time after t at which an earlier event comes through a delay."""
        return float(next_delayed_event(self.history, t))


def one_time(start: float, stop: float) -> float:
    """Times of a run that differ by less are one time."""
    return ONE_TIME * max(abs(start), abs(stop), stop - start)
