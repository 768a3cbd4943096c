"""The fields of `runtime/events/sweep.SweepContext` without those of the solver."""

from math import nan
from typing import TYPE_CHECKING

from acausal.ir.program import Program
from acausal.runtime.limits import SHORTEST, SMALL, WITHIN, WITHOUT_END
from acausal.simulate.solver.cvode_settings import SAFETY
from acausal.simulate.solver.event_context import most_passes, native_fields, numbers_of
from acausal.simulate.system.parameters import Setter
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import STEPS_IN_PERIOD, System
from acausal.sweep.columns import Reader

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues

MOST_NUMBERS = 4_000_000
"""More stored numbers of a run are not kept from run to run."""
MORE_ROWS = 10_000
"""Rows of events for which there is room; a run with more is out of the ordinary."""
AT_ONCE = 64
"""Events for which there is room."""


def most_rows(program: Program) -> int:
    """So many rows may be kept from run to run."""
    return MOST_NUMBERS // (program.stored_size + 1)


def run_fields(system: System, chosen: Settings, setter: Setter, reader: Reader) -> "FieldValues":
    """All fields but those of the solver."""
    import numpy as np

    program, (u, p, m) = system.program, system.arrays
    states, grid = len(program.state_slots), chosen.grid.copy()
    events: FieldValues = _of_events(system) if program.table.held else {}
    rows = min(len(grid) + MORE_ROWS, most_rows(program)) if events else len(grid)
    lengths = {"setup_room": len(m), "first_states": program.result_size("initial"), "slope": states, "wanted": states}
    lengths |= {"row_states": rows * states, "row_memory": rows * program.memory, "row_held": rows * len(system.held)}
    room = {name: np.empty(length) for name, length in lengths.items()}
    room |= {"grid": grid, "row_times": np.empty(rows) if events else grid}
    stored = np.empty((rows, program.stored_size))
    sizes: FieldValues = {
        "output_times": len(grid),
        "stored_size": program.stored_size,
        "found_count": lengths["first_states"],
    }
    sizes = {**sizes, "has_events": int(bool(events)), "most_passes": most_passes(program, chosen)}
    sizes = {**sizes, "states": states, "memory": program.memory, "parameters": len(p), "row_room": rows}
    of_system: FieldValues = {
        "u": u,
        "held": u,
        "p": p,
        "m": m,
        "system_numbers": system.numbers,
        "system_size": len(system.numbers),
    }
    names = ("setup", "variables", "initial", "derivatives")
    routines: FieldValues = {name: system.address(name) or 0 for name in names}
    if program.follows_rows:
        routines = {**routines, "variables": system.address("variables_of_row") or 0}
    own: FieldValues = {
        **room,
        **sizes,
        **of_system,
        **routines,
        **_of_program(program),
        **_numbers(chosen),
        "reached": np.zeros(1),
        "ready_rows": np.zeros(1, dtype=np.int64),
        "counted": np.zeros(1, dtype=np.int64),
        "root_function": system.address("cvode_crossings") or 0,
    }
    others: FieldValues = {**setter.fields(), **reader.fields()}
    call: FieldValues = {"times": grid[1:], "count": len(grid) - 1, "event_room": AT_ONCE}
    return {**events, **own, **others, **call, "stored": stored}


def _numbers(chosen: Settings) -> dict[str, float]:
    span = chosen.stop - chosen.start
    return {
        "start_time": chosen.start,
        "stop": chosen.stop,
        **numbers_of(chosen),
        "chattering_time": WITHIN * span,
        "relative": max(SAFETY * chosen.tolerance, 1e-15),
        "nominal_share": SAFETY * chosen.tolerance,
        "longest": nan,
        "shortest": SHORTEST * abs(chosen.start),
        "small": SMALL,
        "steps_in_period": float(STEPS_IN_PERIOD),
    }


def _of_events(system: System) -> "FieldValues":
    import numpy as np

    table = system.program.table
    roots = np.empty((AT_ONCE, table.crossings), dtype=np.int32)
    times, held = np.empty(WITHOUT_END - 1 + AT_ONCE), np.empty((AT_ONCE, 2, len(table.held)))
    return {**native_fields(system), "event_times": times, "event_held": held, "event_roots": roots}


def _of_program(program: Program) -> "FieldValues":
    """Nominal values, angular velocities and conditions."""
    import numpy as np

    where = {
        "nominal_at": [-1 if slot.nominal is None else slot.nominal for slot in program.state_slots],
        "rates": [wave.rate for wave in program.waves],
        "condition_at": [slot.position for slot in program.conditions],
        "condition_asserts": [slot.kind != "terminate" for slot in program.conditions],
    }
    counts = {"rate_count": len(program.waves), "condition_count": len(program.conditions)}
    return {**{name: np.array(numbers, dtype=np.int64) for name, numbers in where.items()}, **counts}
