"""The mechanism of a translated model."""

from typing import TYPE_CHECKING

from acausal.translation_optimization import TranslationOptimization

if TYPE_CHECKING:
    from acausal.mechanism.analysis import MechanismAnalysis


class TranslationMechanism(TranslationOptimization):
    """Joints, bodies and loops of the multibody libraries, and what follows from them."""

    def mechanism(self) -> "MechanismAnalysis":
        """Joints, bodies, loops and forces of the multibody libraries; ModelError M001 for a model without them."""
        from acausal.mechanism.analysis import MechanismAnalysis
        from acausal.mechanism.extract import extract_mechanism

        return MechanismAnalysis(extract_mechanism(self.stages.flat))
