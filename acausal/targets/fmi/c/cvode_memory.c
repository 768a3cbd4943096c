/* Co-Simulation: CVODE between communication points, in the loop over events of the model (m_run). */

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#if FMU_BAND
#include <sunlinsol/sunlinsol_band.h>
#include <sunmatrix/sunmatrix_band.h>
#define ENTRY SM_ELEMENT_B
#define NEW_MATRIX(context) SUNBandMatrix(M_STATES, FMU_UPPER, FMU_LOWER, context)
#define NEW_SOLVER SUNLinSol_Band
#else
#define ENTRY SM_ELEMENT_D
#define NEW_MATRIX(context) SUNDenseMatrix(M_STATES, M_STATES, context)
#define NEW_SOLVER SUNLinSol_Dense
#endif

enum { STEPS_AT_ONCE = 5000, MOST_TURNS = 200, MOST_BEGINNINGS = 20 };
#define PROGRESS 1e-4   /* a share of the run: a solver that gets stuck again within it is stuck */

struct solver {
    SUNContext context;
    N_Vector states, tolerances, between;
    SUNMatrix matrix;
    SUNLinearSolver linear;
    void *cvode;
    m_solver functions;
    bool is_due;            /* it restarts: states, inputs or parameters have changed */
    int64_t set;              /* of states, for models with several */
    double stuck;           /* the time where it was stuck last */
    int beginnings;         /* how often it was */
};

static void solver_free(fmu *f)
{
    struct solver *s = f->solver;
    if (s == NULL) return;
    if (s->cvode != NULL) CVodeFree(&s->cvode);
    if (s->linear != NULL) SUNLinSolFree(s->linear);
    if (s->matrix != NULL) SUNMatDestroy(s->matrix);
    if (s->tolerances != NULL) N_VDestroy(s->tolerances);
    if (s->between != NULL) N_VDestroy(s->between);
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
    return m_slope(t, y, dydt, &f->model);
}

static int indicators(double t, N_Vector y, double *values, void *user)
{
    fmu *f = user;
    return m_root_functions(t, y, values, &f->model);
}

#if M_JACOBIAN_ENTRIES > 0
static int fill(double t, N_Vector y, N_Vector dydt, SUNMatrix matrix, void *user, N_Vector a, N_Vector b, N_Vector c)
{
    fmu *f = user;
    double entries[M_JACOBIAN_ENTRIES], states[M_STATES];
    for (int i = 0; i < M_STATES; i++) states[m_solver_order[i]] = NV_Ith_S(y, i);
    (void)dydt;
    (void)a;
    (void)b;
    (void)c;
    if (m_jacobian(&f->model, t, states, entries) != M_OK) return 1;
    SUNMatZero(matrix);
    for (int k = 0; k < M_JACOBIAN_ENTRIES; k++) {
        ENTRY(matrix, m_solver_place[m_jacobian_rows[k]], m_solver_place[m_jacobian_columns[k]]) = entries[k];
    }
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
