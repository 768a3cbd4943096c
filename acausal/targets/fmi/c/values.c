/* An instance, what has to be computed in it, and values of its variables. */

/* ------------------------------------------------------------ instances */

static void begin(fmu *f)
{
    fmu_head none = { 0 };
    m_defaults(&f->model);
    for (int i = 0; i < FMU_START_INPUTS; i++) f->model.u[fmu_start_inputs[i].position] = fmu_start_inputs[i].value;
    f->head = none;
    f->head.mode = FMU_INSTANTIATED;
    f->head.stop = f->head.next_time = INFINITY;
    f->head.tolerance = FMU_TOLERANCE;
    f->head.is_setup_due = f->head.is_start_due = 1;
    make_due(f);
    memset(f->values, 0, sizeof f->values);
    memset(f->rates, 0, sizeof f->rates);
    memset(f->indicators, 0, sizeof f->indicators);
}

static fmu *instantiate(const char *name, const char *token, bool is_co_simulation, bool is_logging)
{
    fmu *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->name = calloc(strlen(name) + 1, 1);
    if (f->name == NULL) { free(f); return NULL; }
    strcpy(f->name, name);
    f->is_co_simulation = is_co_simulation;
    for (int i = 0; i < LOG_CATEGORIES; i++) f->is_logging[i] = is_logging || i == LOG_ERROR;
    begin(f);
    (void)token;
    return f;
}

static void release(fmu *f)
{
    if (f == NULL) return;
    solver_free(f);
    free(f->name);
    free(f);
}

static fmu_status reset(fmu *f)
{
    solver_free(f);
    begin(f);
    return FMU_OK;
}

/* ------------------------------------------------------------ what is due */

/* Dependent parameters, and in the first instant the states. */
static fmu_status prepare(fmu *f)
{
    fmu_status status = FMU_OK;
    if (f->head.is_setup_due) {
        status = judged(f, m_setup(&f->model));
        if (status > FMU_WARNING) return status;
        f->head.is_setup_due = 0;
    }
    if (f->head.is_start_due && f->head.mode == FMU_INITIALIZATION) {
        status = judged(f, m_initialize(&f->model, f->head.start));
        if (status > FMU_WARNING) return status;
        f->head.next_time = f->model.next_time;
#ifdef FMU_BY_STEPS
        f->model.m[FMU_BY_STEPS] = 0.0;   /* branches are followed by evaluations: importers have steps of their own */
#endif
        f->head.is_start_due = 0;
        begin_history(f);
        make_due(f);
    }
    return status;
}

static fmu_status compute_values(fmu *f)
{
    fmu_status status = prepare(f);
    if (status > FMU_WARNING || !f->head.are_values_due || f->head.mode == FMU_INSTANTIATED) return status;
    status = judged(f, m_variables(&f->model, f->head.time, f->model.y, f->values));
    if (status <= FMU_WARNING) f->head.are_values_due = 0;
    return status;
}

static fmu_status compute_rates(fmu *f)
{
    fmu_status status = prepare(f);
    if (status > FMU_WARNING || !f->head.are_rates_due || f->head.mode == FMU_INSTANTIATED) return status;
    status = judged(f, find_rates(f));
    if (status <= FMU_WARNING) f->head.are_rates_due = 0;
    return status;
}

/* The conditions of the model where it is; it may ask for the end. */
static fmu_status look_at_conditions(fmu *f)
{
    if (M_CONDITIONS == 0) return FMU_OK;
    fmu_status status = compute_values(f);
    if (status > FMU_WARNING) return status;
    for (int i = 0; i < M_CONDITIONS; i++) {
        const fmu_condition *c = &fmu_conditions[i];
        bool holds = f->values[c->position] != 0.0;
        if (c->kind == FMU_TERMINATE && holds) {
            f->head.is_terminated = 1;
            report(f, FMU_OK, LOG_EVENTS, "terminated at t = %.17g: %s", f->head.time, c->text);
        } else if (c->kind != FMU_TERMINATE && !holds) {
            report(f, FMU_ERROR, LOG_ERROR, "at t = %.17g %s: %s", f->head.time,
                   c->kind == FMU_ASSERT ? "an assertion is violated"
                   : c->kind == FMU_WHOLE ? "a variable that is declared integer is not whole"
                   : "constraints are inconsistent", c->text);
            f->head.mode = FMU_FAILED;
            return FMU_ERROR;
        }
    }
    return FMU_OK;
}

/* ------------------------------------------------------------ event indicators */

/* The last one of a model with several sets of states tells where the present ones become ill-conditioned. Those that the
   present set does not have are constant. */
static fmu_status find_indicators(fmu *f)
{
    fmu_status status = prepare(f);
    if (status > FMU_WARNING || f->head.mode == FMU_INSTANTIATED) return status;
#if FMU_STATE_SETS > 1
    for (int i = 0; i < FMU_INDICATORS; i++) f->indicators[i] = 1.0;
    f->indicators[FMU_INDICATORS - 1] = m_state_indicator(&f->model, f->head.time, f->model.y);
#endif
    return judged(f, m_crossings(&f->model, f->head.time, f->model.y, f->indicators));
}

/* ------------------------------------------------------------ values */

static const fmu_variable *variable_of(fmu *f, uint32_t reference, fmu_type type)
{
    if (reference < FMU_VARIABLES && fmu_variables[reference].type == type) return &fmu_variables[reference];
    report(f, FMU_ERROR, LOG_ERROR, "there is no variable of this type with the value reference %u", (unsigned)reference);
    return NULL;
}

/* What has to be computed before a variable is read. */
static fmu_status make_ready(fmu *f, const fmu_variable *v)
{
    switch (fmu_places[v->first].kind) {
    case FMU_STORED: return compute_values(f);
    case FMU_RATE: return compute_rates(f);
    case FMU_INDICATOR: return find_indicators(f);
    case FMU_STATE: case FMU_PARAMETER: return prepare(f);
    default: return FMU_OK;
    }
}

static double value_at(const fmu *f, const fmu_place *place)
{
    switch (place->kind) {
    case FMU_TIME: return place->sign * f->head.time;
    case FMU_STATE:
        return f->head.mode == FMU_INSTANTIATED && fmu_starts[place->position] >= 0
            ? f->model.p[fmu_starts[place->position]] : f->model.y[place->position];
    case FMU_RATE: return f->rates[place->position];
    case FMU_STORED: return place->sign * f->values[place->position];
    case FMU_PARAMETER: return place->sign * f->model.p[place->position];
    case FMU_INPUT: return f->model.u[place->position];
    case FMU_INDICATOR: return f->indicators[place->position];
    default: return place->value;
    }
}

static bool may_set(const fmu *f, const fmu_variable *v)
{
    int modes = 0;
    switch (v->access) {
    case FMU_NEVER: break;
    case FMU_FIXED: modes = FMU_INSTANTIATED | FMU_INITIALIZATION; break;
    case FMU_TUNABLE: case FMU_DISCRETE_INPUT:
        modes = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_STEP;
        break;
    case FMU_CONTINUOUS_INPUT: modes = FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_STEP | FMU_CONTINUOUS; break;
    }
    return (f->head.mode & modes) != 0;
}

static void set_place(fmu *f, const fmu_place *place, double value)
{
    if (place->kind == FMU_PARAMETER || place->kind == FMU_STATE) {   /* of a state its start value */
        int position = place->kind == FMU_STATE ? fmu_starts[place->position] : place->position;
        complete_history(f);
        f->model.p[position] = value;
        f->model.given[position] = 1.0;
        f->head.is_setup_due = 1;
        solver_changed(f);
    } else {
        if (f->model.u[place->position] == value) return;
        f->model.u[place->position] = value;
        solver_changed(f);
    }
    if (f->head.mode & (FMU_INSTANTIATED | FMU_INITIALIZATION)) f->head.is_start_due = 1;
    if (f->head.mode & (FMU_EVENT | FMU_STEP)) f->head.is_event_due = f->head.has_jumped = 1;
    make_due(f);
}

static fmu_status set_variable(fmu *f, const fmu_variable *v, const fmu_place *place, double value)
{
    if (!may_set(f, v)) {
        report(f, FMU_ERROR, LOG_ERROR, "the variable with the value reference %u cannot be set now",
               (unsigned)(v - fmu_variables));
        return FMU_ERROR;
    }
    if (value != value) return report(f, FMU_ERROR, LOG_ERROR, "a value is not a number");
    set_place(f, place, value);
    return FMU_OK;
}

/* ------------------------------------------------------------ access by value references */

/* Puts element i, with its place. */
typedef void (*fmu_put)(void *values, size_t i, double value, const fmu_place *place);
typedef double (*fmu_take)(const void *values, size_t i);

/* Values of variables of one type, all elements of arrays; there must be `room` for just so many. */
static fmu_status get_values(fmu *f, fmu_type type, const uint32_t references[], size_t count, void *values, size_t room,
                             fmu_put put)
{
    size_t n = 0;
    if ((references == NULL && count > 0) || (values == NULL && room > 0)) {
        return report(f, FMU_ERROR, LOG_ERROR, "an argument is NULL");
    }
    for (size_t i = 0; i < count; i++) {
        const fmu_variable *v = variable_of(f, references[i], type);
        if (v == NULL) return FMU_ERROR;
        fmu_status status = make_ready(f, v);
        if (status > FMU_WARNING) return status;
        if (room - n < (size_t)v->count) return report(f, FMU_ERROR, LOG_ERROR, "too few values for the elements");
        for (int k = 0; k < v->count; k++) {
            const fmu_place *place = &fmu_places[v->first + k];
            put(values, n++, type == FMU_STRING ? 0.0 : value_at(f, place), place);
        }
    }
    return n == room ? FMU_OK : report(f, FMU_ERROR, LOG_ERROR, "more values than elements");
}

static fmu_status set_values(fmu *f, fmu_type type, const uint32_t references[], size_t count, const void *values,
                             size_t room, fmu_take take)
{
    size_t n = 0;
    if ((references == NULL && count > 0) || (values == NULL && room > 0)) {
        return report(f, FMU_ERROR, LOG_ERROR, "an argument is NULL");
    }
    for (size_t i = 0; i < count; i++) {
        const fmu_variable *v = variable_of(f, references[i], type);
        if (v == NULL) return FMU_ERROR;
        if (room - n < (size_t)v->count) return report(f, FMU_ERROR, LOG_ERROR, "too few values for the elements");
        for (int k = 0; k < v->count; k++) {
            fmu_status status = set_variable(f, v, &fmu_places[v->first + k], take(values, n++));
            if (status > FMU_WARNING) return status;
        }
    }
    return n == room ? FMU_OK : report(f, FMU_ERROR, LOG_ERROR, "more values than elements");
}
