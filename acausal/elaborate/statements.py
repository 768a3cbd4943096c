"""`for` loops and structural `if`s spelled out: the statements that hold, each with its scope."""

from collections.abc import Iterator
from dataclasses import replace

from acausal.elaborate.expressions import condition, expression
from acausal.elaborate.scope import InstanceScope
from acausal.elaborate.structural import structural_integer, structural_value
from acausal.ir import ast


def expanded(item: ast.Item, scope: InstanceScope) -> Iterator[tuple[ast.Item, InstanceScope]]:
    """The statement itself, or those that a loop or a structural `if` stands for. Nesting is limited by the parser.

    An `if` whose condition changes during a run is given as it is.
    """
    if isinstance(item, ast.For):
        yield from _loop(item, scope)
    elif isinstance(item, ast.If):
        yield from _choice(item, scope)
    else:
        yield item, scope


def _loop(item: ast.For, scope: InstanceScope) -> Iterator[tuple[ast.Item, InstanceScope]]:
    first, last = (
        structural_integer(expression(bound, scope), bound.span, scope, "the bound of a loop")
        for bound in (item.start, item.stop)
    )
    for number in range(first, last + 1):
        inner = replace(scope, loops={**scope.loops, item.variable: scope.pool.const(number)})
        for statement in item.items:
            yield from expanded(statement, inner)


def _choice(item: ast.If, scope: InstanceScope) -> Iterator[tuple[ast.Item, InstanceScope]]:
    for test, items in item.branches:
        expr = condition(test, scope)
        if expr.varies:
            yield item, scope
            return
        value = expr.value if expr.op == "boolean" else structural_value(expr, test.span, scope)
        if value:
            for statement in items:
                yield from expanded(statement, scope)
            return
    for statement in item.otherwise or ():
        yield from expanded(statement, scope)
