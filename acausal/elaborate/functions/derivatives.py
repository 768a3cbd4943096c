"""`der(x)`, `der(x, 2)`: of a variable its own leaf, of an expression by the rules of differentiation."""

from collections.abc import Sequence

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.functions.scalar_functions import need_arguments
from acausal.elaborate.functions.template_recorder import RecordingPool
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.arrays import pick
from acausal.elaborate.values.structural import structural_integer
from acausal.elaborate.values.types import need_numbers
from acausal.ir import ast
from acausal.ir.expr import ARRAY, Expr
from acausal.ir.pool import Pool
from acausal.ir.show.expressions import show_expr
from acausal.symbolic.differentiate import total

HIGHEST = 16
"""More derivatives of one expression than this are a mistake."""


def der(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """The time derivative of any expression, of first or given order."""
    need_arguments(node, 1, 2)
    need_numbers("der", node.arguments, arguments, scope)
    order = 1
    if len(arguments) == 2:
        order = structural_integer(arguments[1], node.arguments[1].span, scope, "the order of a derivative")
        if not 0 <= order <= HIGHEST:
            raise mistake(
                "T005",
                f"the order of a derivative must be 0 to {HIGHEST}, not {order}",
                node.arguments[1].span,
                hint="write der(x, 2)",
            )
    result = arguments[0]
    if result.op == "parameter" and order:
        message = f"{show_expr(result)} is a parameter: it is constant, its derivative is 0"
        hint = "declare it as a variable: local"
        raise mistake("T011", message, node.arguments[0].span, "constant during a run", hint=hint)
    before = len(scope.pool)
    for made in range(order):
        result = derivative(scope.pool, result)
        if len(scope.pool) - before > scope.limits.derivative and made + 1 < order:
            raise _too_long(made + 1, order, node, scope.limits.derivative)
    return result


def _too_long(made: int, order: int, node: ast.Call, most: int) -> LimitError:
    message = f"derivative {made} of {order} of this expression has more than {most} operations"
    hint = "name its factors with `local`, or raise the limit with --limit derivative=NUMBER"
    return LimitError(Diagnostic("L016", message, Label(node.arguments[0].span), help=hint))


def derivative(pool: Pool, expr: Expr) -> Expr:
    """d expr/dt; expressions of whole arrays are differentiated when they are scalars."""
    if expr.op == "variable":
        return pool.derivative(expr)
    if expr.op == "index":
        return pick(pool, derivative(pool, expr.args[0]), expr.value, expr.shape)  # type: ignore[arg-type]  # positions
    if not expr.flags & ARRAY:
        return pool.step(total, None, (expr,)) if isinstance(pool, RecordingPool) else total(pool, expr)
    return pool.node("der", (expr,), None, expr.shape)
