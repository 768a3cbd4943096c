"""Fitting of parameters of a translation to measurements."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from acausal.base.arguments import as_count, as_mapping, as_number
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.options import SimulateOptions
from acausal.given_number import given_values
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.translation.sensitivities import TranslationSensitivities
from acausal.translation.slopes import repeated
from acausal.translation.translated_model import GivenValues

if TYPE_CHECKING:
    from acausal.analyses.fitting.measurements import Experiment, OwnValues
    from acausal.analyses.fitting.problem import FitProblem, Slopes
    from acausal.analyses.fitting.result import Fit
    from acausal.analyses.fitting.search import Ways
    from acausal.analyses.sensitivities.repeated import RepeatedSlopes
    from acausal.codegen.executable import Array
from acausal.simulate.inputs.sampled_inputs import Inputs

FIT_TOLERANCE = 1e-7
"""Of the runs of a fit: their errors are small beside those of measurements."""
Bound = float | str | None
"""A number, or a text with a unit."""
Bounds = tuple[Bound, Bound] | tuple[Bound, Bound, str] | None
"""(low, high), (low, high, "log"), or None."""


class TranslationFitting(TranslationSensitivities):
    """Fitting."""

    def fit(
        self,
        data: object,
        parameters: "Mapping[str, Bounds]",
        *,
        measured: Mapping[str, str | Sequence[str]] | Iterable[str] | None = None,
        experiments: Sequence[Mapping[str, object]] | None = None,
        sigma: Mapping[str, float] | None = None,
        loss: str = "linear",
        f_scale: float = 1.0,
        starts: int = 1,
        seed: int = 1,
        jobs: int | None = None,
        cluster: str | None = None,
        values: GivenValues | None = None,
        inputs: "Inputs | None" = None,
        initial: GivenValues | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
    ) -> "Fit":
        """Parameters with which the model agrees best with measured data: `acausal.analyses.fitting.result.Fit`.

        `data` is a file (.csv, .npz, ...), a result, a data frame, or columns by name with one called `time`;
        `parameters` are bounds by name, `(1, 1e4)`, `("1 Ohm", "10 kOhm")`, `(1, 1e4, "log")` for a logarithmic scale,
        or None. `measured` are
        columns by the variable that they measure (default: columns called like variables), of an array as many columns,
        or one name, of `y` for `y[1]`, `y[2]`. Several `experiments`, with
        data None, are mappings with `data`, and `measured`, `values`, `inputs`, `initial` of their own. Differences are
        divided by `sigma`, standard deviations by variable (default: those of the residuals). `loss` and `f_scale` are
        SciPy's: "linear", "soft_l1", "huber", "cauchy", "arctan". Of several `starts`, chosen between the bounds (the
        same for the same `seed`) and run in `jobs` threads, or on the Dask `cluster` at an address as of `sweep`, the
        best counts. `values` of parameters are where the search begins, or fixed; `inputs`, `initial` as of `simulate`.
        UsageError F005 for unknown names, A043 for data with gaps or wrong units, ModelError A040 for bounds that
        exclude the start, A041 for a parameter without influence.
        """
        from acausal.analyses.fitting.cluster_starts import FitTask, on_cluster
        from acausal.analyses.fitting.fit import fit, ways_of
        from acausal.analyses.fitting.measurements import experiments_of, units_of
        from acausal.analyses.fitting.unknowns import unknowns_of
        from acausal.sweep.start import processors

        program = self.program
        given = self.in_units(given_values(as_mapping("values", values)))
        known, first = as_inputs(inputs), given_values(as_mapping("initial", initial))
        unknowns = unknowns_of(program, parameters, given, self.declared)
        names = [unknown.name for unknown in unknowns]

        def read(experiment: Mapping[str, object]) -> "OwnValues":
            own = self.in_units(given_values(as_mapping("values", experiment.get("values"))))
            fitted = next((name for name in own if name in names), None)
            if fitted is not None:
                raise UsageError(Diagnostic("F006", f"{fitted} is fitted: an experiment cannot give it a value"))
            begun = given_values(as_mapping("initial", experiment.get("initial")))
            return {**given, **own}, {**known, **as_inputs(experiment.get("inputs"))}, {**first, **begun}

        variables, made = experiments_of(program, data, experiments, measured, read)
        number = as_number("tolerance", tolerance)
        slopes = self.fit_slopes(names, variables, number, solver)
        threads = processors() if jobs is None else as_count("jobs", jobs)
        ways = ways_of(loss, f_scale, starts, seed, threads)
        if cluster is not None and ways.starts < 2:
            raise UsageError(
                Diagnostic("F006", "a cluster runs several starts of a fit", help="starts=10, --starts 10")
            )

        def elsewhere(problem: "FitProblem", points: "Sequence[Array]", ways: "Ways") -> list[Any]:
            assert cluster is not None
            task = FitTask(variables, unknowns, made, problem.sigma, number, solver, self.compiled.start)
            return on_cluster(cluster, self.origin, task, points, ways)

        there = None if cluster is None else elsewhere
        return fit(self.name, variables, unknowns, made, slopes, sigma, ways, units_of(program), self.declared, there)

    def fit_slopes(
        self, names: Sequence[str], variables: Sequence[str], tolerance: float | None, solver: str
    ) -> "Slopes":
        """The runs of a fit: values of variables and their slopes by parameters, of one experiment and point."""
        from acausal.analyses.sensitivities.request import sensitivity_request

        known_runs: dict[int, RepeatedSlopes] = {}

        def slopes(experiment: "Experiment", values: Mapping[str, float]) -> "tuple[Array, Array]":
            runs = known_runs.get(id(experiment))
            if runs is None:
                asked = sensitivity_request(names, variables, experiment.time)
                end = float(experiment.time[-1])
                options = SimulateOptions.of(end, None, FIT_TOLERANCE if tolerance is None else tolerance, solver)
                begin = {**experiment.given, **values}
                model, run = self._begun_with(options, begin, experiment.inputs, experiment.initial, False)
                runs = known_runs[id(experiment)] = repeated(model, asked, run)
            return runs(values)

        return slopes
