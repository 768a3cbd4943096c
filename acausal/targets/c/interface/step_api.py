"""The interface for users: parameters, inputs and outputs by their names, `m_init` and `m_step`."""

import re
from collections.abc import Collection, Iterator

from acausal.base.frozen import record
from acausal.ir.names import Name, show_derivative, show_name
from acausal.ir.program.program import Program
from acausal.ir.program.slots import ParameterSlot, VariableSlot
from acausal.runtime.kernel.c.layout import safe
from acausal.targets.c.interface.poles_text import PolesText
from acausal.targets.c.program.identifiers import Identifiers, macros_of
from acausal.targets.c.program.values import constant

_DECLARATIONS = """\
/* Parameters that can be set; those that are NAN are computed from others. */
typedef struct model_parameters {
PARAMETER_FIELDS
} model_parameters;

/* Inputs, constant over a step. */
typedef struct model_in {
INPUT_FIELDS
} model_in;

/* Variables at the end of a step. */
typedef struct model_out {
OUTPUT_FIELDS
} model_out;

/* The default values. */
void model_default_parameters(model_parameters *values);
/* The state at time t: parameters may be NULL for their defaults, in and out as in model_step. */
int model_init(model_t *m, double t, const model_parameters *values, const model_in *in, model_out *out);
/* One step of m->step seconds with all events in it; in and out may be NULL. */
int model_step(model_t *m, const model_in *in, model_out *out);
"""
_DEFINITIONS = """\
void model_default_parameters(model_parameters *values)
{
DEFAULTS
}

static void set_inputs(model_t *m, const model_in *in)
{
    if (in != NULL) {
SET_INPUTS
    }
}

static int get_outputs(model_t *m, model_out *out)
{
    int status = MODEL_OK;
    if (out != NULL) {
        status = model_variables(m, m->time, m->y, m->stored);
GET_OUTPUTS
    }
    return status;
}

int model_init(model_t *m, double t, const model_parameters *values, const model_in *in, model_out *out)
{
    int status;
    model_defaults(m);
    if (values != NULL) {
SET_PARAMETERS
    }
    set_inputs(m, in);
    status = model_setup(m);
    if (status == MODEL_OK) {
        status = model_initialize(m, t);
    }
    m->begin = t;
    m->count = 0;
AT_BEGIN
    return status == MODEL_OK ? get_outputs(m, out) : status;
}

int model_step(model_t *m, const model_in *in, model_out *out)
{
    int status;
    set_inputs(m, in);
    if (m->step != m->step_counted) {
        m->step_counted = m->step;
        m->begin = m->time;
        m->count = 0;
    }
    m->count += 1;
    m->solver.made = 0;
    m->solver.most_made = MODEL_MOST_PARTS;
    status = model_advance(m, m->begin + (double)m->count * m->step);
    m->solver.most_made = INT64_MAX;
BEHIND_STEP
    return status == MODEL_OK ? get_outputs(m, out) : status;
}
"""


@record(frozen=True, slots=True)
class StepText:
    """Declarations and definitions of the interface, and a template of functions behind those of `targets/c/api`."""

    declarations: str
    definitions: str
    appended: str = ""


def step_text(program: Program, prefix: str, folded: Collection[Name], poles: PolesText) -> StepText:
    """The interface of a model, which watches for `poles`."""
    pieces = {
        "PARAMETER_FIELDS": _parameter_fields(program, prefix, folded),
        "INPUT_FIELDS": _input_fields(program, prefix),
        "OUTPUT_FIELDS": _output_fields(program, prefix),
        "DEFAULTS": _defaults(program, prefix, folded),
        "SET_PARAMETERS": _set_parameters(program, prefix, folded),
        "SET_INPUTS": _set_inputs(program, prefix),
        "GET_OUTPUTS": _get_outputs(program, prefix),
    }
    made = {name: "\n".join(lines) for name, lines in pieces.items()}
    made |= {"AT_BEGIN": poles.at_begin, "BEHIND_STEP": poles.behind_step}
    words = re.compile(rf"\b({'|'.join(made)})\b")
    texts = [text.replace("MODEL_", f"{prefix.upper()}_") for text in (_DECLARATIONS, poles.definitions + _DEFINITIONS)]
    found = [words.sub(lambda at: made[at[0]], re.sub(r"\bmodel_", f"{prefix}_", text)) for text in texts]
    declarations, definitions = found
    return StepText(declarations, definitions)


# ------------------------------------------------------------------ parameters


def _settable(program: Program, prefix: str, folded: Collection[Name]) -> Iterator[tuple[int, str, ParameterSlot]]:
    """Position, field and slot of the parameters that can be set."""
    names, fixed = Identifiers(macros_of(prefix), fields=True), set(folded)
    for i, slot in enumerate(program.parameter_slots):
        if not slot.constant and slot.name not in fixed:
            yield i, names.take(show_name(slot.name)), slot


def _parameter_fields(program: Program, prefix: str, folded: Collection[Name]) -> Iterator[str]:
    found = [
        f"    double {field};{_note(show_name(slot.name), slot.unit, slot.description)}"
        for _, field, slot in _settable(program, prefix, folded)
    ]
    yield from found or ["    char none;"]


def _note(name: str, unit: str | None, description: str | None) -> str:
    """A comment with what is known about a variable."""
    words = [name, *([f"in {unit}"] if unit else []), *([f"({description})"] if description else [])]
    return f" /* {safe(' '.join(words))} */"


def _defaults(program: Program, prefix: str, folded: Collection[Name]) -> Iterator[str]:
    found = [
        f"    values->{field} = {'NAN' if slot.bound else constant(slot.value).text};"
        for _, field, slot in _settable(program, prefix, folded)
    ]
    yield from found or ["    values->none = 0;"]


def _set_parameters(program: Program, prefix: str, folded: Collection[Name]) -> Iterator[str]:
    for i, field, slot in _settable(program, prefix, folded):
        if slot.bound:
            yield f"        if (values->{field} == values->{field}) {{"
            yield f"            m->p[{i}] = values->{field};"
            yield f"            m->given[{i}] = 1.0;"
            yield "        }"
        else:
            yield f"        m->p[{i}] = values->{field};"
            yield f"        m->given[{i}] = 1.0;"


# ------------------------------------------------------------------ inputs and outputs


def _inputs(program: Program, prefix: str) -> Iterator[tuple[int, str, str]]:
    """Position in u, field and name of the inputs that a user gives."""
    names, delays = Identifiers(macros_of(prefix), fields=True), {slot.name for slot in program.delays}
    for i, symbol in enumerate(program.input_slots, len(program.table.frozen)):
        if symbol[0] not in delays:
            shown = show_derivative(*symbol)
            yield i, names.take(shown), shown


def _input_fields(program: Program, prefix: str) -> Iterator[str]:
    found = [f"    double {field}; /* {safe(shown)} */" for _, field, shown in _inputs(program, prefix)]
    yield from found or ["    char none;"]


def _set_inputs(program: Program, prefix: str) -> Iterator[str]:
    found = [f"        m->u[{i}] = in->{field};" for i, field, _ in _inputs(program, prefix)]
    yield from found or ["        (void)m;"]


def _outputs(program: Program, prefix: str) -> Iterator[tuple[str, VariableSlot]]:
    """Field and slot of the variables that are written by default."""
    names = Identifiers(macros_of(prefix), fields=True)
    names.take("time")
    for slot in program.variable_slots:
        if slot.visible and slot.kind != "time":
            yield names.take(show_derivative(*slot.symbol)), slot


def _output_fields(program: Program, prefix: str) -> Iterator[str]:
    yield "    double time;"
    for field, slot in _outputs(program, prefix):
        yield f"    double {field};{_note(show_derivative(*slot.symbol), slot.unit, slot.description)}"


def _get_outputs(program: Program, prefix: str) -> Iterator[str]:
    yield "        out->time = m->time;"
    for field, slot in _outputs(program, prefix):
        sign = "-" if slot.sign < 0 else ""
        sources = {"stored": f"m->stored[{slot.position}]", "parameter": f"m->p[{slot.position}]"}
        value = sources.get(slot.kind, constant(slot.value).at(6))
        yield f"        out->{field} = {sign}{value};"
