"""`for` loops and structural `if`s spelled out: the statements that hold, each with its scope."""

from collections.abc import Iterator
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.elaborate.error_helpers import need_free
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.expressions.structural import structural_integer, structural_value
from acausal.elaborate.scopes.expression_templates import condition
from acausal.elaborate.scopes.scope import InstanceScope
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
    first, last = (
        structural_integer(expression(bound, scope), bound.span, scope, "the bound of a loop")
        for bound in (item.start, item.stop)
    )
    rounds[0] += max(last - first + 1, 0)
    if rounds[0] > scope.limits.array_size:
        message = f"this loop, including enclosing loops, has more than {scope.limits.array_size} iterations"
        place = Label(item.start.span.to(item.stop.span))
        raise LimitError(Diagnostic("L013", message, place, help="raise the limit with --limit array_size=NUMBER"))
    for number in range(first, last + 1):
        inner = replace(scope, loops={**scope.loops, item.variable: scope.pool.const(number)})
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
