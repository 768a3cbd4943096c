/* Co-Simulation: CVODE between communication points, from event to event. */

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

enum { MOST_STEPS = 1000000, MOST_EVENTS = 1000 };

struct solver {
    SUNContext context;
    N_Vector states, tolerances;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *cvode;
    bool is_due;            /* it begins anew: states, inputs or parameters have changed */
    double reached;         /* where its own steps have come to */
};

static void solver_free(fmu *f)
{
    struct solver *s = f->solver;
    if (s == NULL) return;
    if (s->cvode != NULL) CVodeFree(&s->cvode);
    if (s->linear != NULL) SUNLinSolFree(s->linear);
    if (s->matrix != NULL) SUNMatDestroy(s->matrix);
    if (s->tolerances != NULL) N_VDestroy(s->tolerances);
    if (s->states != NULL) N_VDestroy(s->states);
    if (s->context != NULL) SUNContext_Free(&s->context);
    free(s);
    f->solver = NULL;
}

static void solver_changed(fmu *f)
{
    if (f->solver != NULL) f->solver->is_due = true;
}

static int slope(double t, N_Vector y, N_Vector dydt, void *user)
{
    fmu *f = user;
    double *rates = N_VGetArrayPointer(dydt), total = 0.0;
    int status = m_derivatives(&f->model, t, N_VGetArrayPointer(y), rates);
    if (status != M_OK) return status == M_UNSOLVED || status == M_NOT_FINITE ? 1 : -1;
    for (int i = 0; i < M_STATES; i++) total += rates[i] * 0.0;
    return total == 0.0 ? 0 : 1;
}

static int indicators(double t, N_Vector y, double *values, void *user)
{
    fmu *f = user;
    return m_crossings(&f->model, t, N_VGetArrayPointer(y), values) == M_OK ? 0 : 1;
}

#if M_JACOBIAN_ENTRIES > 0
static int fill(double t, N_Vector y, N_Vector dydt, SUNMatrix matrix, void *user, N_Vector a, N_Vector b, N_Vector c)
{
    fmu *f = user;
    double entries[M_JACOBIAN_ENTRIES];
    (void)dydt;
    (void)a;
    (void)b;
    (void)c;
    if (m_jacobian(&f->model, t, N_VGetArrayPointer(y), entries) != M_OK) return 1;
    SUNMatZero(matrix);
    for (int k = 0; k < M_JACOBIAN_ENTRIES; k++) SM_ELEMENT_D(matrix, m_jacobian_rows[k], m_jacobian_columns[k]) = entries[k];
    return 0;
}
#endif

static void silent(int line, const char *function, const char *file, const char *text, SUNErrCode code, void *data,
                   SUNContext context)
{
    (void)line;
    (void)function;
    (void)file;
    (void)text;
    (void)code;
    (void)data;
    (void)context;
}

/* == steps */

#define SAFETY 0.1

/* Below this, times the tolerance, errors of a state without nominal value do not count. */
static double scale_of(const fmu *f, int state)
{
    double value = nominal_or_zero(f, state);
    return value > 0.0 ? value : 0.01;
}

/* A sixteenth of the shortest period of the sines of time. */
static double longest_step(const fmu *f)
{
    double fastest = 0.0;
    for (int i = 0; i < FMU_WAVES; i++) fastest = fmax(fastest, fabs(f->model.p[fmu_waves[i]]));
    return fastest > 0.0 ? 6.283185307179586 / fastest / 16.0 : INFINITY;
}

/* Without states time alone goes on: crossings are looked for in parts of the way. */
static fmu_status integrate_time(fmu *f, double goal, bool *crossed)
{
    enum { PARTS = 16 };
    double begin = f->head.time, at = begin, values[M_CROSSINGS + 1], sides[M_CROSSINGS + 1];
    fmu_status status = FMU_OK;
    make_due(f);
    if (M_CROSSINGS > 0) status = judged(f, m_crossings(&f->model, begin, f->model.y, sides));
    for (int part = 1; M_CROSSINGS > 0 && part <= PARTS && status == FMU_OK; part++) {
        double to = part == PARTS ? goal : begin + (goal - begin) * part / PARTS;
        status = judged(f, m_crossings(&f->model, to, f->model.y, values));
        for (int i = 0; i < M_CROSSINGS && status == FMU_OK; i++) *crossed = *crossed || values[i] * sides[i] < 0.0;
        while (*crossed && to - at > 4.0e-16 * fmax(fabs(to), fabs(at)) && status == FMU_OK) {
            double middle = at + 0.5 * (to - at);
            bool before = true;
            if (middle <= at || middle >= to) break;
            status = judged(f, m_crossings(&f->model, middle, f->model.y, values));
            for (int i = 0; i < M_CROSSINGS; i++) before = before && values[i] * sides[i] >= 0.0;
            if (before) at = middle;
            else to = middle;
        }
        if (*crossed) {
            f->head.time = to;
            return status;
        }
        at = to;
    }
    f->head.time = goal;
    return status;
}

/* True if the solver is there and stands at the present states. */
static bool make_solver(fmu *f)
{
    struct solver *s = f->solver;
    if (s == NULL) {
        s = f->solver = calloc(1, sizeof *s);
        if (s == NULL || SUNContext_Create(SUN_COMM_NULL, &s->context) != 0) return false;
        SUNContext_ClearErrHandlers(s->context);
        SUNContext_PushErrHandler(s->context, silent, NULL);
        s->states = N_VNew_Serial(M_STATES, s->context);
        s->tolerances = N_VNew_Serial(M_STATES, s->context);
        s->matrix = SUNDenseMatrix(M_STATES, M_STATES, s->context);
        s->cvode = CVodeCreate(CV_BDF, s->context);
        if (s->states == NULL || s->tolerances == NULL || s->matrix == NULL || s->cvode == NULL) return false;
        s->linear = SUNLinSol_Dense(s->states, s->matrix, s->context);
        if (s->linear == NULL) return false;
        double relative = fmax(SAFETY * f->head.tolerance, 1e-15);
        for (int i = 0; i < M_STATES; i++) NV_Ith_S(s->tolerances, i) = SAFETY * f->head.tolerance * scale_of(f, i);
        memcpy(N_VGetArrayPointer(s->states), f->model.y, M_STATES * sizeof(double));
        int wrong = CVodeInit(s->cvode, slope, f->head.time, s->states);
        wrong |= CVodeSVtolerances(s->cvode, relative, s->tolerances);
        wrong |= CVodeSetLinearSolver(s->cvode, s->linear, s->matrix);
#if M_JACOBIAN_ENTRIES > 0
        wrong |= CVodeSetJacFn(s->cvode, fill);
#endif
        wrong |= CVodeSetUserData(s->cvode, f);
        wrong |= CVodeSetMaxNumSteps(s->cvode, MOST_STEPS);
        wrong |= CVodeSetMaxHnilWarns(s->cvode, -1);
        wrong |= CVodeSetMaxErrTestFails(s->cvode, 20);
        wrong |= CVodeSetMaxConvFails(s->cvode, 30);
        wrong |= CVodeSetNoInactiveRootWarn(s->cvode);
        if (longest_step(f) < INFINITY) wrong |= CVodeSetMaxStep(s->cvode, longest_step(f));
        if (M_CROSSINGS > 0) wrong |= CVodeRootInit(s->cvode, M_CROSSINGS, indicators);
        if (wrong != 0) return false;
        s->is_due = false;
        s->reached = f->head.time;
        return true;
    }
    if (s->is_due) {
        memcpy(N_VGetArrayPointer(s->states), f->model.y, M_STATES * sizeof(double));
        if (CVodeReInit(s->cvode, f->head.time, s->states) != 0) return false;
        s->is_due = false;
        s->reached = f->head.time;
    }
    return true;
}

/* To the goal, or to a crossing before; `crossed` says so. No step goes beyond `limit`. */
static fmu_status integrate(fmu *f, double goal, double limit, bool *crossed)
{
    *crossed = false;
    if (M_STATES == 0) return integrate_time(f, goal, crossed);
    if (!make_solver(f)) return fail(f, "the solver cannot begin");
    struct solver *s = f->solver;
    double here = f->head.time, t = here;
    if (goal - here <= 1e-14 * fmax(fabs(here), fabs(goal))) {
        f->head.time = goal;
        return FMU_OK;
    }
    if (limit < INFINITY) CVodeSetStopTime(s->cvode, limit);
    else CVodeClearStopTime(s->cvode);
    int status = CVode(s->cvode, goal, s->states, &t, CV_NORMAL);
    f->head.time = t;
    if (status >= 0 && t == limit) f->head.time = limit;
    memcpy(f->model.y, N_VGetArrayPointer(s->states), M_STATES * sizeof(double));
    make_due(f);
    if (status == CV_ROOT_RETURN) *crossed = true;
    if (status >= 0) return FMU_OK;
    char *name = CVodeGetReturnFlagName(status);
    report(f, FMU_DISCARD, LOG_DISCARD, "t = %.17g: CVODE returned %s", t, name);
    free(name);
    s->is_due = true;
    return FMU_DISCARD;
}

static fmu_status do_step(fmu *f, double from, double size, bool *has_event)
{
    double end = from + size;
    *has_event = false;
    if (f->head.is_terminated) return report(f, FMU_ERROR, LOG_ERROR, "the model has ended the simulation");
    if (!(size > 0.0)) return report(f, FMU_ERROR, LOG_ERROR, "the communication step is not positive");
    if (fabs(from - f->head.time) > 1e-9 * fmax(1.0, fabs(from))) {
        return report(f, FMU_ERROR, LOG_ERROR, "the step begins at %.17g, the instance is at %.17g", from, f->head.time);
    }
    if (end > f->head.stop + 1e-9 * fmax(1.0, fabs(end))) {
        return report(f, FMU_ERROR, LOG_ERROR, "the step ends behind the stop time");
    }
    fmu_status status = prepare(f);
    bool moved = false;
    if (status <= FMU_WARNING && f->head.is_event_due && !f->uses_event_mode) {
        status = do_event(f, &moved);   /* inputs have changed */
        if (moved) solver_changed(f);
    }
    int events = 0;
    while (status <= FMU_WARNING && !f->head.is_terminated && f->head.time < end) {
        bool crossed = false, at_once = f->uses_event_mode && f->may_return_early;
        double limit = fmin(f->head.next_time, M_INPUTS > 0 ? end : f->head.stop), goal = fmin(end, f->head.next_time);
        double before = f->head.time;
        status = integrate(f, goal, fmax(limit, goal), &crossed);
        if (status > FMU_WARNING) break;
        bool is_time = f->head.time >= f->head.next_time;
        if (crossed || is_time) {
            if (f->uses_event_mode && (at_once || f->head.time >= end)) {
                *has_event = true;
                solver_changed(f);
                return complete_step(f);
            }
            status = do_event(f, &moved);
            solver_changed(f);
            events = f->head.time > before ? 0 : events + 1;
            if (events > MOST_EVENTS) return fail(f, "too many events at one time");
        } else if (f->head.time == before && f->head.time < end) {
            return fail(f, "time does not advance");
        }
    }
    if (fabs(f->head.time - end) <= 1e-14 * fmax(fabs(end), fabs(from))) f->head.time = end;
    return status <= FMU_WARNING && !f->head.is_terminated ? complete_step(f) : status;
}
