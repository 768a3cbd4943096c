"""The value of an expression at given values of its leaves."""

from collections.abc import Mapping, Sequence
from math import nan

from acausal.ir.expr import Expr
from acausal.ir.ops import OPS, Value
from acausal.ir.walk import postorder


def evaluated(root: Expr, known: Mapping[Expr, Value]) -> float:
    """The value; NaN where it has none or a leaf is not known. Of `if`, only the chosen branch needs a value."""
    done: dict[Expr, Value] = {}
    for node in postorder([root]):
        if node.args:
            done[node] = _operated(node, [done[a] for a in node.args])
        elif node.op in ("const", "boolean"):
            assert isinstance(node.value, float | bool)
            done[node] = node.value
        else:
            done[node] = known.get(node, nan)
    return float(done[root])


def _operated(node: Expr, given: Sequence[Value]) -> Value:
    try:
        value = OPS[node.op].evaluate(*given)
    except (ArithmeticError, ValueError):
        return nan
    return nan if isinstance(value, complex) else value
