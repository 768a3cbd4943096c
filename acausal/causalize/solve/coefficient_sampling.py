"""How large a coefficient is: its value at the parameters of the translation and at a sample of the variables."""

from collections.abc import Callable, Iterable
from math import cos, isfinite

from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.ops import OPS, Value
from acausal.ir.walk import postorder


def trial_values(parameters: Iterable[Parameter]) -> Callable[[Expr], float]:
    """A function that gives an expression's value; unknown numbers lie between -1 and 1, the same in every run.

    Sums and products of what varies are evaluated, so that a rotation does not look like growth; its reciprocals
    are not, since those of a sample may be as large as you like. Of two branches the larger one is taken.
    """
    known: dict[Expr, Value] = {}

    def value(expr: Expr) -> float:
        if not known:  # a model without blocks asks for no value
            known.update({p.symbol: p.value for p in parameters if isinstance(p.value, float | bool)})
        for node in postorder([expr], known.__contains__):
            known[node] = _value(node, known)
        return float(known[expr])

    return value


def _value(node: Expr, known: dict[Expr, Value]) -> Value:
    if not node.args:
        return node.value if isinstance(node.value, float | bool) else _sample(node)
    if node.op == "pow" and node.varies:
        return _sample(node)
    arguments = [known[a] for a in node.args]
    if node.op == "if":
        return max(arguments[1:], key=abs)
    try:
        found = OPS[node.op].evaluate(*arguments)
    except (ArithmeticError, ValueError):
        return _sample(node)
    return found if not isinstance(found, complex) and isfinite(found) else _sample(node)


def _sample(node: Expr) -> float:
    return cos(float(node.serial))
