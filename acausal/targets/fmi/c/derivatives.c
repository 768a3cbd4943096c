/* ------------------------------------------------------------ derivatives */

/* The rates and variables of a model that has been moved; a start value or a parameter may move the first instant. */
static fmu_status evaluate_moved(fmu *f, m_t *at, double *values, double *rates)
{
    int status = m_setup(at);
    if (status == M_OK && f->head.mode == FMU_INITIALIZATION) status = m_initialize(at, f->head.start);
    if (status == M_OK) status = m_derivatives(at, f->head.time, at->y, rates);
    if (status == M_OK) status = m_variables(at, f->head.time, at->y, values);
    return status == M_OK ? FMU_OK : FMU_DISCARD;
}

/* Where a known value is: of a state in initialization mode it is its start value; NULL where none is. */
static double *known_in(const fmu *f, m_t *m, const fmu_place *place)
{
    bool is_first = f->head.mode == FMU_INITIALIZATION;
    switch (place->kind) {
    case FMU_STATE:
        if (!is_first) return &m->y[place->position];
        return fmu_starts[place->position] < 0 ? NULL : &m->p[fmu_starts[place->position]];
    case FMU_PARAMETER: return &m->p[place->position];
    case FMU_INPUT: return &m->u[place->position];
    default: return NULL;
    }
}

static double result_at(const fmu *f, const fmu_place *place, const m_t *at, const double *values, const double *rates)
{
    switch (place->kind) {
    case FMU_STORED: return place->sign * values[place->position];
    case FMU_RATE: return rates[place->position];
    case FMU_STATE: return at->y[place->position];
    case FMU_INPUT: return at->u[place->position];
    case FMU_PARAMETER: return place->sign * at->p[place->position];
    default: return value_at(f, place);
    }
}

#if M_JACOBIAN_ENTRIES > 0
/* Derivatives of rates along states, by the exact Jacobian; FMU_DISCARD where others are asked. */
static fmu_status differentiate_exactly(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed,
                                        const fmu_place *const *unknown, size_t unknowns, double *found)
{
    double entries[M_JACOBIAN_ENTRIES], along[M_STATES] = { 0.0 }, rates[M_STATES] = { 0.0 };
    if (f->head.mode == FMU_INITIALIZATION) return FMU_DISCARD;
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

/* The length of a step along the seed that is small beside the known values; 0 if nothing moves. */
static fmu_status step_along(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed, double *step)
{
    double largest = 0.0, scale = 0.0;
    for (size_t i = 0; i < knowns; i++) {
        const double *value = known_in(f, &f->model, known[i]);
        if (seed[i] == 0.0) continue;
        if (value == NULL) return report(f, FMU_ERROR, LOG_ERROR, "derivatives are by states, inputs and parameters only");
        largest = fmax(largest, fabs(seed[i]));
        scale = fmax(scale, fabs(*value));
    }
    /* the cube root of the rounding unit */
    *step = largest == 0.0 ? 0.0 : 6.0554544523933429e-6 * (scale > 1.0 ? scale : 1.0) / largest;
    return FMU_OK;
}

/* Central differences along the seed. */
static fmu_status differentiate(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed,
                                const fmu_place *const *unknown, size_t unknowns, double *found)
{
    double step = 0.0;
    fmu_status status = prepare(f);
    if (status > FMU_WARNING) return status;
#if M_JACOBIAN_ENTRIES > 0
    if (differentiate_exactly(f, known, knowns, seed, unknown, unknowns, found) == FMU_OK) return FMU_OK;
#endif
    status = step_along(f, known, knowns, seed, &step);
    for (size_t i = 0; i < unknowns; i++) found[i] = 0.0;
    if (status > FMU_WARNING || step == 0.0) return status;
    size_t values = M_VARIABLES + M_CONDITIONS + 1, rates = M_STATES + 1;
    m_t *copy = malloc(sizeof *copy);
    double *room = calloc(values + rates, sizeof *room);
    if (copy == NULL || room == NULL) {
        free(copy);
        free(room);
        return fail(f, "out of memory");
    }
    for (int side = 0; side < 2 && status <= FMU_WARNING; side++) {
        double by = side == 0 ? step : -step;
        m_copy(copy, &f->model);
        for (size_t i = 0; i < knowns; i++) {
            if (seed[i] == 0.0) continue;
            double *value = known_in(f, copy, known[i]);
            *value += by * seed[i];
            if (value >= copy->p && value < copy->p + M_P) copy->given[value - copy->p] = 1.0;
        }
        status = evaluate_moved(f, copy, room, room + values);
        for (size_t i = 0; i < unknowns && status <= FMU_WARNING; i++) {
            double value = result_at(f, unknown[i], copy, room, room + values);
            found[i] = side == 0 ? value : (found[i] - value) / (2.0 * step);
        }
    }
    free(copy);
    free(room);
    return status;
}
