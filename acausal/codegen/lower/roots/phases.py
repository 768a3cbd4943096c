"""The sines that root functions are computed from: their largest angular velocity, or angles (`runtime/phase_checks`).

Curves through points have velocities, too (`kinks`).

when sin(phi) > 0.5         der(phi) = w                  w^2
when i > 0                  i = (sin(2*f*time) - u)/R     4*f^2
when cos(u*time) > 0        input u                       an angle without formula
"""

from acausal.causalize.events.unfreeze import roots_of
from acausal.codegen.lower.roots.kinks import Kinks
from acausal.codegen.lower.roots.moving import moving
from acausal.codegen.lower.roots.root_slopes import RootSlopes
from acausal.codegen.optimize.liveness import targets_of
from acausal.ir.expr import MOVES, Expr
from acausal.ir.plan import SolvePlan
from acausal.runtime.limits import LEAST, TURN

PERIODIC = ("sin", "cos", "tan")


def phases(plan: SolvePlan, crossings: list[Expr], known: RootSlopes, kinks: Kinks) -> tuple[list[Expr], list[Expr]]:
    """The largest square of a velocity, if there is one, and angles whose velocities no formula gives.

    Sines of time that limit the steps of the solver anyway are left out. All are positive: as root functions they
    never cross.
    """
    pool = plan.pool
    if not pool.operations(*PERIODIC, "if"):
        return [], []
    limited = {wave.rate for wave in plan.waves if plan.states and not wave.conditions and wave.decay is None}
    found: dict[Expr, None] = {}
    angles: list[Expr] = []
    for argument in _arguments(plan, crossings):
        rate = known.slope(argument)
        if rate is None:
            angles.append(pool.add(pool.one, pool.call("mod", argument, pool.const(TURN))))
        elif rate is not pool.zero and rate not in limited:
            found[pool.mul(rate, rate)] = None
    found |= dict.fromkeys([pool.mul(rate, rate) for rate in kinks.velocities(crossings, known)])
    squares = list(found)
    if not squares:
        return [], angles
    largest = squares[0]
    for square in squares[1:]:
        largest = pool.call("max", largest, square)
    return [pool.add(largest, pool.const(LEAST))], angles


def _arguments(plan: SolvePlan, crossings: list[Expr]) -> list[Expr]:
    """Arguments of the sines that move, below the root functions and the steps that these need."""
    step_of = {target: step for step in plan.steps for target in targets_of(step)}
    below = moving(crossings, lambda node: roots_of(step_of[node]) if node in step_of else ())
    return list(dict.fromkeys([n.args[0] for n in below if n.op in PERIODIC and n.args[0].flags & MOVES]))
