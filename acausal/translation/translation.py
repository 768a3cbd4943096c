"""All that a translated model can be asked."""

from acausal.translation.linearization import TranslationLinearization
from acausal.translation.mechanism import TranslationMechanism
from acausal.translation.optimization import TranslationOptimization
from acausal.translation.sweeps import TranslationSweeps
from acausal.translation.views import TranslationViews


class Translation(
    TranslationMechanism, TranslationSweeps, TranslationLinearization, TranslationOptimization, TranslationViews
):
    """A model ready to run. Code is generated and compiled when first needed; threads may share it.

    Where a value is given to a parameter that is part of the equations, the model is translated again. A pickle holds
    the program and where it comes from: code and stages are made again when they are needed.
    """

    def __repr__(self) -> str:
        return f"<Translation {self.name}>"
