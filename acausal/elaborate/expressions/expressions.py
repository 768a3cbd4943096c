"""From the text's expressions to those of the model: names looked up, shapes and types checked.

    2*x[1] + dot(v, w)      ->      add(mul(2, index x 1), matmul(v, w))

A stack machine: every rule gets the finished expressions of its node's children. Rules
for scalars build simplified expressions at once, rules for arrays whole nodes.
"""

from collections.abc import Callable, Sequence
from math import pi
from typing import Any

from acausal.elaborate.expressions.postfix import Element, operands_of, postfix
from acausal.elaborate.expressions.quantities import quantity
from acausal.elaborate.functions.calls import call
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values import arrays
from acausal.elaborate.values.comprehension import comprehension
from acausal.elaborate.values.indexing import positions
from acausal.elaborate.values.literals import array_literal
from acausal.elaborate.values.structural import structural_value
from acausal.elaborate.values.types import SUSPECT, need, need_numbers, type_of
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.ops import OPS

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
    if not sides[0].shape and not sides[1].shape and not _suspects(sides, scope):
        return sides
    need(type_of(sides[0], scope), "the right side of this equation", sides[1], right.span, scope)
    first, second = arrays.alike(
        scope.pool, sides, (left.span, right.span), "the sides of the equation differ in shape"
    )
    return first, second


def condition(node: ast.Expression, scope: Scope) -> Expr:
    """A scalar condition."""
    return _condition("the condition", node, expression(node, scope), scope)


def is_own(node: ast.Reference) -> bool:
    """True if it is `time` or `pi`, for which no scope is asked."""
    part = node.parts[0]
    return (part.name == "time" or part.name == "pi") and len(node.parts) == 1 and not part.indices


def _have_arrays(exprs: Sequence[Expr]) -> bool:
    for expr in exprs:  # noqa: SIM110  # faster than any() of a generator
        if expr.shape:
            return True
    return False


def _suspects(exprs: Sequence[Expr], scope: Scope) -> bool:
    return any(e.op in SUSPECT or e in scope.types for e in exprs)


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


def _unary(node: ast.Unary, operands: Sequence[Expr], scope: Scope) -> Expr:
    operand = operands[0]
    if node.operator == "not":
        return scope.pool.not_(_condition("not", node.operand, operand, scope))
    need_numbers(node.operator, (node.operand,), operands, scope)
    return arrays.negate(scope.pool, operand) if node.operator == "-" else operand


def _sum(node: ast.Sum, operands: Sequence[Expr], scope: Scope) -> Expr:
    pool = scope.pool
    need_numbers("+", node.operands, operands, scope)
    if _have_arrays(operands):
        operands = arrays.alike(pool, operands, [n.span for n in node.operands], "these cannot be added")
    signed = [
        e if sign == "+" else arrays.negate(pool, e) for sign, e in zip(("+", *node.operators), operands, strict=True)
    ]
    return arrays.add(pool, signed)


def _product(node: ast.Product, operands: Sequence[Expr], scope: Scope) -> Expr:
    pool = scope.pool
    need_numbers("*", node.operands, operands, scope)
    if not _have_arrays(operands):
        return _scalar_product(node.operators, operands, scope)
    spans = [n.span for n in node.operands]
    if ".*" not in node.operators:
        factors = [
            e if operator == "*" else pool.pow(arrays.as_scalar(pool, "/", e, span), pool.const(-1))
            for operator, e, span in zip(("*", *node.operators), operands, spans, strict=True)
        ]
        return arrays.multiply_all(pool, factors, spans)
    result, span = operands[0], spans[0]
    for operator, operand, other in zip(node.operators, operands[1:], spans[1:], strict=True):
        if operator == "/":
            result = arrays.divide(pool, result, operand, other)
        elif operator == "*":
            result = arrays.multiply(pool, result, operand, (span, other))
        else:
            result = arrays.elementwise(pool, result, operand, (span, other))
        span = span.to(other)
    return result


def _scalar_product(operators: tuple[str, ...], operands: Sequence[Expr], scope: Scope) -> Expr:
    """Numbers are multiplied and divided from the left, as written; the rest is one product."""
    pool, number = scope.pool, 1.0
    factors: list[Expr] = []
    for operator, operand in zip(("*", *operators), operands, strict=True):
        if operator != "/":
            if operand.op == "const":
                number *= operand.number
            else:
                factors.append(operand)
        elif operand.op == "const" and operand.number != 0.0:
            number /= operand.number
        else:
            factors.append(pool.pow(operand, pool.const(-1)))
    if number != 1.0 or not factors:
        factors.insert(0, pool.const(number))
    return factors[0] if len(factors) == 1 else pool.mul(*factors)


def _power(node: ast.Power, operands: Sequence[Expr], scope: Scope) -> Expr:
    nodes = (node.base, node.exponent)
    need_numbers("^", nodes, operands, scope)
    base, exponent = [arrays.as_scalar(scope.pool, "^", e, n.span) for e, n in zip(operands, nodes, strict=True)]
    return scope.pool.pow(base, exponent)


def _compare(node: ast.Compare, operands: Sequence[Expr], scope: Scope) -> Expr:
    pool, nodes = scope.pool, (node.left, node.right)
    if _suspects(operands, scope) and node.operator in ("==", "<>"):
        kind = type_of(operands[0], scope)
        if kind != "number":
            need(kind, node.operator, operands[1], node.right.span, scope)
            same = _same_strings(node, operands, scope) if kind == "string" else _same_truth(node, operands, scope)
            return same if node.operator == "==" else pool.not_(same)
    need_numbers(node.operator, nodes, operands, scope)
    left, right = [arrays.as_scalar(pool, node.operator, e, n.span) for e, n in zip(operands, nodes, strict=True)]
    return pool.call(OPS[node.operator].name, left, right)


def _same_strings(node: ast.Compare, operands: Sequence[Expr], scope: Scope) -> Expr:
    """Strings do not change during a run: the answer is known now."""
    left, right = [structural_value(e, node.span, scope) for e in operands]
    return scope.pool.boolean(left == right)


def _same_truth(node: ast.Compare, operands: Sequence[Expr], scope: Scope) -> Expr:
    pool = scope.pool
    a, b = [_condition(node.operator, n, e, scope) for n, e in zip((node.left, node.right), operands, strict=True)]
    return pool.or_(pool.and_(a, b), pool.and_(pool.not_(a), pool.not_(b)))


def _condition(name: str, node: ast.Expression, expr: Expr, scope: Scope) -> Expr:
    need("boolean", name, expr, node.span, scope)
    return arrays.as_scalar(scope.pool, name, expr, node.span)


def _logic(node: ast.Logic, operands: Sequence[Expr], scope: Scope) -> Expr:
    args = [_condition(node.operator, n, e, scope) for n, e in zip(node.operands, operands, strict=True)]
    return scope.pool.and_(*args) if node.operator == "and" else scope.pool.or_(*args)


def _if(node: ast.IfExpression, operands: Sequence[Expr], scope: Scope) -> Expr:
    """Branches behind a condition that is known now need not fit the others."""
    conditions: list[Expr] = []
    values: list[Expr] = []
    spans = []
    for (test, value), c, v in zip(node.branches, operands[:-1:2], operands[1::2], strict=True):
        known = _condition("if", test, c, scope)
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
    ast.Unary: _unary,
    ast.Sum: _sum,
    ast.Product: _product,
    ast.Power: _power,
    ast.Compare: _compare,
    ast.Logic: _logic,
    ast.IfExpression: _if,
    ast.ArrayLiteral: array_literal,
    ast.Comprehension: _comprehension,
    ast.Indexed: _indexed,
}
