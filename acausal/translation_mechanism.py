"""The mechanism of a translated model."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from acausal.translation_analyses import GivenValues
from acausal.translation_optimization import TranslationOptimization

if TYPE_CHECKING:
    from acausal.mechanism_analysis import MechanismAnalysis
    from acausal.results.result import Result
    from acausal.simulate.inputs.sampled_inputs import Inputs


class TranslationMechanism(TranslationOptimization):
    """Joints, bodies and loops of the multibody libraries, and what follows from them."""

    def runner(self, inputs: "Inputs | None", initial: GivenValues | None) -> "Callable[[float | None, bool], Result]":
        """Runs with these inputs and initial values up to a time, or of the first instant alone."""
        raise NotImplementedError

    def mechanism(self, *, inputs: "Inputs | None" = None, initial: GivenValues | None = None) -> "MechanismAnalysis":
        """Bodies, joints and loops, degrees of freedom, reactions: `acausal.mechanism_analysis`.

        Poses are those of runs with these `inputs` and `initial` values. ModelError M001 for a model without joints of
        the multibody libraries.
        """
        from acausal.mechanism.extract import extract_mechanism
        from acausal.mechanism_analysis import MechanismAnalysis

        return MechanismAnalysis(extract_mechanism(self.stages.flat), self.runner(inputs, initial))
