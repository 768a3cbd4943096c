"""The verifier of plans: every step reads what is known before it."""

from collections.abc import Iterator, Sequence

from acausal.ir.check.expressions import expression_faults
from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, SolvePlan, Step
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import variables_of


def check_plan(plan: SolvePlan) -> tuple[str, ...]:
    """Faults of a plan, each with its surroundings; empty if it is sound."""
    return tuple(_faults(plan))


def _faults(plan: SolvePlan) -> Iterator[str]:
    inputs = {v.symbol.name for v in plan.inputs} | {d.symbol.name for d in plan.delays}
    yield from expression_faults(plan.pool)
    for name, steps, first in (("steps", plan.steps, plan.states), ("initial steps", plan.initial_steps, ())):
        known = set(first)
        for number, step in enumerate(steps):
            faults = [*_step_faults(step, known, inputs)]
            yield from (f"{name} {number}: {fault}\n{_surroundings(steps, number)}" for fault in faults)
            known.update(targets_of(step))
        if name == "steps":
            yield from _result_faults(plan, known, inputs)
        else:
            yield from (f"{name}: {show_expr(x)} is not determined" for x in plan.states if x not in known)


def _result_faults(plan: SolvePlan, known: set[Expr], inputs: set[Name]) -> Iterator[str]:
    roots: list[tuple[str, object, Expr]] = [(c.kind, c.text, c.condition) for c in plan.conditions]
    roots += [("frozen", h.symbol, x) for h in plan.events.frozen for x in h.now]
    roots += [("init", r.target, r.value) for r in plan.events.restarts]
    roots += [("delay", d.symbol, d.value) for d in plan.delays]
    if not plan.outputs:
        roots += [("alias", a.variable.symbol, a.value) for a in plan.aliases]
        roots += [("variable", v.symbol, v.symbol) for v in plan.variables]
    aliases = {a.variable.symbol: a.value for a in plan.aliases}
    for kind, what, root in roots:
        wanted = [x for x in variables_of([root]) if x not in aliases]
        yield from (
            f"{kind} {what}: {show_expr(x)} is not determined"
            for x in wanted
            if x not in known and x.name not in inputs
        )
    slopes = {(x.name, x.order) for x in known}
    yield from (
        f"der of state {show_expr(x)} is not determined" for x in plan.states if (x.name, x.order + 1) not in slopes
    )


def targets_of(step: Step) -> tuple[Expr, ...]:
    """The unknowns that a step determines."""
    return (step.target,) if isinstance(step, Assign) else step.targets


def _step_faults(step: Step, known: set[Expr], inputs: set[Name]) -> Iterator[str]:
    targets = targets_of(step)
    yield from (f"{show_expr(x)} is determined twice" for x in targets if x in known)
    inside: set[Expr] = set()
    roots: list[Expr] = []
    if isinstance(step, Assign):
        roots = [step.value]
    elif isinstance(step, SolveLinear):
        count = len(targets)
        if len(step.matrix) != count or any(len(row) != count for row in step.matrix) or len(step.right) != count:
            yield f"a matrix of {len(step.matrix)} rows for {count} unknowns"
        roots = [*step.right, *[x for row in step.matrix for x in row]]
    else:
        yield from _nonlinear_faults(step, known, inputs)
        inside = {*targets, *[a.target for a in step.inner]}
        roots = [*step.residuals, *[x for row in step.jacobian for x in row], *[a.value for a in step.inner]]
    for x in variables_of(roots):
        if x not in known and x not in inside and x.name not in inputs:
            yield f"reads {show_expr(x)}, which is not known yet"


def _nonlinear_faults(step: SolveNonlinear, known: set[Expr], inputs: set[Name]) -> Iterator[str]:
    count = len(step.targets)
    sizes = (len(step.residuals), len(step.jacobian), len(step.guesses), len(step.nominals))
    if set(sizes) != {count} or any(len(row) != count for row in step.jacobian):
        yield f"residuals, Jacobian, guesses and nominals of sizes {sizes} for {count} unknowns"
    before = {*known, *step.targets}
    for assign in step.inner:
        late = [x for x in variables_of([assign.value]) if x not in before and x.name not in inputs]
        yield from (f"{show_expr(assign.target)} reads {show_expr(x)}, which is not known yet" for x in late)
        before.add(assign.target)


def _surroundings(steps: Sequence[Step], number: int) -> str:
    """A step between its neighbours."""
    lines = []
    for i in range(max(number - 1, 0), min(number + 2, len(steps))):
        names = ", ".join(show_expr(x) for x in targets_of(steps[i])[:4])
        step = steps[i]
        shown = show_expr(step.value) if isinstance(step, Assign) else type(step).__name__
        lines.append(f"  {'>' if i == number else ' '} {i}: {names} := {shown}")
    return "\n".join(lines)
