"""Terms that stay in an equation, whatever other variables turn out to be: with one of them it is no alias.

T*der(y) + y = k*u         T*der(y) stays, unless y is constant
"""

from acausal.ir.expr import RATE, VARIES, Expr
from acausal.ir.flat import Equation


def lone_rate(equation: Equation) -> Expr | None:
    """The derivative that one term has, with what does not vary, and no other; as long as it is not zero, it stays."""
    found: list[Expr] = []
    for side in (equation.left, equation.right):
        body = side.args[0] if side.op == "neg" else side
        found += [term for term in (body.args if body.op == "add" else (body,)) if term.flags & RATE]
    if len(found) != 1:
        return None
    term = found[0].args[0] if found[0].op == "neg" else found[0]
    moving = [factor for factor in (term.args if term.op == "mul" else (term,)) if factor.flags & VARIES]
    return moving[0] if len(moving) == 1 and moving[0].op == "variable" else None


def cannot_cancel(equation: Equation) -> bool:
    """True if what is no variable in it stays, as long as no more is known of its leaves than other names."""
    left, right = equation.left, equation.right
    if not right.flags & VARIES or (left.op == "variable" and not left.order):
        return True
    return not any(side.op == "add" or (side.op == "neg" and side.args[0].op == "add") for side in (left, right))
