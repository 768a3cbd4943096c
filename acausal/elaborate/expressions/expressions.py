"""From the text's expressions to those of the model: names looked up, shapes and types checked.

    2*x[1] + dot(v, w)      ->      add(mul(2, index x 1), matmul(v, w))

A stack machine: every rule gets the finished expressions of its node's children. Rules
for scalars build simplified expressions at once, rules for arrays whole nodes.
"""

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

from acausal.elaborate.expressions.operators import (
    are_suspect,
    compare,
    logic,
    power,
    product,
    scalar_condition,
    sum_of,
    unary,
)
from acausal.elaborate.expressions.postfix import Element, operands_of, postfix
from acausal.elaborate.expressions.quantities import quantity
from acausal.elaborate.functions.calls import call
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values import arrays
from acausal.elaborate.values.comprehension import comprehension
from acausal.elaborate.values.indexing import positions
from acausal.elaborate.values.literals import array_literal
from acausal.elaborate.values.types import need, type_of
from acausal.ir import ast
from acausal.ir.expr import Expr

# the node's type is known by the table
Rule = Callable[[Any, Sequence[Expr], Scope], Expr]


def expression(node: ast.Expression, scope: Scope) -> Expr:
    """The expression that the text means in this scope; ModelError (T..., N...) where it means none."""
    if not operands_of(node):
        return _RULES[type(node)](node, (), scope)
    values: list[Expr] = []
    most = scope.limits.array_size
    for item, count in postfix(node):
        rule = _RULES[type(item)]
        if count:
            operands = values[-count:]
            del values[-count:]
            value = rule(item, operands, scope)
            if value.shape:
                arrays.limit(value, item.span, most)
            values.append(value)
        else:
            values.append(rule(item, (), scope))
    return values[0]


def equation(left: ast.Expression, right: ast.Expression, scope: Scope) -> tuple[Expr, Expr]:
    """Both sides of an equation, numbers or conditions of one shape."""
    sides = expression(left, scope), expression(right, scope)
    if not sides[0].shape and not sides[1].shape and not are_suspect(sides, scope):
        return sides
    need(type_of(sides[0], scope), "the right side of this equation", sides[1], right.span, scope)
    first, second = arrays.alike(
        scope.pool, sides, (left.span, right.span), "the sides of the equation differ in shape"
    )
    return first, second


def condition(node: ast.Expression, scope: Scope) -> Expr:
    """A scalar condition."""
    return scalar_condition("the condition", node, expression(node, scope), scope)


def is_own(node: ast.Reference) -> bool:
    """True if it is `time` or `pi`, for which no scope is asked."""
    part = node.parts[0]
    return (part.name == "time" or part.name == "pi") and len(node.parts) == 1 and not part.indices


# ----------------------------------------------------------------------- rules


def _number(node: ast.Number, _: Sequence[Expr], scope: Scope) -> Expr:
    return scope.pool.const(float(node.text))


def _quantity(node: ast.Quantity, _: Sequence[Expr], scope: Scope) -> Expr:
    return quantity(node, scope)


def _string(node: ast.String, _: Sequence[Expr], scope: Scope) -> Expr:
    return scope.pool.node("string", (), node.value)


def _boolean(node: ast.Boolean, _: Sequence[Expr], scope: Scope) -> Expr:
    return scope.pool.boolean(node.value)


def _reference(node: ast.Reference, indices: Sequence[Expr], scope: Scope) -> Expr:
    part = node.parts[-1]
    if is_own(node):
        return scope.pool.time if part.name == "time" else scope.pool.const(pi)
    found = scope.lookup(node)
    return arrays.pick(scope.pool, found, *positions(found.shape, part, indices, scope)) if part.indices else found


def _element(element: Element, _: Sequence[Expr], scope: Scope) -> Expr:
    """Element of an array, whose position depends on the shape alone."""
    node, pool = element.reference, scope.pool
    part, array = node.parts[-1], scope.lookup(node)
    place = element.places.get(array.shape)
    if place is None:
        place = positions(array.shape, part, [pool.const(number.value) for number in element.numbers], scope)
        element.places[array.shape] = place
    found = arrays.pick(pool, array, *place)
    if found.shape:
        arrays.limit(found, node.span, scope.limits.array_size)
    return found


def _if(node: ast.IfExpression, operands: Sequence[Expr], scope: Scope) -> Expr:
    """Branches behind a condition that is known now need not fit the others."""
    conditions: list[Expr] = []
    values: list[Expr] = []
    spans = []
    for (test, value), c, v in zip(node.branches, operands[:-1:2], operands[1::2], strict=True):
        known = scalar_condition("if", test, c, scope)
        if known is scope.pool.false:
            continue
        values.append(v)
        spans.append(value.span)
        if known is scope.pool.true:
            break
        conditions.append(known)
    else:
        values.append(operands[-1])
        spans.append(node.otherwise.span)
    for branch, span in zip(values, spans, strict=True):
        need(type_of(values[0], scope), "this branch", branch, span, scope)
    *fitted, result = arrays.alike(scope.pool, values, spans, "the branches differ in shape")
    for decision, branch in zip(reversed(conditions), reversed(fitted), strict=True):
        result = arrays.choose(scope.pool, decision, branch, result)
    return result


def _call(node: ast.Call, operands: Sequence[Expr], scope: Scope) -> Expr:
    return call(node, operands, scope, expression)


def _comprehension(node: ast.Comprehension, bounds: Sequence[Expr], scope: Scope) -> Expr:
    return comprehension(node, bounds, scope, expression)


def _indexed(node: ast.Indexed, operands: Sequence[Expr], scope: Scope) -> Expr:
    array, *indices = operands
    part = ast.Part(node.span, "this array", node.indices)
    return arrays.pick(scope.pool, array, *positions(array.shape, part, indices, scope))


_RULES: dict[type, Rule] = {
    ast.Number: _number,
    ast.Quantity: _quantity,
    ast.String: _string,
    ast.Boolean: _boolean,
    ast.Reference: _reference,
    Element: _element,
    ast.Call: _call,
    ast.Unary: unary,
    ast.Sum: sum_of,
    ast.Product: product,
    ast.Power: power,
    ast.Compare: compare,
    ast.Logic: logic,
    ast.IfExpression: _if,
    ast.ArrayLiteral: array_literal,
    ast.Comprehension: _comprehension,
    ast.Indexed: _indexed,
}
