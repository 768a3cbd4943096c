/* The functions of FMI 2.0. */

#define ALL_MODES (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED | FMU_FAILED)
#define READABLE (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED | FMU_FAILED)
#define CHECK(function, modes) \
    fmu *f = c; \
    if (!is_legal(f, function, modes)) return fmi2Error
#define NEED(pointer, count) \
    if ((pointer) == NULL && (count) > 0) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "an argument is NULL")

static void log2_(fmu *f, fmu_status status, int category, const char *text)
{
    const fmi2CallbackFunctions *functions = f->callbacks;
    char safe[2048];
    size_t n = 0;
    for (; *text != '\0' && n + 3 < sizeof safe; text++) {   /* the text is a format */
        if (*text == '%') safe[n++] = '%';
        safe[n++] = *text;
    }
    safe[n] = '\0';
    functions->logger(f->environment, f->name, (fmi2Status)status, fmu_categories[category], safe);
}

const char *fmi2GetTypesPlatform(void) { return fmi2TypesPlatform; }
const char *fmi2GetVersion(void) { return fmi2Version; }

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean loggingOn, size_t nCategories, const fmi2String categories[])
{
    CHECK("fmi2SetDebugLogging", ALL_MODES);
    NEED(categories, nCategories);
    fmi2Status status = fmi2OK;
    if (nCategories == 0) {
        for (int i = 0; i < LOG_CATEGORIES; i++) f->is_logging[i] = loggingOn;
    }
    for (size_t k = 0; k < nCategories; k++) {
        bool found = strcmp(categories[k], "logAll") == 0;
        for (int i = 0; i < LOG_CATEGORIES; i++) {
            if (strcmp(categories[k], "logAll") == 0 || strcmp(categories[k], fmu_categories[i]) == 0) {
                f->is_logging[i] = loggingOn;
                found = true;
            }
        }
        if (!found) status = (fmi2Status)report(f, FMU_WARNING, LOG_WARNING, "unknown category %s", categories[k]);
    }
    return status;
}

fmi2Component fmi2Instantiate(fmi2String instanceName, fmi2Type fmuType, fmi2String fmuGUID,
                              fmi2String fmuResourceLocation, const fmi2CallbackFunctions *functions,
                              fmi2Boolean visible, fmi2Boolean loggingOn)
{
    (void)fmuResourceLocation;
    (void)visible;
    if (functions == NULL || functions->logger == NULL) return NULL;
    const char *wrong = NULL;
    if (instanceName == NULL || instanceName[0] == '\0') wrong = "the name of the instance is missing";
    else if (fmuGUID == NULL || strcmp(fmuGUID, FMU_TOKEN) != 0) wrong = "the GUID is not that of this FMU";
    else if (fmuType == fmi2CoSimulation ? !FMU_CO_SIMULATION : !FMU_MODEL_EXCHANGE) wrong = "the FMU does not have this interface";
    fmu *f = wrong != NULL ? NULL : instantiate(instanceName, fmuGUID, fmuType == fmi2CoSimulation, loggingOn);
    if (f == NULL) {
        functions->logger(functions->componentEnvironment, instanceName == NULL ? "?" : instanceName, fmi2Error,
                          "logStatusError", wrong != NULL ? wrong : "out of memory");
        return NULL;
    }
    f->callbacks = functions;
    f->environment = functions->componentEnvironment;
    f->log = log2_;
    return f;
}

void fmi2FreeInstance(fmi2Component c) { release(c); }

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
                               fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
    CHECK("fmi2SetupExperiment", FMU_INSTANTIATED);
    if (stopTimeDefined && !(stopTime >= startTime)) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "the stop time is before the start time");
    enter_initialization(f, startTime, stopTimeDefined, stopTime, toleranceDefined, tolerance);
    f->head.mode = FMU_INSTANTIATED;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c)
{
    CHECK("fmi2EnterInitializationMode", FMU_INSTANTIATED);
    f->head.mode = FMU_INITIALIZATION;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c)
{
    CHECK("fmi2ExitInitializationMode", FMU_INITIALIZATION);
    return (fmi2Status)exit_initialization(f, f->is_co_simulation ? FMU_STEP : FMU_EVENT);
}

fmi2Status fmi2Terminate(fmi2Component c)
{
    CHECK("fmi2Terminate", FMU_EVENT | FMU_CONTINUOUS | FMU_STEP);
    f->head.mode = FMU_TERMINATED;
    return fmi2OK;
}

fmi2Status fmi2Reset(fmi2Component c)
{
    CHECK("fmi2Reset", ALL_MODES);
    return (fmi2Status)reset(f);
}

/* ------------------------------------------------------------ values */

#define GETTER(Name, Type, kind, convert) \
    fmi2Status fmi2Get##Name(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, Type value[]) \
    { \
        CHECK("fmi2Get" #Name, READABLE); \
        NEED(vr, nvr); \
        NEED(value, nvr); \
        for (size_t i = 0; i < nvr; i++) { \
            const fmu_variable *v = variable_of(f, vr[i], kind); \
            if (v == NULL) return fmi2Error; \
            fmu_status status = make_ready(f, v); \
            if (status > FMU_WARNING) return (fmi2Status)status; \
            double x = value_at(f, &fmu_places[v->first]); \
            (void)x; \
            value[i] = (convert); \
        } \
        return fmi2OK; \
    }

GETTER(Real, fmi2Real, FMU_REAL, x)
GETTER(Integer, fmi2Integer, FMU_INTEGER, (fmi2Integer)nearbyint(x))
GETTER(Boolean, fmi2Boolean, FMU_BOOLEAN, x != 0.0 ? fmi2True : fmi2False)
GETTER(String, fmi2String, FMU_STRING, fmu_texts[fmu_places[v->first].position])

#define SETTER(Name, Type, kind) \
    fmi2Status fmi2Set##Name(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const Type value[]) \
    { \
        CHECK("fmi2Set" #Name, FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP); \
        NEED(vr, nvr); \
        NEED(value, nvr); \
        for (size_t i = 0; i < nvr; i++) { \
            const fmu_variable *v = variable_of(f, vr[i], kind); \
            if (v == NULL) return fmi2Error; \
            fmu_status status = set_variable(f, v, &fmu_places[v->first], (double)value[i]); \
            if (status > FMU_WARNING) return (fmi2Status)status; \
        } \
        return fmi2OK; \
    }

SETTER(Real, fmi2Real, FMU_REAL)
SETTER(Integer, fmi2Integer, FMU_INTEGER)

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2Boolean value[])
{
    CHECK("fmi2SetBoolean", FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP);
    NEED(vr, nvr);
    NEED(value, nvr);
    for (size_t i = 0; i < nvr; i++) {
        const fmu_variable *v = variable_of(f, vr[i], FMU_BOOLEAN);
        if (v == NULL) return fmi2Error;
        fmu_status status = set_variable(f, v, &fmu_places[v->first], value[i] ? 1.0 : 0.0);
        if (status > FMU_WARNING) return (fmi2Status)status;
    }
    return fmi2OK;
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[])
{
    CHECK("fmi2SetString", FMU_INSTANTIATED | FMU_INITIALIZATION);
    (void)vr;
    (void)value;
    return nvr == 0 ? fmi2OK : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "strings are constant");
}

/* ------------------------------------------------------------ the state as a whole */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    CHECK("fmi2GetFMUstate", ALL_MODES);
    NEED(FMUstate, 1);
    fmu_snapshot *s = *FMUstate != NULL ? *FMUstate : malloc(sizeof *s);
    if (s == NULL) return (fmi2Status)fail(f, "out of memory");
    save(f, s);
    *FMUstate = s;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate FMUstate)
{
    CHECK("fmi2SetFMUstate", ALL_MODES);
    NEED(FMUstate, 1);
    restore(f, FMUstate);
    return fmi2OK;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate *FMUstate)
{
    CHECK("fmi2FreeFMUstate", ALL_MODES);
    if (FMUstate == NULL) return fmi2OK;
    free(*FMUstate);
    *FMUstate = NULL;
    return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate FMUstate, size_t *size)
{
    CHECK("fmi2SerializedFMUstateSize", ALL_MODES);
    NEED(size, 1);
    (void)FMUstate;
    *size = serialized_size();
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate FMUstate, fmi2Byte serializedState[], size_t size)
{
    CHECK("fmi2SerializeFMUstate", ALL_MODES);
    NEED(FMUstate, 1);
    NEED(serializedState, 1);
    if (size < serialized_size()) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "too few bytes for the state");
    serialize(FMUstate, (unsigned char *)serializedState);
    return fmi2OK;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte serializedState[], size_t size, fmi2FMUstate *FMUstate)
{
    CHECK("fmi2DeSerializeFMUstate", ALL_MODES);
    NEED(serializedState, 1);
    NEED(FMUstate, 1);
    fmu_snapshot *s = *FMUstate != NULL ? *FMUstate : malloc(sizeof *s);
    if (s == NULL) return (fmi2Status)fail(f, "out of memory");
    *FMUstate = s;
    if (!deserialize((const unsigned char *)serializedState, size, s)) {
        return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "these bytes are no state of this FMU");
    }
    return fmi2OK;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference vUnknown_ref[], size_t nUnknown,
                                        const fmi2ValueReference vKnown_ref[], size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[])
{
    CHECK("fmi2GetDirectionalDerivative", FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED);
    NEED(vUnknown_ref, nUnknown);
    NEED(vKnown_ref, nKnown);
    NEED(dvKnown, nKnown);
    NEED(dvUnknown, nUnknown);
    const fmu_place **places = calloc(nUnknown + nKnown + 1, sizeof *places);
    if (places == NULL) return (fmi2Status)fail(f, "out of memory");
    fmu_status status = FMU_OK;
    for (size_t i = 0; i < nKnown + nUnknown && status == FMU_OK; i++) {
        const fmu_variable *v = variable_of(f, i < nKnown ? vKnown_ref[i] : vUnknown_ref[i - nKnown], FMU_REAL);
        if (v == NULL) status = FMU_ERROR;
        else places[i] = &fmu_places[v->first];
    }
    if (status == FMU_OK) status = differentiate(f, places, nKnown, dvKnown, places + nKnown, nUnknown, dvUnknown);
    free(places);
    return (fmi2Status)status;
}

/* ------------------------------------------------------------ Model Exchange */

fmi2Status fmi2EnterEventMode(fmi2Component c)
{
    CHECK("fmi2EnterEventMode", FMU_CONTINUOUS | FMU_EVENT);
    f->head.mode = FMU_EVENT;
    f->head.is_event_due = 1;
    return fmi2OK;
}

fmi2Status fmi2NewDiscreteStates(fmi2Component c, fmi2EventInfo *info)
{
    CHECK("fmi2NewDiscreteStates", FMU_EVENT);
    NEED(info, 1);
    bool moved = false;
    fmu_status status = f->head.is_event_due ? do_event(f, &moved) : prepare(f);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = f->head.is_terminated ? fmi2True : fmi2False;
    info->nominalsOfContinuousStatesChanged = fmi2False;
    info->valuesOfContinuousStatesChanged = moved ? fmi2True : fmi2False;
    info->nextEventTimeDefined = f->head.next_time < INFINITY ? fmi2True : fmi2False;
    info->nextEventTime = f->head.next_time < INFINITY ? f->head.next_time : 0.0;
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component c)
{
    CHECK("fmi2EnterContinuousTimeMode", FMU_EVENT);
    f->head.mode = FMU_CONTINUOUS;
    return fmi2OK;
}

fmi2Status fmi2CompletedIntegratorStep(fmi2Component c, fmi2Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi2Boolean *enterEventMode, fmi2Boolean *terminateSimulation)
{
    CHECK("fmi2CompletedIntegratorStep", FMU_CONTINUOUS);
    NEED(enterEventMode, 1);
    NEED(terminateSimulation, 1);
    (void)noSetFMUStatePriorToCurrentPoint;
    fmu_status status = complete_step(f);
    *enterEventMode = fmi2False;
    *terminateSimulation = f->head.is_terminated ? fmi2True : fmi2False;
    return (fmi2Status)status;
}

fmi2Status fmi2SetTime(fmi2Component c, fmi2Real time)
{
    CHECK("fmi2SetTime", FMU_CONTINUOUS | FMU_EVENT);
    if (time != f->head.time) make_due(f);
    f->head.time = time;
    return fmi2OK;
}

fmi2Status fmi2SetContinuousStates(fmi2Component c, const fmi2Real x[], size_t nx)
{
    CHECK("fmi2SetContinuousStates", FMU_CONTINUOUS | FMU_EVENT);
    NEED(x, nx);
    if (nx != M_STATES) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are %d states", (int)M_STATES);
    for (size_t i = 0; i < nx; i++) f->model.y[fmu_state_order[i]] = x[i];
    make_due(f);
    return fmi2OK;
}

fmi2Status fmi2GetContinuousStates(fmi2Component c, fmi2Real x[], size_t nx)
{
    CHECK("fmi2GetContinuousStates", READABLE);
    NEED(x, nx);
    if (nx != M_STATES) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are %d states", (int)M_STATES);
    fmu_status status = prepare(f);
    for (size_t i = 0; i < nx; i++) x[i] = f->model.y[fmu_state_order[i]];
    return (fmi2Status)status;
}

fmi2Status fmi2GetDerivatives(fmi2Component c, fmi2Real derivatives[], size_t nx)
{
    CHECK("fmi2GetDerivatives", READABLE);
    NEED(derivatives, nx);
    if (nx != M_STATES) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are %d states", (int)M_STATES);
    fmu_status status = compute_rates(f);
    for (size_t i = 0; i < nx; i++) derivatives[i] = f->rates[fmu_state_order[i]];
    return (fmi2Status)status;
}

fmi2Status fmi2GetEventIndicators(fmi2Component c, fmi2Real eventIndicators[], size_t ni)
{
    CHECK("fmi2GetEventIndicators", READABLE);
    NEED(eventIndicators, ni);
    if (ni != M_CROSSINGS) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are %d event indicators", (int)M_CROSSINGS);
    fmu_status status = prepare(f);
    if (status > FMU_WARNING || ni == 0) return (fmi2Status)status;
    status = judged(f, m_crossings(&f->model, f->head.time, f->model.y, f->indicators));
    for (size_t i = 0; i < ni; i++) eventIndicators[i] = f->indicators[i];
    return (fmi2Status)status;
}

fmi2Status fmi2GetNominalsOfContinuousStates(fmi2Component c, fmi2Real x_nominal[], size_t nx)
{
    CHECK("fmi2GetNominalsOfContinuousStates", READABLE);
    NEED(x_nominal, nx);
    if (nx != M_STATES) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are %d states", (int)M_STATES);
    for (size_t i = 0; i < nx; i++) x_nominal[i] = nominal_of(f, fmu_state_order[i]);
    return fmi2OK;
}

/* ------------------------------------------------------------ Co-Simulation */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    fmu *f = c;
    (void)vr;
    (void)nvr;
    (void)order;
    (void)value;
    return f == NULL ? fmi2Error : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "inputs are not interpolated");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[])
{
    fmu *f = c;
    (void)vr;
    (void)nvr;
    (void)order;
    (void)value;
    return f == NULL ? fmi2Error : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are no derivatives of outputs");
}

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
    CHECK("fmi2DoStep", FMU_STEP);
    (void)noSetFMUStatePriorToCurrentPoint;
#if FMU_CO_SIMULATION
    bool has_event = false;
    fmu_status status = do_step(f, currentCommunicationPoint, communicationStepSize, &has_event);
    return (fmi2Status)(status <= FMU_WARNING && f->head.is_terminated ? FMU_DISCARD : status);
#else
    (void)currentCommunicationPoint;
    (void)communicationStepSize;
    return fmi2Error;
#endif
}

fmi2Status fmi2CancelStep(fmi2Component c)
{
    CHECK("fmi2CancelStep", FMU_STEP);
    return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "steps are not asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component c, const fmi2StatusKind s, fmi2Status *value)
{
    fmu *f = c;
    (void)s;
    (void)value;
    return f == NULL ? fmi2Error : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, const fmi2StatusKind s, fmi2Real *value)
{
    fmu *f = c;
    if (f == NULL || value == NULL) return fmi2Error;
    if (s != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = f->head.time;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)s;
    (void)value;
    return c == NULL ? fmi2Error : fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, const fmi2StatusKind s, fmi2Boolean *value)
{
    fmu *f = c;
    if (f == NULL || value == NULL) return fmi2Error;
    if (s != fmi2Terminated) return fmi2Discard;
    *value = f->head.is_terminated ? fmi2True : fmi2False;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, const fmi2StatusKind s, fmi2String *value)
{
    (void)s;
    (void)value;
    return c == NULL ? fmi2Error : fmi2Discard;
}
