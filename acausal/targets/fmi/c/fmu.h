/* What FMI 2 and FMI 3 have in common: an instance over the core of the model (m.h), and tables of its variables. */

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { FMU_REAL, FMU_INTEGER, FMU_BOOLEAN, FMU_STRING } fmu_type;

typedef enum {
    FMU_TIME, FMU_STATE, FMU_RATE, FMU_STORED, FMU_PARAMETER, FMU_INPUT, FMU_CONSTANT, FMU_TEXT, FMU_INDICATOR
} fmu_place_kind;

/* When a variable may be set. */
typedef enum { FMU_NEVER, FMU_FIXED, FMU_TUNABLE, FMU_DISCRETE_INPUT, FMU_CONTINUOUS_INPUT } fmu_access;

typedef struct { fmu_place_kind kind; int position; double sign; double value; } fmu_place;
typedef struct { fmu_type type; fmu_access access; int first; int count; } fmu_variable;

/* Conditions: an assertion that holds, a condition to terminate, a variable that is whole, a redundant constraint. */
typedef enum { FMU_ASSERT, FMU_TERMINATE, FMU_WHOLE, FMU_REDUNDANT } fmu_condition_kind;
typedef struct { fmu_condition_kind kind; int position; const char *text; } fmu_condition;

/* States of the instance; those in which a function may be called are a mask. */
enum {
    FMU_INSTANTIATED = 1, FMU_INITIALIZATION = 2, FMU_EVENT = 4, FMU_CONTINUOUS = 8, FMU_STEP = 16,
    FMU_TERMINATED = 32, FMU_FAILED = 64
};

/* Values of fmi2Status and fmi3Status. */
typedef enum { FMU_OK, FMU_WARNING, FMU_DISCARD, FMU_ERROR, FMU_FATAL } fmu_status;
enum { LOG_EVENTS, LOG_WARNING, LOG_DISCARD, LOG_ERROR, LOG_CATEGORIES };

/* All that is saved with the model. */
typedef struct {
    double time;            /* where the instance is */
    double start, stop;     /* stop: infinite if it is not defined */
    double tolerance;
    double next_time;       /* of the next event that is known, infinite if there is none */
    int mode;
    int has_begun;          /* the first instant has been solved */
    int is_setup_due, is_start_due, are_values_due, are_rates_due, is_event_due;
    int is_terminated;      /* the model has asked for the end */
    int has_jumped;         /* an input or a parameter has been set at the event */
#ifdef FMU_BY_STEPS
    int has_point, has_earlier;
    double point_time, earlier_time;
    double point[M_STATES + 1], earlier[M_STATES + 1];   /* where rates were found (way.c) */
#endif
} fmu_head;

typedef struct fmu fmu;

struct fmu {
    m_t model;
    fmu_head head;
    double values[M_VARIABLES + M_CONDITIONS + 1];
    double rates[M_STATES + 1];
    double indicators[FMU_INDICATORS + 1];
    char *name;
    int is_co_simulation;
    int uses_event_mode, may_return_early;
    int is_logging[LOG_CATEGORIES];
    void (*log)(fmu *f, fmu_status status, int category, const char *text);   /* by the version of FMI */
    void *environment;
    const void *callbacks;
    void *logger;
    struct solver *solver;  /* of Co-Simulation */
};

typedef struct { fmu_head head; m_t model; } fmu_snapshot;

static const char *const fmu_categories[LOG_CATEGORIES] = {
    "logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"
};
