/* Nominal values and the longest step, by parameters. */

#ifndef M_JACOBIAN_ENTRIES
#define M_JACOBIAN_ENTRIES 0
#endif

/* The nominal value of a state, 0 if it has none. */
static double nominal_or_zero(const fmu *f, int state)
{
#if FMU_STATE_SETS > 1
    int position = fmu_nominals[f->model.sets.number * M_STATES + state];
#else
    int position = fmu_nominals[state];
#endif
    double value = position < 0 ? 0.0 : fabs(f->model.p[position]);
    return value < INFINITY ? value : 0.0;
}

static double nominal_of(const fmu *f, int state)
{
    double value = nominal_or_zero(f, state);
    return value > 0.0 ? value : 1.0;
}
