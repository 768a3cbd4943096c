/* The functions of FMI 3.0. */

static void log3(fmu *f, fmu_status status, int category, const char *text)
{
    fmi3LogMessageCallback log = NULL;
    memcpy(&log, &f->logger, sizeof log);
    if (log != NULL) log(f->environment, (fmi3Status)status, fmu_categories[category], text);
}

const char *fmi3GetVersion(void) { return fmi3Version; }

static fmi3Instance instantiate3(fmi3String name, fmi3String token, bool is_co_simulation, bool is_logging,
                                 fmi3InstanceEnvironment environment, fmi3LogMessageCallback log)
{
    const char *wrong = NULL;
    if (name == NULL || name[0] == '\0') wrong = "the name of the instance is missing";
    else if (token == NULL || strcmp(token, FMU_TOKEN) != 0) wrong = "the instantiation token is not that of this FMU";
    else if (is_co_simulation ? !FMU_CO_SIMULATION : !FMU_MODEL_EXCHANGE) wrong = "the FMU does not have this interface";
    fmu *f = wrong != NULL ? NULL : instantiate(name, token, is_co_simulation, is_logging);
    if (f == NULL) {
        if (log != NULL) log(environment, fmi3Error, "logStatusError", wrong != NULL ? wrong : "out of memory");
        return NULL;
    }
    memcpy(&f->logger, &log, sizeof log);
    f->environment = environment;
    f->log = log3;
    return f;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
                                          fmi3Boolean visible, fmi3Boolean loggingOn,
                                          fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage)
{
    (void)resourcePath;
    (void)visible;
    return instantiate3(instanceName, instantiationToken, false, loggingOn, instanceEnvironment, logMessage);
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String instanceName, fmi3String instantiationToken, fmi3String resourcePath,
                                         fmi3Boolean visible, fmi3Boolean loggingOn, fmi3Boolean eventModeUsed,
                                         fmi3Boolean earlyReturnAllowed,
                                         const fmi3ValueReference requiredIntermediateVariables[],
                                         size_t nRequiredIntermediateVariables,
                                         fmi3InstanceEnvironment instanceEnvironment, fmi3LogMessageCallback logMessage,
                                         fmi3IntermediateUpdateCallback intermediateUpdate)
{
    (void)resourcePath;
    (void)visible;
    (void)requiredIntermediateVariables;
    (void)nRequiredIntermediateVariables;
    (void)intermediateUpdate;
    fmu *f = instantiate3(instanceName, instantiationToken, true, loggingOn, instanceEnvironment, logMessage);
    if (f != NULL) {
        f->uses_event_mode = eventModeUsed;
        f->may_return_early = earlyReturnAllowed;
    }
    return f;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String instanceName, fmi3String instantiationToken,
                                               fmi3String resourcePath, fmi3Boolean visible, fmi3Boolean loggingOn,
                                               fmi3InstanceEnvironment instanceEnvironment,
                                               fmi3LogMessageCallback logMessage, fmi3ClockUpdateCallback clockUpdate,
                                               fmi3LockPreemptionCallback lockPreemption,
                                               fmi3UnlockPreemptionCallback unlockPreemption)
{
    (void)instanceName;
    (void)instantiationToken;
    (void)resourcePath;
    (void)visible;
    (void)loggingOn;
    (void)clockUpdate;
    (void)lockPreemption;
    (void)unlockPreemption;
    if (logMessage != NULL) logMessage(instanceEnvironment, fmi3Error, "logStatusError", "the FMU does not have this interface");
    return NULL;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
    CHECK(fmi3EnterInitializationMode, FMU_INSTANTIATED);
    if (stopTimeDefined && !(stopTime >= startTime)) FAULT("the stop time is before the start time");
    enter_initialization(f, startTime, stopTimeDefined, stopTime, toleranceDefined, tolerance);
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    CHECK(fmi3ExitInitializationMode, FMU_INITIALIZATION);
    bool has_event_mode = !f->is_co_simulation || f->uses_event_mode;
    return (fmi3Status)exit_initialization(f, has_event_mode ? FMU_EVENT : FMU_STEP);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    CHECK(fmi3EnterEventMode, FMU_CONTINUOUS | FMU_STEP);
    if (f->head.mode == FMU_STEP && !f->uses_event_mode) FAULT("fmi3EnterEventMode: event mode is not used");
    return (fmi3Status)enter_event(f);
}

/* ------------------------------------------------------------ values */

#define GETTER(Name, Type, kind, put) \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             Type values[], size_t nValues) \
    { \
        CHECK(fmi3Get##Name, READABLE); \
        return (fmi3Status)get_values(f, kind, valueReferences, nValueReferences, values, nValues, put); \
    }
#define SETTER(Name, Type, kind, take) \
    fmi3Status fmi3Set##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             const Type values[], size_t nValues) \
    { \
        CHECK(fmi3Set##Name, WRITABLE); \
        return (fmi3Status)set_values(f, kind, valueReferences, nValueReferences, values, nValues, take); \
    }

GETTER(Float64, fmi3Float64, FMU_REAL, put_real)
GETTER(Int32, fmi3Int32, FMU_INTEGER, put_integer)
GETTER(Boolean, fmi3Boolean, FMU_BOOLEAN, put_boolean)
GETTER(String, fmi3String, FMU_STRING, put_string)
SETTER(Float64, fmi3Float64, FMU_REAL, take_real)
SETTER(Int32, fmi3Int32, FMU_INTEGER, take_integer)
SETTER(Boolean, fmi3Boolean, FMU_BOOLEAN, take_boolean)

/* ------------------------------------------------------------ events */

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    CHECK(fmi3EvaluateDiscreteStates, FMU_INITIALIZATION | FMU_EVENT);
    return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                    fmi3Boolean *terminateSimulation, fmi3Boolean *nominalsOfContinuousStatesChanged,
                                    fmi3Boolean *valuesOfContinuousStatesChanged, fmi3Boolean *nextEventTimeDefined,
                                    fmi3Float64 *nextEventTime)
{
    CHECK(fmi3UpdateDiscreteStates, FMU_EVENT);
    NEED(discreteStatesNeedUpdate, 1);
    NEED(terminateSimulation, 1);
    NEED(nominalsOfContinuousStatesChanged, 1);
    NEED(valuesOfContinuousStatesChanged, 1);
    NEED(nextEventTimeDefined, 1);
    NEED(nextEventTime, 1);
    bool moved = false, has_others = false;
    fmu_status status = update(f, &moved, &has_others);
    if (moved) solver_changed(f);
    *discreteStatesNeedUpdate = fmi3False;
    *terminateSimulation = f->head.is_terminated != 0;
    *nominalsOfContinuousStatesChanged = has_others;
    *valuesOfContinuousStatesChanged = moved;
    *nextEventTimeDefined = f->head.next_time < INFINITY;
    *nextEventTime = f->head.next_time < INFINITY ? f->head.next_time : 0.0;
    return (fmi3Status)status;
}

/* ------------------------------------------------------------ Model Exchange */

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    CHECK(fmi3EnterContinuousTimeMode, FMU_EVENT);
    if (f->is_co_simulation) FAULT("fmi3EnterContinuousTimeMode: Model Exchange only");
    return (fmi3Status)enter_continuous_time(f);
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *nEventIndicators)
{
    CHECK(fmi3GetNumberOfEventIndicators, ALL_MODES);
    NEED(nEventIndicators, 1);
    *nEventIndicators = FMU_INDICATORS;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *nContinuousStates)
{
    CHECK(fmi3GetNumberOfContinuousStates, ALL_MODES);
    NEED(nContinuousStates, 1);
    *nContinuousStates = M_STATES;
    return fmi3OK;
}

/* ------------------------------------------------------------ Co-Simulation */

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    CHECK(fmi3EnterStepMode, FMU_EVENT);
    if (!f->is_co_simulation) FAULT("fmi3EnterStepMode: Co-Simulation only");
    f->head.mode = FMU_STEP;
    return fmi3OK;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t nValues)
{
    CHECK(fmi3GetOutputDerivatives, ALL_MODES);
    (void)valueReferences;
    (void)nValueReferences;
    (void)orders;
    (void)values;
    (void)nValues;
    FAULT("there are no derivatives of outputs");
}

fmi3Status fmi3DoStep(fmi3Instance instance, fmi3Float64 currentCommunicationPoint, fmi3Float64 communicationStepSize,
                      fmi3Boolean noSetFMUStatePriorToCurrentPoint, fmi3Boolean *eventHandlingNeeded,
                      fmi3Boolean *terminateSimulation, fmi3Boolean *earlyReturn, fmi3Float64 *lastSuccessfulTime)
{
    CHECK(fmi3DoStep, FMU_STEP);
    NEED(eventHandlingNeeded, 1);
    NEED(terminateSimulation, 1);
    NEED(earlyReturn, 1);
    NEED(lastSuccessfulTime, 1);
    (void)noSetFMUStatePriorToCurrentPoint;
#if FMU_CO_SIMULATION
    bool has_event = false;
    double end = currentCommunicationPoint + communicationStepSize;
    fmu_status status = do_step(f, currentCommunicationPoint, communicationStepSize, &has_event);
    *eventHandlingNeeded = has_event;
    *terminateSimulation = f->head.is_terminated != 0;
    *earlyReturn = status <= FMU_WARNING && f->head.time < end;
    *lastSuccessfulTime = f->head.time;
    return (fmi3Status)status;
#else
    (void)currentCommunicationPoint;
    (void)communicationStepSize;
    return fmi3Error;
#endif
}
