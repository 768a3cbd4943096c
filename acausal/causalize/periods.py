"""Sines of time in the equations: a solver must not step over their periods.

    u = 12*sin(2*pi*50*time + phase)     ->     2*pi*50 rad/s

Between two pulses of a rectifier the equations look as if nothing would ever come; only the source knows better.
"""

from collections.abc import Sequence

from acausal.ir.dae import Dae
from acausal.ir.expr import MOVES, Expr
from acausal.ir.walk import marked
from acausal.symbolic.linear import linear_in_time


def angular_rates(dae: Dae) -> tuple[Expr, ...]:
    """The angular rates (rad/s, of parameters alone) of sines and cosines that depend on time alone, each once."""
    nodes = list(dae.pool.operations("sin", "cos"))
    linear = _linear([node.args[0] for node in nodes])
    lines = {node: linear_in_time(dae.pool, node.args[0]) for node in nodes if node.args[0] in linear}
    rate_of = {node: line[0] for node, line in lines.items() if line is not None and not line[0].varies}
    if not rate_of:
        return ()
    sides = [side for e in dae.equations for side in (e.left, e.right)]
    used = marked(sides, MOVES)
    return tuple(dict.fromkeys([rate_of[node] for node in used if node in rate_of]))


def _linear(exprs: Sequence[Expr]) -> set[Expr]:
    """The nodes below these that may be linear in time and move with nothing else, each looked at once."""
    linear: set[Expr] = set()
    for node in marked(exprs, MOVES):
        moving = [arg for arg in node.args if arg.flags & MOVES]
        if not moving:
            fits = node.op == "time"
        else:
            fits = node.op in ("add", "neg", "noevent", "if") or (node.op == "mul" and len(moving) == 1)
        if fits and linear.issuperset(moving):
            linear.add(node)
    return linear
