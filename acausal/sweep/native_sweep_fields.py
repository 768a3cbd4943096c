"""The fields of `runtime/sweep/sweep_context` without those of the solver."""

from itertools import accumulate
from math import nan
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.runtime.events.run_parts import LONG_RUN
from acausal.runtime.limits import MOST_ROWS, SHORTEST, WITHIN
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.cvode.native_events import FEW
from acausal.simulate.run.method_choice import may_choose
from acausal.simulate.solver.event_context import most_passes, numbers_of
from acausal.simulate.system.parameters import Setter
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.system import System
from acausal.sweep.columns import Reader

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues

MOST_NUMBERS = 4_000_000
"""More stored numbers of a run are not kept from run to run."""
MORE_ROWS = 10_000
"""Rows of events for which there is room; a run with more is out of the ordinary."""
AT_ONCE = FEW
"""Events for which there is room in the arrays of `NativeEvents`."""


def most_rows(program: Program) -> int:
    """So many rows may be kept from run to run."""
    return MOST_NUMBERS // (program.stored_size + 1)


def run_fields(system: System, chosen: Settings, setter: Setter, reader: Reader) -> "FieldValues":
    """All fields but those of the solver and its loop."""
    import numpy as np

    program, (_, p, m) = system.program, system.arrays
    states, grid, has_events = len(program.state_slots), chosen.grid.copy(), bool(program.table.frozen)
    rows = min(len(grid) + MORE_ROWS, most_rows(program)) if has_events else len(grid) + MOST_ROWS
    lengths = {"setup_room": len(m), "first_states": program.result_size("initial"), "slope": states, "wanted": states}
    lengths |= {
        "row_states": rows * states,
        "row_memory": rows * program.memory,
        "row_frozen": rows * len(system.frozen),
    }
    lengths |= {"row_times": rows, "stored": rows * program.stored_size}
    lengths["row_inputs"] = rows * program.input_size if program.input_slots else 0
    room = {name: np.empty(length) for name, length in lengths.items()}
    sizes: FieldValues = {
        "has_events": int(has_events),
        "stored_size": program.stored_size,
        "found_count": lengths["first_states"],
        "parameters": len(p),
        "system_size": len(system.numbers),
        "most_passes": most_passes(program, chosen),
        "row_room": rows,
        "input_count": len(program.input_slots),
        "event_room": AT_ONCE,
    }
    own: FieldValues = {
        "times": grid[1:],
        "row_count": len(grid) - 1,
        "count": 0,
        "most_run_steps": LONG_RUN if may_choose(program, chosen) else 0,
        "system_numbers": system.numbers,
        "ready_rows": np.zeros(1, dtype=np.int64),
        "root_function": system.address("cvode_crossings") or 0,
        "setup": system.address("setup") or 0,
        "variables": system.address("variables") or 0,
    }
    plain = {**_of_program(program), **_numbers(program, chosen)}
    return {**room, **sizes, **own, **plain, **setter.fields(), **reader.fields()}


def _numbers(program: Program, chosen: Settings) -> dict[str, float]:
    span = chosen.stop - chosen.start
    return {
        "start_time": chosen.start,
        "stop": chosen.stop,
        **numbers_of(program, chosen),
        "chattering_time": WITHIN * span,
        "relative": max(step_tolerance(chosen.tolerance), 1e-15),
        "nominal_share": step_tolerance(chosen.tolerance),
        "longest": nan,
        "shortest": SHORTEST * abs(chosen.start),
    }


def _of_program(program: Program) -> "FieldValues":
    """Nominal values, sines and conditions."""
    import numpy as np

    waves = program.waves
    where = {
        "nominal_at": [-1 if slot.nominal is None else slot.nominal for slot in program.state_slots],
        "rates": [wave.rate for wave in waves],
        "wave_first": [*accumulate([len(wave.conditions) for wave in waves], initial=0)],
        "wave_conditions": [place for wave in waves for condition in wave.conditions for place in condition],
        "wave_decays": [place for wave in waves for place in wave.decay or (-1, -1)],
        "condition_at": [slot.position for slot in program.conditions],
        "condition_asserts": [slot.kind != "terminate" for slot in program.conditions],
    }
    counts = {"rate_count": len(waves), "condition_count": len(program.conditions)}
    return {**{name: np.array(numbers, dtype=np.int64) for name, numbers in where.items()}, **counts}
