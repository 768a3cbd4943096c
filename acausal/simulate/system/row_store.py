"""The stored variables of rows that the run has reached: machine code goes on from the row before.

Where it does not solve a block, the row is reached in smaller steps (`follow_branch`), or by homotopy.
"""

from math import nan
from typing import TYPE_CHECKING

from acausal.base.diagnostics import SimulationError
from acausal.runtime.blocks.branch_record import before_row
from acausal.runtime.blocks.branch_results import begin_row, end_row
from acausal.simulate.failure.checked import checked
from acausal.simulate.system.follow_branch import follow

if TYPE_CHECKING:
    from acausal.codegen.executable import Array
    from acausal.simulate.system.system import Row, System
    from acausal.simulate.system.trajectory import Before

REST = 0.1
"""Share of the way between two rows that a block may go in the shortest part of it."""


def store(
    system: "System", times: "Array", states: "Array", frozen: "Array", memory: "Array", before: "Before | None" = None
) -> tuple["Array", int]:
    """Stored variables, one row a time, and the number of the block that ended it early, else 0.

    Where rows were stored `before`, that is the time and the memory of the last of them.
    """
    import numpy as np

    program, m = system.program, system.row_memory
    many, p = system.executable.variables_many, system.arrays[1]
    stored = np.empty((len(times), program.stored_size))
    inputs = _all_inputs(system, times, frozen, before) if system.varying else frozen
    last = system.last_row if before is not None else None
    count, row = len(times), 0
    while row < count:
        if row or before is None or not program.memory:
            status, row = many(times, states, inputs, p, m, stored, memory, row)
        else:
            first = np.where(memory[:1] != before[1], memory[:1], m[: program.memory])
            status, row = many(times[:1], states[:1], inputs[:1], p, m, stored[:1], first, 0)
        if row < count and status:
            if row:
                last = float(times[row - 1]), states[row - 1], inputs[row - 1], memory[row - 1]
            here = float(times[row]), states[row], inputs[row], memory[row]
            if not _stored(system, status, last, here, stored[row]):
                return stored[:row], status
            row += 1
    if count:
        system.last_row = float(times[-1]), states[-1].copy(), inputs[-1].copy(), memory[-1].copy()
    return stored, 0


def _stored(system: "System", status: int, last: "Row | None", row: "Row", out: "Array") -> bool:
    """The variables of a row where block `status` was not solved from the row before, `last`."""
    program, m = system.program, system.row_memory
    if not program.memory:
        return False
    u = system.arrays[0]
    inputs, memory = u.copy(), system.memory.copy()
    if program.follows_rows and last is not None and last[0] != row[0]:
        found = _followed(system, last, row, out)
    else:
        found = _by_homotopy(system, status, row, out)
    u[:] = inputs
    system.memory[:] = memory if found else m[: program.memory]
    return found


def _followed(system: "System", before: "Row", after: "Row", out: "Array") -> bool:
    """The variables of a row, where the blocks do not come there in one step from the row before.

    A row may be the very point where a branch ends: there the last part of the way may fail, if it is small.
    """
    import numpy as np

    (start, y, u, known), (end, y_end, u_end, known_end) = before, after
    n, followed, m = system.program.memory, system.program.followed, system.row_memory
    at_states, (at_inputs, p, _) = system.states, system.arrays
    values = system.results("variables")
    m[:n] = first = np.where(known == known_end, m[before_row(n, followed)], known)
    call = system.executable.bind("variables", at_states, at_inputs, p, m, values)

    def solve(share: float) -> bool:
        kept = m[:n].copy()
        at_states[:], at_inputs[:] = y + share * (y_end - y), u + share * (u_end - u)
        begin_row(m, n, followed)
        status = call(end if share == 1.0 else start + share * (end - start))
        end_row(m, n, followed)
        if status:
            m[:n] = kept
        return not status

    found = follow(solve)
    if not found:
        reached = m[:n].copy()
        at_states[:], at_inputs[:] = y_end, u_end
        solved = not call(end)
        found = solved and bool((abs(m[:n] - reached) <= REST * abs(reached - first)).all())
        if not found:
            m[:n] = reached
    out[:] = values
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


def _all_inputs(system: "System", times: "Array", frozen: "Array", before: "Before | None") -> "Array":
    """u at all rows: frozen values, inputs, and what was some time ago."""
    import numpy as np

    first = len(system.frozen)
    inputs = np.empty((len(times), len(system.arrays[0])))
    inputs[:, :first] = frozen
    if system.inputs is not None:
        system.inputs.fill_rows(times, inputs, nan if before is None else before[0])
    return inputs
