"""Sines of time in the equations: a solver must not step over their periods.

    u = 12*sin(2*pi*50*time + phase)     ->     2*pi*50 rad/s

Between two pulses of a rectifier the equations look as if nothing would ever come; only the source knows better.
"""

from acausal.ir.dae import Dae
from acausal.ir.expr import MOVES, Expr, postorder
from acausal.symbolic.linear import linear_form


def angular_rates(dae: Dae) -> tuple[Expr, ...]:
    """The angular rates (rad/s, of parameters alone) of sines and cosines that depend on time alone, each once."""
    pool = dae.pool
    if not any(node.op in ("sin", "cos") and pool.time in _moving(node) for node in pool.nodes()):
        return ()
    sides = [side for e in dae.equations for side in (e.left, e.right)]
    found: dict[Expr, None] = {}
    for node in postorder(sides, lambda e: not e.flags & MOVES):
        if node.op in ("sin", "cos") and _moving(node) == [pool.time]:
            form = linear_form(pool, node.args[0], {pool.time})
            if form is not None and not form.coefficients[pool.time].varies:
                found[form.coefficients[pool.time]] = None
    return tuple(found)


def _moving(node: Expr) -> list[Expr]:
    """The leaves below a node that change between events."""
    return [n for n in postorder([node], lambda e: not e.flags & MOVES) if not n.args]
