"""Arguments of curves through points in root functions: how fast they come from kink to kink.

    interp(x, [0, 1, 2, 3], [0, 1, -1, 2]) > 0.5       der(x)/d, d: the distance from x to the next kink but one

Between two kinks, where derivatives jump, a root function may rise and fall. A solver that x does not limit steps over
any number of them. So such a velocity stands beside those of sines (`phases`): at most one kink is between evaluations.
"""

from collections.abc import Sequence

from acausal.codegen.lower.roots.moving import moving
from acausal.codegen.lower.roots.root_slopes import RootSlopes
from acausal.elaborate.interpolation.piecewise import chosen
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import Assign, SolvePlan
from acausal.ir.pool import Pool
from acausal.runtime.phase_checks import PART

MOST = 1000
"""Kinks of a curve with more points are left."""
SHARE = 0.8
"""Of that distance x moves at most so much between two evaluations."""
FAR = 1e300


class Kinks:
    """The curves of one plan, by its formulas and explicit assignments."""

    def __init__(self, plan: SolvePlan) -> None:
        self._pool = plan.pool
        self._are_any = bool(plan.pool.operations("if"))
        self._values = {step.target: step.value for step in plan.steps if isinstance(step, Assign)}

    def velocities(self, crossings: Sequence[Expr], known: RootSlopes) -> list[Expr]:
        """For each argument of a curve the angular velocity whose sixteen evaluations in a period are near enough."""
        pool, found = self._pool, list[Expr]()
        for argument, places in self._below(crossings).items():
            rate = known.slope(argument)
            if rate is not None and rate is not pool.zero and 2 <= len(places) <= MOST:
                distance = _distance(pool, argument, sorted(places))
                found.append(pool.mul(pool.const(PART / SHARE), rate, pool.call("pow", distance, pool.const(-1.0))))
        return found

    def are_below(self, crossing: Expr) -> bool:
        """True if a root function is computed from a curve with several kinks."""
        return any(len(places) >= 2 for places in self._below([crossing]).values())

    def _below(self, crossings: Sequence[Expr]) -> dict[Expr, dict[float, None]]:
        """The numbers that expressions are compared with to choose a piece."""
        found: dict[Expr, dict[float, None]] = {}
        values = self._values
        walk = moving(crossings, lambda node: (values[node],) if node in values else ())
        for node in walk if self._are_any else ():
            if node.op == "if" and node.args[0].op in ("<", "<=", ">", ">="):
                left, right = node.args[0].args
                if right.op == "const" and left.flags & MOVES:
                    found.setdefault(left, {})[right.number] = None
        return found


def _distance(pool: Pool, x: Expr, places: Sequence[float]) -> Expr:
    """The distance to the next place but one, on either side; as good as infinite where there is none."""
    pieces = []
    for i in range(len(places) + 1):
        right = pool.sub(pool.const(places[i + 1]), x) if i + 1 < len(places) else None
        left = pool.sub(x, pool.const(places[i - 2])) if i >= 2 else None
        sides = [side for side in (right, left) if side is not None]
        nearer = pool.call("min", *sides) if len(sides) == 2 else sides[0] if sides else pool.const(FAR)
        pieces.append(nearer)
    return chosen(pool, x, places, pieces)
