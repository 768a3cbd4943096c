"""CVODE that calls the machine code itself: the fast way, wherever there is machine code.

Tolerances, steps and results are those of `sundials`, which is the same solver called through Python.
"""

import ctypes
import threading
from collections.abc import Callable
from contextlib import nullcontext
from ctypes import byref, c_double, c_int32, c_int64, c_long, c_void_p
from math import nan
from typing import TYPE_CHECKING, Any

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory
from acausal.runtime.cvode import EVERY, CvodeContext
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import SHORTEST
from acausal.runtime.single_steps import NOT_DELAYED
from acausal.simulate.jacobian.exact_filler import ExactFiller
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian, matrix_text
from acausal.simulate.jacobian.storage import choose_matrix
from acausal.simulate.jacobian.sundials_library import Sundials
from acausal.simulate.jacobian.sundials_matrix import Filler, SundialsMatrix
from acausal.simulate.solver.cvode_settings import (
    AT_ONCE,
    CLOSE_CROSSINGS,
    CONVERGENCE_FAILURES,
    ERROR_FAILURES,
    NO_SOLUTION,
    ROOT,
    SAFETY,
    STOPPED,
    TOO_MUCH_WORK,
    WHY,
)
from acausal.simulate.solver.integrator import CloseCrossingsError, Counts, Happened, Reached, StuckError
from acausal.simulate.solver.sundials_memory import SolverMemory
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array
    from acausal.simulate.solver.native_events import NativeEvents

_ROWS = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p, c_int64, *[c_void_p] * 4)
_ADVANCE = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double, c_void_p)
CVODE_FIELDS = tuple(fields(CvodeContext))
_ONE_AT_A_TIME = threading.Lock()
"""SuperLU_MT works in variables that all its matrices share: two threads in it end the process."""
_FUNCTIONS = {
    "solve": "CVode",
    "set_stop": "CVodeSetStopTime",
    "reinit": "CVodeReInit",
    "set_tolerances": "CVodeSVtolerances",
    "set_longest": "CVodeSetMaxStep",
    "set_roots": "CVodeRootInit",
    "count_steps": "CVodeGetNumSteps",
}
"""Functions called by the machine code of many runs."""
SUCCESS = 0
MOST_ORDER = 5
"""The order of steps with delays; that of BDF anyway."""
UNKNOWN = -1.0, 0.0


class DirectIntegrator:
    """CVODE by pointer; see `Integrator`."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str, library: Sundials) -> None:
        import numpy as np

        self.name = "cvode" if method == "BDF" else "adams"
        self._system, self._settings = system, settings
        self._library = library
        self._watchful = bool(system.program.choice_table.slots)
        self._record = np.zeros(5)
        self._set_stop = library.CVodeSetStopTime
        self._limit: float | None = None
        self._limits: tuple[Settings, bytes] | None = None
        self._first = UNKNOWN
        self._done = Counts(0, 0)
        self._events: NativeEvents | None = None
        self._reached, self._ready, self._counted = c_double(0.0), c_int64(0), (c_long(0), c_long(0))
        self.matrix = choose_matrix(system.executable, lambda: library.superlu is not None)
        self._told = matrix_text(system.executable, self.matrix)
        self.turn = _ONE_AT_A_TIME if self.matrix.kind == "sparse" else nullcontext()
        ordered = self.matrix.kind == "band"
        self._order = self.matrix.order if ordered else None
        self._place = self.matrix.place if ordered else None
        self._room = np.zeros((2, len(y)))
        self._y = self._ordered(y)
        self._roots = np.zeros(system.program.table.crossings, dtype=np.int32)
        self._watched = np.full(len(self._roots) + 1, np.nan)
        self._absolute = np.empty(len(y))
        self._user = self._context(system)
        self._rows = _ROWS(system.address("cvode_rows") or 0)
        self._advance = _ADVANCE(system.address("cvode_advance") or 0)
        self._memory = SolverMemory(library, method, len(y))
        self._set_up(settings.start)
        self._limit_steps(settings)
        self._has_delays = bool(system.program.delays)
        if self._has_delays:
            self._loop.begin(settings)
            self._loop.begin_at(settings.start)

    def _context(self, system: System) -> ContextMemory:
        """Data that CVODE passes to the functions that it calls, without the solver."""
        import numpy as np

        program, library = system.program, self._library
        u, p, m = system.arrays
        found: dict[str, int | NDArray[Any]] = {
            "u": u if system.inputs is None else system.routine_inputs,
            "p": p,
            "m": m,
            "offset": system.offset,
            "starts": system.starts,
            "record": self._record,
            "watched": self._watched,
            "counted": np.zeros(1, dtype=np.int64),
            **{name: system.address(name) or 0 for name in ("derivatives", "crossings", "choices")},
            "state_count": len(program.state_slots),
            "memory_count": program.memory,
            "crossing_count": program.table.crossings,
            "followed": program.followed,
            "solve": library.address("CVode"),
            "count_steps": library.address("CVodeGetNumSteps"),
            "set_most_steps": library.address("CVodeSetMaxNumSteps"),
        }
        if self._place is not None and self._order is not None:
            states, slopes = self._room
            found |= {"place": self._place, "order": self._order, "states": states, "slopes": slopes, "is_ordered": 1}
        if self._watchful:
            found |= dict(zip(("choice_results", "selections", "monitor"), system.judge.addresses, strict=True))
            found["is_monitored"] = 1
        return ContextMemory(CVODE_FIELDS, found)

    def _ordered(self, y: "Array") -> "Array":
        """As CVODE has the states."""
        return y.copy() if self._order is None else y[self._order]

    def _states_now(self) -> "Array":
        return self._y.copy() if self._place is None else self._y[self._place]

    @property
    def rusher(self) -> "DirectIntegrator":
        """The batch integrator: this object."""
        return self

    def _set_up(self, start: float) -> None:
        """Set up what all runs of the system share."""
        library, memory = self._library, self._memory
        self._states = states = memory.vector(self._y)
        self._tolerances = memory.vector(self._absolute)
        self._user.fill({"cvode": memory.cvode.value or 0, "vector": states, "numbers": self._y})
        system, cvode = self._system, memory.cvode
        library.CVodeInit(cvode, system.address("cvode_slope"), start, states)
        self._set_matrix(memory.matrix(states, self.matrix))
        library.CVodeSetUserData(cvode, self._user.address)
        library.CVodeSetMaxNumSteps(cvode, EVERY if self._watchful else AT_ONCE)
        library.CVodeSetMaxHnilWarns(cvode, -1)
        if system.program.delays:  # higher orders take steps in which the history is no polynomial of degree 4
            library.CVodeSetMaxOrd(cvode, MOST_ORDER)
        library.CVodeSetMaxErrTestFails(cvode, ERROR_FAILURES)
        library.CVodeSetMaxConvFails(cvode, CONVERGENCE_FAILURES)
        if len(self._roots):
            library.CVodeRootInit(cvode, len(self._roots), system.address("cvode_crossings"))
            library.CVodeSetNoInactiveRootWarn(cvode)

    def _limit_steps(self, settings: Settings) -> None:
        """Tolerances, the shortest and the longest step: what depends on settings and parameters."""
        library, cvode, system = self._library, self._memory.cvode, self._system
        limits = settings, system.arrays[1].tobytes()
        if limits == self._limits:
            return
        self._settings, self._limits = settings, limits
        self._absolute[:] = self._ordered(system.tolerances(SAFETY * settings.tolerance))
        library.CVodeSVtolerances(cvode, max(SAFETY * settings.tolerance, 1e-15), self._tolerances)
        shortest = SHORTEST * abs(settings.start)
        self._limit_first_step(shortest, 0.0)
        self._limit_longest_step(settings.start)

    def _limit_longest_step(self, t: float) -> None:
        """The longest step from t on."""
        settings, system = self._settings, self._system
        longest = min(settings.stop - settings.start, system.longest_step(t))
        self._library.CVodeSetMaxStep(self._memory.cvode, max(longest, SHORTEST * abs(t)))

    def _set_matrix(self, matrix: SundialsMatrix) -> None:
        library, cvode = self._library, self._memory.cvode
        library.CVodeSetLinearSolver(cvode, matrix.solver, matrix.matrix)
        library.CVodeSetJacEvalFrequency(cvode, self.matrix.lasting)
        exact = exact_jacobian(self._system.executable)
        filler: Filler | ExactFiller | None = None
        if exact is not None:
            filler = ExactFiller(library, matrix, exact, self._system)
        elif self.matrix.groups:
            filler = Filler(library, matrix, self._system, self._system.tolerances(1.0))
        self._memory.filler = filler
        if filler is not None:
            self._user.fill({"jacobian": filler.address})
            library.CVodeSetJacFn(cvode, filler.function)

    def begin(self, settings: Settings, y: "Array") -> bool:
        """Begins another run, as if it were the first."""
        if settings.solver != self._settings.solver or isinstance(self._memory.filler, Filler):
            return False
        if len(self._roots):  # else CVODE would not look at those that were zero at last
            address = self._system.address("cvode_crossings")
            self._library.CVodeRootInit(self._memory.cvode, 0, None)
            self._library.CVodeRootInit(self._memory.cvode, len(self._roots), address)
        self._done = Counts(0, 0)
        self._limit_steps(settings)
        if self._has_delays:
            self._loop.begin(settings)
        self._begin_at(settings.start, y, 0.0)
        return True

    def watched(self, t: float) -> "Array | None":
        """The root functions where CVODE has evaluated them last."""
        return self._watched[:-1] if self._watched[-1] == t else None

    def restart(self, t: float, y: "Array", first: float = 0.0) -> None:
        """Begins again."""
        self._done = self.counts()
        if self._events is not None:
            self._events.note(t)
        self._begin_at(t, y, first)

    def goes_on(self, t: float, limit: float) -> bool:
        """True if no step may have gone beyond the limit."""
        if self._limit is not None and limit < self._limit:
            return False
        self._watched[-1] = nan
        if self._events is not None:
            self._events.note(t)
        return True

    def _begin_at(self, t: float, y: "Array", first: float) -> None:
        self._limit = None
        self._watched[-1] = nan
        if self._watchful:
            self._user.fill({"judged_at": 0})
            self._library.CVodeSetMaxNumSteps(self._memory.cvode, EVERY)
        self._limit_first_step(SHORTEST * abs(t), first)
        if self._system.program.waves:
            self._limit_longest_step(t)
        self._y[:] = self._ordered(y)
        self._record[4] = 0.0
        self._library.CVodeReInit(self._memory.cvode, t, self._states)
        if self._has_delays:
            self._loop.begin_at(t)

    def _limit_first_step(self, shortest: float, first: float) -> None:
        first = max(first, 10 * shortest) if first else 0.0
        if self._first != (shortest, first):
            self._first = shortest, first
            self._library.CVodeSetMinStep(self._memory.cvode, shortest)
            self._library.CVodeSetInitStep(self._memory.cvode, first)

    def advance(self, t: float, limit: float) -> Reached:
        """The states at t, or at the first crossing before, or where many steps have been taken."""
        if self._has_delays:
            return self._advance_with_history(t, limit)
        cvode, reached = self._memory.cvode, self._reached
        if limit != self._limit:
            self._set_stop(cvode, limit)
            self._limit = limit
        with self.turn:
            status = self._advance(self._user.address, t, byref(reached))
        return self._stopped(status, reached.value)

    def _advance_with_history(self, t: float, limit: float) -> Reached:
        self._system.past.make_room()
        with self.turn:
            status, here, self._limit = self._loop.advance(t, limit, self._limit)
        reached = self._stopped(status, here)
        return Reached(reached.t, reached.y, reached.crossed)

    def through(self, times: "Array", limit: float, rows: Rows, held: "Array") -> Reached:
        """Rows at all of these times, as `advance` one after the other would give them; it may stop before."""
        if limit != self._limit:
            self._set_stop(self._memory.cvode, limit)
            self._limit = limit
        at_times, at_states, at_memory = rows.open(times)
        reached, ready = self._reached, self._ready
        with self.turn:
            status = self._rows(
                self._user.address,
                *(at_times, len(times), byref(reached), at_states, at_memory, byref(ready)),
            )
        rows.close(ready.value, held)
        return self._stopped(status, reached.value)

    def with_events(self, settings: Settings) -> bool:
        """Makes ready for `through_events`; False where there are neither events nor delays, or states were chosen."""
        if self._watchful or not (self._system.program.table.held or self._has_delays):
            return False
        self._loop.begin(settings)
        return True

    @property
    def _loop(self) -> "NativeEvents":
        """The loop over output times and events."""
        if self._events is None:
            from acausal.simulate.solver.native_events import NativeEvents

            self._events = NativeEvents(self._system, self._handles())
        return self._events

    def first_instant(self, settings: Settings) -> "tuple[Array, Array] | None":
        """States of the first instant and the results of `events` there; None where Python is to do it."""
        if self._events is None or self._has_delays:
            return None
        self._system.fill_inputs(settings.start)
        found = self._events.start(settings)
        self._take_record()
        return found

    def _handles(self) -> "FieldValues":
        """The solver and its arrays as `LoopContext` names them."""
        import numpy as np

        plain = np.arange(len(self._y))
        place, order = [plain if a is None else a for a in (self._place, self._order)]
        cvode, record = self._memory.cvode.value or 0, address_of(self._record)
        found: dict[str, int | Array] = {"cvode": cvode, "vector": self._states, "record": record}
        if self._system.program.delays:
            between = np.zeros(len(self._y))
            found |= {"between": self._memory.vector(between), "between_there": between}
        return {
            **found,
            "watched_values": self._watched,
            "numbers_there": self._y,
            "roots": self._roots,
            "place": place,
            "order": order,
        }

    def for_runs(self) -> "FieldValues":
        """Fields of the solver for `codegen/native/run_context`."""
        own: FieldValues = {"user": self._user.address, "absolute": self._absolute, "tolerances": self._tolerances}
        fixed = int(isinstance(self._memory.filler, Filler))
        functions = {word: self._library.address(name) for word, name in _FUNCTIONS.items()}
        return {**self._handles(), **own, **functions, "fixed_tolerances": fixed}

    def through_events(
        self, times: "Array", known: float, here: float, rows: Rows, happened: Callable[[Happened], None]
    ) -> Reached:
        """Rows at these times and on both sides of events on the way; see `Rusher`."""
        assert self._events is not None
        if self._has_delays:
            self._system.past.make_room()
        with self.turn:
            run = self._events.run(times, (here, known, rows.last_time, self._limit), rows)
        self._limit, self._first = run.solver_limit, UNKNOWN
        before = self._done
        self._done = Counts((before.steps or 0) + run.steps, before.jacobians + run.jacobians)
        happened(run.happened)
        try:
            return self._stopped(run.status, run.t)
        except CloseCrossingsError:
            raise CloseCrossingsError(Reached(run.t, self._states_now(), {})) from None

    def _stopped(self, status: int, t: float) -> Reached:
        """Step result for CVode's status where it stopped."""
        self._take_record()
        if status == CLOSE_CROSSINGS and len(self._roots):
            raise CloseCrossingsError
        if status == NOT_DELAYED:
            self._system.delayed(t, self._states_now())
            raise StuckError(NO_SOLUTION, t, self._states_now())
        if status < 0 and status != TOO_MUCH_WORK:
            name = self._library.CVodeGetReturnFlagName(status).decode()
            raise StuckError(WHY.get(status, f"CVODE returned {name}"), t, self._states_now())
        if status == STOPPED:
            self._limit = None
        return Reached(t, self._states_now(), self._crossed() if status == ROOT else {}, status == SUCCESS)

    def _crossed(self) -> dict[int, int]:
        self._library.CVodeGetRootInfo(self._memory.cvode, address_of(self._roots))
        return {i: int(d) for i, d in enumerate(self._roots) if d}

    def _take_record(self) -> None:
        """Read the record of the machine code, for messages and statistics; what functions of the host have raised."""
        if self._system.inputs is not None:
            self._system.inputs.check()
        calls, block, time = self._record[:3].tolist()
        self._system.rhs_calls += int(calls)
        self._record[0] = 0.0
        if block:
            self._system.failed_block = int(block), time
            self._record[1] = 0.0

    def counts(self) -> Counts:
        """Steps and Jacobians; the library counts from the last restart."""
        steps, jacobians = self._counted
        self._library.CVodeGetNumSteps(self._memory.cvode, byref(steps))
        self._library.CVodeGetNumJacEvals(self._memory.cvode, byref(jacobians))
        before, made = self._done, jacobians.value if steps.value else 0  # CVODE sets it to zero at the first step
        return Counts((before.steps or 0) + steps.value, before.jacobians + made, self._told)
