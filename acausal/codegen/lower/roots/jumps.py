"""Functions that are zero where root functions jump or have poles that no factor removes (`poles`).

1/x > 100                       x             true from the pole on up to x = 0.01
q^3 + q = f(t), tan(q) > 100    cos(q)        the velocity of q has no formula
p + 2*q = tan(u), q > 100       cos(u)        the pole is that of a block

The search for hidden crossings (`runtime/crossings/hidden_jumps`) evaluates root functions on both sides of zeros.
"""

from acausal.causalize.events.unfreeze import roots_of
from acausal.causalize.solve.definite_sign import is_one_sided
from acausal.codegen.lower.roots.moving import moving
from acausal.codegen.lower.roots.root_slopes import RootSlopes
from acausal.codegen.optimize.liveness import targets_of
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import SolvePlan, Step
from acausal.ir.pool import Pool

MOST = 400
"""So many expressions that move are searched for one function at most."""
MOST_WORK = 8
"""So many that move are computed for one of them: pivots of mass matrices, which need more, have no zero."""
LARGEST = 1e300
MOST_JUMPS = 16
"""So many of these functions a model has at most."""


def jumps_of(
    plan: SolvePlan, watched: list[Expr], slopes: list[Expr | None], known: RootSlopes
) -> tuple[set[int], list[Expr]]:
    """Positions of the root functions that jump, and what is zero there."""
    step_of = {target: step for step in plan.steps for target in targets_of(step)}
    jumping: set[int] = set()
    jumps: dict[Expr, None] = {}
    for position, crossing in enumerate(watched):
        found = _jumps(plan.pool, crossing, step_of, slopes[position] is not None, known)
        if found and len(jumps) + len(found) <= MOST_JUMPS:
            jumping.add(position)
            jumps |= found
    return jumping, list(jumps)


def finite(pool: Pool, crossing: Expr) -> Expr:
    """A root function that may be infinite, as at a pole itself, as a number by which a solver can locate its zero."""
    most, least = pool.const(LARGEST), pool.const(-LARGEST)
    crossing = pool.if_(pool.call(">", crossing, most), most, crossing)
    return pool.if_(pool.call("<", crossing, least), least, crossing)


def _jumps(
    pool: Pool, crossing: Expr, step_of: dict[Expr, Step], has_slope: bool, known: RootSlopes
) -> dict[Expr, None]:
    """Functions that are zero where a root function jumps, which is not known by formula alone."""
    found: dict[Expr, None] = {}
    for node in moving([crossing], lambda node: roots_of(step_of[node]) if node in step_of else (), MOST):
        jump = None if has_slope else _angle_jump(pool, node)
        if node.op == "pow":
            jump = _denominator(node, has_slope)
        if jump is not None and known.work(jump) <= MOST_WORK:
            found[jump] = None
    return found


def _angle_jump(pool: Pool, node: Expr) -> Expr | None:
    if node.op == "tan":
        return pool.call("cos", node.args[0])
    return node.args[0] if node.op == "atan2" else None


def _denominator(node: Expr, has_slope: bool) -> Expr | None:
    """The divisor, where it may change its sign; sines have a factor where all is known by formula."""
    base, power = node.args
    if not (power.op == "const" and power.number < 0.0 and base.flags & MOVES):
        return None
    if has_slope and base.op in ("sin", "cos"):
        return None
    return None if is_one_sided(base) else base
