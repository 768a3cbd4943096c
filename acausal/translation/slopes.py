"""Derivatives of a run with respect to parameters, where the translation may have to be made again for them."""

from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.ir.names import listed
from acausal.simulate.run.known_zeros import MOST_NAMED
from acausal.translation.translated_model import TranslatedModel

if TYPE_CHECKING:
    from acausal.analyses.sensitivities.objective import Objective
    from acausal.analyses.sensitivities.repeated import RepeatedSlopes
    from acausal.analyses.sensitivities.request import SensitivityRequest, SensitivityRun
    from acausal.analyses.sensitivities.result import Sensitivities
    from acausal.codegen.executable import Array


def slopes(translation: TranslatedModel, asked: "SensitivityRequest", run: "SensitivityRun") -> "Sensitivities":
    """Sensitivities of a run, with a new translation where a value or a parameter is part of the equations.

    RunError R003 where a parameter that is 0 is needed to determine an unknown names it.
    """
    from acausal.analyses.sensitivities.forward import forward
    from acausal.analyses.sensitivities.request import parameter_places
    from acausal.runs import RunError
    from acausal.simulate.system.settings import settings

    translation, p = translation.suited(run.given)
    model = translation.slope_models.model(translation, asked)
    if isinstance(model, TranslatedModel):
        return slopes(model, asked, run)
    chosen = settings(run.options, translation.program.experiment)
    try:
        return forward(model, p, run.given, asked, chosen, run.inputs or {}, *translation.run_context(run.given))
    except RunError as error:
        places = zip(asked.parameters, parameter_places(translation.program, asked.parameters), strict=True)
        zeros = [name for name, place in places if p[place] == 0.0]
        (failure,) = error.report.diagnostics
        if not zeros or failure.code != "R003":
            raise
        named = listed(zeros, MOST_NAMED)
        hint = f"slopes take the equations for any value of {named}, which have no solution at 0: give another value"
        raise RunError(replace(failure, help=hint), error.result) from None


def repeated(translation: TranslatedModel, asked: "SensitivityRequest", run: "SensitivityRun") -> "RepeatedSlopes":
    """The same for many runs, which differ in the values of the parameters that are asked for."""
    from acausal.analyses.sensitivities.repeated import RepeatedSlopes
    from acausal.simulate.system.settings import settings

    if translation.folded:
        translation, _ = translation.suited(run.given)
    model = translation.slope_models.model(translation, asked)
    if isinstance(model, TranslatedModel):
        return repeated(model, asked, run)
    chosen = settings(run.options, translation.program.experiment)
    return RepeatedSlopes(model, asked, chosen, run.inputs or {}, run.given, translation.run_context)


def backwards(
    translation: TranslatedModel, asked: "Objective", parameters: tuple[str, ...], run: "SensitivityRun", required: bool
) -> "tuple[float, Array] | None":
    """A gradient by the adjoint equations; None where they do not serve, an error if they are `required`."""
    from acausal.analyses.sensitivities.adjoint.adjoint_models import objective_gradient, serves
    from acausal.simulate.system.settings import settings

    translation, p = translation.suited(run.given)
    if not serves(translation.program, asked, required):
        return None
    model = translation.adjoint_models.model(translation, asked, parameters)
    if isinstance(model, TranslatedModel):
        return backwards(model, asked, parameters, run, required)
    chosen = settings(run.options, translation.program.experiment)
    return objective_gradient(model, asked, p, run.given, chosen, run.inputs or {}, required)


def expression_gradient(
    translation: TranslatedModel, text: str, parameters: tuple[str, ...], run: "SensitivityRun"
) -> "tuple[float, Array]":
    """The value of an expression of numbers of a run (`analyses/optimize/functionals`), and its derivatives."""
    from math import inf

    from acausal.analyses.fitting.unknowns import Unknown
    from acausal.analyses.optimize.control_request import functionals_of
    from acausal.analyses.optimize.trajectory_numbers import number_of_run
    from acausal.analyses.sensitivities.request import SensitivityRequest, parameter_places

    translation, p = translation.suited(run.given)
    places = parameter_places(translation.program, parameters)
    unknowns = [Unknown(n, float(p[at]), -inf, inf, False) for n, at in zip(parameters, places, strict=True)]
    functionals, expr, _ = functionals_of(translation.program, (text, 1.0), ())

    def run_with(variables: tuple[str, ...]) -> "Sensitivities":
        return slopes(translation, SensitivityRequest(parameters, variables or None, None), run)

    return number_of_run(functionals, expr, unknowns, run_with)
