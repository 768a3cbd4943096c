"""The mechanism of a translated model."""

from typing import TYPE_CHECKING

from acausal.base.options import SimulateOptions
from acausal.translation.simulation import TranslationSimulation
from acausal.translation.translated_model import GivenValues

if TYPE_CHECKING:
    from acausal.mechanism.checks.run_check import RunCheck
    from acausal.mechanism_analysis import MechanismAnalysis
    from acausal.results.result import Result
    from acausal.simulate.inputs.sampled_inputs import Inputs


class TranslationMechanism(TranslationSimulation):
    """Joints, bodies and loops of the multibody libraries, and what follows from them."""

    def mechanism(self, *, inputs: "Inputs | None" = None, initial: GivenValues | None = None) -> "MechanismAnalysis":
        """Bodies, joints and loops, degrees of freedom, reactions: `acausal.mechanism_analysis`.

        Poses are those of runs with these `inputs` and `initial` values. ModelError M001 for a model without joints of
        the multibody libraries.
        """
        from acausal.mechanism.extract import extract_mechanism
        from acausal.mechanism_analysis import MechanismAnalysis

        def run(stop: float | None, first: bool) -> "Result":
            """A run up to a time, or of the first instant alone."""
            from acausal.simulate.system.settings import require_within

            start = self.times(SimulateOptions())[0]
            end = start if first else stop
            if end is not None:
                require_within(end, start)
            return self.simulate(stop=end, inputs=inputs, initial=initial)

        return MechanismAnalysis(extract_mechanism(self.stages.flat), run)

    def check_energy(self, result: "Result | None" = None) -> "RunCheck":
        """Balances of power of a run (default: as the model says), at every cut: `acausal.mechanism.checks.run_check`.

        At each node the powers of all cuts sum to zero; those of a mechanism's joints, bodies and forces agree with
        their motion. A result has to have all variables. UsageError F006 for libraries with regrouped parameters, whose
        cuts do not carry the forces of the joints.
        """
        from acausal.mechanism.checks.run_check import check_run, need_checkable

        need_checkable(self.stages.flat)
        return check_run(self.stages.flat, self.simulate() if result is None else result)
