/* Derivatives in FMI 3.0: along a seed and backwards. */

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

/* The seed of the unknowns times the derivatives along each known. */
static fmu_status differentiate_backwards(fmu *f, const fmu_place *const *known, size_t knowns, const double *seed,
                                          const fmu_place *const *unknown, size_t unknowns, double *found)
{
    const double one = 1.0;
    fmu_status status = FMU_OK;
    double *column = calloc(unknowns + 1, sizeof *column);
    if (column == NULL) return fail(f, "out of memory");
    for (size_t i = 0; i < knowns && status <= FMU_WARNING; i++) {
        found[i] = 0.0;
        status = differentiate(f, known + i, 1, &one, unknown, unknowns, column);
        for (size_t k = 0; k < unknowns && status <= FMU_WARNING; k++) found[i] += seed[k] * column[k];
    }
    free(column);
    return status;
}

/* Derivatives along the seed of the knowns, or backwards, from the seed of the unknowns. */
static fmi3Status derivative(fmu *f, bool is_backwards, const fmi3ValueReference unknowns[], size_t nUnknowns,
                             const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                             size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    NEED(unknowns, nUnknowns);
    NEED(knowns, nKnowns);
    NEED(seed, nSeed);
    NEED(sensitivity, nSensitivity);
    long known = list_places(f, knowns, nKnowns, NULL), unknown = list_places(f, unknowns, nUnknowns, NULL);
    if (known < 0 || unknown < 0) return fmi3Error;
    size_t seeds = (size_t)(is_backwards ? unknown : known), results = (size_t)(is_backwards ? known : unknown);
    if (seeds != nSeed || results != nSensitivity) FAULT("the seed or the sensitivity has another length");
    const fmu_place **places = calloc((size_t)(known + unknown) + 1, sizeof *places);
    if (places == NULL) return (fmi3Status)fail(f, "out of memory");
    list_places(f, knowns, nKnowns, places);
    list_places(f, unknowns, nUnknowns, places + known);
    fmu_status status = (is_backwards ? differentiate_backwards : differentiate)(
        f, places, (size_t)known, seed, places + known, (size_t)unknown, sensitivity);
    free(places);
    return (fmi3Status)status;
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                        const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                        size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    CHECK(fmi3GetDirectionalDerivative, DERIVATIVE_MODES);
    return derivative(f, false, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance instance, const fmi3ValueReference unknowns[], size_t nUnknowns,
                                    const fmi3ValueReference knowns[], size_t nKnowns, const fmi3Float64 seed[],
                                    size_t nSeed, fmi3Float64 sensitivity[], size_t nSensitivity)
{
    CHECK(fmi3GetAdjointDerivative, DERIVATIVE_MODES);
    return derivative(f, true, unknowns, nUnknowns, knowns, nKnowns, seed, nSeed, sensitivity, nSensitivity);
}
