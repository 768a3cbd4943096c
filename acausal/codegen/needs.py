"""What a routine needs: the steps that its results depend on, and how often each expression is used."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from acausal.ir.expr import VARIES, Expr, postorder
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step

Uses = dict[Expr, int]


@dataclass(frozen=True, slots=True)
class Body:
    """A nonlinear block seen from inside.

    `inside` depends on its unknowns, `captured` does not and is used there; `uses` as in `Needs`.
    """

    inside: frozenset[Expr]
    captured: tuple[Expr, ...]
    uses: Uses


Bodies = Mapping[tuple[Expr, ...], Body]
"""The bodies of nonlinear blocks by their targets."""


@dataclass(frozen=True, slots=True)
class Needs:
    """`steps` in the order of the plan; `uses` counts the places of each varying expression."""

    steps: tuple[Step, ...]
    uses: Uses


def body_of(step: SolveNonlinear) -> Body:
    """Divides the expressions of a nonlinear block."""
    inside = {*step.targets, *(a.target for a in step.inner)}
    roots = roots_of_body(step)
    for node in postorder(roots, lambda e: not e.flags & VARIES):
        if any(a in inside for a in node.args):
            inside.add(node)
    uses = dict.fromkeys(roots, 2)
    outside = [root for root in roots if root not in inside]
    for node in postorder(roots, lambda e: e not in inside):
        count_uses(node, uses)
        outside += [a for a in node.args if a not in inside]
    captured = tuple([a for a in dict.fromkeys(outside) if a.op not in ("const", "boolean")])
    return Body(frozenset(inside), captured, uses)


def roots_of_body(step: SolveNonlinear) -> list[Expr]:
    """The values of the inner steps, the residuals and their Jacobian row by row."""
    return [*(a.value for a in step.inner), *step.residuals, *(e for row in step.jacobian for e in row)]


def needs_of(
    steps: tuple[Step, ...], roots: Iterable[Expr], bodies: Bodies, initial: bool
) -> Needs:
    """Walks from the results back through the steps that give their values."""
    step_of: dict[Expr, int] = {}
    for i, step in enumerate(steps):
        for target in (step.target,) if isinstance(step, Assign) else step.targets:
            step_of[target] = i
    live = [False] * len(steps)
    uses: Uses = {}
    stack = list(roots)
    for root in stack:
        uses[root] = uses.get(root, 0) + 2
    seen: set[Expr] = set()
    while stack:
        node = stack.pop()
        if node in seen or not node.flags & VARIES:
            continue
        seen.add(node)
        if node.args:
            count_uses(node, uses)
            stack.extend(node.args)
            continue
        position = step_of.get(node)
        if position is not None and not live[position]:
            live[position] = True
            found = _roots_of_step(steps[position], bodies, initial)
            for root in found:
                uses[root] = uses.get(root, 0) + 1
            stack.extend(found)
    return Needs(tuple([step for step, needed in zip(steps, live, strict=True) if needed]), uses)


def count_uses(node: Expr, uses: Uses) -> None:
    """Counts the arguments of a node; a reciprocal outside a product counts as used twice."""
    in_product = node.op == "mul"
    for arg in node.args:
        uses[arg] = uses.get(arg, 0) + (1 if in_product or arg.op != "pow" else 2)


def _roots_of_step(step: Step, bodies: Bodies, initial: bool) -> list[Expr]:
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        return [*(e for row in step.matrix for e in row), *step.right]
    return [*bodies[step.targets].captured, *(step.guesses if initial else ())]
