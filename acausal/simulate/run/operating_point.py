"""A point of a run: states, frozen values and solutions of blocks, with the system that they belong to."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from acausal.base.diagnostics import SimulationError
from acausal.base.frozen import dataclass
from acausal.simulate.failure.checked import checked
from acausal.simulate.inputs.delay_history import Delays
from acausal.simulate.inputs.inputs import InputValue, Signals, make_signals
from acausal.simulate.run.run import Run
from acausal.simulate.run.variants import Variants
from acausal.simulate.state.restore import require_model
from acausal.simulate.state.state import State
from acausal.simulate.system.settings import Settings, resumed_at
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable
    from acausal.simulate.failure.equations_behind import Equations

Side = Literal["before", "after"]
"""Of an event at the point."""


@dataclass(frozen=True, slots=True, eq=False)
class OperatingPoint:
    """Time and states of a system; its arrays hold frozen values, inputs and solutions there."""

    system: System
    t: float
    y: "Array"

    def at(self, y: "Array") -> "OperatingPoint":
        """The same with other states."""
        return OperatingPoint(self.system, self.t, y)

    def derivatives(self) -> "Array":
        """Derivatives of the states; SimulationError where a block has no solution."""
        status = self.system.evaluate("derivatives", self.t, self.y)
        if status:
            checked(self.system, "derivatives", status, self.t)
        return self.system.results("derivatives").copy()

    def variables(self) -> "Array":
        """All stored variables; SimulationError where a block has no solution."""
        system = self.system
        status = system.evaluate("variables", self.t, self.y)
        if status:
            checked(system, "variables", status, self.t)
        return system.results("variables").copy()

    @property
    def slides(self) -> bool:
        """True if a relation that chatters at rest, and therefore has a band, is within it."""
        import numpy as np

        system = self.system
        if not system.band.any():
            return False
        values = np.zeros(system.program.table.crossings)
        system.root_functions(self.t, self.y, values)
        slots = enumerate(system.program.table.frozen)
        banded = [(i, s.crossing) for i, s in slots if s.crossing is not None and system.band[i] > 0]
        return any(abs(float(values[crossing])) <= float(system.band[i]) for i, crossing in banded)

    @property
    def violated(self) -> "list[int]":
        """Root functions whose signs do not agree with the frozen values."""
        import numpy as np

        values = np.zeros(self.system.program.table.crossings)
        if not len(values):
            return []
        self.system.root_functions(self.t, self.y, values)
        return np.flatnonzero(values * self.system.sides < 0.0).tolist()


def operating_point(
    executable: "Executable",
    p: "Array",
    inputs: Mapping[str, InputValue],
    settings: Settings,
    variants: Variants | None,
    equations: "Equations | None",
    side: Side = "after",
    state: "State | None" = None,
) -> OperatingPoint:
    """The last point of a run, or of the instant at which it starts if it stops there.

    With a `state` the point is there. Raises SimulationError where the run fails before, UsageError A011 for a state of
    another model.
    """

    def signals_of(executable: "Executable", p: "Array") -> Signals:
        return make_signals(executable.program, inputs, p, settings.start, settings.stop)

    if state is not None:
        require_model(executable.program, state)
        settings = resumed_at(settings, state.time)
    delays = Delays(executable.program, settings.start, settings.stop)
    system = System(executable, p.copy(), signals_of(executable, p), delays, equations)
    run = Run(system, settings, variants, signals_of, start_state=state)
    run.go(None, None)
    if run.failure is not None:
        raise SimulationError(run.failure)
    if run.interrupted:
        raise KeyboardInterrupt
    return _last(run, side)


def _last(run: Run, side: Side) -> OperatingPoint:
    """The last row, or at an event the one before it."""
    segment = run.rows.segments[-1]
    system, rows = segment.system, run.rows.current
    times, states, frozen, memory = rows.arrays()
    chosen = -2 if side == "before" and len(times) > 1 and times[-1] == times[-2] else -1
    system.frozen[:] = frozen[chosen]
    system.memory[:] = memory[chosen]
    t, y = float(times[chosen]), states[chosen].copy()
    status = system.evaluate("derivatives", t, y)
    if status:
        checked(system, "derivatives", status, t)
    return OperatingPoint(system, t, y)
