/* Rates at points so far from the last one that blocks lose their branch: they are found by points on the way.

   FMI asks an importer to repeat a step whose evaluation is discarded with a smaller one. Some do not: FMPy 0.3.32
   (CVodeSolver.f) goes on without rates, and methods of fixed steps have none that is smaller. So a straight line leads
   from the last point before to where the importer is, in steps in which the solutions of the blocks can be followed. */

#ifdef FMU_BY_STEPS
#define FMU_SHORTEST_WAY (1.0 / 1048576)
#define FMU_MOST_WAYPOINTS 200

/* Where rates were found: the last point, and the one of an earlier time before it. */
static void keep_point(fmu *f)
{
    fmu_head *h = &f->head;
    const int is_later = h->has_point && h->time > h->point_time;
    if (is_later) {
        h->earlier_time = h->point_time;
        memcpy(h->earlier, h->point, sizeof h->earlier);
    }
    h->has_earlier = is_later || (h->has_point && h->has_earlier && h->earlier_time < h->time);
    h->has_point = 1;
    h->point_time = h->time;
    memcpy(h->point, f->model.y, M_STATES * sizeof(double));
}

/* Behind an event the way begins again. */
static void forget_points(fmu *f)
{
    f->head.has_point = f->head.has_earlier = 0;
}

/* Steps become shorter until the solutions contract; the first one predicts nothing but that they stay. */
static int follow_way(fmu *f, double begin, const double *from)
{
    const double end = f->head.time;
    double y[M_STATES + 1], done = 0.0, share = 0.5;
    for (int n = 0; n < FMU_MOST_WAYPOINTS && share >= FMU_SHORTEST_WAY; n++) {
        const double next = done + share < 1.0 ? done + share : 1.0;
        for (int i = 0; i < M_STATES; i++) {
            y[i] = next < 1.0 ? from[i] + next * (f->model.y[i] - from[i]) : f->model.y[i];
        }
        if (m_derivatives(&f->model, next < 1.0 ? begin + next * (end - begin) : end, y, f->rates) != M_OK) {
            share *= 0.5;
        } else if (next == 1.0) {
            return M_OK;
        } else {
            done = next;
            share *= 2.0;
        }
    }
    return M_UNSOLVED;
}

static int rates_by_way(fmu *f)
{
    const fmu_head *h = &f->head;
    const int is_last = h->has_point && h->point_time < h->time;
    const double begin = is_last ? h->point_time : h->earlier_time;
    const double *from = is_last ? h->point : h->earlier;
    if (!is_last && !(h->has_earlier && begin < h->time)) return M_UNSOLVED;
    if (m_derivatives(&f->model, begin, from, f->rates) != M_OK) return M_UNSOLVED;
    f->model.m[FMU_POINTS] = 0.0;         /* these solutions become the only point: others may belong to other states */
    f->model.m[FMU_IS_PREDICTED] = 0.0;
    return follow_way(f, begin, from);
}
#endif

static int find_rates(fmu *f)
{
    int status = m_derivatives(&f->model, f->head.time, f->model.y, f->rates);
#ifdef FMU_BY_STEPS
    if (status == M_UNSOLVED && !f->is_co_simulation) status = rates_by_way(f);
    if (status == M_OK) keep_point(f);
#endif
    return status;
}
