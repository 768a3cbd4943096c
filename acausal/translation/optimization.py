"""Optimization of a translation: controls over time, and parameters."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from acausal.base.arguments import as_count, as_mapping, as_names, as_number
from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.base.options import SimulateOptions
from acausal.given_number import given_values
from acausal.ir.experiment import AS_MODELED
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.translation.fitting import FIT_TOLERANCE, Bounds, TranslationFitting
from acausal.translation.translated_model import GivenValues

if TYPE_CHECKING:
    from acausal.analyses.optimize.control_request import ControlRequest
    from acausal.analyses.optimize.control_result import OptimalControl
    from acausal.analyses.optimize.parameter_optimum import ParameterOptimum
    from acausal.analyses.sensitivities.result import Sensitivities
    from acausal.results.result import Result
    from acausal.results.trajectories import Trajectories
    from acausal.simulate.inputs.inputs import InputValue
from acausal.simulate.inputs.sampled_inputs import Inputs


class TranslationOptimization(TranslationFitting):
    """Optimization."""

    def optimize(
        self,
        minimize: str | None = None,
        *,
        maximize: str | None = None,
        subject_to: Iterable[str] = (),
        controls: "Mapping[str, Bounds] | None" = None,
        parameters: "Mapping[str, Bounds] | None" = None,
        stop: float | tuple[float, float] | None = None,
        intervals: int | None = None,
        interpolation: str = "linear",
        guess: "Mapping[str, float] | Trajectories | None" = None,
        values: GivenValues | None = None,
        inputs: "Inputs | None" = None,
        initial: GivenValues | None = None,
        method: str = "auto",
        tolerance: float | None = None,
        iterations: int = 1000,
    ) -> "OptimalControl | ParameterOptimum":
        """Controls over time, or parameters, that minimize (or maximize) an objective under constraints.

        See `acausal.analyses.optimize`: `control_result.OptimalControl`, `parameter_optimum.ParameterOptimum`.

        `controls` are inputs of the model with their bounds (None: without). The objective is an expression of
        numbers made of trajectories, `"integral(u^2) + 10*final(x)^2"`, by `final`, `first`, `integral`, `max`,
        `min`; `subject_to` are constraints on such numbers, `"final(x) = 1"`, or at every instant, `"v <= 5"`. A
        pair `stop` leaves the end time free between its values: `minimize="final(time)"`. The controls are linear
        on each of the `intervals` (default: 50) and may jump between them, or constant
        (`interpolation="constant"`). The search begins with the numbers `guess` of controls (the model is simulated
        with them) and final states, or with a run. `values` of parameters, `inputs` (numbers) and `initial` values
        are as those of `simulate`. `parameters` are bounds as of `fit`; objective and constraints are then numbers
        of runs up to `stop` with `tolerance`, also of models with events and delays, and their gradients exact; the
        search begins at the values of the model. `method` is for controls, as are `intervals`, `interpolation` and
        `guess`: "ipopt" (with the extra `optimize`), "trust-constr" or "auto": the first that is installed.
        UsageError F005 for unknown names, F010 for what is not an objective or constraint, ModelError A030, A031 for
        models without smooth equations, SimulationError A032 where no optimum is found.
        """
        from acausal.analyses.optimize.control_request import control_request, objective_of, require_only_parameters

        objective = objective_of(minimize, maximize)
        known, first = as_inputs(inputs), given_values(as_mapping("initial", initial))
        given = given_values(as_mapping("values", values))
        if (controls is None) == (parameters is None):
            hint = 'controls={"u": (-1, 1)} over time, or parameters={"R.R": (1, 1e4)}'
            raise UsageError(Diagnostic("F006", "an optimization finds controls or parameters", help=hint))
        if parameters is None:
            numbers = intervals, tolerance, iterations
            asked = control_request(objective, subject_to, controls, stop, numbers, interpolation, guess, known, method)
            return self._best_controls(asked, given, first)
        require_only_parameters(
            "parameters",
            {
                "guess": bool(guess),
                "intervals": intervals is not None,
                "interpolation": interpolation != "linear",
                "method": method != "auto",
                "a free end time": isinstance(stop, tuple | list),
            },
        )
        end = None if stop is None else as_number("stop", stop)
        options = SimulateOptions.of(end, None, as_number("tolerance", tolerance) or FIT_TOLERANCE, "auto")
        return self._best_parameters(
            objective, as_names("subject_to", subject_to), parameters, options, self.in_units(given), known, first,
            as_count("iterations", iterations),
        )  # fmt: skip

    def _best_controls(
        self, asked: "ControlRequest", given: dict[str, float], initial: dict[str, float]
    ) -> "OptimalControl":
        from acausal.analyses.optimize.optimal_control import optimal_control

        served, begun = self.begun_served(SimulateOptions(), given, None, AS_MODELED, initial)
        values = begun.given
        model, _ = served.suited(values)

        def simulate(options: SimulateOptions, known: "Mapping[str, InputValue]") -> "Result":
            return model.run(options, values, known, None)

        return optimal_control(model.executable, values, asked, model.compiled.equations, simulate)

    def _best_parameters(
        self,
        objective: tuple[str, float],
        constraints: tuple[str, ...],
        parameters: "Mapping[str, Bounds]",
        options: SimulateOptions,
        given: dict[str, float],
        inputs: "dict[str, InputValue]",
        initial: dict[str, float],
        iterations: int,
    ) -> "ParameterOptimum":
        from acausal.analyses.fitting.measurements import units_of
        from acausal.analyses.fitting.unknowns import unknowns_of
        from acausal.analyses.optimize.control_request import functionals_of
        from acausal.analyses.optimize.parameter_optimum import ParameterOptimum, parameter_optimum

        unknowns = unknowns_of(self.program, parameters, given, self.declared)
        parts = functionals_of(self.program, objective, constraints)
        names = [unknown.name for unknown in unknowns]

        def run(variables: tuple[str, ...], values: dict[str, float]) -> "Sensitivities":
            return self.sensitivities(
                names,
                variables or None,
                values={**given, **values},
                stop=options.stop,
                tolerance=options.tolerance,
                inputs=inputs,
                initial=initial,
            )

        found, best, numbers = parameter_optimum(unknowns, parts, run, iterations)
        names_of = [constraint.text for constraint in parts[2]]
        return ParameterOptimum(
            self.name, objective[0], objective[1] * float(numbers[0]), best,
            dict(zip(names_of, numbers[1:].tolist(), strict=True)),
            run((), best).result, found, units_of(self.program),
        )  # fmt: skip
