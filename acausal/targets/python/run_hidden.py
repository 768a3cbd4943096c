"""Two crossings of one root function within a step of the solver (`runtime/crossings/hidden_crossings`)."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import TYPE_CHECKING

from acausal.runtime.crossings.hidden_crossings import end_time
from acausal.runtime.crossings.hidden_search import MOST_POINTS, REAL_NUMBERS, WHOLE_NUMBERS, HiddenSearch
from acausal.runtime.crossings.hidden_steps import search_step

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


class HiddenCrossings:
    """The search of one run, as `locate` asks for it."""

    def __init__(self, model: SimpleNamespace, m: "Array") -> None:
        import numpy as np

        count = len(model.hidden)
        self._search = HiddenSearch(
            watch=None,
            context=None,
            place=model.crossings - 1,
            memory=model.memory,
            m=m,
            memory_at_begin=np.zeros(model.memory),
            memory_at_end=np.zeros(model.memory),
            count=count,
            functions=model.hidden,
            times=np.zeros(MOST_POINTS),
            values=np.zeros(MOST_POINTS * count),
            root_functions=np.zeros(model.crossings),
            states=[0] * count,
            jump_count=model.jumps,
            **dict.fromkeys(WHOLE_NUMBERS, 0),
            **dict.fromkeys(REAL_NUMBERS, 0.0),
        )

    @property
    def end(self) -> float:
        """The end of the last step."""
        return float(end_time(self._search))

    def begin(self, t: float, values: "Array") -> None:
        """A solver begins at these root functions."""
        search_step(self._search, t, 1, values)

    def find(self, watch: "Callable[[float, float], Array]", t: float, values: "Array") -> "tuple[float, Array] | None":
        """The first time found at which a root function has another sign than at both ends of the step up to t."""
        seen: dict[float, Array] = {}

        def watched(_context: object, time: float, factor: float, out: "Array") -> None:
            out[:] = watch(time, factor)
            if factor == 1.0:
                seen[time] = out.copy()

        self._search.watch = watched  # type: ignore[assignment]  # its arrays are of NumPy
        search_step(self._search, t, 0, values)
        time = self._search.found_time
        return (time, seen[time]) if time in seen else None
