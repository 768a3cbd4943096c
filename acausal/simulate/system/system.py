"""The equations of a run as functions of time and states: one executable with its arrays.

Where a block cannot be solved the derivatives are NaN: every solver then tries a
smaller step, and only if that does not help has the run failed.
"""

from collections.abc import Callable
from functools import cached_property
from math import inf, isfinite, nan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, SimulationError
from acausal.codegen.address import address_of
from acausal.runtime.blocks.branch import BY_STEPS, CROSSING, RUN_BEGINS, before_row, begin_row, end_row, end_slope
from acausal.runtime.inputs import WITH_INPUTS
from acausal.runtime.limits import SMALL
from acausal.simulate.failure.messages import no_past
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.input_values import InputValues
from acausal.simulate.inputs.inputs import Signals
from acausal.simulate.system.derivative_inputs import moving
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.follow_branch import follow
from acausal.simulate.system.source_periods import next_change, periods_at

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.system.state_monitor import StateMonitor
    from acausal.simulate.system.trajectory import Before

Row = tuple[float, "Array", "Array", "Array"]
"""Time, states, held values with inputs, and memory."""
MOST_BEGINNINGS = 200
"""So often the first instant is computed, until what is delayed agrees with itself."""
REST = 0.1
"""Share of the way between two rows that a block may go in the shortest part of it."""
STEPS_IN_PERIOD = 16
"""A solver makes at least so many: it could not see what it steps over."""


class System:
    """`slope` is called by the solvers, `start` once before.

    Holds y (states), u (held values, inputs), m (memory) of one run; `rhs_calls` counts. `held` is the part of u that
    events change; `next_sample` counts the instants of samples; `offset`, `sides` and `starts` belong to the root
    functions (`runtime/events/root_functions`), `band` widens them (`at_rest`). `numbers` are all that a run changes;
    `varying`, whether there are inputs or delays. `equations` make messages clearer; `continued` are blocks that only
    the homotopy solved, with the time.
    """

    def __init__(
        self,
        executable: "Executable",
        p: "Array",
        signals: Signals,
        delays: Delays,
        equations: "Equations | None" = None,
    ) -> None:
        import numpy as np

        self.program = program = executable.program
        self.executable = self._executable = executable
        self._p = p
        m, u = program.memory_size, program.input_size
        crossings, held = program.table.crossings, len(program.table.held)
        self.numbers = np.zeros(m + u + 3 * crossings + 1 + 2 * held)
        self._m, self._u, others = self.numbers[:m], self.numbers[m : m + u], self.numbers[m + u :]
        self.offset, self.sides = others[:crossings], others[crossings : 2 * crossings]
        self.starts, of_held = others[2 * crossings : 3 * crossings + 1], others[3 * crossings + 1 :]
        self.starts[-1] = nan
        self.next_sample, self.band = of_held[:held], of_held[held:]
        self.held = self._u[: len(program.table.held)]
        self._y = np.zeros(len(program.state_slots))
        self._out = np.zeros(len(program.state_slots))
        self._results = np.zeros(program.table.results)
        self._crossed = np.zeros(program.table.crossings)
        self._chosen = np.zeros(program.choice_table.results)
        self.start_choices = self._chosen
        self._kept = np.zeros(program.result_size("delayed"))
        self._found = np.zeros(program.result_size("initial"))
        self._bound: dict[str, Callable[[float], int]] = {}
        self.varying = bool(program.input_slots)
        self.inputs = InputValues(executable, self._u, p) if self.varying else None
        self._begin(signals, delays, equations)

    def _begin(self, signals: Signals, delays: Delays, equations: "Equations | None") -> None:
        self.rhs_calls = 0
        self.failed_block: tuple[int, float] | None = None
        self._solved = -inf
        self._ended: tuple[float, Array] | None = None
        self._last_row: Row | None = None
        self.continued: dict[int, float] = {}
        self.equations = equations
        self.delays = delays
        if self.inputs is not None:
            self.inputs.begin(signals, delays)
        if self.program.delays:
            delays.check_orders(self.program)
        self.forget_branches()

    def begin_again(self, p: "Array", signals: Signals, delays: Delays, equations: "Equations | None") -> "System":
        """Itself as it was when it was made, for these parameters, which are copied into its own."""
        self._p[:] = p
        self.numbers.fill(0.0)
        self.starts[-1] = nan
        self._begin(signals, delays, equations)
        return self

    def forget_branches(self) -> None:
        """The solutions of nonlinear blocks go on from those in `memory`, not from what the run has seen before."""
        program = self.program
        self._ended = None
        if program.memory:
            self._m[program.memory : program.memory + len(RUN_BEGINS)] = RUN_BEGINS

    def point_by_steps(self, by_steps: bool) -> None:
        """True if a solver tells the ends of its steps, by `end_step`, to predict solutions of nonlinear blocks."""
        if self.program.followed:
            self._m[self.program.memory + BY_STEPS] = float(by_steps)

    def end_step(self, t: float, y: "Array") -> None:
        """A solver has made a step to t."""
        if self.program.followed:
            if self._solved != t:
                self.slope(t, y, y.copy())
            self.executable.end_step(self._m, t)
            self._ended = t, y.copy()

    @property
    def crossing(self) -> bool:
        """True if the run begins, or goes on from an event, where branches of nonlinear blocks cross."""
        return self.program.followed > 0 and bool(self._m[self.program.memory + CROSSING])

    def predict(self, t: float) -> None:
        """Brings `memory` to t, which the run has reached."""
        if self.program.followed:
            self.executable.predict(self._m, t)

    def rest(self) -> None:
        """Between runs it holds nothing that belongs to one of them."""
        self.equations = None
        if self.inputs is not None:
            self.inputs.end()

    @cached_property
    def positions(self) -> frozenset[int]:
        """The states whose rate is another state."""
        return frozenset([position for position, _ in self.program.moving])

    @cached_property
    def moving(self) -> "Array | None":
        """Flags of the frozen values that the derivatives read; None where every event restarts the solver."""
        import numpy as np

        found = moving(self.program)
        return None if found is None or self.program.delays else np.array(sorted(found), dtype=np.intp)

    def _call(self, routine: str, t: float) -> int:
        """The status of a routine, whose results are in its array then."""
        call = self._bound.get(routine)
        if call is None:
            outs = {
                "derivatives": self._out,
                "events": self._results,
                "crossings": self._crossed,
                "choices": self._chosen,
                "variables": self._values,
                "delayed": self._kept,
                "initial": self._found,
            }
            call = self._executable.bind(routine, self._y, self._u, self._p, self._m, outs[routine])
            self._bound[routine] = call
        return call(t)

    def start(self, t: float) -> "Array":
        """Consistent states at the first instant; SimulationError R001 names the equations that have no solution."""
        found = self._found
        for _ in range(MOST_BEGINNINGS):
            if self.varying:
                self.fill_inputs(t)
            status = self._call("initial", t)
            if status or not all_finite(found):
                self._recover("initial", status, t, found)
            y = found[: len(self._y)].copy()
            if not self.program.delays or self.delays.begin(self.delayed(t, y)):
                self.start_choices = found[len(self._y) :].copy()
                return y
        raise no_past(self.program, t)

    def delayed(self, t: float, y: "Array") -> "Array":
        """The results of the routine `delayed`; SimulationError R003 where a block cannot be solved."""
        self._y[:] = y
        self.fill_inputs(t)
        memory = self._m.copy()  # within a step blocks are solved on the side
        status = self._call("delayed", t)
        if status:
            self._recover("delayed", status, t, self._kept)
        self._m[:] = memory
        return self._kept.copy()

    def fill_inputs(self, t: float) -> None:
        """Inputs as they are at a time, and what was some time ago."""
        if self.inputs is not None:
            self.inputs.fill(t)

    def _recover(self, routine: str, status: int, t: float, results: "Array") -> None:
        """Solves by homotopy what Newton's method did not solve; the failure as SimulationError if that fails too."""
        from acausal.simulate.failure.recovery import failure_of, recovered

        found = recovered(self, routine, t, status)
        if status and found.unsolved is None:
            results[:] = found.results
            self._m[:] = found.memory
            self.continued |= dict.fromkeys(found.continued, t)
            status = 0
        error = failure_of(self, routine, status, t, found)
        if error is not None:
            raise SimulationError(error)

    def explain(self, routine: str, status: int, t: float, y: "Array") -> Diagnostic | None:
        """Diagnostic of a routine in a run at this point: a block, or values that are not finite."""
        from acausal.simulate.failure.recovery import failure_of, recovered

        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        return failure_of(self, routine, status, t, recovered(self, routine, t))

    def nearly_singular(self, t: float, y: "Array") -> Diagnostic | None:
        """A block that is almost singular at this point; None if there is none."""
        from acausal.simulate.failure.recovery import nearly_singular, recovered

        self._y[:] = y
        return nearly_singular(self, t, recovered(self, "derivatives", t))

    @cached_property
    def constants_are_finite(self) -> bool:
        """True if the variables that are numbers, whatever the parameters are, are finite ones."""
        return all(isfinite(slot.value) for slot in self.program.variable_slots)

    @cached_property
    def monitor(self) -> "StateMonitor":
        """Monitor of the choice of states."""
        from acausal.simulate.system.state_monitor import StateMonitor

        return StateMonitor(self.program.choice_table, self._chosen)

    @cached_property
    def _values(self) -> "Array":
        import numpy as np

        return np.empty(self.program.stored_size)

    @property
    def states(self) -> "Array":
        """The states of the last call."""
        return self._y

    def variables(self, t: float, y: "Array") -> "Array":
        """All stored variables, NaN where a block cannot be solved."""
        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        self.predict(t)
        if self._call("variables", t):
            self._values.fill(float("nan"))
        return self._values

    def choices(self, t: float, y: "Array") -> "Array":
        """The results of the routine `choices`; SimulationError R003 where a block cannot be solved."""
        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        status = self._call("choices", t)
        if status:
            self._recover("choices", status, t, self._chosen)
        return self._chosen.copy()

    @property
    def arrays(self) -> "tuple[Array, Array, Array]":
        """u, p and m: machine code works on them directly."""
        return self._u, self._p, self._m

    def arrays_at(self, t: float) -> "tuple[Array, Array, Array]":
        """The same with the inputs of a time."""
        if self.varying:
            self.fill_inputs(t)
        return self.arrays

    def address(self, routine: str) -> int | None:
        """The address of machine code, which evaluates inputs first; None where there is none."""
        found = None if self.inputs is None or routine not in WITH_INPUTS else self.inputs.routine(routine)
        return found or self._executable.address(routine)

    @property
    def routine_inputs(self) -> int:
        """The address that the routines at `address` get in the place of u."""
        return address_of(self._u) if self.inputs is None else self.inputs.context

    def tangent(self, address: int) -> int:
        """The address of the exact Jacobian, which evaluates inputs first; `address` is that of its code."""
        return address if self.inputs is None else self.inputs.tangent(address)

    def slope(self, t: float, y: "Array", out: "Array") -> int:
        """dy/dt into out, NaN where a block cannot be solved; the number of that block, else 0."""
        self.rhs_calls += 1
        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        status = self._call("derivatives", t)
        if status and self._ended is not None and self._follow(*self._ended, t, y):
            status = 0
        if status:
            self.failed_block = status, t
            out.fill(float("nan"))
        else:
            out[:] = self._out
            self._solved = t
        return status

    def _follow(self, before: float, start: "Array", t: float, y: "Array") -> bool:
        """Solves blocks in steps from the end of the last step; CVODE itself takes smaller steps."""
        m, n = self._m, self.program.memory
        record = m[n : self.program.work].copy()
        self.point_by_steps(False)

        def solve(share: float) -> bool:
            here = t if share == 1.0 else before + share * (t - before)
            self._y[:] = start + share * (y - start)
            if self.varying:
                self.fill_inputs(here)
            return not self._call("derivatives", here)

        found = before < t and follow(solve)
        m[n : self.program.work] = record
        if found:
            end_slope(m, n, self.program.followed, t)
        return found

    def rates(self, t: float, y: "Array") -> "Array | None":
        """dy/dt, None where a block cannot be solved."""
        out = y.copy()
        return None if self.slope(t, y, out) else out

    def rates_beside(self, t: float, y: "Array") -> "Array | None":
        """dy/dt at a point that is none of the run, which goes on as if it had not been evaluated."""
        kept = self._m[: self.program.work].copy(), self._u.copy()
        counted = self.rhs_calls, self._solved, self.failed_block
        found = self.rates(t, y)
        self._m[: self.program.work], self._u[:] = kept
        self.rhs_calls, self._solved, self.failed_block = counted
        return found

    def solved_by_homotopy(self, t: float, y: "Array") -> "tuple[Array, Array]":
        """dy/dt and memory, where a block may have no solution but by homotopy."""
        from acausal.simulate.failure.recovery import recovered

        self._y[:] = y
        found = recovered(self, "derivatives", t)
        return found.results, found.memory[: self.program.memory]

    def events(self, t: float, y: "Array") -> "Array":
        """The results of the routine `events`; SimulationError R003 where a block cannot be solved."""
        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        status = self._call("events", t)
        if status:
            self._recover("events", status, t, self._results)
        return self._results.copy()

    def crossings(self, t: float, y: "Array", out: "Array") -> None:
        """Evaluate the root functions into out; NaN where a block cannot be solved."""
        if t == self.starts[-1]:
            out[:] = self.starts[:-1]
            return
        self.root_functions(t, y, out)
        out += self.offset

    def root_functions(self, t: float, y: "Array", out: "Array") -> None:
        """The same without offsets."""
        self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        if self._call("crossings", t):
            out.fill(float("nan"))
        else:
            out[:] = self._crossed

    def parameter(self, position: int) -> float:
        """The value of a parameter, or of a hoisted expression, in p."""
        return float(self._p[position])

    def longest_step(self, t: float) -> float:
        """A sixteenth of the shortest period of the sines of time at t, at most the shortest delay; else infinite."""
        if not self.program.waves:
            return self.delays.shortest
        shortest = min(periods_at(self.program, self._p, t), default=inf)
        return min(self.delays.shortest, shortest / STEPS_IN_PERIOD)

    def longest_step_until(self, t: float) -> float:
        """The time after t from which on `longest_step` may be another one; infinite if there is none."""
        return next_change(self.program, self._p, t) if self.program.waves else inf

    @property
    def memory(self) -> "Array":
        """The last solutions of nonlinear blocks."""
        return self._m[: self.program.memory]

    @cached_property
    def _row_memory(self) -> "Array":
        """m for rows: they are stored while the run goes on."""
        import numpy as np

        return np.zeros(self.program.memory_size)

    def store(
        self, times: "Array", states: "Array", held: "Array", memory: "Array", before: "Before | None" = None
    ) -> tuple["Array", int]:
        """Stored variables, one row a time, and the number of the block that ended it early, else 0.

        Where rows were stored `before`, that is the time and the memory of the last of them.
        """
        import numpy as np

        stored, m = np.empty((len(times), self.program.stored_size)), self._row_memory
        inputs = self._all_inputs(times, held, before) if self.varying else held
        last = self._last_row if before is not None else None
        count, row = len(times), 0
        while row < count:
            if row or before is None or not self.program.memory:
                arrays = inputs, self._p, m, stored, memory
                status, row = self._executable.variables_many(times, states, *arrays, row)
            else:
                first = np.where(memory[:1] != before[1], memory[:1], m[: self.program.memory])
                one = inputs[:1], self._p, m, stored[:1], first
                status, row = self._executable.variables_many(times[:1], states[:1], *one, 0)
            if row < count and status:
                if row:
                    last = float(times[row - 1]), states[row - 1], inputs[row - 1], memory[row - 1]
                here = float(times[row]), states[row], inputs[row], memory[row]
                if not self._stored(status, last, here, stored[row]):
                    return stored[:row], status
                row += 1
        if count:
            self._last_row = float(times[-1]), states[-1].copy(), inputs[-1].copy(), memory[-1].copy()
        return stored, 0

    def _stored(self, status: int, last: "Row | None", row: "Row", out: "Array") -> bool:
        """The variables of a row where block `status` was not solved from the row before, `last`."""
        n, m = self.program.memory, self._row_memory
        if not n:
            return False
        u, memory = self._u.copy(), self.memory.copy()
        followed = self.program.follows_rows and last is not None and last[0] != row[0]
        found = self._followed(last, row, out) if followed and last else self._stored_by_homotopy(status, row, out)
        self._u[:] = u
        self.memory[:] = memory if found else m[:n]
        return found

    def _followed(self, before: "Row", after: "Row", out: "Array") -> bool:
        """The variables of a row, where the blocks do not come there in one step from the row before.

        A row may be the very point where a branch ends: there the last part of the way may fail, if it is small.
        """
        import numpy as np

        (start, y, u, known), (end, y_end, u_end, known_end) = before, after
        n, followed, m = self.program.memory, self.program.followed, self._row_memory
        m[:n] = first = np.where(known == known_end, m[before_row(n, followed)], known)
        call = self._executable.bind("variables", self._y, self._u, self._p, m, self._values)

        def solve(share: float) -> bool:
            kept = m[:n].copy()
            self._y[:], self._u[:] = y + share * (y_end - y), u + share * (u_end - u)
            begin_row(m, n, followed)
            status = call(end if share == 1.0 else start + share * (end - start))
            end_row(m, n, followed)
            if status:
                m[:n] = kept
            return not status

        found = follow(solve)
        if not found:
            reached = m[:n].copy()
            self._y[:], self._u[:] = y_end, u_end
            solved = not call(end)
            found = solved and bool((abs(m[:n] - reached) <= REST * abs(reached - first)).all())
            if not found:
                m[:n] = reached
        out[:] = self._values
        return found

    def _all_inputs(self, times: "Array", held: "Array", before: "Before | None") -> "Array":
        """u at all rows: held values, inputs, and what was some time ago."""
        import numpy as np

        first = len(self.held)
        inputs = np.empty((len(times), len(self._u)))
        inputs[:, :first] = held
        if self.inputs is not None:
            self.inputs.fill_rows(times, inputs, nan if before is None else before[0])
        return inputs

    def _stored_by_homotopy(self, status: int, row: "Row", out: "Array") -> bool:
        """Another attempt at the variables of one row, where Newton's method has failed."""
        n, m = self.program.memory, self._row_memory
        t, self._y[:], self._u[:], _ = row
        self.memory[:] = m[:n]
        try:
            self._recover("variables", status, t, out)
        except SimulationError:
            return False
        m[:n] = self.memory
        return True

    def tolerances(self, tolerance: float) -> "Array":
        """Absolute tolerances: `tolerance` times the nominal values of the states, `SMALL` where none is given."""
        import numpy as np

        nominals = [None if s.nominal is None else abs(self._p[s.nominal]) for s in self.program.state_slots]
        return tolerance * np.array([n or SMALL for n in nominals])
