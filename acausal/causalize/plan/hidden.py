"""The system with a hidden constraint in place of one of its dependent equations."""

from acausal.causalize.explain.dependent_equations import explain_rank
from acausal.causalize.index.augment_system import augment
from acausal.causalize.index.hidden_constraints import Verdict, candidate_of, combine
from acausal.causalize.index.numeric_rank import Dependence
from acausal.causalize.loops.relieve import relieve
from acausal.causalize.plan.rounds import Round
from acausal.ir.dae import Dae


def constrained(state: Round, found: Dependence) -> Dae:
    """A combination of the equations, else an augmented or a relieved system; ModelError where there is none."""
    candidate = candidate_of(state.reduced, state.run, found)
    combined = combine(state.reduced, candidate)
    if combined is Verdict.UNKNOWN:
        combined = augment(state.reduced, candidate) or combined
    if combined is Verdict.REPEAT:
        combined = relieve(state.flat, state.dae, state.most, singular=True) or combined
    if isinstance(combined, Verdict):
        raise explain_rank(state.flat, state.dae, state.run, found, combined)
    return combined
