"""The equations of a run as functions of time and states: one executable with its arrays.

Where a block cannot be solved the routines answer with its number, and the derivatives are NaN: every solver then
tries a smaller step, and only if that does not help has the run failed. What a number means is explained by
`simulate/failure/checked`.
"""

from collections.abc import Callable
from functools import cached_property
from math import inf, isfinite, nan
from typing import TYPE_CHECKING

from acausal.codegen.address import address_of
from acausal.runtime.inputs import WITH_INPUTS
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.input_values import InputValues
from acausal.simulate.inputs.inputs import Signals
from acausal.simulate.system.branches import Branches
from acausal.simulate.system.derivative_inputs import keeps_motion
from acausal.simulate.system.followed_steps import FollowedSteps

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array, Executable
    from acausal.runtime.context import SolverRecord
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.system.state_monitor import StateMonitor

Row = tuple[float, "Array", "Array", "Array"]
"""Time, states, frozen values with inputs, and memory."""


class System:
    """`slope` is called by the solvers, other routines by `evaluate`.

    Holds y (states), u (frozen values, inputs), m (memory) of one run; `rhs_calls` counts. `frozen` is the part of u
    that events change; `next_sample` counts the instants of samples; `offset`, `sides` and `starts` belong to the root
    functions (`runtime/events/root_functions`), `widening` and `band` widen them (`solver/rest_band`). `numbers` are
    all that a run changes; `varying`, whether there are inputs or delays. `equations` make messages clearer;
    `continued` are blocks that only the homotopy solved, with the time.
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
        self.executable = executable
        self._p = p
        m, u = program.memory_size, program.input_size
        crossings, frozen = program.table.crossings, len(program.table.frozen)
        self.numbers = np.zeros(m + u + 3 * crossings + 1 + 3 * frozen)
        self._m, self._u, others = self.numbers[:m], self.numbers[m : m + u], self.numbers[m + u :]
        self.offset, self.sides = others[:crossings], others[crossings : 2 * crossings]
        self.starts, of_frozen = others[2 * crossings : 3 * crossings + 1], others[3 * crossings + 1 :]
        self.starts[-1] = nan
        self.next_sample, self.band = of_frozen[:frozen], of_frozen[frozen : 2 * frozen]
        self.widening = of_frozen[2 * frozen :]
        self.frozen = self._u[: len(program.table.frozen)]
        self._y = np.zeros(len(program.state_slots))
        self._results = {
            "derivatives": np.zeros(len(program.state_slots)),
            "events": np.zeros(program.table.results),
            "crossings": np.zeros(program.table.crossings),
            "choices": np.zeros(program.choice_table.results),
            "variables": np.empty(program.stored_size),
            "delayed": np.zeros(program.result_size("delayed")),
            "initial": np.zeros(program.result_size("initial")),
        }
        self._slope, self._crossed = self._results["derivatives"], self._results["crossings"]
        self.start_choices = self._results["choices"]
        self.branches = Branches(executable, self._m)
        self._steps = FollowedSteps(self.branches, self._m, program.memory)
        self._bound: dict[str, Callable[[float], int]] = {}
        self.sine_limits: tuple[tuple[bytes, float], tuple[float, float]] | None = None
        """Parameters and time for which `step_limits` was asked last, and the answer."""
        self.varying = bool(program.input_slots)
        self.inputs = InputValues(executable, self._u, p) if self.varying else None
        self._begin(signals, delays, equations)

    def _begin(self, signals: Signals, delays: Delays, equations: "Equations | None") -> None:
        self.rhs_calls = 0
        self._solved = -inf
        self.failed_block: tuple[int, float] | None = None
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
        self.row_memory.fill(0.0)
        self._begin(signals, delays, equations)
        return self

    def forget_branches(self) -> None:
        """The solutions of nonlinear blocks go on from those in `memory`, not from what the run has seen before."""
        self._steps.forget()
        self.branches.forget()

    def begin_steps(self, t: float, y: "Array") -> None:
        """A solver that reports the ends of its steps begins here."""
        self._steps.begin(t, y, self.slope)

    def departs(self, t: float, y: "Array") -> bool:
        """True if a solver has to make a shorter step than to t: blocks move faster than the states."""
        if not self._steps or not self.program.is_judged:
            return False
        if self._solved != t:
            self.slope(t, y, y.copy())
        return self.branches.departs(t)

    def end_step(self, t: float, y: "Array", states: "Callable[[float], Array]") -> bool:
        """False where a solver has made a step to t beside the branch it was on; `states` are those within it."""
        if not self._steps:
            return True
        if self._solved != t:
            self.slope(t, y, y.copy())
        return self._steps.end(t, y, states, self.slope)

    def take_record(self, record: "SolverRecord") -> None:
        """Statistics and failures of kernels, which are counted from here on."""
        self.rhs_calls += int(record.calls)
        record.calls = 0.0
        if record.failed_block:
            self.failed_block = int(record.failed_block), record.failed_time
            record.failed_block = 0.0

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
    def keeps_motion(self) -> bool:
        """True if the solver may go on from an event that changes nothing that the derivatives read."""
        return keeps_motion(self.program)

    def move_to(self, t: float, y: "Array | None" = None) -> None:
        """Set the states, unless they are None, and the inputs."""
        if y is not None:
            self._y[:] = y
        if self.varying:
            self.fill_inputs(t)

    def evaluate(self, routine: str, t: float, y: "Array | None" = None) -> int:
        """Status of a routine at these states, 0 or the number of a block that was not solved; then `results`."""
        if y is not None:
            self._y[:] = y
        if self.varying:
            self.fill_inputs(t)
        call = self._bound.get(routine)
        if call is None:
            call = self.executable.bind(routine, self._y, self._u, self._p, self._m, self._results[routine])
            self._bound[routine] = call
        return call(t)

    def results(self, routine: str) -> "Array":
        """The results of a routine, written by its next call."""
        return self._results[routine]

    def fill_inputs(self, t: float) -> None:
        """Inputs as they are at a time, and what was some time ago."""
        if self.inputs is not None:
            self.inputs.fill(t)

    def inputs_in_rows(self, times: "Array", frozen: "Array", before: float = nan) -> "Array":
        """u at rows: frozen values, inputs, and what was some time ago; `before` is the time of a row before."""
        import numpy as np

        if self.inputs is None:
            return frozen
        rows = np.empty((len(times), len(self._u)))
        rows[:, : len(self.frozen)] = frozen
        self.inputs.fill_rows(times, rows, before)
        return rows

    @cached_property
    def constants_are_finite(self) -> bool:
        """True if the variables that are numbers, whatever the parameters are, are finite ones."""
        values = [slot.value for slot in self.program.variable_slots]
        return isfinite(sum(values)) or all(map(isfinite, values))

    @cached_property
    def monitor(self) -> "StateMonitor":
        """Monitor of the choice of states."""
        from acausal.simulate.system.state_monitor import StateMonitor

        return StateMonitor(self.program.choice_table, self._results["choices"])

    @property
    def states(self) -> "Array":
        """The states of the last call."""
        return self._y

    def variables(self, t: float, y: "Array") -> "Array":
        """All stored variables, NaN where a block cannot be solved."""
        self.branches.predict(t)
        values = self._results["variables"]
        if self.evaluate("variables", t, y):
            values.fill(nan)
        return values

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
        return found or self.executable.address(routine)

    def take_code(self) -> "FieldValues":
        """Goes on with code that has been optimized, which fields of contexts point to."""
        self._bound.clear()
        if self.inputs is not None:
            self.inputs.take_code()
        return {name: self.address(name) or 0 for name in ("derivatives", "crossings")}

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
        status = self.evaluate("derivatives", t, y)
        if status and not self.crosses and self._steps and self._steps.follow(t, y, self._solve):
            status = 0
        if status:
            self.failed_block = status, t
            out.fill(nan)
        else:
            out[:] = self._slope
            self._solved = t
        return status

    @property
    def crosses(self) -> bool:
        """True if the last routine was refused where branches of nonlinear blocks cross."""
        return self.branches.crossing

    def _solve(self, t: float, y: "Array") -> bool:
        """True if the blocks of the derivatives are solved."""
        return not self.evaluate("derivatives", t, y)

    def rates(self, t: float, y: "Array") -> "Array | None":
        """dy/dt, None where a block cannot be solved."""
        out = y.copy()
        return None if self.slope(t, y, out) else out

    def rates_beside(self, t: float, y: "Array") -> "Array | None":
        """dy/dt at a point that is none of the run, which goes on as if it had not been evaluated."""
        kept = self._m.copy(), self._u.copy()
        counted = self.rhs_calls, self._solved, self.failed_block
        found = self.rates(t, y)
        self._m[:], self._u[:] = kept
        self.rhs_calls, self._solved, self.failed_block = counted
        return found

    def crossings(self, t: float, y: "Array", out: "Array") -> None:
        """Evaluate the root functions into out; NaN where a block cannot be solved."""
        if t == self.starts[-1]:
            out[:] = self.starts[:-1]
            return
        self.root_functions(t, y, out)
        out += self.offset

    def root_functions(self, t: float, y: "Array", out: "Array") -> None:
        """The same without offsets."""
        if self.evaluate("crossings", t, y):
            out.fill(nan)
        else:
            out[:] = self._crossed

    def parameter(self, position: int) -> float:
        """The value of a parameter, or of a hoisted expression, in p."""
        return float(self._p[position])

    @property
    def memory(self) -> "Array":
        """The last solutions of nonlinear blocks."""
        return self._m[: self.program.memory]

    @cached_property
    def row_memory(self) -> "Array":
        """m for rows: they are stored while the run goes on."""
        import numpy as np

        return np.zeros(self.program.memory_size)

    @cached_property
    def row_places(self) -> tuple[int, int]:
        """The addresses of p and m for rows."""
        return address_of(self._p), address_of(self.row_memory)
