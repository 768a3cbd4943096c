"""C code that counts steps in which a derivative has passed a pole, which a fixed step need not notice."""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.program.instructions import Routine
from acausal.ir.program.program import Program
from acausal.runtime.poles import BISECTIONS
from acausal.targets.c.program.operation_bounds import routine_operations
from acausal.targets.divisor_routine import divisor_count

_TEXT = """
/* A step without events may have passed a pole. */
static void watch_step(model_t *m, int is_begin)
{
    if (is_begin != 0 || m->events != 0) {
        m->pole_watch.has_point = 0;
    }
    if (passes_pole(&m->pole_watch, m->time, m->y)) {
        m->poles += 1;
    }
}
"""


@record(frozen=True, slots=True)
class PolesText:
    """Definitions, statements of `model_init` and `model_step`, operations of a step."""

    definitions: str = ""
    at_begin: str = ""
    behind_step: str = ""
    operations: int = 0


def poles_text(sets: Sequence[Program], routines: Sequence[Routine | None], iterations: int) -> PolesText:
    """The code for programs with these routines of divisors; none where there are none."""
    if not any(routines):
        return PolesText()
    operations = [_operations(p, r, iterations) for p, r in zip(sets, routines, strict=True)]
    return PolesText(_TEXT, "    watch_step(m, 1);", "    watch_step(m, 0);", max(operations))


def _operations(program: Program, routine: Routine | None, iterations: int) -> int:
    if routine is None:
        return 0
    each, rates = routine_operations(routine.code, iterations), routine_operations(program.derivatives.code, iterations)
    states = len(program.state_slots)
    located = BISECTIONS * (each + 3 * states + 4) + each + 4 * states + 16 * (rates + 3 * states) + 32 * states
    return each + divisor_count(routine) * (4 + located)
