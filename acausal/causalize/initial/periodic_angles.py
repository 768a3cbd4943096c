"""Unknowns of a nonlinear block that full turns leave as solutions: angles that only sines and cosines see.

    l1*cos(a) + l2*cos(a + b) = x     a + 2 pi, b and a, b + 2 pi solve it as well as a, b
    c*a + cos(b) = 1                  b + 2 pi does, a + 2 pi does not

Newton's method may come to any of these solutions; of the first instant the one nearest to the guess is meant.
"""

from collections.abc import Iterable

from acausal.ir.expr import VARIES, Expr
from acausal.ir.plan import SolveNonlinear
from acausal.ir.walk import marked

Turns = dict[Expr, float | None]
"""By how many full turns an expression changes with one of the unknown; None if it changes otherwise."""


def full_turns(step: SolveNonlinear) -> tuple[bool, ...]:
    """For each target whether it may change by 2 pi while the others stay, as far as the expressions show."""
    nodes = marked([*[a.value for a in step.inner], *step.residuals], VARIES)
    waves = any(node.op in ("sin", "cos") for node in nodes)
    return tuple([waves and _is_angle(step, target) for target in step.targets])


def _is_angle(step: SolveNonlinear, target: Expr) -> bool:
    turns: Turns = {target: 1.0}
    for assign in step.inner:
        _follow([assign.value], turns)
        turns[assign.target] = turns.get(assign.value, 0.0)
    _follow(step.residuals, turns)
    return all(turns.get(residual, 0.0) == 0.0 for residual in step.residuals)


def _follow(roots: Iterable[Expr], turns: Turns) -> None:
    for node in marked(roots, VARIES):
        if node.args and node not in turns:
            inner = [turns.get(a, 0.0) for a in node.args]
            if any(t != 0.0 for t in inner):
                turns[node] = _turns(node, inner)


def _turns(node: Expr, inner: list[float | None]) -> float | None:
    """Turns of a node of which at least one argument changes."""
    given = [t for t in inner if t is not None]
    if len(given) < len(inner):
        return None
    if node.op == "add":
        return sum(given)
    if node.op == "neg":
        return -given[0]
    if node.op == "noevent":
        return given[0]
    if node.op in ("sin", "cos"):
        return 0.0 if given[0] == round(given[0]) else None
    changing = [i for i, t in enumerate(given) if t]
    if node.op == "mul" and len(changing) == 1:
        others = [a for i, a in enumerate(node.args) if i != changing[0]]
        if all(a.op == "const" for a in others):
            factor = given[changing[0]]
            for other in others:
                factor *= other.number
            return factor
    return None
