"""Sines of time in the equations: a solver must not step over their periods.

    u = 12*sin(2*pi*50*time + phase)     ->     2*pi*50 rad/s

Between two pulses of a rectifier the equations look as if nothing would ever come; only the source knows better.
"""

from acausal.ir.dae import Dae
from acausal.ir.expr import MOVES, Expr
from acausal.ir.walk import marked
from acausal.symbolic.linear import linear_in_time


def angular_rates(dae: Dae) -> tuple[Expr, ...]:
    """The angular rates (rad/s, of parameters alone) of sines and cosines that depend on time alone, each once."""
    lines = {node: linear_in_time(dae.pool, node.args[0]) for node in dae.pool.operations("sin", "cos")}
    rate_of = {node: line[0] for node, line in lines.items() if line is not None and not line[0].varies}
    if not rate_of:
        return ()
    sides = [side for e in dae.equations for side in (e.left, e.right)]
    used = marked(sides, MOVES)
    return tuple(dict.fromkeys([rate_of[node] for node in used if node in rate_of]))
