"""The method of CVODE in long runs, chosen by stiffness.

A run begins with BDF, which serves every model. Where it takes many steps, and these resolve the fastest solution there
is, the model is not stiff: Adams' method then takes a third of the steps for the same tolerance. With a hundredth of
the error of a step it still takes fewer: errors add up in a long run, and BDF damps (`x'' = -x` loses 23 % of its
energy in 1.6e5 periods at the default tolerance, and 0.1 % so).

BDF is left at output times, Adams' method also where it has taken its most steps before one. Decisions do not depend
on the observer, nor on whether a run belongs to a sweep: sweeps in machine code leave long runs to Python. Another
interval may move a decision. Models with events keep BDF: after each event the solver restarts with an order at which
the methods agree.
"""

from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.runtime.events.run_parts import FIRST, PARTS, RunParts, begin_next_part, is_choice_due
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

RESOLVED = 0.2
"""Steps of BDF, times the spectral radius, at which a model is not stiff: those of Adams' method are up to four times
as long, and stable up to about 1."""
UNSTABLE = 1.0
"""Steps of Adams' method, times the spectral radius, that stability limits rather than accuracy."""
MOST_RETURNS = 3
"""So often BDF takes over again before it stays."""
SHARE: float = 0.01**0.8
"""Of the tolerance of the run, for Adams' method: its steps may make a hundredth of the error (`step_tolerance`)."""
FINEST = 1e-12
"""No smaller tolerance, which rounding errors would exceed."""
ITERATIONS = 16
"""Of the power method; the second half of them counts."""
MOVED = 100.0
"""Distance by which it moves states, in tolerances."""


class MethodChoice:
    """Method of one run: `name` is that of the solver, "cvode" (BDF) at first, or "adams"."""

    def __init__(self, system: System, settings: Settings, parts: RunParts) -> None:
        self._system, self._tolerance, self._parts = system, settings.tolerance, parts
        span = settings.stop - settings.begin
        parts.begin = parts.time = settings.begin
        parts.length, parts.boundary = span / PARTS, settings.begin + span / FIRST
        parts.steps = 0
        self._returns = 0
        self.name = "cvode"

    def within(self, outputs: "Array") -> "Array":
        """The output times up to the end of the part: machine code goes on to the next one by itself with BDF."""
        if self.name == "cvode":
            return outputs
        return outputs[: int(outputs.searchsorted(self._parts.boundary)) + 1]

    def is_due(self, t: float, outputs: "Array") -> bool:
        """True if a method is to be chosen at t, to where a solver came on the way through the output times."""
        return t >= self._parts.boundary or (self.name == "adams" and t not in outputs)

    def choose(self, t: float, y: "Array", steps: int) -> str:
        """The name of the solver from here on; `steps` have been taken since the run began."""
        parts = self._parts
        taken, length = steps - parts.steps, t - parts.time
        is_due = is_choice_due(parts, t, steps)
        begin_next_part(parts, t, steps)
        if not taken or self._returns == MOST_RETURNS or (self.name == "cvode" and not is_due):
            return self.name
        relative = spectral_radius(self._system, t, y, self._tolerance) * length / taken
        if self.name == "cvode" and relative <= RESOLVED:
            self.name = "adams"
        elif self.name == "adams" and not relative <= UNSTABLE:
            self.name = "cvode"
            self._returns += 1
        return self.name


def may_choose(program: Program, settings: Settings) -> bool:
    """True if a run may leave BDF: one that any solver may serve, without events, other states and units."""
    bound = program.table.crossings or program.table.frozen or program.delays or program.choice_table.slots
    is_free = settings.solver == "auto" and not program.units
    return is_free and len(program.state_slots) > 1 and not bound


def adams_tolerance(tolerance: float) -> float:
    """The tolerance of Adams' method in a run with this one."""
    return max(SHARE * tolerance, min(tolerance, FINEST))


def spectral_radius(system: System, t: float, y: "Array", tolerance: float) -> float:
    """An estimate of the largest magnitude of the eigenvalues of the Jacobian, by the power method with differences.

    Over two iterations, which a pair of complex eigenvalues needs; infinite where the derivatives cannot be evaluated.
    """
    import numpy as np

    def rates_at(states: "Array") -> "Array":
        found = system.rates_beside(t, states)
        return np.full(len(y), np.nan) if found is None else found

    scale = tolerances(system, tolerance) + tolerance * np.abs(y)
    moved = 2 * np.modf(np.arange(1, len(y) + 1) * 0.6180339887498949)[0] - 1  # no state is favored
    here, growth, found = rates_at(y), 0.0, 0.0
    for iteration in range(ITERATIONS):
        size = float(np.sqrt(np.mean(moved**2)))
        if not size > 0.0:
            return found if size == 0.0 else np.inf
        moved *= MOVED / size
        moved = (rates_at(y + scale * moved) - here) / scale
        last, growth = growth, float(np.sqrt(np.mean(moved**2))) / MOVED
        if iteration >= ITERATIONS // 2:
            found = max(found, float(np.sqrt(last * growth)))
    return found if np.isfinite(growth) else np.inf
