"""Indices in loops: `k`, `k + 1` and the like, which are worked out for each element of long connections."""

from collections.abc import Mapping

from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool


def index_value(node: ast.Expression, scope: Scope, loops: Mapping[str, Expr]) -> Expr:
    """As `expression`, in less time for a loop variable and for sums of loop variables and numbers."""
    if isinstance(node, ast.Reference):
        return _leaf(node, scope.pool, loops) or expression(node, scope)
    if not isinstance(node, ast.Sum):
        return expression(node, scope)
    pool, total = scope.pool, 0.0
    for operator, operand in zip(("+", *node.operators), node.operands, strict=True):
        leaf = _leaf(operand, pool, loops)
        if leaf is None:
            return expression(node, scope)
        total += leaf.number if operator == "+" else pool.const(-leaf.number).number
    return pool.const(total)


def _leaf(node: ast.Expression, pool: Pool, loops: Mapping[str, Expr]) -> Expr | None:
    """The number that a loop variable or a written number is."""
    if isinstance(node, ast.Number):
        return pool.const(node.value)
    if isinstance(node, ast.Reference) and len(node.parts) == 1 and not node.parts[0].indices:
        return loops.get(node.parts[0].name)
    return None
