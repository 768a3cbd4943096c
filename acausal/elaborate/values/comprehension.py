"""`[e for k = 1 to N]`: the array [e(1), ..., e(N)], and numbers of rounds as loops have them."""

from collections.abc import Callable, Sequence

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.base.source import Span
from acausal.elaborate.error_helpers import need_free
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values.literals import array_literal
from acausal.elaborate.values.structural import structural_integer
from acausal.ir import ast
from acausal.ir.expr import Expr

Translate = Callable[[ast.Expression, Scope], Expr]


def comprehension(node: ast.Comprehension, bounds: Sequence[Expr], scope: Scope, translate: Translate) -> Expr:
    """The array of the items, as if they were listed: numbers make a vector, vectors are columns.

    LimitError L013 where there are too many, those of comprehensions in the item included.
    """
    need_free(node.variable, node.span)
    numbers = range_of(node, bounds, scope)
    rounds = [0] if scope.rounds is None else scope.rounds
    count_rounds(rounds, len(numbers), node.start.span.to(node.stop.span), scope)
    items = [translate(node.item, scope.with_loop(node.variable, number, rounds)) for number in numbers]
    listed = ast.ArrayLiteral(node.span, ((node.item,) * len(items),))
    return array_literal(listed, items, scope)


def range_of(node: ast.Comprehension | ast.For, bounds: Sequence[Expr], scope: Scope) -> range:
    """The numbers of the loop variable."""
    first, last = [
        structural_integer(bound, span, scope, "the bound of a loop")
        for bound, span in zip(bounds, (node.start.span, node.stop.span), strict=True)
    ]
    return range(first, last + 1)


def count_rounds(rounds: list[int], more: int, span: Span, scope: Scope) -> None:
    """Adds to the rounds of a loop and those around it; LimitError L013 where they become too many."""
    rounds[0] += more
    if rounds[0] > scope.limits.array_size:
        message = f"this loop, including enclosing loops, has more than {scope.limits.array_size} iterations"
        hint = "raise the limit with --limit array_size=NUMBER"
        raise LimitError(Diagnostic("L013", message, Label(span), help=hint))
