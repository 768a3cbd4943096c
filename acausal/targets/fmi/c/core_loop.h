/* A solver outside, with the functions that the loop over events calls, in place of steps of one length. */
typedef struct m_solver {
    void *memory, *vector, *between;
    double *numbers, *between_there;    /* of the vectors */
    acausal_Solve solve;
    acausal_SetTime set_stop, set_least, set_first;
    acausal_RootInfo root_info;
    acausal_Reinit reinit;
    acausal_Count count_steps, count_jacobians;
    acausal_SetCount set_most_steps;
    acausal_Interpolate interpolate;
} m_solver;
/* What the loop has come to. */
typedef enum { M_AT_GOAL, M_ON_THE_WAY, M_AT_EVENT, M_BEHIND_EVENT } m_place;

/* The state at each place of the solver's vectors, and the place of each state. */
extern const int m_solver_order[];
extern const int m_solver_place[];
/* The length of the run and its relative tolerance, before m_initialize. */
void m_set_run(struct m_t *m, double span, double tolerance);
/* The relative error that a step may make. */
double m_step_tolerance(double tolerance);
/* The solver begins at m->time with the states m->y; NULL without states. */
void m_begin_solver(struct m_t *m, const m_solver *solver);
/* Root functions of the present states. */
int m_crossing_count(const struct m_t *m);
/* Functions that CVODE calls, with N_Vectors. */
int m_slope(double t, void *y, void *slope, struct m_t *m);
int m_root_functions(double t, void *y, double *values, struct m_t *m);
/* To t_end, or to the first event before: it is done, or only reached. No step goes beyond `stop`. */
int m_run(struct m_t *m, double t_end, double stop, int is_event_left, m_place *place);
