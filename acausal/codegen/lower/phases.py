"""The largest angular velocity of the sines that root functions are computed from (`runtime/phase_checks`).

when sin(phi) > 0.5         der(phi) = w                  w^2
when i > 0                  i = (sin(2*f*time) - u)/R     4*f^2
"""

from acausal.causalize.events.unfreeze import roots_of
from acausal.codegen.lower.root_slopes import RootSlopes
from acausal.codegen.optimize.liveness import targets_of
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import SolvePlan
from acausal.runtime.limits import LEAST

PERIODIC = ("sin", "cos", "tan")


def largest_square(plan: SolvePlan, crossings: list[Expr], known: RootSlopes) -> Expr | None:
    """The largest square of a velocity; None where there is none. It is positive: as a root function it never crosses.

    Sines of time that limit the steps of the solver anyway are left out.
    """
    pool = plan.pool
    if not pool.operations(*PERIODIC):
        return None
    limited = {wave.rate for wave in plan.waves if plan.states and not wave.conditions and wave.decay is None}
    found: dict[Expr, None] = {}
    for argument in _arguments(plan, crossings):
        rate = known.slope(argument)
        if rate is not None and rate is not pool.zero and rate not in limited:
            found[pool.mul(rate, rate)] = None
    if not found:
        return None
    squares = list(found)
    largest = squares[0]
    for square in squares[1:]:
        largest = pool.call("max", largest, square)
    return pool.add(largest, pool.const(LEAST))


def _arguments(plan: SolvePlan, crossings: list[Expr]) -> list[Expr]:
    """Arguments of the sines that move, below the root functions and the steps that these need."""
    step_of = {target: step for step in plan.steps for target in targets_of(step)}
    found: dict[Expr, None] = {}
    seen: set[Expr] = set()
    waiting = list(crossings)
    while waiting:
        node = waiting.pop()
        if node in seen or not node.flags & MOVES:
            continue
        seen.add(node)
        waiting += node.args
        if node.op in PERIODIC and node.args[0].flags & MOVES:
            found[node.args[0]] = None
        step = step_of.get(node)
        if step is not None:
            waiting += roots_of(step)
    return list(found)
