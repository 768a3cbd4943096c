"""Derivatives of a run by parameters, where the translation may have to be made again for them."""

from typing import TYPE_CHECKING

from acausal.translation.translated_model import TranslatedModel

if TYPE_CHECKING:
    from acausal.analyses.sensitivities.request import SensitivityRequest, SensitivityRun
    from acausal.analyses.sensitivities.result import Sensitivities


def slopes(translation: TranslatedModel, asked: "SensitivityRequest", run: "SensitivityRun") -> "Sensitivities":
    """Sensitivities of a run, with a new translation where a value or a parameter is part of the equations."""
    from acausal.analyses.sensitivities.forward import forward
    from acausal.simulate.system.settings import settings

    translation, p = translation.suited(run.given)
    model = translation.slope_models.model(translation, asked)
    if isinstance(model, TranslatedModel):
        return slopes(model, asked, run)
    chosen = settings(run.options, translation.program.experiment)
    return forward(model, p, run.given, asked, chosen, run.inputs or {}, *translation.run_context(run.given))
