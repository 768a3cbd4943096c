"""Two crossings within a step of a solver that does not look for them (`runtime/hidden_crossings`)."""

from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory, StructView
from acausal.ir.program import EventTable
from acausal.runtime.hidden_crossings import (
    END,
    INSIDE,
    MOST_TRIES,
    TurningPoints,
    begin_at,
    go_on_search,
    has_crossed,
    step_to_point,
)
from acausal.runtime.kernel.signature import fields

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array


def turning_memory(table: EventTable) -> ContextMemory:
    """A `TurningPoints` for the root functions of a table."""
    import numpy as np

    arrays = {name: np.zeros(table.crossings) for name in ("before", "begin", "inside", "end")}
    functions = np.array(table.hidden, dtype=np.int64)
    sizes: FieldValues = {"count": len(functions), "functions": functions, "times": np.full(4, nan), **arrays}
    return ContextMemory(tuple(fields(TurningPoints)), sizes)


class Hidden:
    """The points of one run."""

    def __init__(self, table: EventTable) -> None:
        self._memory = turning_memory(table)
        self._points: TurningPoints = StructView(self._memory, TurningPoints)  # type: ignore[assignment]  # acts as one

    def find(
        self, watch: "Callable[[float], Array]", begin: float, first: "Array", end: float, last: "Array"
    ) -> "tuple[float, Array] | None":
        """Where a function that has one sign at both ends of a step has the other one, and all functions there."""
        points = self._points
        if points.times[END] != begin:
            begin_at(points, begin, first)
        found = step_to_point(points, end, last)
        for _ in range(MOST_TRIES):
            if not found:
                return None
            t = float(points.next_time)
            points.times[INSIDE] = t
            values = watch(t)
            self._memory.array("inside")[:] = values
            if has_crossed(points):
                return t, values
            found = go_on_search(points)
        return None
