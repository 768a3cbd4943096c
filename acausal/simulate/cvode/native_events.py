"""Ordinary events without Python: `codegen/native/native_events` with the arrays of one system and its solver.

The machine code goes through output times and events (`runtime/events/event_loop`); `solver/event_iteration` does
whatever is out of the ordinary.
"""

import ctypes
from math import inf, isnan, nan
from struct import Struct
from time import perf_counter
from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, zeros_of
from acausal.codegen.native.native_events import events_addresses, parts_address, step_address
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.run_parts import RunParts
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.limits import MOST_ROWS, WITHIN, WITHOUT_END
from acausal.simulate.solver.event_context import LOOP_FIELDS, event_fields, most_passes, numbers_of
from acausal.simulate.solver.integrator import EventBatch
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

AT_ONCE, NUMBERS_AT_ONCE, FEW = 1024, 2**18, 64
"""Events in one call at most, as many as have so many numbers if these are not too few, and as many at first.

Between calls Python sees whether the user wants to stop.
"""
PATIENCE = 0.02
"""Seconds of a call after which fewer are done."""
_EARLIER = WITHOUT_END - 1
_PLACE = {name: i for i, name in enumerate(LOOP_FIELDS)}
_FIRST, _LIMIT = _PLACE["times"], _PLACE["limit"]
_FROZEN_AT, _ROOTS_AT = _PLACE["event_frozen"], _PLACE["event_roots"]
_OF_CALL = (
    *("times", "count", "number", "row_room", "rows", "row_times", "row_states", "row_frozen", "row_memory"),
    *("event_room", "event_count", "steps", "jacobians", "last_row", "solver_limit"),
)
"""The fields of a call, one behind the other."""
assert LOOP_FIELDS[_FIRST : _FIRST + len(_OF_CALL)] == _OF_CALL
_CALL = Struct("".join(["d" if fields(LoopContext)[name][1] is Scalar.REAL else "q" for name in _OF_CALL]))
_RUN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)
_ADVANCE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_double)


@record(frozen=True, slots=True)
class LoopResult:
    """CVODE's status and time; `steps` and `jacobians` it has forgotten; the time beyond which it must not go."""

    status: int
    t: float
    solver_limit: float | None
    steps: int
    jacobians: int
    events: EventBatch


class NativeEvents:
    """Serves all runs of one solver; `memory` is its `LoopContext`."""

    def __init__(self, system: System, memory: ContextMemory) -> None:
        import numpy as np

        self._program, table = system.program, system.program.table
        self._at_once = FEW
        numbers = 2 * len(table.frozen) + table.crossings
        self._most = min(AT_ONCE, max(FEW, NUMBERS_AT_ONCE // max(1, numbers)))
        self._settings: Settings | None = None
        self._times = np.empty(_EARLIER + self._most)
        memory.fill({"event_times": self._times})
        self._memory, self._sizes = memory, (len(table.frozen), table.crossings)
        self._make_room()
        self._has_events = bool(
            table.frozen or table.crossings or self._program.delays or not self._program.state_slots
        )
        if self._has_events:
            memory.fill(event_fields(system))
            run, advance = events_addresses()
            self._advance = _ADVANCE(advance)
            if self._program.delays and not memory.has("step_with_history"):
                memory.fill({"step_with_history": step_address()})
        else:
            run = parts_address()
        self._parts_memory, self.parts = zeros_of(RunParts)
        self._parts_memory.fill({"loop": memory.address})
        self.begin_run()
        self._numbers, self._address = memory.numbers, memory.address
        self._run_at = memory.address if self._has_events else self._parts_memory.address
        self._call = memory.words[_FIRST:].data
        self._reached = memory.array("reached")
        self._run = _RUN(run)

    def _make_room(self) -> None:
        """Room for events: the arrays before belong to those that have taken parts of them."""
        import numpy as np

        frozen, crossings = self._sizes
        self._frozen = np.empty((self._most, 2, frozen))
        self._roots = np.empty((self._most, crossings), dtype=np.int32)
        self._memory.fill({"event_frozen": self._frozen, "event_roots": self._roots})
        self._used = 0

    def begin(self, settings: Settings, slopes: "FieldValues | None") -> None:
        """Another run; without `slopes` events are left to Python, and so are turning points."""
        stops_at_events = slopes is None
        if self._has_events:
            self._times.fill(-inf)
        if slopes:
            self._memory.fill(slopes)
        if stops_at_events:
            self._settings = None
        if settings is self._settings:
            return
        self._settings, span = settings, settings.stop - settings.start
        own = {"stop": settings.stop, "chattering_time": WITHIN * span}
        for name, value in {**numbers_of(self._program, settings), **own}.items():
            self._numbers[_PLACE[name]] = value
        self._memory.words[_PLACE["most_passes"]] = most_passes(self._program, settings)
        if stops_at_events:
            self._numbers[_PLACE["chattering_time"]] = inf
            self._memory.words[_PLACE["watched"]] = self._program.table.crossings

    def begin_run(self) -> None:
        """Another run, which has a single part unless its method is to be chosen."""
        if not self._has_events:
            self.parts.boundary, self.parts.earlier = inf, 0

    def begin_at(self, t: float) -> None:
        """The solver begins again at t."""
        self._reached[0] = t
        self._memory.words[_PLACE["ready"]] = 0

    def advance(self, goal: float, known: float, limit: float | None) -> tuple[int, float, float | None]:
        """To the goal or a crossing before: CVODE's status, the time, and beyond which it must not go.

        `known` is the time of the next event that is known, `limit` where the solver is to stop.
        """
        self._numbers[_LIMIT] = known
        self._numbers[_PLACE["solver_limit"]] = nan if limit is None else limit
        status = self._advance(self._address, goal)
        limit = float(self._numbers[_PLACE["solver_limit"]])
        return status, float(self._reached[0]), None if isnan(limit) else limit

    def note(self, t: float, steps: int | None = None) -> None:
        """An event at t that Python has done; the solver begins again behind so many steps."""
        if steps is not None and not self._has_events:
            self.parts.earlier = steps
        self._times[: _EARLIER - 1] = self._times[1:_EARLIER]
        self._times[_EARLIER - 1] = t

    def run(self, times: "Array", now: tuple[float, float, float, float | None], rows: Rows) -> LoopResult:
        """Rows at these output times and on both sides of events; it may stop before.

        `now` are the time, that of the next event that is known, that of the last row, and where the solver is to stop.
        """
        t, known, last_row, limit = now
        self._reached[0], self._numbers[_LIMIT] = t, known
        room, addresses = rows.ready(len(times) + MOST_ROWS)
        if self._most - self._used < min(FEW, self._at_once):
            self._make_room()
        events = min(self._at_once, self._most - self._used)
        asked = address_of(times), len(times), 0, room, 0, *addresses, events, 0, 0, 0
        _CALL.pack_into(self._call, 0, *asked, last_row, nan if limit is None else limit)
        begin = perf_counter()
        status = self._run(self._run_at)
        slow = perf_counter() - begin > PATIENCE
        self._at_once = max(1, self._at_once // 2) if slow else min(self._most, 2 * self._at_once)
        _, _, _, _, made, _, _, _, _, _, count, steps, jacobians, _, limit = _CALL.unpack_from(self._call)
        rows.filled(made)
        t, known = float(self._reached[0]), float(self._numbers[_LIMIT])
        return LoopResult(status, t, None if isnan(limit) else limit, steps, jacobians, self._taken(count, known))

    def _taken(self, count: int, known: float) -> EventBatch:
        first, self._used = self._used, self._used + count
        frozen, roots = self._frozen[first : self._used], self._roots[first : self._used]
        if count == 0:
            return EventBatch(self._times[:0], frozen, roots, known)
        words = self._memory.words.data
        words[_FROZEN_AT] += frozen.nbytes
        words[_ROOTS_AT] += roots.nbytes
        last = _EARLIER + count
        times = self._times[_EARLIER:last].copy()
        self._times[:_EARLIER] = self._times[count:last].copy()
        return EventBatch(times, frozen, roots, known)
