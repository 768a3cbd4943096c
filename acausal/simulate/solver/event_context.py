"""The fields of `runtime/context` that a system gives: for kernels that Python runs, and for machine code."""

import ctypes
from math import nan
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, ref

from acausal.base.caches import LOCK, once, register
from acausal.base.diagnostics import SimulationError
from acausal.ir.program.program import Program
from acausal.runtime.context import EventContext, SolverRecord
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.relation_search import search_relations, search_room
from acausal.runtime.events.restart_others import restart_others
from acausal.runtime.kernel.language import Real
from acausal.runtime.kernel.signature import fields
from acausal.runtime.limits import AHEAD, FIRST_CHECK, MOST_PASSES, PASSES_EACH
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.failure.checked import event_results
from acausal.simulate.jacobian.sundials_library import sundials_library
from acausal.simulate.solver.event_tables import context_sizes, list_room, nominal_places, slot_tables, state_room
from acausal.simulate.solver.unmet_restarts import restart_room
from acausal.simulate.system.derivative_inputs import keeps_motion, moving_flags
from acausal.simulate.system.initialization import initial_states
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import usual_first
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.context_memory import FieldValues
    from acausal.codegen.executable import Array, Executable

_TABLES: "WeakKeyDictionary[Executable, FieldValues]" = WeakKeyDictionary()
register(_TABLES)
_LIBRARY = {
    "solve": "CVode",
    "set_stop": "CVodeSetStopTime",
    "root_info": "CVodeGetRootInfo",
    "reinit": "CVodeReInit",
    "set_least": "CVodeSetMinStep",
    "set_first": "CVodeSetInitStep",
    "count_steps": "CVodeGetNumSteps",
    "set_most_steps": "CVodeSetMaxNumSteps",
    "count_jacobians": "CVodeGetNumJacEvals",
    "interpolate": "CVodeGetDky",
}
LOOP_FIELDS = tuple(fields(LoopContext))
_NO_CHECKS = dict.fromkeys(("check_begin", "check_time", "check_rate", "check_growth", "check_due"), 0.0)
"""Fields of `runtime/phase_checks` before the first evaluation."""


def python_context(system: System, settings: Settings, y: "Array") -> EventContext:
    """The context of kernels that Python runs; u, p, m and offset are those of the system, y is the caller's."""
    import numpy as np

    watched = np.zeros(system.program.table.crossings)

    def initial(t: Real, *arrays: "Array") -> int:
        arrays[-1][:] = initial_states(system, t)
        return 0

    def initial_ahead(t: Real, *arrays: "Array") -> int:
        status: int = system.evaluate("initial", t)
        arrays[-1][:] = system.results("initial")[: len(arrays[-1])]
        return status

    def derivatives(t: Real, y: "Array", *arrays: "Array") -> int:
        return system.slope(t, y, arrays[-1])

    def events(t: Real, y: "Array", *arrays: list[float]) -> int:
        arrays[-1][:] = event_results(system, t, y).tolist()
        return 0

    def events_ahead(t: Real, y: "Array", *arrays: list[float]) -> int:
        try:
            return events(t, y, *arrays)
        except SimulationError:
            return 1

    def crossings(t: Real, y: "Array", *arrays: list[float]) -> int:
        system.root_functions(t, y, watched)
        arrays[-1][:] = watched.tolist()
        return 0

    def restart_variables(_: EventContext, t: Real) -> int:
        found = own()
        assert found is not None
        with np.errstate(all="ignore"):  # infinite numbers are as in machine code
            return restart_others(found, t)

    def search(_: EventContext, t: Real, y: "Array") -> int:
        found = own()
        assert found is not None
        return search_relations(found, t, y)

    routines = {f.__name__: f for f in (initial, initial_ahead, derivatives, events, events_ahead, crossings)}
    program, (u, p, m) = system.program, system.arrays
    plain = {name: value.tolist() for name, value in slot_tables(program).items()}
    room = {name: [0.0] * length for name, length in list_room(program).items()}
    states = {name: np.zeros(length) for name, length in state_room(program).items()}
    has_restart_others = any(slot.state is None for slot in program.table.restarts)
    context = EventContext(
        is_ordinary=0,
        **context_sizes(program),
        **plain,
        **routines,
        **room,
        **{**states, "y": y},
        u=u,
        frozen=u,
        p=p,
        m=m,
        offset=system.offset,
        sides=system.sides,
        starts=system.starts,
        watched_values=[nan] * (program.table.crossings + 1),
        next_sample=system.next_sample,
        widening=system.widening,
        band=system.band,
        record=SolverRecord(**dict.fromkeys(fields(SolverRecord), 0.0)),
        restart_others=restart_variables,
        restart_context=0,
        has_restart_others=int(has_restart_others),
        restart_room=restart_room(
            len(program.state_slots), len(program.table.restarts) if has_restart_others else 0, system.positions
        ),
        search=search,
        search_context=0,
        search_room=search_room(len(program.table.frozen), program.table.results),
        has_search=1,
        begins=0,
        undefined=0,
        touched=[0] * len(program.table.frozen),
        event_number=0,
        **numbers_of(system.program, settings),
        most_passes=most_passes(program, settings),
        roots=[0] * program.table.crossings,
        located_time=nan,
        agrees_later=0,
        announced=-1,
        **dict.fromkeys(("found", "limit", "first_step", "restarted"), 0.0),
        **_NO_CHECKS,
        is_checking=0,
        memory_aside=np.zeros(len(m)),
        **dict.fromkeys(("wrong", "cycle_turn", "cycle_length", "looks_ahead", "is_ahead", "inconsistent"), 0),
    )
    own = ref(context)  # else it would hold itself
    return context


def numbers_of(program: Program, settings: Settings) -> dict[str, float]:
    """Fields that depend on the settings."""
    span = settings.stop - settings.start
    return {
        "ahead": AHEAD * span,
        "tolerance": step_tolerance(settings.tolerance),
        "first_check": FIRST_CHECK * span,
        "usual_first": usual_first(program, settings),
    }


def most_passes(program: Program, settings: Settings) -> int:
    """So many passes an event may take."""
    return settings.event_passes or max(MOST_PASSES, PASSES_EACH * len(program.table.frozen))


def native_fields(system: System) -> "FieldValues":
    """Fields of `LoopContext` for machine code, without those of the solver and of a call."""
    return {**plain_fields(system), **event_fields(system)}


def plain_fields(system: System) -> "FieldValues":
    """Fields that are used where nothing happens but the motion of states."""
    import numpy as np

    (u, p, m), program = system.arrays, system.program
    routines = ("initial", "derivatives", "events", "crossings", "choices", *(("predict",) if program.followed else ()))
    return {
        **context_sizes(program),
        "watched": program.table.watched,
        "has_hidden": int(bool(program.table.hidden)),
        "followed": program.followed,
        "inputs": 0 if system.inputs is None else system.inputs.context,
        "has_delays": int(bool(program.delays)),
        "is_ordinary": 1,
        **{name: system.address(name) or 0 for name in routines},
        **{f"{name}_ahead": system.address(name) or 0 for name in ("initial", "events")},
        "u": system.routine_inputs,
        "frozen": u,
        "p": p,
        "m": m,
        "nominal_at": nominal_places(program),
        "offset": system.offset,
        "starts": system.starts,
        "y": np.zeros(program.result_size("initial")),
        "memory_before": np.zeros(program.memory),
        "counted": np.zeros(1, dtype=np.int64),
        "reached": np.zeros(1),
        **(_functions() if program.state_slots else {}),
    }


def event_fields(system: System) -> "FieldValues":
    """Fields for events and delays."""
    import numpy as np

    program = system.program
    frozen = len(program.table.frozen)
    lengths = {**list_room(program), **state_room(program)}
    lengths |= {
        "states_before": len(program.state_slots),
        "frozen_before": frozen,
        **dict.fromkeys(("samples_before", "band_before"), frozen),
        **dict.fromkeys(("offset_before", "sides_before"), program.table.crossings),
        "starts_before": program.table.crossings + 1,
    }
    return {
        **_shared_tables(system.executable),
        **{name: np.zeros(program.memory_size) for name in ("memory_aside", "delay_memory")},
        "delayed_results": np.zeros(program.result_size("delayed")),
        "sides": system.sides,
        "next_sample": system.next_sample,
        "widening": system.widening,
        "band": system.band,
        **{name: np.zeros(length) for name, length in lengths.items()},
    }


def _shared_tables(executable: "Executable") -> "FieldValues":
    """Tables that no run changes, made once for an executable: with thousands of events as long as a short run."""
    import numpy as np

    with LOCK:
        found = _TABLES.get(executable)
    if found is None:
        program = executable.program
        goes_on = keeps_motion(program) and bool(program.state_slots)
        flags = np.array(moving_flags(program), dtype=np.int64)
        made: FieldValues = {**slot_tables(program), "goes_on": int(goes_on), "moves": flags}
        with LOCK:
            found = _TABLES.setdefault(executable, made)
    return found


@once
def _functions() -> "FieldValues":
    library = sundials_library()
    if library is None:  # other solvers need none of them
        return {}
    return {name: ctypes.cast(getattr(library, f), ctypes.c_void_p).value or 0 for name, f in _LIBRARY.items()}
