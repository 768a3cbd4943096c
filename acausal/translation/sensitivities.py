"""Sensitivities of a translation: derivatives of runs and of objectives with respect to parameters."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Self

from acausal.base.arguments import as_flag, as_mapping
from acausal.base.options import SimulateOptions
from acausal.given_number import given_values
from acausal.ir.experiment import Start
from acausal.simulate.inputs.sampled_inputs import as_inputs
from acausal.translation.slopes import backwards, expression_gradient, slopes
from acausal.translation.translated_model import GivenValues, TranslatedModel

if TYPE_CHECKING:
    from acausal.analyses.sensitivities.request import SensitivityRequest, SensitivityRun
    from acausal.analyses.sensitivities.result import Sensitivities
    from acausal.codegen.executable import Array
    from acausal.simulate.inputs.sampled_inputs import Inputs


class TranslationSensitivities(TranslatedModel):
    """Sensitivities and gradients."""

    def _begun_with(
        self,
        options: SimulateOptions,
        values: GivenValues | None,
        inputs: "Inputs | None",
        initial: GivenValues | None,
        steady: bool,
    ) -> "tuple[Self, SensitivityRun]":
        """The model and the run of arguments of Python."""
        from acausal.analyses.sensitivities.request import SensitivityRun

        given, first = given_values(as_mapping("values", values)), given_values(as_mapping("initial", initial))
        start = Start(as_flag("steady", steady))
        model, run = self.begun_served(options, given, as_inputs(inputs), start, first)
        return model, SensitivityRun(options, run.given, run.inputs)

    def _asked(self, asked: "SensitivityRequest") -> "SensitivityRequest":
        """The request with elements for arrays."""
        parameters, variables = self.each_element(asked.parameters), self.each_element(asked.variables)
        return replace(asked, parameters=parameters or (), variables=variables)

    def sensitivities(
        self,
        parameters: Iterable[str],
        variables: Iterable[str] | None = None,
        *,
        times: Iterable[float] | None = None,
        values: GivenValues | None = None,
        stop: float | None = None,
        interval: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        inputs: "Inputs | None" = None,
        initial: GivenValues | None = None,
        steady: bool = False,
    ) -> "Sensitivities":
        """Derivatives of `variables` (default: all) by `parameters` over a run, and of the times of its events.

        An array stands for its elements. `s["C.u", "R.R"]` has a row for each of the `times`, default: those of the
        run, with both sides of events; at a time of an event the side behind it. `values` are those of parameters;
        other values are another run, without another translation. See
        `acausal.analyses.sensitivities.result.Sensitivities`; other arguments are as of `simulate`. Raises UsageError
        F005 for unknown names, ModelError A020 for a parameter or a model without derivatives, RunError A021 and A022
        where there are none at the time in the message.
        """
        from acausal.analyses.sensitivities.request import sensitivity_request

        asked = self._asked(sensitivity_request(parameters, variables, times))
        options = SimulateOptions.of(stop, interval, tolerance, solver)
        model, run = self._begun_with(options, values, inputs, initial, steady)
        return slopes(model, asked, run)

    def gradient(
        self,
        objective: str,
        parameters: Iterable[str],
        *,
        values: GivenValues | None = None,
        stop: float | None = None,
        tolerance: float | None = None,
        solver: str = "auto",
        inputs: "Inputs | None" = None,
        initial: GivenValues | None = None,
        steady: bool = False,
        method: str = "auto",
    ) -> "tuple[float, Array]":
        """The value of an objective of a run and its derivatives (parameters).

        Objectives are "final(x)", "integral(x)", "max(x)", "min(x)" of variables, "event(3)", the time of the third
        event in seconds, and expressions as of `optimize`, "integral(x^2) + 10*final(x)^2", whose integrals the method
        "forward" takes over the rows of the run by Simpson's rule. The `method` "forward" integrates a slope of all
        states for each parameter, "adjoint" the adjoint equations backwards, whose cost is that of a few runs for any
        number of parameters; "auto" does that for more than ten parameters, if an expression has integrals and final
        values alone, the model has no delays and its events do no more than switch relations. Other arguments as of
        `sensitivities`; UsageError F010 for what is no objective, SimulationError A023 for one without derivative, A020
        for an event that adjoint equations do not pass, ModelError A020 for a model without such equations.
        """
        from acausal.analyses.sensitivities import objective as objectives
        from acausal.analyses.sensitivities.request import sensitivity_request

        asked = objectives.objective(objective)
        names = self._asked(sensitivity_request(parameters, None, None)).parameters
        options = SimulateOptions.of(stop, None, tolerance, solver)
        model, run = self._begun_with(options, values, inputs, initial, steady)
        if objectives.wants_adjoint(asked, method, len(names)):
            found = backwards(model, asked, names, run, required=method == "adjoint")
            if found is not None:
                return found
        if asked.kind == objectives.EXPRESSION:
            return expression_gradient(model, objective, names, run)
        return objectives.gradient(asked, names, model.times(options)[1], lambda request: slopes(model, request, run))
