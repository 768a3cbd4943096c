"""The same system with other states: for a run that comes to where the first choice is a bad one."""

from collections.abc import Sequence

from acausal.causalize.blocks.sort import sort_run
from acausal.causalize.initial.initial_system import initial_system
from acausal.causalize.plan.make_plan import make_plan
from acausal.ir.dae import StateSelection
from acausal.ir.experiment import AS_MODELED, Start
from acausal.ir.expr import Expr
from acausal.ir.plan import SolvePlan


def plan_with(selection: StateSelection, outputs: Sequence[Expr], start: Start = AS_MODELED) -> SolvePlan:
    """The plan with this selection of states; `start` as in `initial_system`."""
    return make_plan(selection, sort_run(selection), initial_system(selection, start).system, outputs)
