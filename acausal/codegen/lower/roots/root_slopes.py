"""Derivatives of root functions by formulas, also through variables that are assigned explicitly.

relation      d > limit        d' = (x*vx + y*vy)/d
assignments   d = sqrt(x^2 + y^2)
states        x, y, vx, vy
"""

from collections.abc import Sequence
from math import inf

from acausal.base.diagnostics import InternalError
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import Assign, SolvePlan
from acausal.ir.walk import marked
from acausal.symbolic.differentiate import Memo, differentiate

MOST = 200
"""So many expressions that move are searched for one function at most."""
CHEAP = 16
"""So many may be computed for a derivative: the search for crossings in its place takes as long as a few operations."""


class RootSlopes:
    """Derivatives with respect to time; equal parts are differentiated once."""

    def __init__(self, plan: SolvePlan) -> None:
        self._pool, self._states = plan.pool, frozenset(plan.states)
        assigned = [step for step in plan.steps if isinstance(step, Assign)]
        self._values = {step.target: step.value for step in assigned}
        self._position = {step.target: i for i, step in enumerate(assigned)}
        self._slopes = {plan.pool.time: plan.pool.one, **{x: plan.pool.derivative(x) for x in plan.states}}
        self._parts: dict[Expr, tuple[int, list[Expr]]] = {}
        self._memo: Memo = {}

    def slope(self, crossing: Expr, *, at_any_cost: bool = False) -> Expr | None:
        """The derivative, None where states, time and explicit assignments do not determine it, or at too much cost."""
        chain = self._assigned(crossing, inf if at_any_cost else MOST)
        if chain is None:
            return None
        try:
            for variable in chain:
                self._slopes[variable] = self._differentiated(self._values[variable])
            found = self._differentiated(crossing)
        except InternalError:
            return None
        if at_any_cost or not chain or not found.flags & MOVES:
            return found
        needed = self._assigned(found)
        return None if needed is None or self._work([found, *needed]) > CHEAP else found

    def _differentiated(self, expr: Expr) -> Expr:
        return differentiate(self._pool, expr, self._slopes, self._memo)

    def _assigned(self, expr: Expr, most: float = MOST) -> list[Expr] | None:
        """The assigned variables that an expression needs, in order; None where others are needed, or too many."""
        found: dict[Expr, None] = {}
        waiting, work = [expr], 0
        while waiting:
            for variable in self._part(waiting.pop())[1]:
                if variable not in self._values:
                    return None
                if variable not in found:
                    found[variable] = None
                    waiting.append(self._values[variable])
                    work += self._part(self._values[variable])[0]
            if work > most:
                return None
        return sorted(found, key=self._position.__getitem__)

    def work(self, expr: Expr) -> int:
        """Number of expressions that move that are computed for this one, up to what blocks give."""
        needed = self._assigned(expr)
        return self._work([expr, *(needed or ())])

    def _work(self, exprs: Sequence[Expr]) -> int:
        """Number of expressions that move, those of the values of variables."""
        return sum([self._part(self._values.get(expr, expr))[0] for expr in exprs])

    def _part(self, expr: Expr) -> tuple[int, list[Expr]]:
        """The number of expressions in this one that move, and the variables among them that are no states."""
        if expr not in self._parts:
            nodes = marked([expr], MOVES)
            variables = [node for node in nodes if node.op == "variable" and node not in self._states]
            self._parts[expr] = len(nodes), variables
        return self._parts[expr]
