/* What FMI 2 and FMI 3 have in common; the functions of the standard are in fmi2.c and fmi3.c. */

static fmu_status report(fmu *f, fmu_status status, int category, const char *format, ...)
{
    char text[1024];
    va_list given;
    if (!f->is_logging[category] || f->log == NULL) return status;
    va_start(given, format);
    vsnprintf(text, sizeof text, format, given);
    va_end(given);
    f->log(f, status, category, text);
    return status;
}

static fmu_status fail(fmu *f, const char *text)
{
    f->head.mode = FMU_FAILED;
    return report(f, FMU_ERROR, LOG_ERROR, "%s", text);
}

/* The status of the core as that of FMI: what a smaller step may avoid is discarded. */
static fmu_status judged(fmu *f, int status)
{
    if (status == M_OK) return FMU_OK;
    if (status == M_TERMINATED) {
        f->head.is_terminated = 1;
        report(f, FMU_OK, LOG_EVENTS, "t = %.17g: %s", f->head.time, m_explain(&f->model));
        return FMU_OK;
    }
    if ((status == M_UNSOLVED || status == M_NOT_FINITE) && f->head.has_begun) {
        return report(f, FMU_DISCARD, LOG_DISCARD, "t = %.17g: %s", f->head.time, m_explain(&f->model));
    }
    report(f, FMU_ERROR, LOG_ERROR, "t = %.17g: %s", f->head.time, m_explain(&f->model));
    f->head.mode = FMU_FAILED;
    return FMU_ERROR;
}

/* True if a function may be called now. */
static bool is_legal(fmu *f, const char *function, int modes)
{
    if (f == NULL) return false;
    if (f->head.mode & modes) return true;
    report(f, FMU_ERROR, LOG_ERROR, "%s: not allowed in this state of the instance", function);
    return false;
}

static void make_due(fmu *f)
{
    f->head.are_values_due = f->head.are_rates_due = 1;
}

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
    status = judged(f, m_derivatives(&f->model, f->head.time, f->model.y, f->rates));
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
    case FMU_INDICATOR: {
        fmu_status status = prepare(f);
        if (status > FMU_WARNING || f->head.mode == FMU_INSTANTIATED) return status;
        return judged(f, m_crossings(&f->model, f->head.time, f->model.y, f->indicators));
    }
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
    if (f->head.mode & (FMU_EVENT | FMU_STEP)) f->head.is_event_due = 1;
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

/* ------------------------------------------------------------ modes */

static void enter_initialization(fmu *f, double start, bool has_stop, double stop, bool has_tolerance, double tolerance)
{
    f->head.start = f->head.time = start;
    f->head.stop = has_stop ? stop : INFINITY;
    if (has_tolerance && tolerance > 0.0) f->head.tolerance = tolerance;
    f->head.mode = FMU_INITIALIZATION;
    f->head.is_start_due = 1;
    make_due(f);
#if FMU_CO_SIMULATION
    double span = has_stop ? stop - start : FMU_SPAN;
    m_set_run(&f->model, span > 0.0 ? span : FMU_SPAN, f->head.tolerance);
#endif
}

static fmu_status exit_initialization(fmu *f, int mode)
{
    fmu_status status = prepare(f);
    if (status > FMU_WARNING) return status;
    f->head.has_begun = 1;
    f->head.mode = mode;
    f->head.is_event_due = 0;
    return look_at_conditions(f);
}

/* An event where the instance is; the next time that is known. `moved` is set where states have changed. */
static fmu_status do_event(fmu *f, bool *moved)
{
    m_event_info info = { 0 };
    fmu_status status = prepare(f);
    if (status > FMU_WARNING) return status;
    status = judged(f, m_event(&f->model, f->head.time, &info));
    if (status > FMU_WARNING) {
        return status == FMU_DISCARD ? fail(f, "the equations of an event have no solution") : status;
    }
    f->head.next_time = info.has_next_time ? info.next_time : INFINITY;
    f->head.is_event_due = 0;
    if (info.terminated) f->head.is_terminated = 1;
    *moved = info.states_changed != 0;
    make_due(f);
    report(f, FMU_OK, LOG_EVENTS, "event at t = %.17g", f->head.time);
    return look_at_conditions(f);
}

static fmu_status complete_step(fmu *f)
{
    return look_at_conditions(f);
}

/* ------------------------------------------------------------ the state as a whole */

static void save(const fmu *f, fmu_snapshot *s)
{
    s->head = f->head;
    m_copy(&s->model, &f->model);
}

static void restore(fmu *f, const fmu_snapshot *s)
{
    f->head = s->head;
    m_copy(&f->model, &s->model);
    make_due(f);
    solver_changed(f);
}

static size_t serialized_size(void)
{
    return sizeof FMU_TOKEN + sizeof(fmu_head) + sizeof(m_t);
}

static void serialize(const fmu_snapshot *s, unsigned char *bytes)
{
    memcpy(bytes, FMU_TOKEN, sizeof FMU_TOKEN);
    memcpy(bytes + sizeof FMU_TOKEN, &s->head, sizeof(fmu_head));
    m_serialize(&s->model, bytes + sizeof FMU_TOKEN + sizeof(fmu_head));
}

static bool deserialize(const unsigned char *bytes, size_t size, fmu_snapshot *s)
{
    if (size != serialized_size() || memcmp(bytes, FMU_TOKEN, sizeof FMU_TOKEN) != 0) return false;
    memcpy(&s->head, bytes + sizeof FMU_TOKEN, sizeof(fmu_head));
    m_defaults(&s->model);
    return m_deserialize(&s->model, bytes + sizeof FMU_TOKEN + sizeof(fmu_head)) == M_OK;
}

/* ------------------------------------------------------------ directional derivatives */

/* Moves what is known along the seed; `y` and `u` are those of the copy. */
static void move_known(m_t *copy, const fmu_place *place, double from_y, double by)
{
    if (place->kind == FMU_STATE) copy->y[place->position] = from_y + by;
    else copy->u[place->position] = from_y + by;
}

static double known_value(const fmu *f, const fmu_place *place)
{
    return place->kind == FMU_STATE ? f->model.y[place->position] : f->model.u[place->position];
}

static fmu_status evaluate_all(fmu *f, m_t *at, double *values, double *rates)
{
    int status = m_derivatives(at, f->head.time, at->y, rates);
    if (status == M_OK) status = m_variables(at, f->head.time, at->y, values);
    return status == M_OK ? FMU_OK : FMU_DISCARD;
}

static double result_at(const fmu *f, const fmu_place *place, const m_t *at, const double *values, const double *rates)
{
    switch (place->kind) {
    case FMU_STORED: return place->sign * values[place->position];
    case FMU_RATE: return rates[place->position];
    case FMU_STATE: return at->y[place->position];
    case FMU_INPUT: return at->u[place->position];
    default: return value_at(f, place);
    }
}

#if M_JACOBIAN_ENTRIES > 0
/* Derivatives of rates along states, by the exact Jacobian; FMU_DISCARD where others are asked. */
static fmu_status differentiate_exactly(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed,
                                        const fmu_place *const *unknown, size_t unknowns, double *found)
{
    double entries[M_JACOBIAN_ENTRIES], along[M_STATES] = { 0.0 }, rates[M_STATES] = { 0.0 };
    for (size_t i = 0; i < knowns; i++) {
        if (known[i]->kind != FMU_STATE) return FMU_DISCARD;
        along[known[i]->position] += seed[i];
    }
    for (size_t i = 0; i < unknowns; i++) {
        if (unknown[i]->kind != FMU_RATE) return FMU_DISCARD;
    }
    if (m_jacobian(&f->model, f->head.time, f->model.y, entries) != M_OK) return FMU_DISCARD;
    for (int k = 0; k < M_JACOBIAN_ENTRIES; k++) rates[m_jacobian_rows[k]] += entries[k] * along[m_jacobian_columns[k]];
    for (size_t i = 0; i < unknowns; i++) found[i] = rates[unknown[i]->position];
    return FMU_OK;
}
#endif

/* Central differences along the seed, with a step that is small beside the known values. */
static fmu_status differentiate(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed,
                                const fmu_place *const *unknown, size_t unknowns, double *found)
{
    fmu_status status = prepare(f);
    if (status > FMU_WARNING) return status;
#if M_JACOBIAN_ENTRIES > 0
    if (differentiate_exactly(f, known, knowns, seed, unknown, unknowns, found) == FMU_OK) return FMU_OK;
#endif
    double largest = 0.0, scale = 0.0;
    for (size_t i = 0; i < knowns; i++) {
        if (known[i]->kind != FMU_STATE && known[i]->kind != FMU_INPUT && seed[i] != 0.0) {
            return report(f, FMU_ERROR, LOG_ERROR, "derivatives are by states and inputs only");
        }
        if (fabs(seed[i]) > largest) largest = fabs(seed[i]);
        if (seed[i] != 0.0 && fabs(known_value(f, known[i])) > scale) scale = fabs(known_value(f, known[i]));
    }
    for (size_t i = 0; i < unknowns; i++) found[i] = 0.0;
    if (largest == 0.0) return FMU_OK;
    size_t values = M_VARIABLES + M_CONDITIONS + 1, rates = M_STATES + 1;
    m_t *copy = malloc(sizeof *copy);
    double *room = calloc(values + rates, sizeof *room);
    if (copy == NULL || room == NULL) {
        free(copy);
        free(room);
        return fail(f, "out of memory");
    }
    double step = 6.0554544523933429e-6 * (scale > 1.0 ? scale : 1.0) / largest;   /* the cube root of the rounding unit */
    for (int side = 0; side < 2 && status <= FMU_WARNING; side++) {
        double by = side == 0 ? step : -step;
        m_copy(copy, &f->model);
        for (size_t i = 0; i < knowns; i++) {
            if (seed[i] != 0.0) move_known(copy, known[i], known_value(f, known[i]), by * seed[i]);
        }
        status = evaluate_all(f, copy, room, room + values);
        for (size_t i = 0; i < unknowns && status <= FMU_WARNING; i++) {
            double value = result_at(f, unknown[i], copy, room, room + values);
            found[i] = side == 0 ? value : (found[i] - value) / (2.0 * step);
        }
    }
    free(copy);
    free(room);
    return status;
}
