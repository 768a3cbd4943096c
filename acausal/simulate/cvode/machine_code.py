"""CVODE that calls the machine code itself: the fast way, wherever there is machine code.

Tolerances, steps and results are those of `callbacks`, which is the same solver called through Python.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import nullcontext
from ctypes import c_double, c_int32, c_void_p
from math import nan
from typing import TYPE_CHECKING

from acausal.runtime.events.single_steps import NOT_DELAYED
from acausal.simulate.cvode.instance import CvodeInstance
from acausal.simulate.cvode.native_events import NativeEvents
from acausal.simulate.failure.checked import delayed_values
from acausal.simulate.jacobian.exact_jacobian import matrix_text
from acausal.simulate.jacobian.sundials_library import Sundials
from acausal.simulate.solver.cvode_settings import (
    CLOSE_CROSSINGS,
    NO_SOLUTION,
    ROOT,
    STOPPED,
    TOO_MUCH_WORK,
    WHY,
)
from acausal.simulate.solver.integrator import CloseCrossingsError, Counts, EventBatch, StepResult, StuckError
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

_ADVANCE = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double)
_ONE_AT_A_TIME = threading.Lock()
"""SuperLU_MT works in variables that all its matrices share: two threads in it end the process."""
SUCCESS = 0


class DirectIntegrator:
    """CVODE by pointer; see `Integrator`."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str, library: Sundials) -> None:
        self.name = "cvode" if method == "BDF" else "adams"
        self._system, self._library = system, library
        self.cvode = CvodeInstance(system, y, settings, method, library)
        self._address, self._handle = self.cvode.context.address, self.cvode.memory.cvode
        self._set_stop = library.CVodeSetStopTime
        self._limit: float | None = None
        self._done = Counts(0, 0)
        self._loop = NativeEvents(system, self.cvode)
        self._reached = self.cvode.context.array("reached")
        self.matrix = self.cvode.matrix
        self._matrix_text = matrix_text(system.executable, self.matrix)
        self.turn = _ONE_AT_A_TIME if self.matrix.kind == "sparse" else nullcontext()
        self._advance = _ADVANCE(system.address("cvode_advance") or 0)
        self._has_delays = bool(system.program.delays)
        if self._has_delays:
            self._loop.begin(settings)
            self._loop.begin_at(settings.start)

    @property
    def batch(self) -> "DirectIntegrator":
        """The batch integrator: this object."""
        return self

    def begin(self, settings: Settings, y: "Array") -> bool:
        """Begins another run, as if it were the first."""
        if settings.solver != self.cvode.settings.solver or self.cvode.has_fixed_tolerances:
            return False
        self.cvode.forget_roots()
        self._done = Counts(0, 0)
        self.cvode.limit_steps(settings)
        if self._has_delays:
            self._loop.begin(settings)
        self._begin_at(settings.start, y, 0.0)
        return True

    def watched(self, t: float) -> "Array | None":
        """The root functions where CVODE has evaluated them last."""
        watched = self.cvode.watched
        return watched[:-1] if watched[-1] == t else None

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:
        """Begins again."""
        self._done = self.counts()
        self._loop.note(t)
        self._begin_at(t, y, first)

    def goes_on(self, t: float, limit: float) -> bool:
        """True if no step may have gone beyond the limit."""
        if self._limit is not None and limit < self._limit:
            return False
        self.cvode.watched[-1] = nan
        self._loop.note(t)
        return True

    def _begin_at(self, t: float, y: "Array", first: float) -> None:
        self._limit = None
        self.cvode.watched[-1] = nan
        self.cvode.reinitialize(t, y, first)
        if self._has_delays:
            self._loop.begin_at(t)

    def advance(self, t: float, limit: float) -> StepResult:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        if self._has_delays:
            return self._advance_with_history(t, limit)
        if limit != self._limit:
            self._set_stop(self._handle, limit)
            self._limit = limit
        with self.turn:
            status = self._advance(self._address, t)
        return self._stopped(status, float(self._reached[0]))

    def _advance_with_history(self, t: float, limit: float) -> StepResult:
        self._system.delays.make_room()
        with self.turn:
            status, here, self._limit = self._loop.advance(t, limit, self._limit)
        reached = self._stopped(status, here)
        return StepResult(reached.t, reached.y, reached.crossed)

    def begin_loop(self, settings: Settings) -> None:
        """Makes ready for `through`."""
        self._loop.begin(settings)

    def through(
        self, times: "Array", known: float, here: float, rows: Rows, on_events: Callable[[EventBatch], None]
    ) -> StepResult:
        """Rows at these times and on both sides of events on the way; see `BatchIntegrator`."""
        if self._has_delays:
            self._system.delays.make_room()
        with self.turn:
            run = self._loop.run(times, (here, known, rows.last_time, self._limit), rows)
        self._limit = run.solver_limit
        if len(run.events.times):
            self.cvode.forget_first_step()
            before = self._done
            self._done = Counts((before.steps or 0) + run.steps, before.jacobians + run.jacobians)
        on_events(run.events)
        try:
            return self._stopped(run.status, run.t)
        except CloseCrossingsError:
            raise CloseCrossingsError(StepResult(run.t, self.cvode.states(), {})) from None

    def _stopped(self, status: int, t: float) -> StepResult:
        """Step result for CVode's status where it stopped."""
        self._take_record()
        if status == CLOSE_CROSSINGS and self._system.program.table.crossings:
            raise CloseCrossingsError
        if status == NOT_DELAYED:
            delayed_values(self._system, t, self.cvode.states())
            raise StuckError(NO_SOLUTION, t, self.cvode.states())
        if status < 0 and status != TOO_MUCH_WORK:
            name = self._library.CVodeGetReturnFlagName(status).decode()
            raise StuckError(WHY.get(status, f"CVODE returned {name}"), t, self.cvode.states())
        if status == STOPPED:
            self._limit = None
        return StepResult(t, self.cvode.states(), self.cvode.crossed() if status == ROOT else {}, status == SUCCESS)

    def _take_record(self) -> None:
        """Read the record of the machine code, for messages and statistics; what functions of the host have raised."""
        if self._system.inputs is not None:
            self._system.inputs.check()
        record = self.cvode.record
        self._system.rhs_calls += int(record.calls)
        record.calls = 0.0
        if record.failed_block:
            self._system.failed_block = int(record.failed_block), record.failed_time
            record.failed_block = 0.0

    def counts(self) -> Counts:
        """Steps and Jacobians; the library counts from the last restart."""
        steps, jacobians = self.cvode.counts()
        before = self._done
        return Counts((before.steps or 0) + steps, before.jacobians + jacobians, self._matrix_text)
