"""One CVODE solver of a system: its memory, matrix and limits of steps, and the context for machine code.

States are in the order of the matrix here; a band has an order of its own (`jacobian/storage`).
"""

from ctypes import CFUNCTYPE, byref, c_double, c_long, c_void_p
from math import inf
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory, zeros_of
from acausal.codegen.native.native_events import search_addresses, tolerances_address
from acausal.runtime.context import SolverRecord
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.cvode.callbacks import EVERY
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import SHORTEST
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.cvode.memory import SolverMemory
from acausal.simulate.jacobian.exact_filler import ExactFiller
from acausal.simulate.jacobian.exact_jacobian import exact_jacobian
from acausal.simulate.jacobian.storage import choose_matrix
from acausal.simulate.jacobian.sundials_library import Sundials
from acausal.simulate.jacobian.sundials_matrix import DifferencesFiller, Filler, SundialsMatrix
from acausal.simulate.solver.cvode_settings import AT_ONCE, CONVERGENCE_FAILURES, ERROR_FAILURES
from acausal.simulate.solver.event_context import LOOP_FIELDS, plain_fields
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import longest_step, tolerances, usual_first
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from collections.abc import Callable

    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array

_FUNCTIONS = {
    "set_tolerances": "CVodeSVtolerances",
    "set_longest": "CVodeSetMaxStep",
    "set_roots": "CVodeRootInit",
}
"""Functions called by the machine code of many runs."""
MOST_ORDER = 5
"""The order of steps with delays; that of BDF anyway."""
_UNKNOWN = -1.0, 0.0
_IS_CHECKING = LOOP_FIELDS.index("is_checking")
_TOLERANCES = CFUNCTYPE(None, c_void_p, c_double, c_void_p, c_double, c_void_p)


class CvodeInstance:
    """Serves all runs of one system; `is_monitored` if states were selected, which CVODE's context then monitors."""

    def __init__(self, system: System, y: "Array", settings: Settings, method: str, library: Sundials) -> None:
        import numpy as np

        self._system, self.settings, self._library = system, settings, library
        self.is_monitored = bool(system.program.choice_table.slots)
        self._record_memory, self.record = zeros_of(SolverRecord)
        self._limited: tuple[Settings, bytes, bytes, bytes] | None = None
        self._mode_tolerances: Callable[..., object] | None = None
        self._first_step = _UNKNOWN
        self._counted = c_long(0), c_long(0)
        self._to_counted = byref(self._counted[0]), byref(self._counted[1])
        self.matrix = choose_matrix(system.executable, lambda: library.superlu is not None)
        self._is_ordered = self.matrix.kind == "band"
        self._y = self._ordered(y)
        self._roots = np.zeros(system.program.table.crossings, dtype=np.int32)
        self.watched = np.full(len(self._roots) + 1, np.nan)
        self._absolute = np.empty(len(y))
        self.context = self._context()
        self.memory = SolverMemory(library, method, len(y))
        self._set_up(settings.start)

    def _context(self) -> ContextMemory:
        """Data that CVODE passes to the functions that it calls, and those of the loop that calls it."""
        import numpy as np

        states, slopes = np.zeros((2, len(self._y)))
        found: FieldValues = {
            **plain_fields(self._system),
            "record": self._record_memory.address,
            "roots": self._roots,
            "watched_values": self.watched,
            "place": self.matrix.place,
            "order": self.matrix.order,
            "is_ordered": int(self._is_ordered),
            "model_states": states,
            "model_slopes": slopes,
            "numbers": self._y,
        }
        if self.is_monitored:
            monitored = zip(("choice_results", "selections", "monitor"), self._system.monitor.addresses, strict=True)
            found = {**found, **dict(monitored), "is_monitored": 1}
        return ContextMemory(LOOP_FIELDS, found)

    def _set_up(self, start: float) -> None:
        """Set up what all runs of the system share."""
        import numpy as np

        library, memory, system = self._library, self.memory, self._system
        self._states, self._tolerances = memory.vector(self._y), memory.vector(self._absolute)
        self.context.fill({"cvode": memory.cvode.value or 0, "vector": self._states, "address": self.context.address})
        if system.program.delays or system.program.table.hidden:
            self._between = np.zeros(len(self._y))
            self.context.fill({"between": memory.vector(self._between), "between_there": self._between})
        if system.program.table.hidden:
            from acausal.simulate.solver.hidden import search_room

            addresses = search_addresses()
            watch = {"watch": addresses["watch_within"], "context": self.context.address}
            self._search = ContextMemory(tuple(fields(HiddenSearch)), {**search_room(system), **watch})
            self.context.fill({"search_step": addresses["search_step"], "hidden_search": self._search.address})
        cvode = memory.cvode
        library.CVodeInit(cvode, system.address("cvode_slope"), start, self._states)
        self._set_matrix(memory.matrix(self._states, self.matrix))
        library.CVodeSetUserData(cvode, self.context.address)
        single = any(not slot.file.cosimulation for slot in system.program.units)  # to whom each step is reported
        library.CVodeSetMaxNumSteps(cvode, 1 if single else EVERY if self.is_monitored else AT_ONCE)
        library.CVodeSetMaxHnilWarns(cvode, -1)
        if system.program.delays:  # higher orders take steps in which the history is no polynomial of degree 4
            library.CVodeSetMaxOrd(cvode, MOST_ORDER)
        library.CVodeSetMaxErrTestFails(cvode, ERROR_FAILURES)
        library.CVodeSetMaxConvFails(cvode, CONVERGENCE_FAILURES)
        if len(self._roots):
            library.CVodeRootInit(cvode, len(self._roots), system.address("cvode_crossings"))
            library.CVodeSetNoInactiveRootWarn(cvode)

    def _set_matrix(self, matrix: SundialsMatrix) -> None:
        library, cvode = self._library, self.memory.cvode
        library.CVodeSetLinearSolver(cvode, matrix.solver, matrix.matrix)
        library.CVodeSetJacEvalFrequency(cvode, self.matrix.lasting)
        filler: Filler | None = None
        if (exact := exact_jacobian(self._system.executable)) is not None:
            filler = ExactFiller(library, matrix, exact, self._system)
        elif self.matrix.groups:
            filler = DifferencesFiller(library, matrix, tolerances(self._system, 1.0))
        self.memory.filler = filler
        if filler is not None:
            self.context.fill({filler.field: filler.address})
            library.CVodeSetJacFn(cvode, filler.function)
        if matrix.sums is not None:
            self.context.fill(matrix.sums.begin(is_exact=filler is not None))
            library.CVodeSetLinSysFn(cvode, matrix.sums.function)

    def can_begin(self, settings: Settings) -> bool:
        """True if it can serve another run with these settings."""
        return settings.solver == self.settings.solver

    def _ordered(self, y: "Array") -> "Array":
        """As CVODE has the states."""
        return y[self.matrix.order] if self._is_ordered else y.copy()

    def solved_until(self) -> float:
        """No other time than that of the states."""
        return -inf

    def states(self) -> "Array":
        """The states where CVODE is, in the order of the system."""
        return self._y[self.matrix.place] if self._is_ordered else self._y.copy()

    def limit_steps(self, settings: Settings, y: "Array") -> None:
        """Tolerances, the shortest and the longest step: what depends on settings and the first instant."""
        library, cvode, system = self._library, self.memory.cvode, self._system
        self.settings = settings
        begin = settings, system.arrays[1].tobytes(), y.tobytes(), system.frozen.tobytes()
        if begin == self._limited and not system.varying and not system.program.memory:
            return
        self._limited = begin
        self._absolute[:] = self._ordered(self._find_tolerances(settings, y))
        if isinstance(self.memory.filler, DifferencesFiller):
            self.memory.filler.scales[:] = tolerances(self._system, 1.0)
        library.CVodeSVtolerances(cvode, max(step_tolerance(settings.tolerance), 1e-15), self._tolerances)
        self._limit_first_step(SHORTEST * abs(settings.start), 0.0)
        self._limit_longest_step(settings.start)

    def _find_tolerances(self, settings: Settings, y: "Array") -> "Array":
        """Absolute tolerances of a run that begins with these states, in the order of the system."""
        system, share = self._system, step_tolerance(settings.tolerance)
        found = tolerances(system, share)
        if system.program.table.crossings:
            self._mode_tolerances = self._mode_tolerances or _TOLERANCES(tolerances_address())
            self._mode_tolerances(self.context.address, settings.start, address_of(y), share, address_of(found))
        return found

    def _limit_longest_step(self, t: float) -> None:
        """The longest step from t on."""
        settings, system = self.settings, self._system
        longest = min(settings.stop - settings.start, longest_step(system, t))
        self._library.CVodeSetMaxStep(self.memory.cvode, max(longest, SHORTEST * abs(t)))

    def _limit_first_step(self, shortest: float, first: float) -> None:
        first = first or usual_first(self._system.program, self.settings)
        first = max(first, 10 * shortest) if first else 0.0
        if self._first_step != (shortest, first):
            self._first_step = shortest, first
            self._library.CVodeSetMinStep(self.memory.cvode, shortest)
            self._library.CVodeSetInitStep(self.memory.cvode, first)

    def set_stop(self, t: float) -> None:
        """No step goes beyond t."""
        self._library.CVodeSetStopTime(self.memory.cvode, t)

    def status_name(self, status: int) -> str:
        """CVODE's name of a status."""
        return str(self._library.CVodeGetReturnFlagName(status).decode())

    def forget_first_step(self) -> None:
        """Machine code may have set another one."""
        self._first_step = _UNKNOWN

    def forget_roots(self) -> None:
        """Make CVODE watch root functions again that were zero at last."""
        count = len(self._roots)
        if count:
            initialize, cvode = self._library.CVodeRootInit, self.memory.cvode
            initialize(cvode, 0, None)
            initialize(cvode, count, self._system.address("cvode_crossings"))

    def reinitialize(self, t: float, y: "Array", first: float) -> None:
        """Begin at other states; `first` is how long the first step may be, 0 where nothing is known."""
        self.context.words[_IS_CHECKING] = 0
        if self.is_monitored:
            self.context.fill({"judged_at": 0})
            self._library.CVodeSetMaxNumSteps(self.memory.cvode, EVERY)
        self._limit_first_step(SHORTEST * abs(t), first)
        if self._system.program.waves:
            self._limit_longest_step(t)
        self._y[:] = y[self.matrix.order] if self._is_ordered else y
        self.record.repeated = 0.0
        self._library.CVodeReInit(self.memory.cvode, t, self._states)

    def crossed(self) -> dict[int, int]:
        """The root functions that CVODE found zero, and whether they grow (1) or fall (-1)."""
        self._library.CVodeGetRootInfo(self.memory.cvode, address_of(self._roots))
        return {i: int(d) for i, d in enumerate(self._roots) if d}

    def counts(self) -> tuple[int, int]:
        """Steps and Jacobians since the last beginning."""
        steps, jacobians = self._counted
        to_steps, to_jacobians = self._to_counted
        self._library.CVodeGetNumSteps(self.memory.cvode, to_steps)
        self._library.CVodeGetNumJacEvals(self.memory.cvode, to_jacobians)
        return steps.value, jacobians.value if steps.value else 0  # CVODE sets it to zero at the first step

    def run_fields(self) -> "FieldValues":
        """Fields of the solver for `runtime/sweep/sweep`."""
        own: FieldValues = {"absolute": self._absolute, "tolerances": self._tolerances}
        functions = {field: self._library.address(name) for field, name in _FUNCTIONS.items()}
        has_differences = isinstance(self.memory.filler, DifferencesFiller)
        return {**self.context.values, **own, **functions, "has_differences": int(has_differences)}
