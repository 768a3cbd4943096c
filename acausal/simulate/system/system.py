"""The equations of a run as functions of time and states: one executable with its arrays.

Where a block cannot be solved the routines answer with its number, and the derivatives are NaN: every solver then
tries a smaller step, and only if that does not help has the run failed. What a number means is explained by
`simulate/failure/checked`.
"""

from collections.abc import Callable
from functools import cached_property
from math import inf, nan
from typing import TYPE_CHECKING

from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import Signals
from acausal.simulate.system.branches import Branches
from acausal.simulate.system.derivative_inputs import keeps_motion
from acausal.simulate.system.followed_steps import FollowedSteps
from acausal.simulate.system.system_routines import SystemRoutines

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.runtime.context import SolverRecord
    from acausal.simulate.failure.equations_behind import Equations
    from acausal.simulate.system.state_monitor import StateMonitor

Row = tuple[float, "Array", "Array", "Array"]
"""Time, states, frozen values with inputs, and memory."""


class System(SystemRoutines):
    """`slope` is called by the solvers, other routines by `evaluate`.

    `rhs_calls` counts. `equations` make messages clearer; `continued` are blocks that only the homotopy solved, with
    the time.
    """

    def __init__(
        self,
        executable: "Executable",
        p: "Array",
        signals: Signals,
        delays: Delays,
        equations: "Equations | None" = None,
    ) -> None:
        super().__init__(executable, p)
        program = executable.program
        self._slope, self._crossed = self._results["derivatives"], self._results["crossings"]
        self.start_choices = self._results["choices"]
        self.branches = Branches(executable, self._m)
        self._steps = FollowedSteps(self.branches, self._m, program.memory)
        self.sine_limits: tuple[tuple[bytes, float], tuple[float, float]] | None = None
        """Parameters and time for which `step_limits` was asked last, and the answer."""
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
        self._forget_numbers(p)
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

    @cached_property
    def monitor(self) -> "StateMonitor":
        """Monitor of the choice of states."""
        from acausal.simulate.system.state_monitor import StateMonitor

        return StateMonitor(self.program.choice_table, self._results["choices"])

    def variables(self, t: float, y: "Array") -> "Array":
        """All stored variables, NaN where a block cannot be solved."""
        self.branches.predict(t)
        values = self._results["variables"]
        if self.evaluate("variables", t, y):
            values.fill(nan)
        return values

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

    def rates_beside(self, t: float, y: "Array", *, regular: bool = False) -> "Array | None":
        """dy/dt at a point that is none of the run, which goes on as if it had not been evaluated.

        None where a block cannot be solved; if they have to be `regular` also beside a dead center.
        """
        kept = self._m.copy(), self._u.copy()
        counted = self.rhs_calls, self._solved, self.failed_block
        found = self.rates(t, y)
        if regular and self.branches.is_beside_center:
            found = None
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
