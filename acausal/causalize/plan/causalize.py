"""From scalar equations to their order, in rounds of passes: what one round finds begins the next.

Structure alone does not show all constraints: the numbers of a round (dependent equations, constraints of one mode,
redundant constraints) change the system, and the passes begin again.
"""

from acausal.base.diagnostics import InternalError
from acausal.base.timing import StageTimer
from acausal.causalize.plan.passes import PASSES
from acausal.causalize.plan.rounds import Round
from acausal.ir.dae import Dae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel

MOST_ROUNDS = 200
"""Constraints that only numbers show, one after the other."""


def causal(
    flat: FlatModel, dae: Dae, outputs: tuple[Expr, ...], clock: StageTimer, most: int
) -> tuple[Dae, StateSelection, SortedSystem]:
    """States and order of the equations; index reduction may make `most` operations.

    ModelError where the equations are singular or inconsistent.
    """
    state = Round(flat, outputs, most, dae)
    for left in reversed(range(MOST_ROUNDS)):
        state = state.begin(last=not left)
        for stage, run_pass in PASSES:
            state = clock.measured(stage, run_pass(state))
            if state.changed:
                break
        else:
            return state.dae, state.selection, state.run
    raise InternalError("rank", "index reduction does not terminate")
