"""Two crossings within a step of a solver that does not look for them (`runtime/hidden_crossings`)."""

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, StructView
from acausal.codegen.native.native_events import search_addresses
from acausal.ir.slots import EventTable
from acausal.runtime.hidden_crossings import (
    APART,
    MOST_POINTS,
    HiddenSearch,
    begin_at,
    begin_search,
    end_time,
    go_on_search,
    hidden_root,
)
from acausal.runtime.kernel.signature import fields
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

    Watch = Callable[[float, float], Array]
    """Root functions at a time, and at the states there times a factor."""


_BEGIN_AT = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p)
_BEGIN_SEARCH = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p)
_GO_ON = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


def search_memory(table: EventTable) -> ContextMemory:
    """A `HiddenSearch` for the root functions of a table."""
    import numpy as np

    functions = np.array(table.hidden, dtype=np.int64)
    count = len(functions)
    room: FieldValues = {
        "count": count,
        "functions": functions,
        "times": np.zeros(MOST_POINTS),
        "values": np.zeros(MOST_POINTS * count),
        "root_functions": np.zeros(table.crossings),
        "states": np.zeros(count, dtype=np.int64),
    }
    return ContextMemory(tuple(fields(HiddenSearch)), room)


class _Kernels:
    """Parts of the search in Python, for executables without machine code."""

    def __init__(self, search: HiddenSearch) -> None:
        self._search = search

    def begin_at(self, t: float, values: "Array") -> None:
        begin_at(self._search, t, values)

    def begin_search(self, t: float, values: "Array") -> bool:
        return begin_search(self._search, t, values) != 0

    def go_on_search(self) -> bool:
        return go_on_search(self._search) != 0


class _MachineCode:
    """The same in machine code."""

    def __init__(self, address: int) -> None:
        found = search_addresses()
        self._address = address
        self._begin_at = _BEGIN_AT(found["begin_at"])
        self._begin_search = _BEGIN_SEARCH(found["begin_search"])
        self._go_on_search = _GO_ON(found["go_on_search"])

    def begin_at(self, t: float, values: "Array") -> None:
        self._begin_at(self._address, t, address_of(values))

    def begin_search(self, t: float, values: "Array") -> bool:
        return bool(self._begin_search(self._address, t, address_of(values)))

    def go_on_search(self) -> bool:
        return bool(self._go_on_search(self._address))


class Hidden:
    """The search of one run."""

    def __init__(self, system: System) -> None:
        self._memory = search_memory(system.program.table)
        self._search = cast("HiddenSearch", StructView(self._memory, HiddenSearch))
        is_native = system.address("crossings") is not None
        self._parts = _MachineCode(self._memory.address) if is_native else _Kernels(self._search)
        self._solutions = system.arrays[2][: system.program.memory]
        self._at_begin = self._solutions.copy()

    def begin(self, t: float, values: "Array") -> None:
        """Begin at these root functions."""
        self._parts.begin_at(t, values)
        self._at_begin = self._solutions.copy()

    @property
    def end(self) -> float:
        """The end of the last step; infinite before the first begin."""
        return float(end_time(self._search))

    def root(self, t: float) -> float:
        """The root function that stands for what was found."""
        return hidden_root(self._search, t)

    def find(self, watch: "Watch", t: float, values: "Array") -> "tuple[float, Array] | None":
        """The first time found in the step up to t at which a function has another sign, and all functions there."""
        search = self._search
        is_wanted, at_end = self._parts.begin_search(t, values), self._solutions.copy()
        found, here = None, values
        while is_wanted:
            self._solutions[:] = at_end if search.sample == 1 else self._at_begin
            values = watch(search.next_time, 1.0 + search.sample * APART)
            if not all_finite(values):
                break
            here = here if search.sample else values
            self._memory.array("root_functions")[:] = values
            time = search.next_time
            is_wanted = self._parts.go_on_search()
            if search.found_time == time:
                found = time, here
        self._solutions[:] = self._at_begin = at_end
        return found


def hidden_of(system: System) -> Hidden | None:
    """The search for a run; None where formulas know all turning points."""
    return Hidden(system) if system.program.table.hidden else None
