/* The functions of FMI 3.0. */

#define ALL_MODES (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED | FMU_FAILED)
#define READABLE ALL_MODES
#define WRITABLE (FMU_INSTANTIATED | FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP)
#define CHECK(function, modes) \
    fmu *f = instance; \
    if (!is_legal(f, function, modes)) return fmi3Error
#define FAULT(text) return (fmi3Status)report(f, FMU_ERROR, LOG_ERROR, "%s", text)
#define NEED(pointer, count) \
    if ((pointer) == NULL && (count) > 0) FAULT("an argument is NULL")

static void log3(fmu *f, fmu_status status, int category, const char *text)
{
    fmi3LogMessageCallback log = NULL;
    memcpy(&log, &f->logger, sizeof log);
    if (log != NULL) log(f->environment, (fmi3Status)status, fmu_categories[category], text);
}

const char *fmi3GetVersion(void) { return fmi3Version; }

fmi3Status fmi3SetDebugLogging(fmi3Instance instance, fmi3Boolean loggingOn, size_t nCategories,
                               const fmi3String categories[])
{
    CHECK("fmi3SetDebugLogging", ALL_MODES);
    NEED(categories, nCategories);
    fmi3Status status = fmi3OK;
    if (nCategories == 0) {
        for (int i = 0; i < LOG_CATEGORIES; i++) f->is_logging[i] = loggingOn;
    }
    for (size_t k = 0; k < nCategories; k++) {
        bool found = false;
        for (int i = 0; i < LOG_CATEGORIES; i++) {
            if (strcmp(categories[k], fmu_categories[i]) == 0) {
                f->is_logging[i] = loggingOn;
                found = true;
            }
        }
        if (!found) status = (fmi3Status)report(f, FMU_WARNING, LOG_WARNING, "unknown category %s", categories[k]);
    }
    return status;
}

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

void fmi3FreeInstance(fmi3Instance instance) { release(instance); }

fmi3Status fmi3EnterInitializationMode(fmi3Instance instance, fmi3Boolean toleranceDefined, fmi3Float64 tolerance,
                                       fmi3Float64 startTime, fmi3Boolean stopTimeDefined, fmi3Float64 stopTime)
{
    CHECK("fmi3EnterInitializationMode", FMU_INSTANTIATED);
    if (stopTimeDefined && !(stopTime >= startTime)) FAULT("the stop time is before the start time");
    enter_initialization(f, startTime, stopTimeDefined, stopTime, toleranceDefined, tolerance);
    return fmi3OK;
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance instance)
{
    CHECK("fmi3ExitInitializationMode", FMU_INITIALIZATION);
    bool has_event_mode = !f->is_co_simulation || f->uses_event_mode;
    return (fmi3Status)exit_initialization(f, has_event_mode ? FMU_EVENT : FMU_STEP);
}

fmi3Status fmi3EnterEventMode(fmi3Instance instance)
{
    CHECK("fmi3EnterEventMode", FMU_CONTINUOUS | FMU_STEP);
    if (f->head.mode == FMU_STEP && !f->uses_event_mode) FAULT("fmi3EnterEventMode: event mode is not used");
    f->head.mode = FMU_EVENT;
    f->head.is_event_due = 1;
    return fmi3OK;
}

fmi3Status fmi3Terminate(fmi3Instance instance)
{
    CHECK("fmi3Terminate", FMU_EVENT | FMU_CONTINUOUS | FMU_STEP);
    f->head.mode = FMU_TERMINATED;
    return fmi3OK;
}

fmi3Status fmi3Reset(fmi3Instance instance)
{
    CHECK("fmi3Reset", ALL_MODES);
    return (fmi3Status)reset(f);
}

/* ------------------------------------------------------------ values */

#define GETTER(Name, Type, kind, convert) \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             Type values[], size_t nValues) \
    { \
        CHECK("fmi3Get" #Name, READABLE); \
        NEED(valueReferences, nValueReferences); \
        NEED(values, nValues); \
        size_t n = 0; \
        for (size_t i = 0; i < nValueReferences; i++) { \
            const fmu_variable *v = variable_of(f, valueReferences[i], kind); \
            if (v == NULL) return fmi3Error; \
            fmu_status status = make_ready(f, v); \
            if (status > FMU_WARNING) return (fmi3Status)status; \
            if (nValues - n < (size_t)v->count) FAULT("nValues is less than the number of elements"); \
            for (int k = 0; k < v->count; k++) { \
                double x = value_at(f, &fmu_places[v->first + k]); \
                (void)x; \
                values[n++] = (convert); \
            } \
        } \
        if (n != nValues) FAULT("nValues is not the number of elements"); \
        return fmi3OK; \
    }

GETTER(Float64, fmi3Float64, FMU_REAL, x)
GETTER(Int32, fmi3Int32, FMU_INTEGER, (fmi3Int32)nearbyint(x))
GETTER(Boolean, fmi3Boolean, FMU_BOOLEAN, x != 0.0)
GETTER(String, fmi3String, FMU_STRING, fmu_texts[fmu_places[v->first + k].position])

#define SETTER(Name, Type, kind) \
    fmi3Status fmi3Set##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             const Type values[], size_t nValues) \
    { \
        CHECK("fmi3Set" #Name, WRITABLE); \
        NEED(valueReferences, nValueReferences); \
        NEED(values, nValues); \
        size_t n = 0; \
        for (size_t i = 0; i < nValueReferences; i++) { \
            const fmu_variable *v = variable_of(f, valueReferences[i], kind); \
            if (v == NULL) return fmi3Error; \
            if (nValues - n < (size_t)v->count) FAULT("nValues is less than the number of elements"); \
            for (int k = 0; k < v->count; k++) { \
                fmu_status status = set_variable(f, v, &fmu_places[v->first + k], (double)values[n++]); \
                if (status > FMU_WARNING) return (fmi3Status)status; \
            } \
        } \
        if (n != nValues) FAULT("nValues is not the number of elements"); \
        return fmi3OK; \
    }

SETTER(Float64, fmi3Float64, FMU_REAL)
SETTER(Int32, fmi3Int32, FMU_INTEGER)
SETTER(Boolean, fmi3Boolean, FMU_BOOLEAN)

/* Types that no variable has. */
#define NO_ACCESS(Name, Type) \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             Type values[], size_t nValues) \
    { \
        CHECK("fmi3Get" #Name, READABLE); \
        (void)valueReferences; \
        (void)values; \
        (void)nValues; \
        if (nValueReferences == 0) return fmi3OK; \
        FAULT("fmi3Get" #Name ": no variable has this type"); \
    } \
    fmi3Status fmi3Set##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             const Type values[], size_t nValues) \
    { \
        CHECK("fmi3Set" #Name, WRITABLE); \
        (void)valueReferences; \
        (void)values; \
        (void)nValues; \
        if (nValueReferences == 0) return fmi3OK; \
        FAULT("fmi3Set" #Name ": no variable has this type"); \
    }

NO_ACCESS(Float32, fmi3Float32)
NO_ACCESS(Int8, fmi3Int8)
NO_ACCESS(UInt8, fmi3UInt8)
NO_ACCESS(Int16, fmi3Int16)
NO_ACCESS(UInt16, fmi3UInt16)
NO_ACCESS(UInt32, fmi3UInt32)
NO_ACCESS(Int64, fmi3Int64)
NO_ACCESS(UInt64, fmi3UInt64)

fmi3Status fmi3SetString(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                         const fmi3String values[], size_t nValues)
{
    CHECK("fmi3SetString", WRITABLE);
    (void)valueReferences;
    (void)values;
    (void)nValues;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("strings are constant");
}

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                         size_t valueSizes[], fmi3Binary values[], size_t nValues)
{
    CHECK("fmi3GetBinary", READABLE);
    (void)valueReferences;
    (void)valueSizes;
    (void)values;
    (void)nValues;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("fmi3GetBinary: no variable has this type");
}

fmi3Status fmi3SetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                         const size_t valueSizes[], const fmi3Binary values[], size_t nValues)
{
    CHECK("fmi3SetBinary", WRITABLE);
    (void)valueReferences;
    (void)valueSizes;
    (void)values;
    (void)nValues;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("fmi3SetBinary: no variable has this type");
}

fmi3Status fmi3GetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                        fmi3Clock values[])
{
    CHECK("fmi3GetClock", READABLE);
    (void)valueReferences;
    (void)values;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                        const fmi3Clock values[])
{
    CHECK("fmi3SetClock", WRITABLE);
    (void)valueReferences;
    (void)values;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference valueReference,
                                               size_t *nDependencies)
{
    CHECK("fmi3GetNumberOfVariableDependencies", ALL_MODES);
    (void)valueReference;
    (void)nDependencies;
    FAULT("dependencies are in the model description");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[], fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
                                       size_t nDependencies)
{
    CHECK("fmi3GetVariableDependencies", ALL_MODES);
    (void)dependent;
    (void)elementIndicesOfDependent;
    (void)independents;
    (void)elementIndicesOfIndependents;
    (void)dependencyKinds;
    (void)nDependencies;
    FAULT("dependencies are in the model description");
}

/* ------------------------------------------------------------ the state as a whole */

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    CHECK("fmi3GetFMUState", ALL_MODES);
    NEED(FMUState, 1);
    fmu_snapshot *s = *FMUState != NULL ? *FMUState : malloc(sizeof *s);
    if (s == NULL) return (fmi3Status)fail(f, "out of memory");
    save(f, s);
    *FMUState = s;
    return fmi3OK;
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState)
{
    CHECK("fmi3SetFMUState", ALL_MODES);
    NEED(FMUState, 1);
    restore(f, FMUState);
    return fmi3OK;
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState *FMUState)
{
    CHECK("fmi3FreeFMUState", ALL_MODES);
    if (FMUState == NULL) return fmi3OK;
    free(*FMUState);
    *FMUState = NULL;
    return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t *size)
{
    CHECK("fmi3SerializedFMUStateSize", ALL_MODES);
    NEED(size, 1);
    (void)FMUState;
    *size = serialized_size();
    return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState, fmi3Byte serializedState[], size_t size)
{
    CHECK("fmi3SerializeFMUState", ALL_MODES);
    NEED(FMUState, 1);
    NEED(serializedState, 1);
    if (size < serialized_size()) FAULT("too few bytes for the state");
    serialize(FMUState, serializedState);
    return fmi3OK;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[], size_t size,
                                   fmi3FMUState *FMUState)
{
    CHECK("fmi3DeserializeFMUState", ALL_MODES);
    NEED(serializedState, 1);
    NEED(FMUState, 1);
    fmu_snapshot *s = *FMUState != NULL ? *FMUState : malloc(sizeof *s);
    if (s == NULL) return (fmi3Status)fail(f, "out of memory");
    *FMUState = s;
    if (!deserialize(serializedState, size, s)) FAULT("these bytes are no state of this FMU");
    return fmi3OK;
}

/* The places of all elements of variables; their number, or less than zero where one is of another type. */
static long list_places(fmu *f, const fmi3ValueReference references[], size_t count, const fmu_place **places)
{
    long n = 0;
    for (size_t i = 0; i < count; i++) {
        const fmu_variable *v = variable_of(f, references[i], FMU_REAL);
        if (v == NULL) return -1;
        for (int k = 0; k < v->count; k++, n++) {
            if (places != NULL) places[n] = &fmu_places[v->first + k];
        }
    }
    return n;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                        size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    CHECK("fmi3GetDirectionalDerivative", FMU_INITIALIZATION | FMU_EVENT | FMU_CONTINUOUS | FMU_STEP | FMU_TERMINATED);
    NEED(unknowns, nUnknowns);
    NEED(knowns, nKnowns);
    NEED(seed, nSeed);
    NEED(sensitivity, nSensitivity);
    long known = list_places(f, knowns, nKnowns, NULL), unknown = list_places(f, unknowns, nUnknowns, NULL);
    if (known < 0 || unknown < 0) return fmi3Error;
    if ((size_t)known != nSeed || (size_t)unknown != nSensitivity) FAULT("the seed or the sensitivity has another length");
    const fmu_place **places = calloc((size_t)(known + unknown) + 1, sizeof *places);
    if (places == NULL) return (fmi3Status)fail(f, "out of memory");
    list_places(f, knowns, nKnowns, places);
    list_places(f, unknowns, nUnknowns, places + known);
    fmu_status status = differentiate(f, places, nSeed, seed, places + known, nSensitivity, sensitivity);
    free(places);
    return (fmi3Status)status;
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                    size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    CHECK("fmi3GetAdjointDerivative", ALL_MODES);
    (void)unknowns;
    (void)nUnknowns;
    (void)knowns;
    (void)nKnowns;
    (void)seed;
    (void)nSeed;
    (void)sensitivity;
    (void)nSensitivity;
    FAULT("adjoint derivatives are not available");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    CHECK("fmi3EnterConfigurationMode", ALL_MODES);
    FAULT("there are no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    CHECK("fmi3ExitConfigurationMode", ALL_MODES);
    FAULT("there are no structural parameters");
}

/* ------------------------------------------------------------ clocks, of which there are none */

#define NO_CLOCKS(function) \
    CHECK(function, ALL_MODES); \
    (void)valueReferences; \
    (void)nValueReferences

fmi3Status fmi3GetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, fmi3Float64 intervals[], fmi3IntervalQualifier qualifiers[])
{
    NO_CLOCKS("fmi3GetIntervalDecimal");
    (void)intervals;
    (void)qualifiers;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
    NO_CLOCKS("fmi3GetIntervalFraction");
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, fmi3Float64 shifts[])
{
    NO_CLOCKS("fmi3GetShiftDecimal");
    (void)shifts;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    NO_CLOCKS("fmi3GetShiftFraction");
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, const fmi3Float64 intervals[])
{
    NO_CLOCKS("fmi3SetIntervalDecimal");
    (void)intervals;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    NO_CLOCKS("fmi3SetIntervalFraction");
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, const fmi3Float64 shifts[])
{
    NO_CLOCKS("fmi3SetShiftDecimal");
    (void)shifts;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    NO_CLOCKS("fmi3SetShiftFraction");
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime)
{
    CHECK("fmi3ActivateModelPartition", ALL_MODES);
    (void)clockReference;
    (void)activationTime;
    FAULT("there are no clocks");
}

/* ------------------------------------------------------------ events */

fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance instance)
{
    CHECK("fmi3EvaluateDiscreteStates", FMU_INITIALIZATION | FMU_EVENT);
    return fmi3OK;
}

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance instance, fmi3Boolean *discreteStatesNeedUpdate,
                                    fmi3Boolean *terminateSimulation, fmi3Boolean *nominalsOfContinuousStatesChanged,
                                    fmi3Boolean *valuesOfContinuousStatesChanged, fmi3Boolean *nextEventTimeDefined,
                                    fmi3Float64 *nextEventTime)
{
    CHECK("fmi3UpdateDiscreteStates", FMU_EVENT);
    NEED(discreteStatesNeedUpdate, 1);
    NEED(terminateSimulation, 1);
    NEED(nominalsOfContinuousStatesChanged, 1);
    NEED(valuesOfContinuousStatesChanged, 1);
    NEED(nextEventTimeDefined, 1);
    NEED(nextEventTime, 1);
    bool moved = false;
    fmu_status status = f->head.is_event_due ? do_event(f, &moved) : prepare(f);
    if (moved) solver_changed(f);
    *discreteStatesNeedUpdate = fmi3False;
    *terminateSimulation = f->head.is_terminated != 0;
    *nominalsOfContinuousStatesChanged = fmi3False;
    *valuesOfContinuousStatesChanged = moved;
    *nextEventTimeDefined = f->head.next_time < INFINITY;
    *nextEventTime = f->head.next_time < INFINITY ? f->head.next_time : 0.0;
    return (fmi3Status)status;
}

/* ------------------------------------------------------------ Model Exchange */

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance instance)
{
    CHECK("fmi3EnterContinuousTimeMode", FMU_EVENT);
    if (f->is_co_simulation) FAULT("fmi3EnterContinuousTimeMode: Model Exchange only");
    f->head.mode = FMU_CONTINUOUS;
    return fmi3OK;
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance instance, fmi3Boolean noSetFMUStatePriorToCurrentPoint,
                                       fmi3Boolean *enterEventMode, fmi3Boolean *terminateSimulation)
{
    CHECK("fmi3CompletedIntegratorStep", FMU_CONTINUOUS);
    NEED(enterEventMode, 1);
    NEED(terminateSimulation, 1);
    (void)noSetFMUStatePriorToCurrentPoint;
    fmu_status status = complete_step(f);
    *enterEventMode = fmi3False;
    *terminateSimulation = f->head.is_terminated != 0;
    return (fmi3Status)status;
}

fmi3Status fmi3SetTime(fmi3Instance instance, fmi3Float64 time)
{
    CHECK("fmi3SetTime", FMU_CONTINUOUS | FMU_EVENT);
    if (time != f->head.time) make_due(f);
    f->head.time = time;
    return fmi3OK;
}

fmi3Status fmi3SetContinuousStates(fmi3Instance instance, const fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    CHECK("fmi3SetContinuousStates", FMU_CONTINUOUS | FMU_EVENT);
    NEED(continuousStates, nContinuousStates);
    if (nContinuousStates != M_STATES) FAULT("this is not the number of states");
    for (size_t i = 0; i < nContinuousStates; i++) f->model.y[fmu_state_order[i]] = continuousStates[i];
    make_due(f);
    return fmi3OK;
}

fmi3Status fmi3GetContinuousStates(fmi3Instance instance, fmi3Float64 continuousStates[], size_t nContinuousStates)
{
    CHECK("fmi3GetContinuousStates", READABLE);
    NEED(continuousStates, nContinuousStates);
    if (nContinuousStates != M_STATES) FAULT("this is not the number of states");
    fmu_status status = prepare(f);
    for (size_t i = 0; i < nContinuousStates; i++) continuousStates[i] = f->model.y[fmu_state_order[i]];
    return (fmi3Status)status;
}

fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance instance, fmi3Float64 derivatives[], size_t nContinuousStates)
{
    CHECK("fmi3GetContinuousStateDerivatives", READABLE);
    NEED(derivatives, nContinuousStates);
    if (nContinuousStates != M_STATES) FAULT("this is not the number of states");
    fmu_status status = compute_rates(f);
    for (size_t i = 0; i < nContinuousStates; i++) derivatives[i] = f->rates[fmu_state_order[i]];
    return (fmi3Status)status;
}

fmi3Status fmi3GetEventIndicators(fmi3Instance instance, fmi3Float64 eventIndicators[], size_t nEventIndicators)
{
    CHECK("fmi3GetEventIndicators", READABLE);
    NEED(eventIndicators, nEventIndicators);
    if (nEventIndicators != M_CROSSINGS) FAULT("this is not the number of event indicators");
    fmu_status status = prepare(f);
    if (status > FMU_WARNING || nEventIndicators == 0) return (fmi3Status)status;
    status = judged(f, m_crossings(&f->model, f->head.time, f->model.y, f->indicators));
    for (size_t i = 0; i < nEventIndicators; i++) eventIndicators[i] = f->indicators[i];
    return (fmi3Status)status;
}

fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance instance, fmi3Float64 nominals[], size_t nContinuousStates)
{
    CHECK("fmi3GetNominalsOfContinuousStates", READABLE);
    NEED(nominals, nContinuousStates);
    if (nContinuousStates != M_STATES) FAULT("this is not the number of states");
    for (size_t i = 0; i < nContinuousStates; i++) nominals[i] = nominal_of(f, fmu_state_order[i]);
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance instance, size_t *nEventIndicators)
{
    CHECK("fmi3GetNumberOfEventIndicators", ALL_MODES);
    NEED(nEventIndicators, 1);
    *nEventIndicators = M_CROSSINGS;
    return fmi3OK;
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance instance, size_t *nContinuousStates)
{
    CHECK("fmi3GetNumberOfContinuousStates", ALL_MODES);
    NEED(nContinuousStates, 1);
    *nContinuousStates = M_STATES;
    return fmi3OK;
}

/* ------------------------------------------------------------ Co-Simulation */

fmi3Status fmi3EnterStepMode(fmi3Instance instance)
{
    CHECK("fmi3EnterStepMode", FMU_EVENT);
    if (!f->is_co_simulation) FAULT("fmi3EnterStepMode: Co-Simulation only");
    f->head.mode = FMU_STEP;
    return fmi3OK;
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                    size_t nValueReferences, const fmi3Int32 orders[], fmi3Float64 values[],
                                    size_t nValues)
{
    CHECK("fmi3GetOutputDerivatives", ALL_MODES);
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
    CHECK("fmi3DoStep", FMU_STEP);
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
