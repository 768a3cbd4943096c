"""The interface of a model in C that does not depend on its events, as a template (`header_text`)."""

COMMON = """\
SET_BINDING
/* Sets what the structures of the run time point to. */
static void model_bind(model_t *m)
{
BINDINGS
    BIND_SET
}

static int failed(model_t *m, int status, int block)
{
    if (status != MODEL_OK) {
        m->status = status;
        m->block = block;
    }
    return status;
}

void model_defaults(model_t *m)
{
    memset(m, 0, sizeof *m);
    model_bind(m);
    memcpy(m->p, default_parameters, sizeof default_parameters);
FOLDED
    m->step = MODEL_STEP;
    m->method = MODEL_METHOD;
    m->most_events = MODEL_MOST_EVENTS;
    m->next_time = INFINITY;
    LOOP(ahead) = MODEL_AHEAD;
    LOOP(tolerance) = MODEL_TOLERANCE;
    LOOP(first_check) = MODEL_FIRST_CHECK;
    LOOP(chattering_time) = MODEL_CHATTERING;
    LOOP(stop) = INFINITY;
    LOOP(limit) = INFINITY;
    LOOP(announced) = -1;
    LOOP(most_passes) = MODEL_MOST_PASSES;
    SOLVER(stop) = INFINITY;
    SOLVER(way_end) = NAN;
    SOLVER(shortest) = INFINITY;
    SOLVER(iterations) = MODEL_NEWTON_IN_STEP;
    SOLVER(most_steps) = MOST_STEPS;
    SOLVER(most_made) = INT64_MAX;
}

int model_setup(model_t *m)
{
SETUP
}

int model_derivatives(model_t *m, double t, const double *y, double *dy)
{
    const int block = ROUTINE_derivatives(t, (double *)y, U, P, m->m, dy);
    return failed(m, block == 0 ? MODEL_OK : MODEL_UNSOLVED, block);
}

int model_variables(model_t *m, double t, const double *y, double *v)
{
    int block;
    memcpy(m->kept, m->m, sizeof m->kept);
    PREDICT
    EVALUATE_INPUTS
    FIND_VARIABLES
    memcpy(m->m, m->kept, sizeof m->kept);
    return failed(m, block == 0 ? MODEL_OK : MODEL_UNSOLVED, block);
}

/* The conditions of the run, by the variables where it is. */
static int check_conditions(model_t *m)
{
CONDITIONS
}

/* Why a step could not be done. */
static int solver_failure(model_t *m, int status)
{
    if (status == TOO_MANY_PARTS) {
        return failed(m, MODEL_LIMIT, 0);
    }
    return failed(m, status == NOT_FINITE ? MODEL_NOT_FINITE : MODEL_UNSOLVED, (int)m->record.failed_block);
}

static void set_begin(model_t *m, double t)
{
    m->time = t;
    m->reached[0] = t;
    memcpy(m->numbers, m->y, sizeof m->numbers);
    SOLVER(time) = t;
    SOLVER(is_begin) = 1;
    FORGET_POINT
}

void model_copy(model_t *to, const model_t *from)
{
    memmove(to, from, sizeof *to);
    model_bind(to);
}

void model_serialize(const model_t *m, unsigned char *bytes)
{
    memcpy(bytes, m, sizeof *m);
POINTERS
}

int model_deserialize(model_t *m, const unsigned char *bytes)
{
    memcpy(m, bytes, sizeof *m);
    model_bind(m);
    return MODEL_OK;
}

const char *model_explain(const model_t *m)
{
    switch (m->status) {
    case MODEL_OK:
        return "no failure";
    case MODEL_UNSOLVED:
        return BLOCK_TEXT;
    case MODEL_TERMINATED:
    case MODEL_ASSERTION:
        return m->block >= 0 ? condition_texts[m->block] : "an assertion is violated";
    case MODEL_EVENT_FAILED:
        return "event iteration does not converge, or relations contradict each other";
    case MODEL_NOT_FINITE:
        return "a value is not a finite number";
    case MODEL_ILL_CONDITIONED:
        return "the selected states are ill-conditioned here";
    case MODEL_FOLDED:
        return "a parameter that is part of the equations has another value: generate the code with this value";
    case MODEL_LIMIT:
        return "chattering, or more events or parts of a step than allowed";
    case MODEL_UNSUPPORTED:
        return "an event needs what the C code does not have";
    default:
        return "the delay history is full";
    }
}
"""
