"""Structures of delays in a model's memory: their history, and the inputs that routines read from it."""

from acausal.ir.program.program import Program
from acausal.runtime.delays import NODES, DelayHistory
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.reported_polynomials import ReportedSteps
from acausal.runtime.events.reported_steps import POINTS
from acausal.runtime.inputs import CONSTANT, DELAY, InputContext
from acausal.targets.c.structures.memory import ROUTINES, Memory, routine_name


def add_delays(memory: Memory, program: Program, room: int) -> None:
    """The history of delays; routines are called with the structure of inputs in the place of u."""
    memory.structure("inputs", InputContext)
    memory.structure("history", DelayHistory)
    count, first = len(program.delays), len(program.table.frozen)
    rooms = {"times": count, "before": count, "ends": room + 1, "nodes": room * NODES * count, "breaks": room}
    values = {name: memory.array(f"history_{name}", length) for name, length in rooms.items()}
    values |= {"at": memory.array("history_at", count, "int64_t"), "count": str(count), "piece_room": str(room)}
    values["late"] = str(count)
    memory.bind("history", DelayHistory, values)
    names = [slot.name for slot in program.delays]
    numbers = [(names.index(name), order) if name in names else (-1, 0) for name, order in program.input_slots]
    columns = {
        "kind": [CONSTANT if number < 0 else DELAY for number, _ in numbers],
        "number": [number for number, _ in numbers],
        "order": [order for _, order in numbers],
    }
    values = {name: memory.table(f"input_{name}", column, "int64_t") for name, column in columns.items()}
    values |= {"u": "m->u", "p": "m->p", "constant": memory.rest("u", first), "first": str(first)}
    values |= {"count": str(len(numbers)), "history": "&m->history", "memory_size": str(program.memory_size)}
    rooms = {"memory_aside": program.memory_size, "delayed_results": program.result_size("delayed")}
    values |= {name: memory.array(f"input_{name}", length) for name, length in rooms.items()}
    routines = ("initial", "derivatives", "events", "crossings", "choices", "delayed")
    values |= {name: routine_name(program, name) for name in routines}
    memory.bind("inputs", InputContext, values, routines)
    loop = {name: memory.array(name, length) for name, length in (("delay_memory", program.memory_size),)}
    loop |= {"delayed_results": "m->input_delayed_results", "inputs": "&m->inputs", "u": memory.as_numbers("inputs")}
    loop |= {name: f"{name}_with_inputs" for name in ROUTINES}
    loop |= {
        "initial_ahead": "initial_with_inputs",
        "events_ahead": "events_with_inputs",
        "step_with_history": "in_place_history",
    }
    memory.bind("loop", LoopContext, loop, (*ROUTINES, "initial_ahead", "events_ahead", "step_with_history"))


def add_reports(memory: Memory, program: Program) -> None:
    """Steps that an integrator outside reports."""
    memory.structure("reports", ReportedSteps)
    states, inputs, delays = len(program.state_slots), len(program.input_slots), len(program.delays)
    rooms = {"times": POINTS, "states": POINTS * states, "rates": POINTS * states, "inputs": POINTS * inputs}
    rooms |= dict.fromkeys(("weights", "rate_weights", "input_weights"), POINTS)
    rooms |= {"kept": inputs, "middle": delays, "largest": delays}
    values = {name: memory.array(f"report_{name}", length) for name, length in rooms.items()}
    values |= {"used": memory.array("report_used", POINTS, "int64_t"), "loop": "&m->loop"}
    memory.bind("reports", ReportedSteps, values)


def history_room(program: Program, step: float) -> int:
    """Steps that the longest delay reaches back, twice, where its length is known; else 1000."""
    lengths = [_length(program, 2 * k + 1) for k in range(len(program.delays))]
    if not lengths or None in lengths:
        return 1000
    return int(2.0 * max([length for length in lengths if length is not None]) / step) + 100


def _length(program: Program, position: int) -> float | None:
    """A delay that is a number or a parameter."""
    code = program.delayed.code
    for op, args, value in code:
        if op == "store" and value == position:
            source = code[args[0]]
            if source.op == "const" and isinstance(source.value, float):
                return source.value
            if source.op == "parameter" and isinstance(source.value, int):
                slots = program.parameter_slots
                return float(slots[source.value].value) if source.value < len(slots) else None
    return None
