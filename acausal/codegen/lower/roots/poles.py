"""Root functions without poles and jumps: a factor that vanishes there makes of each a zero that solvers locate.

tan(phi) > 100       (tan(phi) - 100)*cos(phi)^2      true for 0.01 rad, up to the pole

Without it both ends lie between two evaluations, as neither signs nor slopes show a pole. The sign is the same.
"""

from math import ceil

from acausal.codegen.lower.roots.moving import moving
from acausal.ir.expr import Expr
from acausal.ir.plan import Assign, SolvePlan
from acausal.runtime.limits import LEAST

SINES = ("sin", "cos")
MOST_POWER = 20.0
"""Poles of a higher order are left."""
MOST = 200
"""So many expressions that move are searched for one function at most."""


class Poles:
    """Factors for the root functions of one plan, by their formulas and explicit assignments."""

    def __init__(self, plan: SolvePlan) -> None:
        self._pool = plan.pool
        self._are_any = bool(plan.pool.operations("tan", "atan2", "sin", "cos"))
        self._values = {step.target: step.value for step in plan.steps if isinstance(step, Assign)}

    def removed(self, crossing: Expr) -> Expr:
        """The root function times the squares of all factors; at a pole itself it keeps its sign."""
        pool = self._pool
        for factor, times in self._factors(crossing).items():
            square = pool.add(pool.mul(factor, factor), pool.const(LEAST))
            for _ in range(times):
                crossing = pool.mul(crossing, square)
        return crossing

    def _factors(self, crossing: Expr) -> dict[Expr, int]:
        """Expressions that are zero at poles, or where angles jump, and how often each is squared."""
        if not self._are_any:
            return {}
        found: dict[Expr, int] = {}
        values = self._values
        for node in moving([crossing], lambda node: (values[node],) if node in values else (), MOST):
            factor, times = self._factor(node)
            if factor is not None:
                found[factor] = max(times, found.get(factor, 0))
        return found

    def _factor(self, node: Expr) -> tuple[Expr | None, int]:
        """A factor for this expression, and how often it is squared."""
        base, times = node, 1
        power = node.args[1].value if node.op == "pow" else None
        if isinstance(power, float) and abs(power) < MOST_POWER:
            base, times = node.args[0], ceil(abs(power) / 2.0)
        if base.op == "tan":
            return self._pool.call("cos", base.args[0]), times
        if node.op == "atan2":
            return node.args[0], 1
        is_inverse = base.op in SINES and isinstance(power, float) and power < 0.0
        return (base, times) if is_inverse else (None, 0)
