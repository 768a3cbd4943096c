"""Values of a run over its time, for another run that reads them: polynomials over the steps that its solver made.

They are recorded as delayed expressions are (`runtime/delays`), and read forwards or backwards in time.
"""

from collections.abc import Mapping
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory, struct_view
from acausal.runtime.delays import NODES, DelayHistory
from acausal.runtime.kernel.signature import fields

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class Recording:
    """`ends` (pieces + 1) of the steps, `nodes` (pieces, NODES, values) at equal distances in each of them."""

    def __init__(self, ends: "Array", nodes: "Array") -> None:
        self.ends, self.nodes = ends, nodes

    @classmethod
    def of(cls, saved: "Mapping[str, Array]", count: int) -> "Recording":
        """The recording in the arrays of a state, where `count` values were delayed."""
        return cls(saved["delay_ends"], saved["delay_nodes"].reshape(-1, NODES, count))

    def backwards(self, count: int) -> "Recording":
        """The first values by the time that is left: 0 at the end."""
        return Recording(self.ends[-1] - self.ends[::-1], self.nodes[::-1, ::-1, :count].copy())

    @cached_property
    def memory(self) -> ContextMemory:
        """The structure that kernels read."""
        import numpy as np

        count = self.nodes.shape[2]
        numbers = {"count": count, "late": 0, "has_begun": 1, "start": float(self.ends[0]), "near": 0.0, "seen": -inf}
        sizes = {"pieces": len(self.nodes), "piece_room": len(self.nodes), "break_count": 1, "largest": 0.0}
        arrays = {
            "times": np.zeros(count),
            "before": self.nodes[0, 0].copy() if len(self.nodes) else np.zeros(count),
            "at": np.zeros(count, dtype=np.int64),
            "ends": np.ascontiguousarray(self.ends),
            "nodes": np.ascontiguousarray(self.nodes).reshape(-1),
            "breaks": self.ends[:1].copy(),
        }
        return ContextMemory(tuple(fields(DelayHistory)), {**numbers, **sizes, **arrays})

    @cached_property
    def history(self) -> DelayHistory:
        """The structure as kernels in Python see it."""
        return struct_view(self.memory, DelayHistory)
