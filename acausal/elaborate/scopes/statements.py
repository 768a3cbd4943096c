"""`for` loops and structural `if`s spelled out: the statements that hold, each with its scope."""

from collections.abc import Iterator

from acausal.elaborate.error_helpers import need_free
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.scopes.expression_templates import condition
from acausal.elaborate.scopes.scope import InstanceScope
from acausal.elaborate.values.comprehension import count_rounds, range_of
from acausal.elaborate.values.structural import structural_value
from acausal.ir import ast

Statements = Iterator[tuple[ast.Item, InstanceScope]]


def expanded(item: ast.Item, scope: InstanceScope, rounds: list[int] | None = None) -> Statements:
    """The statement itself, or those that a loop or a structural `if` stands for. Nesting is limited by the parser.

    An `if` whose condition changes during a run is given as it is. LimitError L013 where a loop, with the loops
    inside it, has too many rounds; `rounds` counts those of the loop around.
    """
    if isinstance(item, ast.For):
        yield from _loop(item, scope, [0] if rounds is None else rounds)
    elif isinstance(item, ast.If):
        yield from _choice(item, scope, rounds)
    else:
        yield item, scope


def _loop(item: ast.For, scope: InstanceScope, rounds: list[int]) -> Statements:
    need_free(item.variable, item.span)
    numbers = range_of(item, [expression(bound, scope) for bound in (item.start, item.stop)], scope)
    count_rounds(rounds, len(numbers), item.start.span.to(item.stop.span), scope)
    for number in numbers:
        inner = scope.with_loop(item.variable, number)
        for statement in item.items:
            yield from expanded(statement, inner, rounds)


def _choice(item: ast.If, scope: InstanceScope, rounds: list[int] | None) -> Statements:
    for test, items in item.branches:
        expr = condition(test, scope)
        if expr.varies:
            yield item, scope
            return
        value = expr.value if expr.op == "boolean" else structural_value(expr, test.span, scope)
        if value:
            for statement in items:
                yield from expanded(statement, scope, rounds)
            return
    for statement in item.otherwise or ():
        yield from expanded(statement, scope, rounds)
