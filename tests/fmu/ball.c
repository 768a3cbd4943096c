/* A ball that bounces, is kicked at t = 1 and pushed by the input f: an FMU of our own for FMI 2 or, with -DFMI3, 3.
   Value references: 1 h, 2 der(h), 3 v, 4 der(v), 5 g, 6 e, 7 f, 8 bounces, 9 energy, 10 fault, 11 kick, 12 pushed.
   fault: 1 crash, 2 hang, 3 exit, 4 error, all once t > 0.5; 5 no instance.
   6 stops the ball at the first completed step behind t = 0.3, of which none may be missed for more than 0.01 s; 7 ends. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { double t, r[16]; double last; long bounces, fault; int asked; bool kicked, cs; } M;

static int bad(M *m)
{
    if (m->t <= 0.5 || m->fault == 0) return 0;
    if (m->fault == 1) abort();
    if (m->fault == 2) for (;;) {}
    if (m->fault == 3) exit(7);
    return m->fault == 4 ? 3 : 0;
}

static M *make(bool cs)
{
    M *m = calloc(1, sizeof(M));
    m->cs = cs; m->r[1] = 1; m->r[5] = -9.81; m->r[6] = 0.7; m->r[11] = 1;
    return m;
}

static double value(M *m, unsigned i)
{
    if (i == 2) return m->r[3];
    if (i == 4) return m->r[5] + m->r[7];
    if (i == 9) return m->r[3] * m->r[3] / 2 - m->r[5] * m->r[1];
    return m->r[i];
}

static bool update(M *m)
{
    bool changed = false;
    if (m->asked == 1) { m->asked = 2; m->r[3] = 0; changed = true; }
    if (m->r[1] <= 0 && m->r[3] < 0) { m->r[1] = 0; m->r[3] *= -m->r[6]; m->bounces++; changed = true; }
    if (m->t >= 1 && !m->kicked) { m->kicked = true; m->r[3] += m->r[11]; changed = true; }
    return changed;
}

static int step(M *m, double end)
{
    while (m->t < end) {
        double d = fmin(1e-4, end - m->t), a = m->r[5] + m->r[7];
        m->r[1] += d * m->r[3] + d * d / 2 * a;
        m->r[3] += d * a;
        m->t += d;
        if (bad(m)) return 3;
        update(m);
    }
    m->t = end;
    return 0;
}

#ifdef FMI3
#define N(name) fmi3##name
typedef bool B;
#define COUNT , size_t nv
#else
#define N(name) fmi2##name
typedef int B;
#define COUNT
#endif
typedef const uint32_t *R;

void N(FreeInstance)(M *m) { free(m); }
int N(EnterEventMode)(M *m) { (void)m; return 0; }
int N(EnterContinuousTimeMode)(M *m) { (void)m; return 0; }
int N(ExitInitializationMode)(M *m) { (void)m; return 0; }
int N(SetTime)(M *m, double t) { m->t = t; return 0; }
int N(SetContinuousStates)(M *m, const double *x, size_t n) { (void)n; m->r[1] = x[0]; m->r[3] = x[1]; return 0; }
int N(GetContinuousStates)(M *m, double *x, size_t n) { (void)n; x[0] = m->r[1]; x[1] = m->r[3]; return 0; }
int N(GetEventIndicators)(M *m, double *z, size_t n) { (void)n; z[0] = m->r[1] + (m->r[1] == 0 && m->r[3] > 0 ? 1e-300 : 0); return 0; }
int N(CompletedIntegratorStep)(M *m, B no, B *e, B *s)
{
    (void)no;
    if (m->fault == 6 && (m->t < m->last || m->t > m->last + 0.0101)) return 3;
    m->last = m->t;
    if (m->fault == 6 && m->t > 0.3 && m->asked == 0) m->asked = 1;
    *e = m->asked == 1;
    *s = m->fault == 7 && m->t > 0.3;
    return 0;
}

#ifdef FMI3
#define STATE(name) fmi3##name##FMUState
#else
#define STATE(name) fmi2##name##FMUstate
#endif
int STATE(Get)(M *m, void **s) { if (!*s) *s = malloc(sizeof(M)); memcpy(*s, m, sizeof(M)); return 0; }
int STATE(Set)(M *m, void *s) { memcpy(m, s, sizeof(M)); return 0; }
int STATE(Free)(M *m, void **s) { (void)m; free(*s); *s = NULL; return 0; }

static int get(M *m, R vr, size_t n, double *v) { for (size_t i = 0; i < n; i++) v[i] = value(m, vr[i]); return bad(m); }
static int set(M *m, R vr, size_t n, const double *v) { for (size_t i = 0; i < n; i++) m->r[vr[i]] = v[i]; return 0; }

#ifdef FMI3
typedef int64_t I;
int fmi3GetFloat64(M *m, R vr, size_t n, double *v, size_t nv) { (void)nv; return get(m, vr, n, v); }
int fmi3SetFloat64(M *m, R vr, size_t n, const double *v, size_t nv) { (void)nv; return set(m, vr, n, v); }
int fmi3GetInt64(M *m, R vr, size_t n, I *v, size_t nv)
#else
typedef int I;
int fmi2GetReal(M *m, R vr, size_t n, double *v) { return get(m, vr, n, v); }
int fmi2SetReal(M *m, R vr, size_t n, const double *v) { return set(m, vr, n, v); }
int fmi2GetInteger(M *m, R vr, size_t n, I *v)
#endif
{
#ifdef FMI3
    (void)nv;
#endif
    for (size_t i = 0; i < n; i++) v[i] = (I)(vr[i] == 8 ? m->bounces : m->fault);
    return 0;
}

#ifdef FMI3
int fmi3SetInt64(M *m, R vr, size_t n, const I *v, size_t nv) { (void)vr; (void)n; (void)nv; m->fault = v[0]; return 0; }
int fmi3GetBoolean(M *m, R vr, size_t n, B *v, size_t nv)
{
    (void)vr; (void)nv;
#else
int fmi2SetInteger(M *m, R vr, size_t n, const I *v) { (void)vr; (void)n; m->fault = v[0]; return 0; }
int fmi2GetBoolean(M *m, R vr, size_t n, B *v)
{
    (void)vr;
#endif
    for (size_t i = 0; i < n; i++) v[i] = m->kicked;
    return 0;
}

/* Derivative of a rate, the energy or a state by a state or the input. */
static double slope(M *m, unsigned of, unsigned by)
{
    if (of == 2) return by == 3;
    if (of == 4) return by == 7;
    if (of == 9) return by == 3 ? m->r[3] : by == 1 ? -m->r[5] : 0;
    return of == by;
}

#ifdef FMI3
int fmi3GetDirectionalDerivative(M *m, const unsigned *z, size_t nz, const unsigned *x, size_t nx, const double *s,
                                 size_t ns, double *d, size_t nd)
{
    if (ns != nx || nd != nz) return 3;
#else
int fmi2GetDirectionalDerivative(M *m, const unsigned *z, size_t nz, const unsigned *x, size_t nx, const double *s, double *d)
{
#endif
    for (size_t i = 0; i < nz; i++) {
        d[i] = 0;
        for (size_t k = 0; k < nx; k++) d[i] += s[k] * slope(m, z[i], x[k]);
    }
    return bad(m);
}

static int rates(M *m, double *d) { d[0] = value(m, 2); d[1] = value(m, 4); return bad(m); }

#ifdef FMI3
int fmi3GetContinuousStateDerivatives(M *m, double *d, size_t n) { (void)n; return rates(m, d); }
M *fmi3InstantiateModelExchange(const char *n, const char *t, const char *r, B v, B l, void *e, void *log)
{
    (void)n; (void)t; (void)r; (void)v; (void)l; (void)e; (void)log;
    return make(false);
}
M *fmi3InstantiateCoSimulation(const char *n, const char *t, const char *r, B v, B l, B e, B y, R q, size_t k, void *env,
                               void *log, void *u)
{
    (void)n; (void)t; (void)r; (void)v; (void)l; (void)e; (void)y; (void)q; (void)k; (void)env; (void)log; (void)u;
    return make(true);
}
int fmi3EnterInitializationMode(M *m, B a, double tol, double start, B b, double stop)
{
    (void)a; (void)tol; (void)b; (void)stop;
    m->t = start;
    return 0;
}
int fmi3UpdateDiscreteStates(M *m, B *again, B *ends, B *nominals, B *states, B *defined, double *next)
{
    *states = update(m); *again = *ends = *nominals = false; *defined = !m->kicked; *next = 1;
    return 0;
}
int fmi3DoStep(M *m, double t, double h, B no, B *event, B *ends, B *early, double *last)
{
    (void)no; *event = *early = false; *last = t + h;
    const int status = step(m, t + h);
    *ends = m->fault == 7 && m->t > 0.3;
    return status;
}
#else
typedef struct { B again, ends, nominals, states, defined; double next; } Info;
int fmi2GetDerivatives(M *m, double *d, size_t n) { (void)n; return rates(m, d); }
M *fmi2Instantiate(const char *n, int kind, const char *t, const char *r, const void *c, B v, B l)
{
    (void)n; (void)t; (void)r; (void)c; (void)v; (void)l;
    return make(kind == 1);
}
int fmi2SetupExperiment(M *m, B a, double tol, double start, B b, double stop)
{
    (void)a; (void)tol; (void)b; (void)stop;
    m->t = start;
    return 0;
}
int fmi2EnterInitializationMode(M *m) { (void)m; return 0; }
int fmi2NewDiscreteStates(M *m, Info *i)
{
    i->states = update(m); i->again = i->ends = i->nominals = 0; i->defined = !m->kicked; i->next = 1;
    return 0;
}
int fmi2DoStep(M *m, double t, double h, B no)
{
    (void)no;
    const int status = step(m, t + h);
    return m->fault == 7 && m->t > 0.3 ? 2 : status;
}
int fmi2GetBooleanStatus(M *m, int kind, B *value) { *value = kind == 3 && m->fault == 7 && m->t > 0.3; return 0; }
#endif
