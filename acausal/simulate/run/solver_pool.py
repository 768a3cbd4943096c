"""Solver pool: objects made once for all runs of one executable, which take longer than the solver of a short run."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from acausal.base.frozen import record
from acausal.base.options import SimulateOptions
from acausal.ir.names import Name
from acausal.simulate.run.initial_cache import InitialState
from acausal.simulate.solver.event_iteration import Instant
from acausal.simulate.solver.integrator import BatchIntegrator
from acausal.simulate.system.parameters import Folded, Setter
from acausal.simulate.system.settings import Settings, settings
from acausal.simulate.system.system import System
from acausal.simulate.system.trajectory import Rows

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

MOST_STATES = 200
"""Runs of larger models take longer than to make what they need, and their matrices take memory."""


@record(frozen=True, slots=True)
class RunContext:
    """Run context left by a successful run for another one: `at_once` is the number of output times per call."""

    system: System
    solver: BatchIntegrator | None
    rows: Rows
    instant: Instant | None
    initial_state: InitialState | None
    at_once: int


class SolverPool:
    """Serves several threads: each run takes a context, or makes its own, and gives it back."""

    def __init__(self, executable: "Executable", folded: Collection[Name]) -> None:
        self.executable = executable
        self._folded = folded
        self._free: list[RunContext] = []
        self._setter: tuple[tuple[str, ...], Setter] | None = None
        self._settings: tuple[SimulateOptions, Settings] | None = None

    def parameters(self, given: Mapping[str, float]) -> "Array | Folded":
        """See `parameter_values`; the next run mostly sets the same ones."""
        names, last = tuple(given), self._setter
        if last is None or last[0] != names:
            last = self._setter = names, Setter(self.executable, names, self._folded)
        return last[1].values(tuple(given.values()))

    def settings(self, options: SimulateOptions) -> Settings:
        """See `settings`; the next run mostly has the same ones."""
        last = self._settings
        if last is None or (last[0] is not options and last[0] != options):
            last = self._settings = options, settings(options, self.executable.program.experiment)
        return last[1]

    def take(self) -> RunContext | None:
        """A context for exclusive use; None if all are taken."""
        try:
            return self._free.pop()
        except IndexError:
            return None

    def give(self, context: RunContext | None) -> None:
        """Return a run context to the pool for the next run; a large one is freed."""
        if context is not None and len(context.system.program.state_slots) < MOST_STATES and context.rows.is_small:
            context.system.rest()
            self._free.append(context)
