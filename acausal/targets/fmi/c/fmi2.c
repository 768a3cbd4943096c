/* The functions of FMI 2.0. */

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

fmi2Status fmi2SetupExperiment(fmi2Component instance, fmi2Boolean toleranceDefined, fmi2Real tolerance, fmi2Real startTime,
                               fmi2Boolean stopTimeDefined, fmi2Real stopTime)
{
    CHECK(fmi2SetupExperiment, FMU_INSTANTIATED);
    if (stopTimeDefined && !(stopTime >= startTime)) return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "the stop time is before the start time");
    enter_initialization(f, startTime, stopTimeDefined, stopTime, toleranceDefined, tolerance);
    f->head.mode = FMU_INSTANTIATED;
    return fmi2OK;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component instance)
{
    CHECK(fmi2EnterInitializationMode, FMU_INSTANTIATED);
    f->head.mode = FMU_INITIALIZATION;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component instance)
{
    CHECK(fmi2ExitInitializationMode, FMU_INITIALIZATION);
    return (fmi2Status)exit_initialization(f, f->is_co_simulation ? FMU_STEP : FMU_EVENT);
}

/* ------------------------------------------------------------ values */

#define GETTER(Name, Type, kind, put) \
    fmi2Status fmi2Get##Name(fmi2Component instance, const fmi2ValueReference vr[], size_t nvr, Type value[]) \
    { \
        CHECK(fmi2Get##Name, READABLE); \
        return (fmi2Status)get_values(f, kind, vr, nvr, value, nvr, put); \
    }
#define SETTER(Name, Type, kind, take) \
    fmi2Status fmi2Set##Name(fmi2Component instance, const fmi2ValueReference vr[], size_t nvr, const Type value[]) \
    { \
        CHECK(fmi2Set##Name, WRITABLE); \
        return (fmi2Status)set_values(f, kind, vr, nvr, value, nvr, take); \
    }

GETTER(Real, fmi2Real, FMU_REAL, put_real)
GETTER(Integer, fmi2Integer, FMU_INTEGER, put_integer)
GETTER(Boolean, fmi2Boolean, FMU_BOOLEAN, put_boolean)
GETTER(String, fmi2String, FMU_STRING, put_string)
SETTER(Real, fmi2Real, FMU_REAL, take_real)
SETTER(Integer, fmi2Integer, FMU_INTEGER, take_integer)
SETTER(Boolean, fmi2Boolean, FMU_BOOLEAN, take_boolean)

fmi2Status fmi2SetString(fmi2Component instance, const fmi2ValueReference vr[], size_t nvr, const fmi2String value[])
{
    CHECK(fmi2SetString, FMU_INSTANTIATED | FMU_INITIALIZATION);
    (void)vr;
    (void)value;
    return nvr == 0 ? fmi2OK : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "strings are constant");
}

/* ------------------------------------------------------------ the state as a whole */

fmi2Status fmi2GetDirectionalDerivative(fmi2Component instance, const fmi2ValueReference vUnknown_ref[], size_t nUnknown,
                                        const fmi2ValueReference vKnown_ref[], size_t nKnown, const fmi2Real dvKnown[],
                                        fmi2Real dvUnknown[])
{
    CHECK(fmi2GetDirectionalDerivative, DERIVATIVE_MODES);
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

fmi2Status fmi2EnterEventMode(fmi2Component instance)
{
    CHECK(fmi2EnterEventMode, FMU_CONTINUOUS | FMU_EVENT);
    return (fmi2Status)enter_event(f);
}

fmi2Status fmi2NewDiscreteStates(fmi2Component instance, fmi2EventInfo *info)
{
    CHECK(fmi2NewDiscreteStates, FMU_EVENT);
    NEED(info, 1);
    bool moved = false, has_others = false;
    fmu_status status = update(f, &moved, &has_others);
    info->newDiscreteStatesNeeded = fmi2False;
    info->terminateSimulation = f->head.is_terminated ? fmi2True : fmi2False;
    info->nominalsOfContinuousStatesChanged = has_others ? fmi2True : fmi2False;
    info->valuesOfContinuousStatesChanged = moved ? fmi2True : fmi2False;
    info->nextEventTimeDefined = f->head.next_time < INFINITY ? fmi2True : fmi2False;
    info->nextEventTime = f->head.next_time < INFINITY ? f->head.next_time : 0.0;
    return (fmi2Status)status;
}

fmi2Status fmi2EnterContinuousTimeMode(fmi2Component instance)
{
    CHECK(fmi2EnterContinuousTimeMode, FMU_EVENT);
    return (fmi2Status)enter_continuous_time(f);
}

/* ------------------------------------------------------------ Co-Simulation */

fmi2Status fmi2SetRealInputDerivatives(fmi2Component instance, const fmi2ValueReference vr[], size_t nvr,
                                       const fmi2Integer order[], const fmi2Real value[])
{
    fmu *f = instance;
    (void)vr;
    (void)nvr;
    (void)order;
    (void)value;
    return f == NULL ? fmi2Error : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "inputs are not interpolated");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component instance, const fmi2ValueReference vr[], size_t nvr,
                                        const fmi2Integer order[], fmi2Real value[])
{
    fmu *f = instance;
    (void)vr;
    (void)nvr;
    (void)order;
    (void)value;
    return f == NULL ? fmi2Error : (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "there are no derivatives of outputs");
}

fmi2Status fmi2DoStep(fmi2Component instance, fmi2Real currentCommunicationPoint, fmi2Real communicationStepSize,
                      fmi2Boolean noSetFMUStatePriorToCurrentPoint)
{
    CHECK(fmi2DoStep, FMU_STEP);
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

fmi2Status fmi2CancelStep(fmi2Component instance)
{
    CHECK(fmi2CancelStep, FMU_STEP);
    return (fmi2Status)report(f, FMU_ERROR, LOG_ERROR, "steps are not asynchronous");
}

fmi2Status fmi2GetStatus(fmi2Component instance, const fmi2StatusKind s, fmi2Status *value)
{
    fmu *f = instance;
    (void)s;
    (void)value;
    return f == NULL ? fmi2Error : fmi2Discard;
}

fmi2Status fmi2GetRealStatus(fmi2Component instance, const fmi2StatusKind s, fmi2Real *value)
{
    fmu *f = instance;
    if (f == NULL || value == NULL) return fmi2Error;
    if (s != fmi2LastSuccessfulTime) return fmi2Discard;
    *value = f->head.time;
    return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component instance, const fmi2StatusKind s, fmi2Integer *value)
{
    (void)s;
    (void)value;
    return instance == NULL ? fmi2Error : fmi2Discard;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component instance, const fmi2StatusKind s, fmi2Boolean *value)
{
    fmu *f = instance;
    if (f == NULL || value == NULL) return fmi2Error;
    if (s != fmi2Terminated) return fmi2Discard;
    *value = f->head.is_terminated ? fmi2True : fmi2False;
    return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component instance, const fmi2StatusKind s, fmi2String *value)
{
    (void)s;
    (void)value;
    return instance == NULL ? fmi2Error : fmi2Discard;
}
