/* Messages of an instance, and whether a function may be called. */

static fmu_status report(fmu *f, fmu_status status, int category, const char *format, ...)
{
    char text[1024];
    va_list given;
    if (!f->is_logging[category] || f->log == NULL) return status;
    va_start(given, format);
    vsnprintf(text, sizeof text, format, given);
    va_end(given);
    f->log(f, status, category, text);
    return status;
}

static fmu_status fail(fmu *f, const char *text)
{
    f->head.mode = FMU_FAILED;
    return report(f, FMU_ERROR, LOG_ERROR, "%s", text);
}

/* The status of the core as that of FMI: what a smaller step may avoid is discarded. */
static fmu_status judged(fmu *f, int status)
{
    if (status == M_OK) return FMU_OK;
    if (status == M_TERMINATED) {
        f->head.is_terminated = 1;
        report(f, FMU_OK, LOG_EVENTS, "t = %.17g: %s", f->head.time, m_explain(&f->model));
        return FMU_OK;
    }
    if ((status == M_UNSOLVED || status == M_NOT_FINITE) && f->head.has_begun) {
        return report(f, FMU_DISCARD, LOG_DISCARD, "t = %.17g: %s", f->head.time, m_explain(&f->model));
    }
    report(f, FMU_ERROR, LOG_ERROR, "t = %.17g: %s", f->head.time, m_explain(&f->model));
    f->head.mode = FMU_FAILED;
    return FMU_ERROR;
}

/* True if a function may be called now. */
static bool is_legal(fmu *f, const char *function, int modes)
{
    if (f == NULL) return false;
    if (f->head.mode & modes) return true;
    report(f, FMU_ERROR, LOG_ERROR, "%s: not allowed in this state of the instance", function);
    return false;
}

static void make_due(fmu *f)
{
    f->head.are_values_due = f->head.are_rates_due = 1;
}
