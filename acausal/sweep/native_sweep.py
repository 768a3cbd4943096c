"""Runs that need no message, only their columns: many in one call of machine code.

Arrays and solver of one thread serve all its runs of one translation. Anything out of the ordinary is left to the way
of single runs, which begins again and explains the failure; the numbers are the same to the last bit.
"""

import ctypes
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple

from acausal.base.diagnostics import ModelError
from acausal.codegen.address import address_of
from acausal.codegen.context_memory import ContextMemory
from acausal.codegen.native.kernel_addresses import Kernels, kernel_addresses
from acausal.ir.program.program import Program
from acausal.runtime.kernel.signature import fields
from acausal.runtime.sweep.sweep_context import FALLBACK, SOLVER_DIRTY, UNBOUNDED, SweepContext
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import InputValue, make_signals
from acausal.simulate.rows.divisor_bounds import bounds_memory
from acausal.simulate.rows.divisor_values import Points
from acausal.simulate.rows.divisors import divisors_of
from acausal.simulate.rows.poles import may_have_pole
from acausal.simulate.run.choose_solver import check_solver, make_integrator
from acausal.simulate.system.parameters import Folded, Setter
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.sweep.columns import Reader
from acausal.sweep.native_sweep_fields import most_rows, run_fields
from acausal.sweep.runs.portion import PORTION

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.cvode.machine_code import DirectIntegrator

_VARYING = ("state", "time", "input", "memory")
_FIELDS = {name: number for name, (number, _) in fields(SweepContext).items()}
_CALL, _DONE, _STEPS, _COLUMNS = (_FIELDS[name] for name in ("run_count", "done", "steps_made", "column_count"))
_PASSES_OVER = _FIELDS["passes_over"]
_NAMES = ("acausal_runs",)
CALLS = 2
"""Calls of the derivatives for a step, as many as there mostly are."""
_RUNS = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)


def _kernels() -> Kernels:
    from acausal.runtime.sweep.sweep import acausal_runs

    return (acausal_runs,)


def is_quiet(program: Program) -> bool:
    """True if nothing happens but the motion of states: no events, delays, inputs or choices of states."""
    happening = program.input_slots or program.table.frozen or program.table.crossings or program.choice_table.slots
    return _is_ordinary(program) and not happening


def _is_ordinary(program: Program) -> bool:
    """True if there are states, but no delays and no functional mock-up units."""
    return bool(program.state_slots) and not program.delays and not program.units


def has_lasting_conditions(program: Program) -> bool:
    """True if assertions and the like, if any, are about parameters alone: they hold in all rows or in none."""
    positions = {condition.position for condition in program.conditions}
    varies: list[bool] = []
    for op, args, value in program.variables.code if positions else ():
        varies.append(op in _VARYING or any(varies[arg] for arg in args))
        if op == "store" and value in positions and varies[-1]:
            return False
    return True


def is_native(executable: "Executable", settings: Settings, inputs: Mapping[str, InputValue]) -> bool:
    """True if there is machine code for these runs: no delays or functions of Python."""
    from acausal.simulate.jacobian.sundials_library import sundials_library

    program, rows = executable.program, len(settings.grid)
    if any(callable(value) for value in inputs.values()):
        return False
    if not _is_ordinary(program):
        return False
    if bool(program.table.crossings) > bool(program.table.frozen) or not 2 <= rows <= most_rows(program):
        return False
    solved = check_solver(settings.solver) in ("auto", "cvode", "adams") and sundials_library() is not None
    return solved and executable.address("cvode_slope") is not None


class Done(NamedTuple):
    """The numbers of the runs that were done in so many seconds; whether the one behind them is out of the ordinary."""

    numbers: list[tuple[float, ...]]
    is_fallback: bool
    seconds: float = 0.0
    is_unbounded: bool = False
    """The next one has divisors that may be zero."""

    def followed_by(self, more: "Done") -> "Done":
        """These runs and those behind them."""
        return more._replace(numbers=self.numbers + more.numbers, seconds=self.seconds + more.seconds)


class NativeSweep:
    """Serves one thread; the model `is_native`."""

    def __init__(
        self,
        executable: "Executable",
        settings: Settings,
        inputs: Mapping[str, InputValue],
        setter: Setter,
        reader: Reader,
        time_limit: float | None = None,
        more: "FieldValues | None" = None,
    ) -> None:
        """`more` fields are those of events with slopes."""
        self._executable, self._settings, self._inputs = executable, settings, inputs
        self._time_limit, self._more = time_limit, more or {}
        self._setter, self._reader = setter, reader
        self._function = _RUNS(kernel_addresses(_NAMES, _kernels)[_NAMES[0]])
        self._solver: DirectIntegrator | None = None
        self._most_steps = 1
        self._bounds = bounds_memory(executable) if divisors_of(executable).all else None

    def run(self, values: Sequence[Sequence[float]]) -> Done:
        """The first of the runs with these values of parameters, as many as a portion takes.

        Where a divisor may be zero on the way the rows of a run are examined: one that may have a pole is left to
        the way of single runs.
        """
        if not divisors_of(self._executable).all:
            return self._runs(values)
        done = Done([], is_fallback=False)
        while len(done.numbers) < len(values) and done.seconds <= PORTION and not done.is_fallback:
            left = values[len(done.numbers) :]
            if self._bounds is not None:
                done = done.followed_by(self._runs(left, passes_over=True))
                if not done.is_unbounded:
                    continue
                left = values[len(done.numbers) :]
            one = self._runs(left[:1])
            if one.is_fallback or self._may_have_pole():
                one = Done([], is_fallback=True, seconds=one.seconds)
            done = done.followed_by(one)
        return done

    def rows(self) -> "tuple[Array, Array]":
        """Times (rows,) and stored variables (rows, variables) of the last run, up to the next one."""
        return self._array("row_times", 1)[:, 0], self._array("stored", self._executable.program.stored_size)

    def _array(self, name: str, width: int) -> "Array":
        """The rows of the last run in one of the fields."""
        import numpy as np

        count = self._words[_FIELDS["rows"]]
        return np.asarray(self._rows[name])[: count * width].reshape(count, width)

    def _may_have_pole(self) -> bool:
        """True if a divisor may be zero between two rows of the last run."""
        program, rows = self._executable.program, self._array
        inputs = "row_inputs" if program.input_slots else "row_frozen"
        states, given = rows("row_states", len(program.state_slots)), rows(inputs, program.input_size)
        return may_have_pole(self._system, Points(rows("row_times", 1)[:, 0], states, given, self.rows()[1]))

    def _runs(self, values: Sequence[Sequence[float]], *, passes_over: bool = False) -> Done:
        """The first of the runs with these values; `passes_over`: up to one whose divisors may be zero."""
        import numpy as np

        solver = self._solver or self._begin(values[0])
        if solver is None:
            return Done([], is_fallback=True)
        given, words = np.array(values, dtype=np.float64), self._words
        table = np.empty((len(values), words[_COLUMNS]))
        call = len(values), 0, 0, self._most_steps, address_of(given), address_of(table)
        words[_CALL : _CALL + len(call)] = call
        words[_PASSES_OVER] = int(passes_over)
        with solver.turn, nullcontext() if self._time_limit is None else self._limited(self._time_limit):
            begin = perf_counter()
            status = self._function(self._memory.address)
            taken = perf_counter() - begin
        steps = int(words[_STEPS])
        if steps:
            self._most_steps = max(1, int(PORTION / taken * steps))
        is_new = self._executable.expect(CALLS * steps)
        self._solver = None if status == SOLVER_DIRTY or is_new else solver
        numbers = list(map(tuple, table[: words[_DONE]].tolist()))
        return Done(numbers, status in (FALLBACK, SOLVER_DIRTY), taken, status == UNBOUNDED)

    @contextmanager
    def _limited(self, seconds: float) -> Iterator[None]:
        """No run in the block takes much longer than that: it is halted, and left to the way of single runs."""
        halted = self._halted
        halted[0] = 0
        timer = threading.Timer(seconds, halted.__setitem__, (0, 1))
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _begin(self, values: Sequence[float]) -> "DirectIntegrator | None":
        """The solver, with settings that follow from these values; None where they are out of the ordinary."""
        import numpy as np

        from acausal.simulate.cvode.machine_code import DirectIntegrator

        program, chosen = self._executable.program, self._settings
        try:
            p = self._setter.values(values)
        except ModelError:
            return None
        if isinstance(p, Folded):
            return None
        signals = make_signals(program, self._inputs, p, chosen.start, chosen.stop)
        if not signals.hold_for_other_values:
            return None
        system = System(self._executable, p, signals, Delays(program, chosen.start, chosen.stop))
        solver = make_integrator(system, np.zeros(len(program.state_slots)), chosen)
        assert isinstance(solver, DirectIntegrator)
        self._halted = np.zeros(1, dtype=np.int64)
        self._system, self._rows = system, run_fields(system, chosen, self._setter, self._reader)
        found = {**solver.cvode.run_fields(), **self._rows, **self._more}
        found["halted"] = self._halted
        if self._bounds is not None:
            found["bounds"] = self._bounds.address
        self._memory = ContextMemory(tuple(_FIELDS), found)
        self._memory.fill({"address": self._memory.address})
        self._words = self._memory.words
        return solver
