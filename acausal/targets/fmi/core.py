"""The core of the model in C with what FMI adds: its Jacobian, and the loop over events with CVODE."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from re import sub

from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.cvode.callbacks import cvode_crossings, cvode_slope
from acausal.runtime.events.between_events import CLOSE
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.limits import AHEAD, FIRST_CHECK, FIRST_STEP, WITHIN
from acausal.runtime.state_selection import selection_indicator
from acausal.runtime.step_limits import step_tolerance
from acausal.runtime.steps.fixed_methods import FixedSolver
from acausal.runtime.steps.time_steps import PARTS
from acausal.simulate.jacobian.storage import NewtonMatrix
from acausal.targets.c.core import NOTHING_ADDED, core_text, source_text
from acausal.targets.c.interface.delay_text import delay_text
from acausal.targets.c.interface.step_api import StepText
from acausal.targets.c.program.lines import Used
from acausal.targets.c.structures.fixed_run import Steps
from acausal.targets.c.structures.memory import Memory
from acausal.targets.divisor_routine import divisor_routine
from acausal.targets.fmi.jacobian import filled, jacobian_text, with_prefix

_KERNELS: tuple[Callable[..., object], ...] = (cvode_slope, cvode_crossings, step_tolerance)

_NOTE_OTHER_STATES = """\
static int note_other_states(m_t *m)
{
    m->sets.is_due = 1;
    return M_OK;
}
"""
_SELECT = StepText(
    """\
struct m_t;
/* Other states at m->time where the present ones are ill-conditioned, if m->sets.is_due asks for them. */
int m_select_states(struct m_t *m);
/* An event indicator: negative where the present states are ill-conditioned, or cannot be judged. */
double m_state_indicator(struct m_t *m, double t, const double *y);
""",
    "",
    """
int model_select_states(model_t *m)
{
    return m->sets.is_due != 0 ? change_states(m) : MODEL_OK;
}

double model_state_indicator(model_t *m, double t, const double *y)
{
    const int block = LOOP(choices)(t, (double *)y, U, P, m->m, m->choice_results);
    return block == 0 ? selection_indicator(m->choice_results, LOOP(selections)) : -1.0;
}
""",
)
"""Of models with several sets of states."""
_POLES = StepText(
    """\
#define M_WATCHES_POLES
struct m_t;
/* The next way between two points begins at m->time, with the states m->y. */
void m_begin_way(struct m_t *m, double t);
/* True if a derivative has a pole on the way to m->y, where the next one begins. */
int m_passes_pole(struct m_t *m, double t);
""",
    "",
    """
void model_begin_way(model_t *m, double t)
{
    m->pole_watch.has_point = 0;
    (void)passes_pole(&m->pole_watch, t, m->y);
}

int model_passes_pole(model_t *m, double t)
{
    return passes_pole(&m->pole_watch, t, m->y) ? 1 : 0;
}
""",
)
"""Of models with divisors that may pass zero."""


def core_files(
    sets: Sequence[Program], folded: tuple[Name, ...], prefix: str, matrix: NewtonMatrix | None
) -> dict[str, str]:
    """The two files of the core; with the `matrix` of the solver of Co-Simulation, its loop over events."""
    used, program = Used(), sets[0]
    added = jacobian_text(program, used, prefix) if len(sets) == 1 else NOTHING_ADDED
    has_hidden = any(one.table.hidden for one in sets)
    for text in [*([_SELECT] if len(sets) > 1 else []), *([_POLES] if any(map(divisor_routine, sets)) else [])]:
        declarations = added.declarations + with_prefix(text.declarations, prefix)
        added = replace(added, declarations=declarations, appended=added.appended + text.appended)
    if len(sets) > 1:
        used.kernel(selection_indicator)
    if matrix is not None:
        loop = _loop_text(program, matrix, prefix, has_hidden, len(sets) > 1)
        definitions = f"{added.definitions}\n{loop.definitions}"
        added = replace(added, declarations=added.declarations + loop.declarations, definitions=definitions)
        for kernel in _KERNELS:
            used.kernel(kernel)
    core = core_text(sets, prefix, folded, {}, Steps(), added, has_loop=matrix is not None)
    core = replace(core, kernels=(*core.kernels, *used.kernels), helpers=(*core.helpers, *used.helpers))
    if matrix is not None and has_hidden:
        core = replace(core, adapters=(*core.adapters, "cvode_watch"))
    return {"m.h": core.header, "m.c": source_text('#include "m.h"', [core])}


def _loop_text(program: Program, matrix: NewtonMatrix, prefix: str, has_hidden: bool, are_several: bool) -> StepText:
    """Declarations and definitions of the loop."""
    memory = Memory()
    hidden = {"watch": "cvode_watch", "context": "&m->loop"} if has_hidden else {}
    binding = [f"{memory.number('hidden', HiddenSearch, field)} = {value};" for field, value in hidden.items()]
    pieces = {
        "ORDER": ", ".join([str(i) for i in matrix.order.tolist()]) or "0",
        "PLACE": ", ".join([str(i) for i in matrix.place.tolist()]) or "0",
        "IS_ORDERED": str(int(matrix.kind == "band")),
        "BIND_HIDDEN": "\n    ".join(binding),
        "SHARE_AHEAD": repr(AHEAD),
        "SHARE_FIRST_CHECK": repr(FIRST_CHECK),
        "SHARE_CHATTERING": repr(WITHIN),
        "SHARE_FIRST_STEP": repr(FIRST_STEP if program.is_judged else 0.0),
        "PARTS_OF_TIME": repr(PARTS),
        "CLOSE": str(CLOSE),
        "OTHER_STATES": "note_other_states(m)" if are_several else "failed(m, M_ILL_CONDITIONED, 0)",
        "NOTE_OTHER_STATES": _NOTE_OTHER_STATES if are_several else "",
        "DROP_PIECES": delay_text(program)["DROP_PIECES"].replace("MODEL_", "M_") if program.delays else "",
    }
    text = filled(_read("core_loop.c"), pieces)
    text = sub(r"\bLOOP\((\w+)\)", lambda at: memory.number("loop", LoopContext, at[1]), text)
    text = sub(r"\bSOLVER\((\w+)\)", lambda at: memory.number("solver", FixedSolver, at[1]), text)
    return StepText(with_prefix(_read("core_loop.h"), prefix), with_prefix(text, prefix))


def _read(name: str) -> str:
    return (files("acausal.targets.fmi") / "c" / name).read_text(encoding="utf-8")
