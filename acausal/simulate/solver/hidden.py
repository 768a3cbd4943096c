"""Two crossings within a step of a solver that does not look for them (`runtime/crossings/hidden_steps`)."""

import ctypes
from collections.abc import Callable
from math import nan
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, struct_view
from acausal.codegen.native.native_events import search_addresses
from acausal.runtime.crossings.hidden_crossings import end_time
from acausal.runtime.crossings.hidden_search import MOST_POINTS, REAL_NUMBERS, WHOLE_NUMBERS, HiddenSearch
from acausal.runtime.crossings.hidden_steps import search_step
from acausal.runtime.kernel.signature import fields
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from typing import Any

    from acausal.codegen.executable import Array

    Watch = Callable[[float, float], Array]
    """Root functions at a time, and at the states there times a factor."""


_SEARCH_STEP = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64, ctypes.c_void_p)
_WATCH = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_double, ctypes.c_void_p)


def search_room(system: System) -> "dict[str, Any]":
    """The fields of a `HiddenSearch` for the root functions of a system, but for `watch` and its `context`."""
    import numpy as np

    table, memory = system.program.table, system.program.memory
    count = len(table.hidden)
    return {
        **dict.fromkeys(WHOLE_NUMBERS, 0),
        **dict.fromkeys(REAL_NUMBERS, 0.0),
        "place": table.crossings - 1,
        "memory": memory,
        "m": system.arrays[2],
        "memory_at_begin": np.zeros(memory),
        "memory_at_end": np.zeros(memory),
        "count": count,
        "functions": np.array(table.hidden, dtype=np.int64),
        "jump_count": table.jumps,
        "times": np.zeros(MOST_POINTS),
        "values": np.zeros(MOST_POINTS * count),
        "root_functions": np.zeros(table.crossings),
        "states": np.zeros(count, dtype=np.int64),
    }


class Hidden:
    """The search of one run."""

    def __init__(self, system: System) -> None:
        room = search_room(system)
        self._watched = watched = _Watched(room["root_functions"])
        self._memory: ContextMemory | None = None
        if system.address("crossings") is None:
            self._search = HiddenSearch(**room, watch=watched, context=None)
            return
        self._callback = _WATCH(watched)
        watch = {"watch": ctypes.cast(self._callback, ctypes.c_void_p).value or 0, "context": 0}
        self._memory = ContextMemory(tuple(fields(HiddenSearch)), {**room, **watch})
        self._search = struct_view(self._memory, HiddenSearch)
        self._search_step = _SEARCH_STEP(search_addresses()["search_step"])

    def begin(self, t: float, values: "Array") -> None:
        """Begin at these root functions."""
        self._step(t, 1, values)

    @property
    def end(self) -> float:
        """The end of the last step; infinite before the first begin."""
        return float(end_time(self._search))

    def find(self, watch: "Watch", t: float, values: "Array") -> "tuple[float, Array] | None":
        """The first time found in the step up to t at which a function has another sign, and all functions there.

        In `values` the root function that stands for what is found is set. What `watch` raises.
        """
        self._watched.begin(watch)
        self._step(t, 0, values)
        return self._watched.end(self._search.found_time)

    def _step(self, t: float, is_begin: int, values: "Array") -> None:
        if self._memory is None:
            search_step(self._search, t, is_begin, values)
        else:
            self._search_step(self._memory.address, t, is_begin, address_of(values))


class _Watched:
    """Called by kernels; it keeps what it has returned, and what was raised, behind which it is not called again."""

    def __init__(self, out: "Array") -> None:
        self._out = out
        self._watch: Watch | None = None
        self._seen: dict[float, Array] = {}
        self._error: BaseException | None = None

    def begin(self, watch: "Watch") -> None:
        """Another step."""
        self._watch, self._seen, self._error = watch, {}, None

    def __call__(self, _context: object, t: float, factor: float, _out: object, /) -> None:
        """See `hidden_crossings.Watch`; where machine code calls, `_out` is the address of what is known here."""
        assert self._watch is not None
        try:
            self._out[:] = values = self._watch(t, factor)
        except BaseException as error:
            self._error = error
            self._out.fill(nan)
            return
        if factor == 1.0:
            self._seen[t] = values

    def end(self, time: float) -> "tuple[float, Array] | None":
        """Root functions at a time, None if they were not evaluated in this step; what was raised."""
        error, values = self._error, self._seen.get(time)
        self._watch, self._seen, self._error = None, {}, None
        if error is not None:
            raise error
        return None if values is None else (time, values)


def hidden_of(system: System) -> Hidden | None:
    """The search for a run; None where formulas know all turning points."""
    return Hidden(system) if system.program.table.hidden else None
