"""The core of the model in C with what FMI adds: its Jacobian, and the loop over events with CVODE."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.resources import files
from re import sub

from acausal.ir.names import Name
from acausal.ir.program.program import Program
from acausal.runtime.crossings.hidden_search import HiddenSearch
from acausal.runtime.cvode.callbacks import cvode_crossings, cvode_slope
from acausal.runtime.delay_events import add_break
from acausal.runtime.events.between_events import CLOSE
from acausal.runtime.events.event import find_next_event
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.events.reported_steps import begin_reports, begin_segment, complete_pieces, report_point
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

_REPORT_KERNELS: tuple[Callable[..., object], ...] = (
    begin_reports,
    report_point,
    complete_pieces,
    begin_segment,
    add_break,
    has_come,
    find_next_event,
)

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
_REPORTS = StepText(
    """\
struct m_t;
enum { M_CHANGED_DELAY = -1 };
/* Model Exchange with delays: from the first instant on an integrator outside reports its steps. */
void m_begin_reports(struct m_t *m);
/* The states m->y have been reached at t, with these rates. */
int m_report_point(struct m_t *m, double t, const double *rates, double tolerance, int is_event);
/* The history up to the last point, before parameters change. */
int m_complete_reports(struct m_t *m, double tolerance);
/* The event at t: what is delayed jumps, if anything has changed, or an input has (`is_jump`). */
int m_reported_event(struct m_t *m, double t, m_event_info *info, int is_jump, double tolerance);
""",
    "",
    """
void model_begin_reports(model_t *m)
{
    begin_reports(&m->reports);
}

static int reported(model_t *m, int64_t status)
{
    if (status == NEW_DELAY) {
        return MODEL_CHANGED_DELAY;
    }
    return failed(m, status == DONE ? MODEL_OK : status == NO_ROOM ? MODEL_NO_ROOM : MODEL_UNSOLVED, 0);
}

int model_report_point(model_t *m, double t, const double *rates, double tolerance, int is_event)
{
    return reported(m, report_point(&m->reports, t, (double *)rates, tolerance, is_event));
}

int model_complete_reports(model_t *m, double tolerance)
{
    return m->history.reported ? reported(m, complete_pieces(&m->reports, POINTS, tolerance)) : MODEL_OK;
}

int model_reported_event(model_t *m, double t, model_event_info *info, int is_jump, double tolerance)
{
    const int is_due = has_come(LOOP(limit), t);
    const double error = m->reports.error, before = m->history.ends[m->history.pieces];
    double frozen[MODEL_FROZEN + 1];
    int64_t breaks;
    int status = model_complete_reports(m, tolerance);
    if (status != MODEL_OK) {
        return status;
    }
    memcpy(frozen, m->u, MODEL_FROZEN * sizeof(double));
    m->reached[0] = t;
    if (!make_room(&m->loop)) {
        return failed(m, MODEL_NO_ROOM, 0);
    }
    breaks = m->history.break_count;
    add_break(&m->history, t);
    status = model_event(m, t, info);
    if (is_due || is_jump || info->states_changed || memcmp(frozen, m->u, MODEL_FROZEN * sizeof(double)) != 0) {
        const int found = reported(m, begin_segment(&m->reports, t));
        status = status == MODEL_OK ? found : status;
    } else {
        m->history.break_count = breaks;
        m->reports.error = error;
        while (m->history.pieces > 0 && m->history.ends[m->history.pieces] > before) {
            m->history.pieces -= 1;
        }
        (void)find_next_event(&m->loop, t);
        m->next_time = LOOP(limit);
        info->next_time = m->next_time;
        info->has_next_time = m->next_time < INFINITY;
    }
    return status;
}
""",
)
"""Of models with delays."""
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
    texts = {_SELECT: len(sets) > 1, _POLES: any(map(divisor_routine, sets)), _REPORTS: bool(program.delays)}
    for text in [text for text, is_wanted in texts.items() if is_wanted]:
        declarations = added.declarations + with_prefix(text.declarations, prefix)
        added = replace(added, declarations=declarations, appended=added.appended + text.appended)
    if len(sets) > 1:
        used.kernel(selection_indicator)
    for kernel in _REPORT_KERNELS if program.delays else ():
        used.kernel(kernel)
    if matrix is not None:
        loop = _loop_text(program, matrix, prefix, has_hidden, len(sets) > 1)
        definitions = f"{added.definitions}\n{loop.definitions}"
        added = replace(added, declarations=added.declarations + loop.declarations, definitions=definitions)
        for kernel in _KERNELS:
            used.kernel(kernel)
    core = core_text(sets, prefix, folded, {}, Steps(), added, has_loop=matrix is not None, is_fmu=True)
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
