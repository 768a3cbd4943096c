"""How large a coefficient is, with the parameter values of the translation."""

from collections.abc import Callable, Iterable

from acausal.ir.expr import Expr, postorder
from acausal.ir.flat import Parameter
from acausal.ir.ops import OPS, Value


def magnitudes(parameters: Iterable[Parameter]) -> Callable[[Expr], float]:
    """A function that estimates the absolute value of an expression; 1 where it varies or cannot be computed."""
    known: dict[Expr, Value] = {p.symbol: p.value for p in parameters if isinstance(p.value, float | bool)}

    def size(expr: Expr) -> float:
        if expr.varies:
            return 1.0
        for node in postorder([expr], known.__contains__):
            value = _value(node, known)
            if value is None:
                return 1.0
            known[node] = value
        return abs(float(known[expr]))

    return size


def _value(node: Expr, known: dict[Expr, Value]) -> Value | None:
    if not node.args:
        return node.value if isinstance(node.value, float | bool) else None
    try:
        return OPS[node.op].evaluate(*[known[a] for a in node.args])
    except (ArithmeticError, ValueError):
        return None
