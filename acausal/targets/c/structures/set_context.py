"""The structure of the sets of states of a model (`runtime/state_sets`) in its memory."""

from collections.abc import Sequence

from acausal.ir.program.program import Program
from acausal.runtime.kernel.signature import fields
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.state_sets import StateSets, StateTransfer
from acausal.simulate.system.state_transfer import shown_as_first, transfer_numbers
from acausal.targets.c.structures.memory import Memory

ROUTINES = ("variables", "choices", "setup")

Values = dict[str, str]


def transfer_values(memory: Memory, sets: Sequence[Program]) -> Values:
    """Fields of the transfers between all sets, with their tables."""
    memory.structure("transfer", StateTransfer)
    found = {}
    numbers = transfer_numbers([None if old is new else (old, new) for old in sets for new in sets])
    for name, value in numbers.items():
        kind = "double" if fields(StateTransfer)[name][1] is Scalar.REALS else "int64_t"
        found[name] = str(value) if isinstance(value, int) else memory.table(f"transfer_{name}", value, kind)
    return found


def add_set(memory: Memory, sets: Sequence[Program], number: int, transfers: Values, routines: Sequence[str]) -> None:
    """The fields while a set is the present one; `routines` are those named in `ROUTINES`."""
    first, program = sets[0], sets[number]
    shown = shown_as_first(first, program)
    known = program.choice_table.results + program.stored_size + program.parameter_size + 2
    values = {
        "count": str(len(sets)),
        "bind": "bind_set",
        "model": "m",
        "transfer": memory.structure("transfer", StateTransfer),
        "states": str(len(first.state_slots)),
        "memory": str(first.memory),
        "given": "m->given",
        "first_parameters": "m->p",
        "own_parameters": str(len(first.parameter_slots)),
        "y": "m->y",
        "u": "m->u",
        "m": "m->m",
        "p": f"m->p{memory.suffix}",
        "choice_results": "m->choice_results",
        "selections": "&m->selections",
        "shown_count": str(first.stored_size),
        "known": memory.array("known", known),
        **dict(zip(ROUTINES, routines, strict=True)),
        "choice_count": str(program.choice_table.results),
        "stored": str(program.stored_size),
        "parameters": str(program.parameter_size),
        "memory_size": str(program.memory_size),
        "shown": memory.table("shown", [at for at, _ in shown], "int64_t"),
        "shown_factors": memory.table("shown_factors", [factor for _, factor in shown], "double"),
    }
    memory.structure("sets", StateSets)
    memory.bind("transfer", StateTransfer, transfers)
    memory.bind("sets", StateSets, values, (*ROUTINES, "bind"))
