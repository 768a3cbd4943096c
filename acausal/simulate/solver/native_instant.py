"""Single events in machine code: `runtime/events/single_event` with the arrays of one system, whatever its solver."""

import ctypes
from collections.abc import Mapping
from math import nan
from typing import TYPE_CHECKING

from acausal.codegen.context_memory import ContextMemory, zeros_of
from acausal.codegen.native.native_events import single_event_addresses
from acausal.runtime.context import DONE, SolverRecord
from acausal.runtime.events.single_event import CHECK, EVENT, FIRST_STEP, LEAVE, LEAVE_ANEW, START
from acausal.simulate.solver.event_context import LOOP_FIELDS, most_passes, native_fields, numbers_of
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

_TASK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double, ctypes.c_int64)
_FIND = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_OUTCOME = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double, ctypes.c_double)
_PLACE = {name: i for i, name in enumerate(LOOP_FIELDS)}


class NativeInstant:
    """Machine code of events; its methods return None where Python is to do the task, everything as before."""

    def __init__(self, system: System, settings: Settings) -> None:
        import numpy as np

        self._system, crossings = system, system.program.table.crossings
        self._record_memory, self._record = zeros_of(SolverRecord)
        self._roots = np.zeros(crossings, dtype=np.int32)
        self._watched = np.zeros(crossings + 1)
        record = self._record_memory.address
        own: FieldValues = {"record": record, "roots": self._roots, "watched_values": self._watched}
        passes = most_passes(system.program, settings)
        limits: FieldValues = {**numbers_of(system.program, settings), "most_passes": passes}
        self._memory = memory = ContextMemory(LOOP_FIELDS, {**native_fields(system), **own, **limits})
        states = len(system.program.state_slots)
        self._y, self._choices = memory.array("y")[:states], memory.array("y")[states:]
        self._numbers, self._address = memory.numbers, memory.address
        self._before = memory.array("states_before"), memory.array("frozen_before")
        task, find, outcome = single_event_addresses()
        self._task, self._find, self._outcome = _TASK(task), _FIND(find), _OUTCOME(outcome)
        self._results_at: tuple[float, Array] | None = None

    def start(self, t: float) -> "tuple[Array, list[float]] | None":
        """States of the first instant, and results of `events` there."""
        self._roots.fill(0)
        self._system.fill_inputs(t)
        if not self._is_done(t, None, START):
            return None
        self._system.start_choices, after = self._choices.copy(), self._y.copy()
        self._results_at = t, after
        return after, self._memory.array("results").tolist()

    def at(self, t: float, y: "Array", crossed: Mapping[int, int]) -> "Array | None":
        """The states after the event at t, where these crossings were located or time has come."""
        self._roots.fill(0)
        for i, direction in crossed.items():
            self._roots[i] = direction
        if not self._is_done(t, y, EVENT):
            return None
        after = self._y.copy()
        self._results_at = t, after
        return after

    def outcome(self, t: float, limit: float, before: "tuple[Array, Array]", y: "Array") -> int:
        """`event_outcome` of an event behind which the states are y; `before` are states and frozen values."""
        self._before[0][:], self._before[1][:] = before
        self._y[:] = y
        return int(self._outcome(self._address, t, limit))

    def leave(self, t: float, y: "Array") -> float | None:
        """Prepares the crossings for what comes; the time of the next event that is known."""
        known = self._results_at
        anew = known is None or known[0] != t or known[1] is not y
        return float(self._numbers[_PLACE["limit"]]) if self._is_done(t, y, LEAVE_ANEW if anew else LEAVE) else None

    def first_step(self, t: float, y: "Array") -> float | None:
        """Upper limit of the solver's first step; 0 if unknown."""
        return float(self._numbers[_PLACE["first_step"]]) if self._is_done(t, y, FIRST_STEP) else None

    def begin_checks(self) -> None:
        """The solver begins: nothing is known of sines."""
        self._memory.words[_PLACE["is_checking"]] = 0

    def next_check(self, t: float, y: "Array", watched: "Array | None") -> float:
        """The time of the next evaluation of sines; `watched` are the root functions at t, where these are known."""
        if watched is not None:
            self._watched[:-1] = watched
        self._watched[-1] = nan if watched is None else t
        self._is_done(t, y, CHECK)
        return float(self._numbers[_PLACE["check_due"]])

    def violated(self, values: "Array") -> dict[int, int]:
        """Root functions that a solver has brought to the other side without a report, with directions."""
        self._watched[:-1] = values
        if not self._find(self._address):
            return {}
        return {i: int(direction) for i, direction in enumerate(self._roots) if direction}

    def _is_done(self, t: float, y: "Array | None", task: int) -> bool:
        if y is not None:
            self._y[:] = y
        self._results_at = None if task in (START, EVENT) else self._results_at
        status: int = self._task(self._address, t, task)
        system = self._system
        if system.inputs is not None:
            system.inputs.check()
        system.rhs_calls += int(self._record.calls)
        self._record.calls = 0.0
        return status == DONE
