"""Values that are needed during translation: indices, dimensions, bounds of loops."""

from math import isfinite

from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import ParameterValue, Scope
from acausal.elaborate.values.evaluate import evaluate
from acausal.ir.expr import Expr
from acausal.ir.walk import postorder


def structural_value(expr: Expr, span: Span, scope: Scope) -> ParameterValue:
    """The value of an expression in parameters, which are structural from now on; T006 if it changes during a run."""
    if expr.op == "const":
        return expr.number
    if expr.op == "parameter" and not expr.shape:
        value = scope.structural(expr)
        if not isinstance(value, float) or isfinite(value):
            return value
    if expr.varies:
        raise mistake(
            "T006",
            "this must be known at translation",
            span,
            "this changes during a run",
            hint="use only numbers, constants, parameters and loop variables",
        )
    leaves = [n for n in postorder([expr]) if n.op == "parameter"]
    return evaluate(expr, {leaf: scope.structural(leaf) for leaf in leaves}, span)


def structural_integer(expr: Expr, span: Span, scope: Scope, what: str) -> int:
    """The value as an integer; T005 if it is none. `what` is it, as in `an index`."""
    value = structural_value(expr, span, scope)
    if isinstance(value, tuple) and len(value) == 1:
        value = value[0]
    if not isinstance(value, float) or value != int(value):
        shown = "an array" if isinstance(value, tuple) else repr(value)
        raise mistake("T005", f"{what} must be an integer, not {shown}", span, hint="round it: floor(...)")
    return int(value)
