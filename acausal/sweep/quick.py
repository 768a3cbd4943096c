"""Runs of a model in which nothing happens between start and end, with as little as possible around the solver.

Arrays and solver of one thread serve all its runs of one translation. Anything out of the ordinary is left to the way
of single runs, which begins anew and tells what is wrong; the numbers are the same to the last bit.
"""

from typing import TYPE_CHECKING

from acausal.diagnostics import SimulationError
from acausal.ir.program import Program
from acausal.simulate.conditions import first_stop
from acausal.simulate.integrator import (
    CloseCrossingsError,
    Integrator,
    Rusher,
    StuckError,
    make_integrator,
)
from acausal.simulate.past import Past
from acausal.simulate.rows import Rows
from acausal.simulate.settings import Settings
from acausal.simulate.signals import Signals
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array, Executable

    Stored = tuple[Array, Array]
    """Times and stored variables, a row each."""

_VARYING = ("state", "time", "input", "memory")


def is_quiet(program: Program) -> bool:
    """Whether nothing happens but the motion of states: no events, delays, inputs or choices of states."""
    table = program.table
    busy = table.held or table.crossings or program.delays or program.input_slots or program.choice_table.slots
    return bool(program.state_slots) and not busy


def has_lasting_conditions(program: Program) -> bool:
    """Whether assertions and the like, if any, are about parameters alone: they hold in all rows or in none."""
    positions = {condition.position for condition in program.conditions}
    varies: list[bool] = []
    for op, args, value in program.variables.code if positions else ():
        varies.append(op in _VARYING or any(varies[arg] for arg in args))
        if op == "store" and value in positions and varies[-1]:
            return False
    return True


class Quick:
    """Serves one thread; the model `is_quiet`."""

    def __init__(self, executable: "Executable", settings: Settings) -> None:
        import numpy as np

        program = executable.program
        self._settings = settings
        self._grid = settings.grid
        self._p = np.zeros(program.parameter_size)
        self._system = System(executable, self._p, Signals(), Past(program, settings.start, settings.stop))
        self._slope = np.empty(len(program.state_slots))
        self._tolerances, self._longest = np.empty(0), 0.0
        self._integrator: Integrator | None = None

    def run(self, p: "Array") -> "Stored | None":
        """The rows for these parameters; None where the ordinary way is to be taken."""
        try:
            return self._run(p)
        except (SimulationError, StuckError, CloseCrossingsError):
            return None

    def _run(self, p: "Array") -> "Stored | None":
        import numpy as np

        system, grid, start = self._system, self._grid, self._settings.start
        self._p[:] = p
        for array in system.arrays[::2]:
            array.fill(0.0)
        y = system.start(start)
        if system.continued or system.slope(start, y, self._slope) or not np.isfinite(self._slope).all():
            system.continued.clear()
            return None
        integrator = self._prepared(y)
        if integrator is None:
            return None
        rows = Rows(len(y), 0, system.program.memory, len(grid))
        rows.add(start, y, system.held, system.memory)
        reached = integrator.through(grid[1:], self._settings.stop, rows, system.held)
        if reached.t != grid[-1]:
            return None
        if rows.last_time != reached.t:
            rows.add(reached.t, reached.y, system.held, system.memory)
        times, states, held, memory = rows.arrays()
        stored, failed = system.store(times, states, held, memory)
        whole = not failed and len(times) == len(grid) and np.isfinite(stored).all() and np.isfinite(p).all()
        return (times, stored) if whole and first_stop(system.program, times, stored) is None else None

    def _prepared(self, y: "Array") -> Rusher | None:
        """The solver at the start; another one where its settings follow from parameters."""
        import numpy as np

        system, start = self._system, self._settings.start
        tolerances, longest = system.tolerances(1.0), system.longest_step
        if self._integrator is None or longest != self._longest or not np.array_equal(tolerances, self._tolerances):
            self._integrator = make_integrator(system, y, self._settings)
            self._tolerances, self._longest = tolerances, longest
        else:
            self._integrator.restart(start, y)
        return self._integrator.rusher
