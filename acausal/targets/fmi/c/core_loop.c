const int m_solver_order[] = {ORDER};
const int m_solver_place[] = {PLACE};
static const int64_t solver_order[] = {ORDER}, solver_place[] = {PLACE};
static int failed(m_t *m, int status, int block);
static int left_event(m_t *m);
static int leave_event(m_t *m);
static int check_conditions(m_t *m);

void m_set_run(m_t *m, double span, double tolerance)
{
    LOOP(ahead) = SHARE_AHEAD * span;
    LOOP(first_check) = SHARE_FIRST_CHECK * span;
    LOOP(chattering_time) = SHARE_CHATTERING * span;
    LOOP(usual_first) = SHARE_FIRST_STEP * span;
    LOOP(tolerance) = step_tolerance(tolerance);
    forget_limit(&m->loop);
}

static void bind_solver(m_t *m, const m_solver *s)
{
    LOOP(cvode) = s->memory;
    LOOP(vector) = s->vector;
    LOOP(numbers) = s->numbers;
    LOOP(between) = s->between;
    LOOP(between_there) = s->between_there;
    LOOP(solve) = s->solve;
    LOOP(set_stop) = s->set_stop;
    LOOP(set_least) = s->set_least;
    LOOP(set_first) = s->set_first;
    LOOP(root_info) = s->root_info;
    LOOP(reinit) = s->reinit;
    LOOP(count_steps) = s->count_steps;
    LOOP(count_jacobians) = s->count_jacobians;
    LOOP(set_most_steps) = s->set_most_steps;
    LOOP(interpolate) = s->interpolate;
    LOOP(order) = (int64_t *)solver_order;
    LOOP(place) = (int64_t *)solver_place;
    LOOP(is_ordered) = IS_ORDERED;
    LOOP(model_states) = m->solver_stage;
    LOOP(model_slopes) = m->solver_end_slope;
    BIND_HIDDEN
}

double m_step_tolerance(double tolerance)
{
    return step_tolerance(tolerance);
}

void m_begin_solver(m_t *m, const m_solver *s)
{
    if (s != NULL) {
        bind_solver(m, s);
    }
    m->reached[0] = m->time;
    LOOP(first_step) = LOOP(usual_first);
    LOOP(limit) = m->next_time;
    m->watched_values[LOOP(crossing_count)] = NAN;
    begin_again(&m->loop, m->time);
}

int m_crossing_count(const m_t *m)
{
    return (int)LOOP(crossing_count);
}

int m_slope(double t, void *y, void *slope, m_t *m)
{
    return cvode_slope(t, (acausal_Vector *)y, (acausal_Vector *)slope, (acausal_CvodeContext *)&m->loop);
}

int m_root_functions(double t, void *y, double *values, m_t *m)
{
    return cvode_crossings(t, (acausal_Vector *)y, values, (acausal_CvodeContext *)&m->loop);
}

/* A crossing stays at zero: the solver begins again where it is. */
static int begin_beside(m_t *m)
{
    const int status = leave_event(m);
    LOOP(first_step) = LOOP(usual_first);
    begin_again(&m->loop, m->reached[0]);
    return status;
}

NOTE_OTHER_STATES
int m_run(m_t *m, double t_end, double stop, int is_event_left, m_place *place)
{
    int status = M_OK, said;
    *place = M_ON_THE_WAY;
    DROP_PIECES
    SOLVER(step) = (t_end - m->time) / PARTS_OF_TIME;
    said = (int)run_part(&m->loop, t_end, stop, is_event_left);
    m->time = m->reached[0];
    if (said == AT_EVENT && is_event_left) {
        *place = M_AT_EVENT;
    } else if (said == AT_EVENT || LOOP(event_count) != 0) {
        *place = M_BEHIND_EVENT;
        status = said == AT_EVENT ? left_event(m) : M_OK;
        status = status == M_OK ? check_conditions(m) : status;
    } else if (said == AT_GOAL) {
        *place = M_AT_GOAL;
    }
    if (said == ILL_CONDITIONED_STATES && status == M_OK) {
        status = OTHER_STATES;
    } else if (said == CLOSE) {
        status = begin_beside(m);
    } else if (said < 0) {
        status = failed(m, said == NOT_FINITE ? M_NOT_FINITE : M_UNSOLVED, (int)m->record.failed_block);
    }
    m->next_time = LOOP(limit);
    return status;
}
