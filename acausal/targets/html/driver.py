"""The C code of a page's model: the core of the C target and the functions that the worker calls."""

from typing import TYPE_CHECKING

from acausal.runtime.events.exported_run import ROWS
from acausal.targets.c.c_files import origins_of, steps_of
from acausal.targets.c.core import core_text, source_text
from acausal.targets.c.interface.step_api import StepText
from acausal.targets.c.structures.fixed_run import has_events
from acausal.targets.state_sets import state_sets

if TYPE_CHECKING:
    from acausal.compiled_model import CompiledModel
    from acausal.targets.target_options import TargetOptions

EXPORTED = ("address", "text", "row_count", "event_count", "too_long", "time", "reset", "start", "begin", "advance")
"""Functions for the worker, without their prefix; `address` has those of the arrays."""
PREFIX = "m_page_"
_DRIVER = """
static model_t page;
static double page_rows[PAGE_ROWS][1 + MODEL_RESULTS];
static int page_row_count;

double *model_page_address(int which)
{
    double *found[] = {page.p, page.given, &page.u[0] + MODEL_FROZEN, &page_rows[0][0]};
    return found[which];
}

const char *model_page_text(void)
{
    return model_explain(&page);
}

int model_page_row_count(void)
{
    return page_row_count;
}

/* Since model_page_begin. */
int model_page_event_count(void)
{
    return page.events;
}

/* Explicit steps beyond their limit of stability or with large errors, since the start. */
double model_page_too_long(void)
{
    return (double)page.judgement.too_long;
}

double model_page_time(void)
{
    return page.time;
}

void model_page_reset(void)
{
    model_defaults(&page);
}

/* The variables where the model is, as one more row. */
static int page_row(double t)
{
    double *row = page_rows[page_row_count];
    const int status = model_variables(&page, t, page.y, row + 1);
    row[0] = t;
    page_row_count += status == MODEL_OK;
    return status;
}

int model_page_start(double t, double step, int method)
{
    int status = model_setup(&page);
    page_row_count = 0;
    if (status == MODEL_OK) {
        page.step = step;
        page.method = method;
        status = model_initialize(&page, t);
    }
    return status == MODEL_OK ? page_row(t) : status;
}
"""
_WITHOUT_EVENTS = """
void model_page_begin(void)
{
}

int model_page_advance(double t_end)
{
    const int status = model_advance(&page, t_end);
    page_row_count = 0;
    return status == MODEL_OK ? page_row(page.time) : status;
}
"""
_WITH_EVENTS = """
/* Events are counted from here. */
void model_page_begin(void)
{
    begin_advance(&page);
}

/* The variables in a row of the loop over events. */
static int page_loop_row(int i)
{
    model_t *const m = &page;
    const int size = (int)LOOP(memory);
    double y[MODEL_Y], u[MODEL_U];
    static double memory[MODEL_M];
    int status;
    memcpy(y, page.y, sizeof y);
    memcpy(u, page.u, sizeof u);
    memcpy(memory, page.m, sizeof memory);
    memcpy(page.y, page.row_states + i * MODEL_STATES, MODEL_STATES * sizeof(double));
    memcpy(page.u, page.row_frozen + i * MODEL_FROZEN, MODEL_FROZEN * sizeof(double));
    memcpy(page.m, page.row_memory + i * size, (size_t)size * sizeof(double));
    status = page_row(page.row_times[i]);
    memcpy(page.y, y, sizeof y);
    memcpy(page.u, u, sizeof u);
    memcpy(page.m, memory, sizeof memory);
    return status;
}

/* To t_end or behind the next event: rows on both sides of it. */
int model_page_advance(double t_end)
{
    model_t *const m = &page;
    int status = advance_part(m, t_end), rows = (int)LOOP(rows);
    page_row_count = 0;
    for (int i = 0; i < rows; i++) {
        const int failure = page_loop_row(i);
        status = status == MODEL_OK ? failure : status;
    }
    if (status == MODEL_OK && (rows == 0 || m->row_times[rows - 1] < m->time)) {
        status = page_row(m->time);
    }
    return status;
}
"""


def driver_source(model: "CompiledModel", options: "TargetOptions") -> str:
    """The whole C file; ModelError F040 for a model that the C target does not support."""
    sets = state_sets(model, "html")
    has_loop = has_events(sets[0]) or len(sets) > 1
    appended = _DRIVER + (_WITH_EVENTS if has_loop else _WITHOUT_EVENTS)
    steps, added = steps_of(model, options), StepText("", "", appended)
    made = core_text(sets, "m", model.folded, origins_of(model), steps, added)
    return source_text(made.header + f"\n#define PAGE_ROWS {ROWS + 1}\n", [made])
