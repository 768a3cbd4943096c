"""First instant, events and steps of a model in C, with the loop over events and without, as templates."""

WITHOUT_EVENTS = """\
int model_initialize(model_t *m, double t)
{
    int block;
    BEGIN_RECORD
    block = ROUTINE_initial(t, m->y, U, m->p, m->m, m->y);
    if (block != 0) {
        return failed(m, MODEL_UNSOLVED, block);
    }
    BY_STEPS
    set_begin(m, t);
    return check_conditions(m);
}

int model_crossings(model_t *m, double t, const double *y, double *z)
{
    (void)m;
    (void)t;
    (void)y;
    (void)z;
    return MODEL_OK;
}

int model_event(model_t *m, double t, model_event_info *info)
{
    memset(info, 0, sizeof *info);
    info->next_time = INFINITY;
    set_begin(m, t);
    return MODEL_OK;
}

int model_completed_step(model_t *m, double t, const double *y)
{
    (void)y;
    m->time = t;
    END_STEP
    return MODEL_OK;
}

int model_advance(model_t *m, double t_end)
{
    int status;
    m->events = 0;
    SOLVER(step) = m->step;
    SOLVER(method) = m->method;
    SOLVER(stop) = t_end;
    status = ADVANCE;
    m->time = m->reached[0];
    m->too_long = m->judgement.too_long;
    memcpy(m->y, m->numbers, MODEL_STATES * sizeof(double));
STOP_ILL_CONDITIONED
    if (status != 0) {
        return solver_failure(m, status);
    }
    return check_conditions(m);
}
"""

WITH_EVENTS = """\
/* The status behind an event, or with other states, by that of the kernel. */
static int behind_event(model_t *m, int64_t status)
{
    m->next_time = LOOP(limit);
    if (status == DONE) {
        return MODEL_OK;
    }
    return failed(m, status == ILL_CONDITIONED_STATES ? MODEL_ILL_CONDITIONED : MODEL_EVENT_FAILED, 0);
}

/* What is known behind an event: crossings on their sides, and the next time. */
static int leave_event(model_t *m)
{
    return behind_event(m, acausal_begin_events(&m->loop));
}

SET_SWITCH
/* Why an event could not be done. */
static int event_failure(model_t *m)
{
    const int number = (int)LOOP(announced);
    if (number >= 0) {
        return failed(m, announcement_asserts[number] ? MODEL_ASSERTION : MODEL_TERMINATED, MODEL_CONDITIONS + number);
    }
    return failed(m, MODEL_EVENT_FAILED, 0);
}

int model_initialize(model_t *m, double t)
{
    int status;
    FIRST_SET
    BEGIN_RECORD
    BEGIN_HISTORY
    if (start_run(&m->loop, t) != DONE) {
        return event_failure(m);
    }
    BY_STEPS
    set_begin(m, t);
    status = leave_event(m);
    begin_again(&m->loop, t);
    JUDGE_START
    return status == MODEL_OK ? check_conditions(m) : status;
}

int model_crossings(model_t *m, double t, const double *y, double *z)
{
    const int block = ROUTINE_crossings(t, (double *)y, U, P, m->m, z);
    for (int i = 0; i < MODEL_CROSSINGS && i < LOOP(crossing_count); i++) {
        z[i] = t == m->starts[LOOP(crossing_count)] ? m->starts[i] : z[i] + m->offset[i];
        if (z[i] == 0.0) {
            z[i] = m->sides[i] < 0.0 ? -MODEL_LEAST_INDICATOR : MODEL_LEAST_INDICATOR;
        }
    }
    return failed(m, block == 0 ? MODEL_OK : MODEL_UNSOLVED, block);
}

int model_event(model_t *m, double t, model_event_info *info)
{
    double before[MODEL_Y];
    int status;
    memset(info, 0, sizeof *info);
    memcpy(before, m->y, sizeof before);
    m->time = t;
    status = model_crossings(m, t, m->y, m->watched_values);
    m->watched_values[LOOP(crossing_count)] = t;
    if (status != MODEL_OK) {
        return status;
    }
    LOOP(announced) = -1;
    (void)acausal_find_violated(&m->loop);
    if (do_told_event(&m->loop, t) != DONE) {
        return event_failure(m);
    }
    set_begin(m, t);
    m->next_time = LOOP(limit);
    for (int i = 0; i < MODEL_STATES; i++) {
        if (m->y[i] != before[i]) {
            info->states_changed = 1;
        }
    }
    if (status == MODEL_OK) {
        status = check_conditions(m);
    }
    info->terminated = status == MODEL_TERMINATED;
    info->next_time = m->next_time;
    info->has_next_time = m->next_time < INFINITY;
    return status;
}

int model_completed_step(model_t *m, double t, const double *y)
{
    (void)y;
    m->time = t;
    END_STEP
    return MODEL_OK;
}

/* One event that the loop has left, or none at all where the motion returns to the side that it was on. */
static int left_event(model_t *m)
{
    const int64_t status = do_left_event(&m->loop);
    m->next_time = LOOP(limit);
    return status == CHATTERING ? failed(m, MODEL_LIMIT, 0) : status == DONE ? MODEL_OK : event_failure(m);
}

/* One call of the loop over events: to the end, or behind the next event. */
static int go_on(model_t *m, double t_end)
{
    int status;
    SWITCH_STATES
    DROP_PIECES
    forget_limit(&m->loop);
    status = (int)run_part(&m->loop, t_end, t_end, 0);
    m->events += (int)LOOP(event_count);
    if (status == ILL_CONDITIONED_STATES) {
        OTHER_STATES
    }
    if (status < 0) {
        return solver_failure(m, status);
    }
    if (status != AT_EVENT) {
        return MODEL_OK;
    }
    m->events += 1;
    return left_event(m);
}

/* One call of the loop: behind the next event, or at t_end. */
static int advance_part(model_t *m, double t_end)
{
    const int events = m->events;
    int status = go_on(m, t_end);
    m->time = m->reached[0];
    m->next_time = LOOP(limit);
    if (status == MODEL_OK && m->events > m->most_events) {
        status = failed(m, MODEL_LIMIT, 0);
    }
    if (status == MODEL_OK && (m->events != events || !(m->time < t_end))) {
        status = check_conditions(m);
    }
    return status;
}

static void begin_advance(model_t *m)
{
    m->events = 0;
    SOLVER(step) = m->step;
    SOLVER(method) = m->method;
    LIMIT_STEP
    m->reached[0] = m->time;
}

int model_advance(model_t *m, double t_end)
{
    int status = MODEL_OK;
    begin_advance(m);
    while (status == MODEL_OK && m->time < t_end) {
        status = advance_part(m, t_end);
    }
    m->too_long = m->judgement.too_long;
    return status;
}
"""
