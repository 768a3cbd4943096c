/* Model Exchange with delays: the history goes on with the steps that the importer completes. */

/* Times between reports are limited where the importer's own steps are longer than polynomials through them allow. */
static double next_time_of(const fmu *f)
{
#if FMU_DELAYS > 0
    if (!f->is_co_simulation) return fmin(f->model.next_time, f->head.time + f->model.reports.longest);
#endif
    return f->model.next_time;
}

/* A parameter is about to change at an event: what has been delayed up to now has the old one. */
static void complete_history(fmu *f)
{
#if FMU_DELAYS > 0
    if (f->head.mode == FMU_EVENT) (void)m_complete_reports(&f->model, f->head.tolerance);
#endif
    (void)f;
}

static void begin_history(fmu *f)
{
#if FMU_DELAYS > 0
    if (!f->is_co_simulation) m_begin_reports(&f->model);
#endif
    (void)f;
}

