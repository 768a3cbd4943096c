"""The routine of choices of states: the variables that may become states, then the matrices that judge a choice."""

from acausal.causalize.index.state_choice import weight
from acausal.codegen.lower.layout import Layout
from acausal.codegen.lower.routine_builder import RoutineBuilder
from acausal.ir.dae import Choice
from acausal.ir.expr import Expr
from acausal.ir.plan import SolvePlan
from acausal.ir.program.instructions import NO_CODE, Routine
from acausal.ir.program.slots import NO_CHOICES, ChoiceSlot, ChoiceTable

Lowered = tuple[ChoiceTable, Routine, int, list[Expr]]


def lower_choices(plan: SolvePlan, layout: Layout) -> Lowered:
    """The table, the routine, its work area, and its results as expressions: the first instant computes them too."""
    if not plan.choices:
        return NO_CHOICES, NO_CODE, 0, []
    values = list(dict.fromkeys([*plan.states, *(x for c in plan.choices for x in _integrals(plan, c))]))
    results = list(values)
    slots = []
    for choice in plan.choices:
        place = {c: i for i, c in enumerate(choice.candidates)}
        slots.append(
            ChoiceSlot(
                tuple([(c.name, c.order) for c in choice.candidates]),
                tuple([place[d] for d in choice.dummies]),
                tuple([weight(wanted) for wanted in choice.wanted]),
                len(results),
            )
        )
        results += [entry for row in choice.matrix for entry in row]
    builder = RoutineBuilder(plan.pool, layout, plan.steps, initial=False)
    builder.compute(results)
    table = ChoiceTable(tuple(slots), tuple([(v.name, v.order) for v in values]), len(results))
    return table, builder.routine(results), builder.workspace, results


def _integrals(plan: SolvePlan, choice: Choice) -> list[Expr]:
    """The candidates' variables of lower order."""
    return [plan.pool.variable(c.name, order) for c in choice.candidates for order in range(c.order)]
