/* Many runs of the double pendulum as one writes them by hand with CVODE: BDF, Newton's method with a dense matrix by
   differences, one solver for all runs. Angles are measured from the x axis, the second one from the first rod. */
#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

typedef struct { double m, d; } Data;

static const double g = 9.80665, r = 0.25, l = 0.5;

static int slope(double t, N_Vector y, N_Vector ydot, void *user)
{
  const Data *p = user;
  const double *x = N_VGetArrayPointer(y);
  double *out = N_VGetArrayPointer(ydot);
  const double m = p->m, own = m / 12 * (l * l + 0.06 * 0.06), w1 = x[2], w = x[2] + x[3];
  const double c = cos(x[1]), s = sin(x[1]), first = cos(x[0]), second = cos(x[0] + x[1]);
  const double a = own + m * r * r, coupled = m * l * r * c;
  const double m22 = a, m12 = a + coupled, m11 = 2 * a + m * l * l + 2 * coupled;
  const double spin = m * l * r * s;
  const double f2 = -m * g * r * second - spin * w1 * w1;
  const double f1 = -m * g * (r + l) * first - m * g * r * second + spin * (w * w - w1 * w1) - p->d * w1;
  const double det = m11 * m22 - m12 * m12;
  (void)t;
  out[0] = x[2];
  out[1] = x[3];
  out[2] = (m22 * f1 - m12 * f2) / det;
  out[3] = (m11 * f2 - m12 * f1) / det;
  return 0;
}

/* Final angles of each run, rows of 2 in `final`, by `rows` output times up to `stop`; the steps of all runs, negative
   where one has failed. */
long runs(int count, const double *m, const double *d, double stop, int rows, double relative, double absolute,
          double *final)
{
  SUNContext context;
  Data p;
  double t;
  long steps = 0, taken;
  SUNContext_Create(SUN_COMM_NULL, &context);
  N_Vector y = N_VNew_Serial(4, context);
  SUNMatrix matrix = SUNDenseMatrix(4, 4, context);
  SUNLinearSolver solver = SUNLinSol_Dense(y, matrix, context);
  void *cvode = CVodeCreate(CV_BDF, context);
  N_VConst(0.0, y);
  CVodeInit(cvode, slope, 0.0, y);
  CVodeSStolerances(cvode, relative, absolute);
  CVodeSetLinearSolver(cvode, solver, matrix);
  CVodeSetUserData(cvode, &p);
  CVodeSetMaxNumSteps(cvode, 100000);
  for (int i = 0; i < count; i++) {
    p.m = m[i];
    p.d = d[i];
    N_VConst(0.0, y);
    CVodeReInit(cvode, 0.0, y);
    for (int row = 1; row <= rows; row++)
      if (CVode(cvode, stop * row / rows, y, &t, CV_NORMAL) < 0) return -1;
    CVodeGetNumSteps(cvode, &taken);
    steps += taken;
    final[2 * i] = N_VGetArrayPointer(y)[0];
    final[2 * i + 1] = N_VGetArrayPointer(y)[1];
  }
  CVodeFree(&cvode);
  SUNLinSolFree(solver);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return steps;
}
