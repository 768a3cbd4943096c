"""C code that counts steps in which a derivative has passed a pole, which a fixed step need not notice."""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.program.instructions import Routine

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
    """Definitions, and statements of `model_init` and `model_step`."""

    definitions: str = ""
    at_begin: str = ""
    behind_step: str = ""


def poles_text(routines: Sequence[Routine | None]) -> PolesText:
    """The code for programs with these routines of divisors; none where there are none."""
    return PolesText(_TEXT, "    watch_step(m, 1);", "    watch_step(m, 0);") if any(routines) else PolesText()
