"""Nonlinear blocks that may have several solutions, so that time may move them to where branches cross.

Sums, exponentials and the like have one: diodes and transistors, however time moves them.
"""

from collections.abc import Collection, Sequence

from acausal.codegen.optimize.liveness import targets_of
from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import Assign, SolveLinear, SolveNonlinear, Step
from acausal.ir.walk import marked

_TURNING = ("sin", "cos", "tan", "abs")


def is_moved_by(steps: Sequence[Step], leaves: Collection[Expr]) -> bool:
    """True if one of these leaves, as time or inputs, moves a block that may have several solutions."""
    moved = set(leaves)
    for step in steps:
        if any(node in moved for node in marked(_values(step), VARIES)):
            moved.update(targets_of(step))
            if isinstance(step, SolveNonlinear) and has_several(step):
                return True
    return False


def has_several(step: SolveNonlinear) -> bool:
    """True if a function that grows and falls, a square or a product of unknowns is in the equations."""
    inside = {*step.targets, *(a.target for a in step.inner)}
    for node in marked(_values(step), VARIES):
        parts = [a for a in node.args if a in inside]
        if parts:
            if node.op in _TURNING or (node.op == "mul" and len(parts) > 1) or _is_even(node):
                return True
            inside.add(node)
    return False


def _is_even(node: Expr) -> bool:
    """True if it is a power that may be even."""
    return node.op == "pow" and (node.args[1].op != "const" or node.args[1].number % 2.0 == 0.0)


def _values(step: Step) -> list[Expr]:
    if isinstance(step, Assign):
        return [step.value]
    if isinstance(step, SolveLinear):
        return [*(e for row in step.matrix for e in row), *step.right]
    return [*(a.value for a in step.inner), *step.residuals]
