/* Initialization, events, and the state of an instance as a whole. */

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

/* Derivatives without poles on the way from the last point; the next way begins here. A solver need not notice a pole. */
static fmu_status end_way(fmu *f)
{
#ifdef M_WATCHES_POLES
    const double before = f->model.pole_watch.time;
    if (m_passes_pole(&f->model, f->head.time)) {
        f->head.mode = FMU_FAILED;
        return report(f, FMU_ERROR, LOG_ERROR,
                      "between t = %.10g and t = %.10g a derivative is infinite, as a divisor passes through zero",
                      before, f->head.time);
    }
#endif
    (void)f;
    return FMU_OK;
}

/* States or inputs may have changed: nothing is known of what was before. */
static void begin_way(fmu *f)
{
#ifdef M_WATCHES_POLES
    m_begin_way(&f->model, f->head.time);
#endif
    (void)f;
}

/* An event where the instance is; the next time that is known. `moved` is set where states have changed. */
static fmu_status do_event(fmu *f, bool *moved)
{
    m_event_info info = { 0 };
    fmu_status status = prepare(f);
    if (status > FMU_WARNING) return status;
#ifdef FMU_BY_STEPS
    forget_points(f);
#endif
    status = event_of_model(f, &info);
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

/* Other states in Model Exchange where the present ones are ill-conditioned. */
static fmu_status reselect_states(fmu *f, bool *has_others)
{
#if FMU_STATE_SETS > 1
    int64_t before = f->model.sets.number;
    f->model.sets.is_due = 1;
    fmu_status status = judged(f, m_select_states(&f->model));
    if (status > FMU_WARNING || f->model.sets.number == before) return status;
#ifdef FMU_BY_STEPS
    forget_points(f);
#endif
    f->head.next_time = f->model.next_time;
    *has_others = true;
    make_due(f);
    begin_way(f);
    report(f, FMU_OK, LOG_EVENTS, "other continuous states at t = %.17g", f->head.time);
#endif
    (void)f;
    (void)has_others;
    return FMU_OK;
}

/* What event mode does. `moved` is set where states have changed, `has_others` where they belong to other variables. */
static fmu_status update(fmu *f, bool *moved, bool *has_others)
{
    fmu_status status = f->head.is_event_due ? do_event(f, moved) : prepare(f);
    if (status <= FMU_WARNING && !f->is_co_simulation) status = reselect_states(f, has_others);
    *moved = *moved || *has_others;
    f->head.next_time = next_time_of(f);
    return status;
}

/* True if the present states are ill-conditioned: event mode selects others. */
static bool are_states_due(fmu *f)
{
#if FMU_STATE_SETS > 1
    return m_state_indicator(&f->model, f->head.time, f->model.y) < 0.0;
#else
    (void)f;
    return false;
#endif
}

/* To event mode; what is delayed is known up to here, before anything changes. */
static fmu_status enter_event(fmu *f)
{
    fmu_status status = f->head.mode == FMU_CONTINUOUS ? report_step(f, true) : FMU_OK;
    if (status > FMU_WARNING) return status;
    f->head.mode = FMU_EVENT;
    f->head.is_event_due = 1;
    return FMU_OK;
}

static fmu_status enter_continuous_time(fmu *f)
{
    f->head.mode = FMU_CONTINUOUS;
    begin_way(f);
    return report_step(f, false);
}

static fmu_status complete_step(fmu *f)
{
    fmu_status status = end_way(f);
    if (status <= FMU_WARNING) status = report_step(f, false);
    return status > FMU_WARNING ? status : look_at_conditions(f);
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
