"""The routine of delays: for each what it keeps, and how long ago it is wanted."""

from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.routine_builder import RoutineBuilder
from acausal.ir.plan import SolvePlan
from acausal.ir.program.instructions import NO_CODE, Routine
from acausal.ir.program.slots import DelaySlot


def lower_delays(plan: SolvePlan, layout: Layout) -> tuple[tuple[DelaySlot, ...], Routine, int]:
    """The slots, the routine, whose results are value and time of each, and its work area."""
    if not plan.delays:
        return (), NO_CODE, 0
    slots = tuple([DelaySlot(d.symbol.name, d.origin) for d in plan.delays])
    results = [e for d in plan.delays for e in (d.value, d.time)]
    builder = RoutineBuilder(plan.pool, layout, plan.steps, initial=False)
    builder.compute(results)
    return slots, builder.routine(results), builder.workspace
