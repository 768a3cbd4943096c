"""The same system with other states: for a run that comes to where the first choice is a bad one."""

from collections.abc import Sequence

from acausal.causalize.initial import initial_system
from acausal.causalize.make_plan import make_plan
from acausal.causalize.select_states import select_states
from acausal.causalize.sort import sort
from acausal.ir.dae import StateSelection
from acausal.ir.expr import Expr
from acausal.ir.plan import SolvePlan


def plan_with(selection: StateSelection, dummies: Sequence[Expr], outputs: Sequence[Expr]) -> SolvePlan:
    """The plan in which these derivatives are dummies."""
    reduced = selection.reduced
    other = select_states(reduced, dummies)
    run = sort(reduced.dae.pool, reduced.equations, other.unknowns)
    return make_plan(other, run, initial_system(other).system, outputs)
