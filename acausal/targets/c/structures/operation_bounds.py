"""Bounds of the number of floating-point operations of a step, for the choice of a processor and a step length.

They come from the kernels that are printed as C (`runtime/kernel/operations`) with the sizes of the model, and from the
instructions of its routines. Only the turns of loops that no number limits stand here.
"""

from collections.abc import Sequence

from acausal.ir.program.program import Program
from acausal.runtime.crossings.root_search import MOST_SECANTS
from acausal.runtime.kernel.known_values import Structure
from acausal.targets.c.structures.memory import Memory
from acausal.targets.c.structures.model_operations import ModelOperations

HALVES = 60
"""So many halvings leave nothing of any interval."""
UNKNOWN = 1e300
"""In the place of a bound that is not known."""
AROUND = 40
"""Operations of the text around the kernels in a step or an event."""


def operation_bounds(
    sets: Sequence[Program], memory: Memory, method: int, iterations: int, newton: int, has_loop: bool
) -> dict[str, float]:
    """Operations at most: of the derivatives, a step, a part of it, an event without its passes, and one of these.

    Of several sets of states those of the one that takes most.
    """
    settings = method, iterations, newton
    found = [_of_set(memory, number, program, settings, has_loop) for number, program in enumerate(sets)]
    return {name: max([one[name] for one in found]) for name in found[0]}


def _of_set(
    memory: Memory, number: int, program: Program, settings: tuple[int, int, int], has_loop: bool
) -> dict[str, float]:
    method, iterations, newton = settings
    made = ModelOperations(memory, number, program, iterations, {"method": method, "iterations": newton})
    quiet, busy = made.operations(0), made.operations(MOST_SECANTS + HALVES)
    variables = 2 * (made.variables(quiet) + AROUND)
    part = "run_to_event" if has_loop else "cvode_advance" if program.choice_table.slots else "solve_fixed"
    at = Structure("solver" if part == "solve_fixed" else "loop")
    poles = quiet.of("passes_pole", Structure("pole_watch")) if "pole_watch" in memory.structures else 0
    counts = {
        "DERIVATIVES": made.routine("derivatives", quiet),
        "STEP": quiet.of(part, at) + variables + poles + AROUND,
        "PART": busy.of(part, at) + AROUND,
        "EVENT": 0.0,
        "PASS": 0.0,
    }
    if has_loop and (program.table.frozen or program.table.crossings):
        counts["EVENT"] = quiet.of("event", at) + quiet.of("do_left_event", at) + variables + AROUND
        counts["PASS"] = 2 * (quiet.of("act", at) + quiet.of("iterate_relations", at))
    return {name: min(float(count), UNKNOWN) for name, count in counts.items()}
