"""Liveness: the steps that the results of a routine depend on, and the number of uses of each expression."""

from collections.abc import Iterable, Mapping

from acausal.base.frozen import dataclass
from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.walk import marked, postorder

Uses = dict[Expr, int]


@dataclass(frozen=True, slots=True)
class Body:
    """A nonlinear block seen from inside.

    `inside` depends on its unknowns, `captured` does not and is used there; `uses` as in `Liveness`.
    """

    inside: frozenset[Expr]
    captured: tuple[Expr, ...]
    uses: Uses

    def holds(self, node: Expr) -> bool:
        """True if it depends on the unknowns, be it one of the block or made of its parts (`codegen.factor`)."""
        stack, seen = [node], set[Expr]()
        while stack:
            part = stack.pop()
            if part in self.inside:
                return True
            if part not in self.uses and part not in seen:
                seen.add(part)
                stack.extend([a for a in part.args if a.flags & VARIES])
        return False


Bodies = Mapping[tuple[Expr, ...], Body]
"""The bodies of nonlinear blocks by their targets."""


def body_of(step: SolveNonlinear) -> Body:
    """Divides the expressions of a nonlinear block."""
    inside = {*step.targets, *(a.target for a in step.inner)}
    roots = roots_of_body(step)
    for node in marked(roots, VARIES):
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


def targets_of(step: Step) -> tuple[Expr, ...]:
    """Targets of a step."""
    return (step.target,) if isinstance(step, Assign) else step.targets


def positions_of(steps: tuple[Step, ...]) -> dict[Expr, int]:
    """The position of the step that computes each variable."""
    found: dict[Expr, int] = {}
    for i, step in enumerate(steps):
        if isinstance(step, Assign):
            found[step.target] = i
        else:
            found |= dict.fromkeys(step.targets, i)
    return found


class Liveness:
    """Live steps of results, gathered request by request; `uses` counts the places of each varying expression.

    `step_of` has the positions of the steps (`positions_of`).
    """

    def __init__(self, steps: tuple[Step, ...], step_of: Mapping[Expr, int], bodies: Bodies, initial: bool) -> None:
        self.uses: Uses = {}
        self._steps = steps
        self._bodies = bodies
        self._initial = initial
        self._step_of = step_of
        self._live = bytearray(len(steps))
        self._seen: set[Expr] = set()

    def request(self, roots: Iterable[Expr]) -> list[Step]:
        """Walks from results back; the steps that nothing before has asked for, in the order of the plan."""
        uses, seen, live, step_of = self.uses, self._seen, self._live, self._step_of
        found: list[int] = []
        stack = list(roots)
        for root in stack:
            uses[root] = uses.get(root, 0) + 2
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            if node.args:
                once = node.op == "mul"
                for arg in node.args:
                    if arg.flags & VARIES:
                        uses[arg] = uses.get(arg, 0) + (1 if once or arg.op != "pow" else 2)
                        if arg not in seen:
                            stack.append(arg)
                continue
            position = step_of.get(node)
            if position is not None and not live[position]:
                live[position] = 1
                found.append(position)
                step = self._steps[position]
                for root in (step.value,) if isinstance(step, Assign) else self._roots_of(step):
                    uses[root] = uses.get(root, 0) + 1
                    if root.flags & VARIES:
                        stack.append(root)
        return [self._steps[i] for i in sorted(found)]

    def _roots_of(self, step: SolveLinear | SolveNonlinear) -> list[Expr]:
        if isinstance(step, SolveLinear):
            return [*(e for row in step.matrix for e in row), *step.right]
        return [*self._bodies[step.targets].captured, *(step.guesses if self._initial else ())]


def all_uses(roots: Iterable[Expr]) -> Uses:
    """Number of uses of each expression below the roots."""
    uses: Uses = {}
    seen: set[Expr] = set()
    stack = [root for root in roots if root.args]
    while stack:
        node = stack.pop()
        if node.args and node not in seen:
            seen.add(node)
            count_uses(node, uses)
            stack += node.args
    return uses


def count_uses(node: Expr, uses: Uses) -> None:
    """Counts the arguments of a node; a reciprocal outside a product counts as used twice."""
    if node.op == "mul":
        for arg in node.args:
            uses[arg] = uses.get(arg, 0) + 1
        return
    for arg in node.args:
        uses[arg] = uses.get(arg, 0) + (1 if arg.op != "pow" else 2)
