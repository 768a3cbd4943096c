/* Co-Simulation: steps between communication points. */

/* CVODE's functions as the loop calls them. */
static int solve(void *cvode, double goal, void *vector, double *reached, int task)
{
    return CVode(cvode, goal, vector, reached, task);
}

static int set_stop(void *cvode, double time)
{
    return time < INFINITY ? CVodeSetStopTime(cvode, time) : CVodeClearStopTime(cvode);
}

static int set_least(void *cvode, double size) { return CVodeSetMinStep(cvode, size); }
static int set_first(void *cvode, double size) { return CVodeSetInitStep(cvode, size); }
static int root_info(void *cvode, int *roots) { return CVodeGetRootInfo(cvode, roots); }
static int begin_at(void *cvode, double t, void *vector) { return CVodeReInit(cvode, t, vector); }

static int interpolate(void *cvode, double t, int order, void *vector)
{
    return CVodeGetDky(cvode, t, order, vector);
}

static int count_steps(void *cvode, int64_t *count)
{
    long steps = 0;
    int status = CVodeGetNumSteps(cvode, &steps);
    *count = steps;
    return status;
}

static int count_jacobians(void *cvode, int64_t *count)
{
    long jacobians = 0;
    int status = CVodeGetNumJacEvals(cvode, &jacobians);
    *count = jacobians;
    return status;
}

static int set_most_steps(void *cvode, int64_t count)
{
    return CVodeSetMaxNumSteps(cvode, (long)count);
}

/* Below this, times the tolerance, errors of a state without nominal value do not count. */
static double scale_of(const fmu *f, int state)
{
    double value = nominal_or_zero(f, state);
    return value > 0.0 ? value : 0.01;
}

/* A sixteenth of the shortest period of the sines of time, and no more than the shortest delay. */
static double longest_step(const fmu *f)
{
    double fastest = 0.0, longest = INFINITY;
    for (int i = 0; i < FMU_WAVES; i++) fastest = fmax(fastest, fabs(f->model.p[fmu_waves[i]]));
    if (fastest > 0.0) longest = 6.283185307179586 / fastest / 16.0;
#if FMU_DELAYS > 0
    for (int i = 0; i < FMU_DELAYS; i++) longest = fmin(longest, f->model.history.times[i]);
#endif
    return longest;
}

/* CVODE with what it works on; false where memory is missing. */
static bool create_solver(fmu *f)
{
    struct solver *s = f->solver = calloc(1, sizeof *s);
    if (s == NULL || SUNContext_Create(SUN_COMM_NULL, &s->context) != 0) return false;
    SUNContext_ClearErrHandlers(s->context);
    SUNContext_PushErrHandler(s->context, silent, NULL);
    s->states = N_VNew_Serial(M_STATES, s->context);
    s->tolerances = N_VNew_Serial(M_STATES, s->context);
    s->between = N_VNew_Serial(M_STATES, s->context);
    s->matrix = NEW_MATRIX(s->context);
    s->cvode = CVodeCreate(CV_BDF, s->context);
    if (s->states == NULL || s->tolerances == NULL || s->between == NULL || s->matrix == NULL || s->cvode == NULL) return false;
    s->linear = NEW_SOLVER(s->states, s->matrix, s->context);
    s->is_due = true;
    s->stuck = -INFINITY;
#if FMU_STATE_SETS > 1
    s->set = f->model.sets.number;
#endif
    m_solver functions = {
        s->cvode, s->states, s->between, NV_DATA_S(s->states), NV_DATA_S(s->between),
        solve, set_stop, set_least, set_first, root_info, begin_at, count_steps, count_jacobians, set_most_steps, interpolate
    };
    s->functions = functions;
    return s->linear != NULL;
}

static bool set_up(fmu *f)
{
    struct solver *s = f->solver;
    double share = m_step_tolerance(f->head.tolerance), relative = fmax(share, 1e-15);
    for (int i = 0; i < M_STATES; i++) {
        NV_Ith_S(s->tolerances, i) = share * scale_of(f, m_solver_order[i]);
        NV_Ith_S(s->states, i) = f->model.y[m_solver_order[i]];
    }
    int wrong = CVodeInit(s->cvode, slope, f->head.time, s->states);
    wrong |= CVodeSVtolerances(s->cvode, relative, s->tolerances);
    wrong |= CVodeSetLinearSolver(s->cvode, s->linear, s->matrix);
    wrong |= CVodeSetJacEvalFrequency(s->cvode, FMU_LASTING);
#if M_JACOBIAN_ENTRIES > 0
    wrong |= CVodeSetJacFn(s->cvode, fill);
#endif
    wrong |= CVodeSetUserData(s->cvode, f);
    wrong |= CVodeSetMaxNumSteps(s->cvode, STEPS_AT_ONCE);
    wrong |= CVodeSetMaxHnilWarns(s->cvode, -1);
    wrong |= CVodeSetMaxErrTestFails(s->cvode, 20);
    wrong |= CVodeSetMaxConvFails(s->cvode, 30);
    wrong |= CVodeSetNoInactiveRootWarn(s->cvode);
    double longest = fmin(longest_step(f), f->head.stop - f->head.start);
    if (longest < INFINITY) wrong |= CVodeSetMaxStep(s->cvode, fmax(longest, 1e-15 * fabs(f->head.time)));
    int crossings = m_crossing_count(&f->model);
    if (crossings > 0) wrong |= CVodeRootInit(s->cvode, crossings, indicators);
    return wrong == 0;
}

/* True if the solver is there and stands at the present states. */
static bool make_solver(fmu *f)
{
    if (f->solver == NULL) {
        if (M_STATES == 0) f->solver = calloc(1, sizeof *f->solver);
        else if (!create_solver(f) || !set_up(f)) return false;
        if (f->solver == NULL) return false;
        f->solver->is_due = true;
    }
    if (f->solver->is_due) {
        f->model.time = f->head.time;
        m_begin_solver(&f->model, M_STATES == 0 ? NULL : &f->solver->functions);
        f->solver->is_due = false;
    }
    return true;
}

/* True if a solver that cannot go on may try from where it is, knowing nothing: the run advances. */
static bool begins_again(fmu *f)
{
    struct solver *s = f->solver;
    double span = (f->head.stop < INFINITY ? f->head.stop : f->head.time) - f->head.start;
    bool is_far = f->head.time - s->stuck > PROGRESS * span && f->head.time > f->head.start;
    s->stuck = f->head.time;
    s->beginnings++;
    s->is_due = true;
    return is_far && s->beginnings <= MOST_BEGINNINGS;
}

/* Other states where they are due; each set has a solver with tolerances of its own. */
static fmu_status select_states(fmu *f)
{
#if FMU_STATE_SETS > 1
    int status = m_select_states(&f->model);
    if (status != M_OK) return judged(f, status);
    if (f->solver != NULL && f->solver->set != f->model.sets.number) {
        solver_free(f);
        begin_way(f);
    }
#endif
    (void)f;
    return FMU_OK;
}

/* One call of the loop over events. */
static fmu_status run_once(fmu *f, double end, bool is_event_left, m_place *place)
{
    fmu_status selected = select_states(f);
    if (selected > FMU_WARNING) return selected;
    if (!make_solver(f)) return fail(f, "the solver cannot begin");
    double stop = M_INPUTS > 0 ? end : fmax(f->head.stop, end), before = f->head.time;
    int status = m_run(&f->model, end, stop, is_event_left, place);
    f->head.time = f->model.time;
    f->head.next_time = f->model.next_time;
    make_due(f);
    if (*place == M_BEHIND_EVENT && status != M_LIMIT) report(f, FMU_OK, LOG_EVENTS, "event at t = %.17g", f->head.time);
    if (status == M_UNSOLVED && *place == M_ON_THE_WAY && f->head.time > before && begins_again(f)) return FMU_OK;
    if (status == M_LIMIT) return fail(f, "chattering: too many events within a short time");
    return judged(f, status);
}

/* True if the arguments are those of a step that can be done. */
static bool is_step(fmu *f, double from, double size)
{
    double end = from + size;
    const char *wrong = f->head.is_terminated ? "the model has ended the simulation"
        : !(size > 0.0) ? "the communication step is not positive"
        : fabs(from - f->head.time) > 1e-9 * fmax(1.0, fabs(from)) ? "the step does not begin where the instance is"
        : end > f->head.stop + 1e-9 * fmax(1.0, fabs(end)) ? "the step ends behind the stop time" : NULL;
    if (wrong == NULL) return true;
    report(f, FMU_ERROR, LOG_ERROR, "%s (t = %.17g)", wrong, f->head.time);
    return false;
}

static fmu_status do_step(fmu *f, double from, double size, bool *has_event)
{
    double end = from + size;
    *has_event = false;
    if (!is_step(f, from, size)) return FMU_ERROR;
    fmu_status status = prepare(f);
    bool moved = false;
    if (status <= FMU_WARNING && f->head.is_event_due && !f->uses_event_mode) {
        status = do_event(f, &moved);   /* inputs have changed */
        solver_changed(f);
    }
    m_place place = M_ON_THE_WAY;
    int turns = 0;
    begin_way(f);
    while (status <= FMU_WARNING && !f->head.is_terminated && f->head.time < end && place != M_AT_GOAL) {
        double before = f->head.time;
        bool is_left = f->uses_event_mode && f->may_return_early;
        status = run_once(f, end, is_left, &place);
        if (status > FMU_WARNING) break;
        if (place == M_BEHIND_EVENT) begin_way(f);
        if (place == M_AT_EVENT) {
            *has_event = true;
            solver_changed(f);
            return complete_step(f);
        }
        turns = f->head.time > before || place == M_BEHIND_EVENT ? 0 : turns + 1;
        if (turns > MOST_TURNS) return fail(f, "time does not advance");
    }
    if (fabs(f->head.time - end) <= 1e-14 * fmax(fabs(end), fabs(from))) f->head.time = end;
    return status <= FMU_WARNING && !f->head.is_terminated ? complete_step(f) : status;
}
