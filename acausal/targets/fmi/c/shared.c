/* Functions that FMI 2 and FMI 3 have in common; the macros for names and types are in fmi2.c and fmi3.c. */

#define ALL_MODES (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED | FMU_FAILED)
#define READABLE ALL_MODES
#define WRITABLE (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP)
#define DERIVATIVE_MODES (FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED)
#define NAME_OF(function) #function
#define CHECK(function, modes) \
    fmu *f = instance; \
    if (!is_legal(f, NAME_OF(function), modes)) return (STATUS)FMU_ERROR
#define FAULT(text) return (STATUS)report(f, FMU_ERROR, LOG_ERROR, "%s", text)
#define NEED(pointer, count) \
    if ((pointer) == NULL && (count) > 0) FAULT("an argument is NULL")

STATUS SET_DEBUG_LOGGING(INSTANCE instance, BOOLEAN is_on, size_t count, const STRING categories[])
{
    CHECK(SET_DEBUG_LOGGING, ALL_MODES);
    NEED(categories, count);
    fmu_status status = FMU_OK;
    if (count == 0) {
        for (int i = 0; i < LOG_CATEGORIES; i++) f->is_logging[i] = is_on;
    }
    for (size_t k = 0; k < count; k++) {
        bool is_all = strcmp(categories[k], "logAll") == 0, is_found = is_all;
        for (int i = 0; i < LOG_CATEGORIES; i++) {
            if (!is_all && strcmp(categories[k], fmu_categories[i]) != 0) continue;
            f->is_logging[i] = is_on;
            is_found = true;
        }
        if (!is_found) status = report(f, FMU_WARNING, LOG_WARNING, "unknown category %s", categories[k]);
    }
    return (STATUS)status;
}

void FREE_INSTANCE(INSTANCE instance) { release(instance); }

STATUS TERMINATE(INSTANCE instance)
{
    CHECK(TERMINATE, FMU_EVENT | FMU_CONTINUOUS | FMU_STEP);
    f->head.mode = FMU_TERMINATED;
    return (STATUS)FMU_OK;
}

STATUS RESET(INSTANCE instance)
{
    CHECK(RESET, ALL_MODES);
    return (STATUS)reset(f);
}

/* ------------------------------------------------------------ the state as a whole */

STATUS GET_STATE(INSTANCE instance, STATE *state)
{
    CHECK(GET_STATE, ALL_MODES);
    NEED(state, 1);
    fmu_snapshot *s = *state != NULL ? *state : malloc(sizeof *s);
    if (s == NULL) return (STATUS)fail(f, "out of memory");
    save(f, s);
    *state = s;
    return (STATUS)FMU_OK;
}

STATUS SET_STATE(INSTANCE instance, STATE state)
{
    CHECK(SET_STATE, ALL_MODES);
    NEED(state, 1);
    restore(f, state);
    return (STATUS)FMU_OK;
}

STATUS FREE_STATE(INSTANCE instance, STATE *state)
{
    CHECK(FREE_STATE, ALL_MODES);
    if (state == NULL) return (STATUS)FMU_OK;
    free(*state);
    *state = NULL;
    return (STATUS)FMU_OK;
}

STATUS STATE_SIZE(INSTANCE instance, STATE state, size_t *size)
{
    CHECK(STATE_SIZE, ALL_MODES);
    NEED(size, 1);
    (void)state;
    *size = serialized_size();
    return (STATUS)FMU_OK;
}

STATUS SERIALIZE(INSTANCE instance, STATE state, BYTE bytes[], size_t size)
{
    CHECK(SERIALIZE, ALL_MODES);
    NEED(state, 1);
    NEED(bytes, 1);
    if (size < serialized_size()) FAULT("too few bytes for the state");
    serialize(state, (unsigned char *)bytes);
    return (STATUS)FMU_OK;
}

STATUS DESERIALIZE(INSTANCE instance, const BYTE bytes[], size_t size, STATE *state)
{
    CHECK(DESERIALIZE, ALL_MODES);
    NEED(bytes, 1);
    NEED(state, 1);
    fmu_snapshot *s = *state != NULL ? *state : malloc(sizeof *s);
    if (s == NULL) return (STATUS)fail(f, "out of memory");
    *state = s;
    if (!deserialize((const unsigned char *)bytes, size, s)) FAULT("these bytes are no state of this FMU");
    return (STATUS)FMU_OK;
}

/* ------------------------------------------------------------ Model Exchange */

STATUS COMPLETED_STEP(INSTANCE instance, BOOLEAN is_final, BOOLEAN *enter_event_mode, BOOLEAN *terminate)
{
    CHECK(COMPLETED_STEP, FMU_CONTINUOUS);
    NEED(enter_event_mode, 1);
    NEED(terminate, 1);
    (void)is_final;
    fmu_status status = complete_step(f);
    *enter_event_mode = status <= FMU_WARNING && are_states_due(f);
    *terminate = f->head.is_terminated != 0;
    return (STATUS)status;
}

STATUS SET_TIME(INSTANCE instance, double time)
{
    CHECK(SET_TIME, FMU_CONTINUOUS | FMU_EVENT);
    if (time != f->head.time) make_due(f);
    f->head.time = time;
    return (STATUS)FMU_OK;
}

STATUS SET_STATES(INSTANCE instance, const double states[], size_t count)
{
    CHECK(SET_STATES, FMU_CONTINUOUS | FMU_EVENT);
    NEED(states, count);
    if (count != M_STATES) FAULT("this is not the number of states");
    for (size_t i = 0; i < count; i++) f->model.y[fmu_state_order[i]] = states[i];
    make_due(f);
    return (STATUS)FMU_OK;
}

STATUS GET_STATES(INSTANCE instance, double states[], size_t count)
{
    CHECK(GET_STATES, READABLE);
    NEED(states, count);
    if (count != M_STATES) FAULT("this is not the number of states");
    fmu_status status = prepare(f);
    for (size_t i = 0; i < count; i++) states[i] = f->model.y[fmu_state_order[i]];
    return (STATUS)status;
}

STATUS GET_RATES(INSTANCE instance, double rates[], size_t count)
{
    CHECK(GET_RATES, READABLE);
    NEED(rates, count);
    if (count != M_STATES) FAULT("this is not the number of states");
    fmu_status status = compute_rates(f);
    for (size_t i = 0; i < count; i++) rates[i] = f->rates[fmu_state_order[i]];
    return (STATUS)status;
}

STATUS GET_INDICATORS(INSTANCE instance, double values[], size_t count)
{
    CHECK(GET_INDICATORS, READABLE);
    NEED(values, count);
    if (count != FMU_INDICATORS) FAULT("this is not the number of event indicators");
    fmu_status status = count == 0 ? prepare(f) : find_indicators(f);
    for (size_t i = 0; i < count; i++) values[i] = f->indicators[i];
    return (STATUS)status;
}

STATUS GET_NOMINALS(INSTANCE instance, double nominals[], size_t count)
{
    CHECK(GET_NOMINALS, READABLE);
    NEED(nominals, count);
    if (count != M_STATES) FAULT("this is not the number of states");
    for (size_t i = 0; i < count; i++) nominals[i] = nominal_of(f, fmu_state_order[i]);
    return (STATUS)FMU_OK;
}

/* ------------------------------------------------------------ elements of values */

static void put_real(void *values, size_t i, double x, const fmu_place *place)
{
    (void)place;
    ((double *)values)[i] = x;
}

static void put_integer(void *values, size_t i, double x, const fmu_place *place)
{
    (void)place;
    ((INTEGER *)values)[i] = (INTEGER)nearbyint(x);
}

static void put_boolean(void *values, size_t i, double x, const fmu_place *place)
{
    (void)place;
    ((BOOLEAN *)values)[i] = x != 0.0;
}

static void put_string(void *values, size_t i, double x, const fmu_place *place)
{
    (void)x;
    ((STRING *)values)[i] = fmu_texts[place->position];
}

static double take_real(const void *values, size_t i) { return ((const double *)values)[i]; }
static double take_integer(const void *values, size_t i) { return (double)((const INTEGER *)values)[i]; }
static double take_boolean(const void *values, size_t i) { return ((const BOOLEAN *)values)[i] ? 1.0 : 0.0; }
