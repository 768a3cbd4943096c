"""The fields of `MODEL` in a Python module: what a run knows of the model."""

from collections.abc import Collection, Sequence
from math import inf

from acausal.base.options import SimulateOptions
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import ROUTINES, Program
from acausal.runtime.branches.tracked import TRACKERS, tracked_routine, tracker
from acausal.simulate.solver.event_tables import list_room
from acausal.simulate.system.settings import settings
from acausal.simulate.system.state_monitor import selection_numbers
from acausal.simulate.system.state_transfer import shown_as_first, transfer_numbers
from acausal.targets.divisor_routine import divisor_count, divisor_routine
from acausal.targets.readable_routine import block_text
from acausal.targets.source_lines import one_line


def set_fields(sets: Sequence[Program]) -> dict[str, str]:
    """Expressions by name of what a model with several sets of states has besides (`run_sets`)."""
    transfers = transfer_numbers([None if old is new else (old, new) for old in sets for new in sets])
    first = [shown_as_first(sets[0], program) for program in sets]
    shown = [([at for at, _ in one], [factor for _, factor in one]) for one in first]
    return {"transfers": repr(transfers), "shown": repr(shown)}


def model_fields(
    program: Program, all_folded: Collection[Name], names: tuple[str, str, str], suffix: str = ""
) -> dict[str, str]:
    """Expressions by name; `names` are those of states, sizes and tables of events, `suffix` ends those of routines."""
    table = program.table
    states, event_sizes, event_tables = names
    times = settings(SimulateOptions(), program.experiment)
    delays = [slot.name for slot in program.delays]
    inputs = [
        (delays.index(name), order) if name in delays else show_derivative(name, order)
        for name, order in program.input_slots
    ]
    folded = {show_name(name) for name in all_folded}
    slots = program.parameter_slots
    fixed = [show_name(s.name) for s in slots if s.constant or show_name(s.name) in folded]
    limits = {
        show_name(s.name): (-inf if s.low is None else s.low, inf if s.high is None else s.high)
        for s in slots
        if s.low is not None or s.high is not None
    }
    tracked = {}
    for name in (*TRACKERS, "variables"):
        if name in ROUTINES and tracker(program, name) is not None:
            tracked[name] = {k: v for k, v in vars(tracked_routine(program, name, None)).items() if k != "routine"}
    waves = [f"SimpleNamespace(rate={w.rate}, conditions={w.conditions}, decay={w.decay})" for w in program.waves]
    restarts = [
        f"SimpleNamespace(text={one_line(r.text)!r}, position={r.position}, state={r.state}, sign={r.sign})"
        for r in table.restarts
    ]
    ends = [one_line(f"{a.kind}: {a.text}") for a in table.announcements]
    divisors = divisor_count(divisor_routine(program))
    routines = [*ROUTINES, *(["divisors"] if divisors else [])]
    sizes = {name: program.result_size(name) for name in ROUTINES if name != "setup"} | {"divisors": divisors}
    return {
        "number": "0",
        "name": repr(one_line(program.name)),
        "start": repr(times.start),
        "stop": repr(times.stop),
        "interval": repr(program.experiment.interval),
        "tolerance": repr(times.tolerance),
        "routines": "{" + ", ".join(f'"{name}": {name}{suffix}' for name in routines) + "}",
        "result_sizes": repr(sizes),
        "divisors": repr(divisors),
        "states": states,
        "nominals": repr([-1 if s.nominal is None else s.nominal for s in program.state_slots]),
        "parameters": "PARAMETERS",
        "fixed": repr(fixed),
        "limits": _with_infinity(repr(limits)),
        "parameter_size": repr(program.parameter_size),
        "variables": "VARIABLES",
        "conditions": repr([(c.kind, one_line(c.text), c.position) for c in program.conditions if c.kind != "integer"]),
        "inputs": repr(inputs),
        "input_size": repr(program.input_size),
        "blocks": repr([block_text(program, i) for i in range(len(program.blocks))]),
        "frozen": repr([one_line(f.text or show_name(f.name)) for f in table.frozen]),
        "announcements": repr(ends),
        "restarts": f"[{', '.join(restarts)}]",
        "positions": repr([position for position, _ in program.moving]),
        "event_sizes": event_sizes,
        "event_tables": event_tables,
        "event_room": repr(list_room(program)),
        "crossings": repr(table.crossings),
        "watched": repr(table.watched),
        "hidden": repr(list(table.hidden)),
        "jumps": repr(table.jumps),
        "waves": f"[{', '.join(waves)}]",
        "selections": repr(selection_numbers(program.choice_table)) if program.choice_table.slots else "None",
        "delays": repr(len(program.delays)),
        "memory": repr(program.memory),
        "memory_size": repr(program.memory_size),
        "work": repr(program.work),
        "followed": repr(program.followed),
        "tracked": repr(tracked),
    }


def _with_infinity(text: str) -> str:
    return text.replace("-inf", 'float("-inf")').replace(", inf", ', float("inf")')
