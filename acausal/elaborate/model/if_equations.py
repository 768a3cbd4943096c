"""`if` around equations whose condition changes during a run: each equation holds both sides.

if x > 0 then
  y = 1; z = x          ->      y = if x > 0 then 1 else 2
else                            0 = if x > 0 then z - x else w - z
  y = 2; w = z
endif
"""

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.model.when_equations import sets_new
from acausal.elaborate.scopes.expression_templates import condition, equation
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.elaborate.scopes.statements import expanded
from acausal.elaborate.values import arrays
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool


@dataclass(frozen=True, slots=True)
class Sides:
    """An equation and where it stands."""

    left: Expr
    right: Expr
    span: Span


def chosen_equations(node: ast.If, scope: InstanceScope) -> list[Sides]:
    """The equations that an `if` with a changing condition stands for; N020 where its branches do not match."""
    branches = [_equations(items, scope) for _, items in node.branches]
    otherwise = _equations(node.otherwise or (), scope)
    for (test, _), branch in zip(node.branches, branches, strict=True):
        if len(branch) != len(otherwise):
            raise mistake(
                "N020",
                f"this branch has {_counted(len(branch))}, the else branch {_counted(len(otherwise))}",
                test.span,
                "changes during a run",
                hint=(
                    "a condition that changes during a run needs the same number of equations in each branch, "
                    "including else"
                ),
            )
    pool = scope.pool
    result = otherwise
    for (test, _), branch in reversed(list(zip(node.branches, branches, strict=True))):
        decision = condition(test, scope)
        result = [_joined(pool, decision, a, b) for a, b in zip(branch, result, strict=True)]
    return result


def _joined(pool: Pool, decision: Expr, then: Sides, otherwise: Sides) -> Sides:
    spans = (then.span, otherwise.span)
    if then.left is otherwise.left:
        values = arrays.alike(pool, (then.right, otherwise.right), spans, "the branches differ in shape")
        return Sides(then.left, arrays.choose(pool, decision, *values), then.span)
    differences = [arrays.add(pool, (s.left, arrays.negate(pool, s.right))) for s in (then, otherwise)]
    a, b = arrays.alike(pool, differences, spans, "the branches differ in shape")
    return Sides(arrays.choose(pool, decision, a, b), arrays.add(pool, (a, arrays.negate(pool, a))), then.span)


def _equations(items: tuple[ast.Item, ...], scope: InstanceScope) -> list[Sides]:
    found: list[Sides] = []
    for item in items:
        for node, inner in expanded(item, scope):
            if isinstance(node, ast.If):
                found += chosen_equations(node, inner)
            elif isinstance(node, ast.Equation) and not sets_new(node) and not node.derivatives:
                left, right = equation(node.left, node.right, inner)
                found.append(Sides(left, right, node.span))
            else:
                raise mistake(
                    "N020",
                    "an `if` whose condition changes during a run can contain plain equations only",
                    node.span,
                    "inside an `if`",
                    hint="for actions at an instant write when ... endwhen",
                )
    return found


def _counted(count: int) -> str:
    return f"{count} equation{'s' if count != 1 else ''}"
