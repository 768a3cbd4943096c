"""Structures of the run time in a model's memory (`runtime/events/loop_context`, `runtime/steps/fixed_methods`)."""

from collections.abc import Sequence

from acausal.ir.program.program import Program
from acausal.runtime.context import RestartRoom, SearchRoom, SolverRecord
from acausal.runtime.crossings.hidden_search import MOST_POINTS, HiddenSearch
from acausal.runtime.crossings.root_search import RootSearch
from acausal.runtime.events.exported_run import ROWS
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.restart_others import restart_size
from acausal.runtime.limits import WITHOUT_END
from acausal.runtime.poles import PoleWatch
from acausal.runtime.state_selection import StateSelections, vectors_size
from acausal.runtime.steps.fixed_methods import FixedSolver
from acausal.runtime.steps.stability import StepJudgement
from acausal.simulate.solver.event_tables import context_sizes, has_relations, list_room, slot_tables, state_room
from acausal.simulate.system.derivative_inputs import keeps_motion, moving_flags
from acausal.targets.c.structures.delay_context import add_delays
from acausal.targets.c.structures.memory import ROUTINES, Memory, routine_name
from acausal.targets.c.structures.set_context import ROUTINES as SET_ROUTINES
from acausal.targets.c.structures.set_context import add_set, transfer_values

_IN_PLACE = {
    "solve": "in_place_solve",
    "set_stop": "in_place_set_stop",
    "root_info": "in_place_root_info",
    "reinit": "in_place_reinit",
    "set_least": "in_place_ignore",
    "set_first": "in_place_ignore",
    "count_steps": "in_place_count",
    "count_jacobians": "in_place_count_nothing",
    "set_most_steps": "in_place_limit",
    "interpolate": "in_place_interpolate",
}
"""Functions of CVODE, and adapters of what stands in their place."""


def add_all_contexts(
    memory: Memory, sets: Sequence[Program], history: int = 0, divisors: Sequence[int] = (), *, is_implicit: bool = True
) -> None:
    """The structures of a model for each set of its states, with so many divisors that may pass zero.

    If steps are not `is_implicit`, there is no room for their matrix, which grows with the square of the states.
    """
    transfers = transfer_values(memory, sets) if len(sets) > 1 else {}
    for number, program in enumerate(sets):
        if number:
            memory.next_set()
        add_contexts(memory, program, history, is_implicit=is_implicit)
        if len(sets) > 1:
            add_set(memory, sets, number, transfers, [routine_name(program, n, memory.suffix) for n in SET_ROUTINES])
        if any(divisors):
            _add_poles(memory, program, divisors[number])


def add_contexts(memory: Memory, program: Program, history: int = 0, *, is_implicit: bool = True) -> None:
    """All structures of a model, with their arrays; `history` is the room for steps that delays reach back."""
    _add_record(memory)
    _add_loop(memory, program)
    _add_solver(memory, program, is_implicit=is_implicit)
    if program.choice_table.slots:
        _add_selections(memory, program)
    if program.table.hidden:
        _add_hidden(memory, program)
    if any(slot.state is None for slot in program.table.restarts):
        _add_restarts(memory, program)
    if has_relations(program):
        _add_search(memory, program)
    if program.delays:
        add_delays(memory, program, history)


def _add_record(memory: Memory) -> None:
    memory.structure("record", SolverRecord)


def _add_loop(memory: Memory, program: Program) -> None:
    memory.structure("loop", LoopContext)
    states, frozen, crossings = len(program.state_slots), len(program.table.frozen), program.table.crossings
    values = {name: str(size) for name, size in context_sizes(program).items()}
    values |= {name: str(number) for name, number in _flags(program).items()}
    for name, column in slot_tables(program).items():
        kind = "double" if column.dtype.kind == "f" else "int64_t"
        values[name] = memory.table(name, column.tolist(), kind)
    values["moves"] = memory.table("moves", moving_flags(program), "int64_t")
    values["place"] = values["order"] = memory.table("order", range(states), "int64_t")
    rooms = {**list_room(program), **state_room(program)}
    rooms |= dict.fromkeys(("frozen_before", "samples_before", "next_sample"), frozen)
    rooms |= dict.fromkeys(("widening", "band", "band_before"), frozen)
    rooms |= dict.fromkeys(("offset_before", "sides_before", "offset", "sides"), crossings)
    rooms |= dict.fromkeys(("starts_before", "starts", "watched_values"), crossings + 1)
    rooms |= {
        "states_before": states,
        "memory_before": program.memory,
        "memory_aside": program.memory_size,
        "numbers": states,
        "between_there": states,
    }
    rooms |= {"choice_results": program.choice_table.results, "reached": 1, "times": 1}
    rooms |= {"event_times": WITHOUT_END, "event_frozen": 2 * frozen, "row_times": ROWS}
    rooms |= {"row_states": ROWS * states, "row_frozen": ROWS * frozen, "row_memory": ROWS * program.memory}
    values |= {name: memory.array(name, length) for name, length in rooms.items()}
    values |= {name: memory.array(name, crossings, "int") for name in ("roots", "event_roots")}
    values["counted"] = memory.array("counted", 1, "int64_t")
    values["touched"] = memory.array("touched", frozen, "int64_t")
    values |= {"u": "m->u", "frozen": "m->u", "p": "m->p", "m": "m->m", "y": "m->y", "record": "&m->record"}
    if memory.suffix:
        values["p"] = memory.array(f"p{memory.suffix}", program.parameter_size)
    values |= {name: routine_name(program, name, memory.suffix) for name in ROUTINES}
    values |= {
        "initial_ahead": values["initial"],
        "events_ahead": values["events"],
        **_IN_PLACE,
        "address": "&m->loop",
        "cvode": "&m->solver",
    }
    values |= {"vector": "m->numbers", "between": "m->between_there"}
    if program.followed:
        values["predict"] = "predict"
    if program.table.hidden:
        values |= {"search_step": "in_place_search", "hidden_search": "&m->hidden"}
    functions = (*ROUTINES, "initial_ahead", "events_ahead", *_IN_PLACE, "predict", "search_step")
    memory.bind("loop", LoopContext, values, functions)


def _flags(program: Program) -> dict[str, int]:
    table = program.table
    return {
        "watched": table.watched,
        "has_hidden": int(bool(table.hidden)),
        "followed": program.followed,
        "has_delays": int(bool(program.delays)),
        "is_ordinary": 1,
        "is_monitored": int(bool(program.choice_table.slots)),
        "goes_on": int(keeps_motion(program) and bool(program.state_slots)),
    }


def _add_solver(memory: Memory, program: Program, *, is_implicit: bool) -> None:
    memory.structure("search", RootSearch)
    memory.structure("judgement", StepJudgement)
    memory.bind("judgement", StepJudgement, {"largest": memory.array("largest", len(program.state_slots))})
    memory.structure("solver", FixedSolver)
    n, crossings = len(program.state_slots), program.table.crossings
    found = {name: memory.array(f"search_{name}", crossings) for name in ("first", "below", "above", "values")}
    found |= {"count": str(crossings), "watch": "in_place_watch", "context": "&m->solver", "roots": "m->roots"}
    memory.bind("search", RootSearch, found, ("watch",))
    names = "slope", "begin_states", "begin_slope", "end_states", "end_slope", "stage"
    rooms = {**dict.fromkeys(names, n), "slopes": 3 * n, "matrix": n * (n + 1) + 1 if is_implicit else 1}
    values = {name: memory.array(f"solver_{name}", length) for name, length in rooms.items()}
    values |= {"loop": "&m->loop", "search": "&m->search", "judgement": "&m->judgement"}
    values |= {"sides": "m->sides", "seen": "m->watched_values"}
    values |= {"begin": "in_place_begin", "has_hidden": str(int(bool(program.table.hidden)))}
    if program.table.hidden:
        values |= {"hidden": "&m->hidden", "hidden_address": "&m->hidden", "search_step": "in_place_search"}
    if program.followed:
        values["end_step"] = "end_step"
    memory.bind("solver", FixedSolver, values, ("begin", "search_step", "end_step"))


def _add_hidden(memory: Memory, program: Program) -> None:
    memory.structure("hidden", HiddenSearch)
    table, count = program.table, len(program.table.hidden)
    rooms = {"memory_at_begin": program.memory, "memory_at_end": program.memory}
    rooms |= {"times": MOST_POINTS, "values": MOST_POINTS * count, "root_functions": table.crossings}
    values = {name: memory.array(f"hidden_{name}", length) for name, length in rooms.items()}
    values |= {"states": memory.array("hidden_states", count, "int64_t"), "m": "m->m"}
    values |= {"functions": memory.table("hidden", table.hidden, "int64_t"), "place": str(table.crossings - 1)}
    values |= {"memory": str(program.memory), "count": str(count), "jump_count": str(table.jumps)}
    values |= {"watch": "in_place_watch", "context": "&m->solver"}
    memory.bind("hidden", HiddenSearch, values, ("watch",))


def _add_restarts(memory: Memory, program: Program) -> None:
    memory.structure("restart_room", RestartRoom)
    states = len(program.state_slots)
    n, positions = restart_size(states, len(program.table.restarts)), {i for i, _ in program.moving}
    rooms = {**dict.fromkeys(("begin", "now", "right", "step", "s"), n), **dict.fromkeys(("matrix", "u", "v"), n * n)}
    values = {name: memory.array(f"restart_{name}", length) for name, length in rooms.items()}
    values["positions"] = memory.table("positions", [i in positions for i in range(states)], "int64_t")
    values["integers"] = memory.array("restart_integers", 2, "int")
    memory.bind("restart_room", RestartRoom, {**values, "size": str(n)})
    loop = {"restart_room": "&m->restart_room", "restart_others": "in_place_restart", "restart_context": "&m->loop"}
    memory.bind("loop", LoopContext, {**loop, "has_restart_others": "1"}, ("restart_others",))


def _add_search(memory: Memory, program: Program) -> None:
    memory.structure("search_room", SearchRoom)
    frozen = len(program.table.frozen)
    values = {"begin": memory.array("search_begin", frozen), "noise": memory.array("noise", program.table.results)}
    values |= {name: memory.array(f"search_{name}", frozen, "int64_t") for name in ("relations", "chosen")}
    memory.bind("search_room", SearchRoom, values)
    loop = {"search_room": "&m->search_room", "search": "in_place_search_relations", "search_context": "&m->loop"}
    memory.bind("loop", LoopContext, {**loop, "has_search": "1"}, ("search",))


def _add_poles(memory: Memory, program: Program, count: int) -> None:
    memory.structure("pole_watch", PoleWatch)
    states = len(program.state_slots)
    rooms = {**dict.fromkeys(("values", "now"), count), "memory_aside": program.memory_size}
    rooms |= dict.fromkeys(("point", "between", "far_rates", "near_rates"), states)
    values = {name: memory.array(f"pole_{name}", length) for name, length in rooms.items()}
    values |= {"count": str(count), "states": str(states), "memory_size": str(program.memory_size)}
    values |= {"derivatives": routine_name(program, "derivatives", memory.suffix), "u": "m->u", "m": "m->m"}
    values["divisors"] = f"divisors{memory.suffix}" if count else values["derivatives"]
    values["p"] = memory.array(f"p{memory.suffix}", program.parameter_size) if memory.suffix else "m->p"
    memory.bind("pole_watch", PoleWatch, values, ("derivatives", "divisors"))


def _add_selections(memory: Memory, program: Program) -> None:
    memory.structure("selections", StateSelections)
    slots = program.choice_table.slots
    sizes = [(len(slot.dummies), len(slot.candidates)) for slot in slots]
    whole = {
        "rows": [rows for rows, _ in sizes],
        "columns": [columns for _, columns in sizes],
        "position": [slot.position for slot in slots],
        "first_weight": _sums([columns for _, columns in sizes]),
        "first_dummy": _sums([rows for rows, _ in sizes]),
        "dummies": [dummy for slot in slots for dummy in slot.dummies],
    }
    values = {name: memory.table(f"selections_{name}", numbers, "int64_t") for name, numbers in whole.items()}
    values["weights"] = memory.table("weights", [w for slot in slots for w in slot.weights], "double")
    values["best"] = memory.array("selections_best", len(whole["dummies"]), "int64_t")
    values["vectors"] = memory.array("selections_vectors", max(vectors_size(*size) for size in sizes))
    values["count"] = str(len(slots))
    memory.bind("selections", StateSelections, values)
    loop = {"selections": "&m->selections", "monitor": "in_place_monitor"}
    memory.bind("loop", LoopContext, loop, ("monitor",))


def _sums(numbers: list[int]) -> list[int]:
    found = [0]
    for number in numbers:
        found.append(found[-1] + number)
    return found
