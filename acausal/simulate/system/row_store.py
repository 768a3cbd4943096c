"""The stored variables of rows that the run has reached: machine code goes on from the row before.

Where it does not solve a block, the row is reached by homotopy.
"""

from math import nan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.simulate.failure.checked import checked

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.system.system import Row, System
    from acausal.simulate.system.trajectory import Before


def store(
    system: "System",
    times: "Array",
    states: "Array",
    frozen: "Array",
    memory: "Array",
    before: "Before | None" = None,
    places: tuple[int, int, int, int] | None = None,
) -> tuple["Array", int]:
    """Stored variables, one row a time, and the number of the block that ended it early, else 0.

    Where rows were stored `before`, that is the time and the memory of the last of them. `places` are the addresses of
    the arrays, where they are known.
    """
    import numpy as np

    program, m = system.program, system.row_memory
    many, p = system.executable.variables_many, system.arrays[1]
    stored = np.empty((len(times), program.stored_size))
    inputs = system.inputs_in_rows(times, frozen, nan if before is None else before[0])
    known = None if places is None or inputs is not frozen else (*places, *system.row_places)
    count, row = len(times), 0
    while row < count:
        if row or before is None or not program.memory:
            status, row = many(times, states, inputs, p, m, stored, memory, row, known)
        else:
            first = np.where(memory[:1] != before[1], memory[:1], m[: program.memory])
            status, row = many(times[:1], states[:1], inputs[:1], p, m, stored[:1], first, 0)
        if row < count and status:
            here = float(times[row]), states[row], inputs[row], memory[row]
            if not _stored(system, status, here, stored[row]):
                return stored[:row], status
            row += 1
    return stored, 0


def _stored(system: "System", status: int, row: "Row", out: "Array") -> bool:
    """The variables of a row where block `status` was not solved from the row before."""
    program, m = system.program, system.row_memory
    if not program.memory:
        return False
    u = system.arrays[0]
    inputs, memory = u.copy(), system.memory.copy()
    found = _by_homotopy(system, status, row, out)
    u[:] = inputs
    system.memory[:] = memory if found else m[: program.memory]
    return found


def _by_homotopy(system: "System", status: int, row: "Row", out: "Array") -> bool:
    """Another attempt at the variables of one row, where Newton's method has failed."""
    n, m = system.program.memory, system.row_memory
    t, system.states[:], system.arrays[0][:], _ = row
    system.memory[:] = m[:n]
    try:
        checked(system, "variables", status, t)
    except SimulationError:
        return False
    out[:] = system.results("variables")
    m[:n] = system.memory
    return True
