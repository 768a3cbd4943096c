/* Functions of FMI 3.0 for what the FMU does not have. */

/* Types that no variable has. */
#define NO_ACCESS(Name, Type) \
    fmi3Status fmi3Get##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             Type values[], size_t nValues) \
    { \
        CHECK(fmi3Get #Name, READABLE); \
        (void)valueReferences; \
        (void)values; \
        (void)nValues; \
        if (nValueReferences == 0) return fmi3OK; \
        FAULT("fmi3Get" #Name ": no variable has this type"); \
    } \
    fmi3Status fmi3Set##Name(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences, \
                             const Type values[], size_t nValues) \
    { \
        CHECK(fmi3Set #Name, WRITABLE); \
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
    CHECK(fmi3SetString, WRITABLE);
    (void)valueReferences;
    (void)values;
    (void)nValues;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("strings are constant");
}

fmi3Status fmi3GetBinary(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                         size_t valueSizes[], fmi3Binary values[], size_t nValues)
{
    CHECK(fmi3GetBinary, READABLE);
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
    CHECK(fmi3SetBinary, WRITABLE);
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
    CHECK(fmi3GetClock, READABLE);
    (void)valueReferences;
    (void)values;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetClock(fmi3Instance instance, const fmi3ValueReference valueReferences[], size_t nValueReferences,
                        const fmi3Clock values[])
{
    CHECK(fmi3SetClock, WRITABLE);
    (void)valueReferences;
    (void)values;
    if (nValueReferences == 0) return fmi3OK;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance instance, fmi3ValueReference valueReference,
                                               size_t *nDependencies)
{
    CHECK(fmi3GetNumberOfVariableDependencies, ALL_MODES);
    (void)valueReference;
    (void)nDependencies;
    FAULT("dependencies are in the model description");
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance instance, fmi3ValueReference dependent,
                                       size_t elementIndicesOfDependent[], fmi3ValueReference independents[],
                                       size_t elementIndicesOfIndependents[], fmi3DependencyKind dependencyKinds[],
                                       size_t nDependencies)
{
    CHECK(fmi3GetVariableDependencies, ALL_MODES);
    (void)dependent;
    (void)elementIndicesOfDependent;
    (void)independents;
    (void)elementIndicesOfIndependents;
    (void)dependencyKinds;
    (void)nDependencies;
    FAULT("dependencies are in the model description");
}

fmi3Status fmi3EnterConfigurationMode(fmi3Instance instance)
{
    CHECK(fmi3EnterConfigurationMode, ALL_MODES);
    FAULT("there are no structural parameters");
}

fmi3Status fmi3ExitConfigurationMode(fmi3Instance instance)
{
    CHECK(fmi3ExitConfigurationMode, ALL_MODES);
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
    NO_CLOCKS(fmi3GetIntervalDecimal);
    (void)intervals;
    (void)qualifiers;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[],
                                   fmi3IntervalQualifier qualifiers[])
{
    NO_CLOCKS(fmi3GetIntervalFraction);
    (void)counters;
    (void)resolutions;
    (void)qualifiers;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, fmi3Float64 shifts[])
{
    NO_CLOCKS(fmi3GetShiftDecimal);
    (void)shifts;
    FAULT("there are no clocks");
}

fmi3Status fmi3GetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, fmi3UInt64 counters[], fmi3UInt64 resolutions[])
{
    NO_CLOCKS(fmi3GetShiftFraction);
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                  size_t nValueReferences, const fmi3Float64 intervals[])
{
    NO_CLOCKS(fmi3SetIntervalDecimal);
    (void)intervals;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                   size_t nValueReferences, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    NO_CLOCKS(fmi3SetIntervalFraction);
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                               size_t nValueReferences, const fmi3Float64 shifts[])
{
    NO_CLOCKS(fmi3SetShiftDecimal);
    (void)shifts;
    FAULT("there are no clocks");
}

fmi3Status fmi3SetShiftFraction(fmi3Instance instance, const fmi3ValueReference valueReferences[],
                                size_t nValueReferences, const fmi3UInt64 counters[], const fmi3UInt64 resolutions[])
{
    NO_CLOCKS(fmi3SetShiftFraction);
    (void)counters;
    (void)resolutions;
    FAULT("there are no clocks");
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance instance, fmi3ValueReference clockReference, fmi3Float64 activationTime)
{
    CHECK(fmi3ActivateModelPartition, ALL_MODES);
    (void)clockReference;
    (void)activationTime;
    FAULT("there are no clocks");
}
