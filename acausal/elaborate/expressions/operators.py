"""Rules of the operators: signs, sums, products, powers, relations, `and`, `or` and `not`.

Each makes the expression of a node from those of its operands, of types and shapes that fit.
"""

from collections.abc import Sequence

from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.values import arrays
from acausal.elaborate.values.structural import structural_value
from acausal.elaborate.values.types import SUSPECT, need, need_numbers, type_of
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.ops import OPS


def unary(node: ast.Unary, operands: Sequence[Expr], scope: Scope) -> Expr:
    """`-x`, `+x` of a number or an array, `not c` of a condition."""
    operand = operands[0]
    if node.operator == "not":
        return scope.pool.not_(scalar_condition("not", node.operand, operand, scope))
    need_numbers(node.operator, (node.operand,), operands, scope)
    return arrays.negate(scope.pool, operand) if node.operator == "-" else operand


def sum_of(node: ast.Sum, operands: Sequence[Expr], scope: Scope) -> Expr:
    """`a + b - c` of numbers, or of arrays of one shape."""
    pool = scope.pool
    need_numbers("+", node.operands, operands, scope)
    if _have_arrays(operands):
        operands = arrays.alike(pool, operands, [n.span for n in node.operands], "these cannot be added")
    signed = [
        e if sign == "+" else arrays.negate(pool, e) for sign, e in zip(("+", *node.operators), operands, strict=True)
    ]
    return arrays.add(pool, signed)


def product(node: ast.Product, operands: Sequence[Expr], scope: Scope) -> Expr:
    """`a * b / c .* d` of numbers, or of arrays: as matrices, and with `.*` element by element."""
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


def power(node: ast.Power, operands: Sequence[Expr], scope: Scope) -> Expr:
    """`x ^ n` of scalars."""
    nodes = (node.base, node.exponent)
    need_numbers("^", nodes, operands, scope)
    base, exponent = [arrays.as_scalar(scope.pool, "^", e, n.span) for e, n in zip(operands, nodes, strict=True)]
    return scope.pool.pow(base, exponent)


def compare(node: ast.Compare, operands: Sequence[Expr], scope: Scope) -> Expr:
    """A relation of numbers; also `==` and `<>` of strings or of conditions."""
    pool, nodes = scope.pool, (node.left, node.right)
    if are_suspect(operands, scope) and node.operator in ("==", "<>"):
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
    a, b = [
        scalar_condition(node.operator, n, e, scope) for n, e in zip((node.left, node.right), operands, strict=True)
    ]
    return pool.or_(pool.and_(a, b), pool.and_(pool.not_(a), pool.not_(b)))


def logic(node: ast.Logic, operands: Sequence[Expr], scope: Scope) -> Expr:
    """`a and b`, `a or b` of scalar conditions."""
    args = [scalar_condition(node.operator, n, e, scope) for n, e in zip(node.operands, operands, strict=True)]
    return scope.pool.and_(*args) if node.operator == "and" else scope.pool.or_(*args)


def scalar_condition(name: str, node: ast.Expression, expr: Expr, scope: Scope) -> Expr:
    """The expression `expr` of the node, which the operator called `name` takes as a condition."""
    need("boolean", name, expr, node.span, scope)
    return arrays.as_scalar(scope.pool, name, expr, node.span)


def are_suspect(exprs: Sequence[Expr], scope: Scope) -> bool:
    """True if some expression may be anything but a number: its type has to be asked for."""
    return any(e.op in SUSPECT or e in scope.types for e in exprs)


def _have_arrays(exprs: Sequence[Expr]) -> bool:
    for expr in exprs:  # noqa: SIM110  # faster than any() of a generator
        if expr.shape:
            return True
    return False
