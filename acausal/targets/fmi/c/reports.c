/* Model Exchange with delays: the steps that the importer completes become their history. */

#if FMU_DELAYS > 0
static fmu_status judged_delays(fmu *f, int status)
{
    return status == M_CHANGED_DELAY ? fail(f, "the time of a delay has changed during the run") : judged(f, status);
}
#endif

/* The point where the instance is. */
static fmu_status report_step(fmu *f, bool is_event)
{
#if FMU_DELAYS > 0
    if (f->is_co_simulation) return FMU_OK;
    fmu_status status = compute_rates(f);
    if (status > FMU_WARNING) return status;
    int found = m_report_point(&f->model, f->head.time, f->rates, f->head.tolerance, is_event);
    status = judged_delays(f, found);
    if (status > FMU_WARNING) return status == FMU_DISCARD ? fail(f, "what is delayed has no solution") : status;
#endif
    (void)f;
    (void)is_event;
    return FMU_OK;
}

/* The event where the instance is. */
static fmu_status event_of_model(fmu *f, m_event_info *info)
{
#if FMU_DELAYS > 0
    const acausal_ReportedSteps *r = &f->model.reports;
    bool is_jump = f->is_co_simulation || f->head.has_jumped;
    f->head.has_jumped = 0;
    int status = m_reported_event(&f->model, f->head.time, info, is_jump, f->head.tolerance);
    if (r->points == 0 && r->error_before > FMU_MUCH) {
        report(f, FMU_WARNING, LOG_WARNING, "t = %.10g: between the reported steps the error of what is delayed is some "
               "%.2g times the tolerance: report each step of the solver, or choose a shorter output interval",
               f->head.time, r->error_before);
    }
    return judged_delays(f, status);
#else
    return judged(f, m_event(&f->model, f->head.time, info));
#endif
}
