"""Solve one equation for one unknown in closed form, where the solution is unique.

a*x + b = c          x = (c - b)/a
exp(x) = y           x = log(y)
a/x = b              x = a/b
"""

from acausal.ir.expr import VARIES, Expr
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool
from acausal.symbolic.linear import linear_form


def isolate(pool: Pool, left: Expr, right: Expr, unknown: Expr) -> Expr | None:
    """The value of `unknown` from `left = right`, or None where no unique formula is known."""
    if left is unknown and not contains(right, unknown):
        return right
    if right is unknown and not contains(left, unknown):
        return left
    if left.op == "mul" and not right.args and right is not unknown and unknown in left.args:  # the law of a resistor
        others = [a for a in left.args if a is not unknown]
        if len(others) == 1 and not others[0].args:
            return pool.div(right, others[0])
    residual = left if right is pool.zero else pool.sub(left, right)
    term = _only_term(residual, unknown)
    if term is not None:
        return divide_negated(pool, *_around(pool, residual, term, unknown))
    form = linear_form(pool, residual, (unknown,))
    if form is not None:
        slope = form.coefficients.get(unknown)
        return None if slope is None else divide_negated(pool, form.rest, slope)
    if not contains(right, unknown):
        return _peel(pool, left, right, unknown)
    if not contains(left, unknown):
        return _peel(pool, right, left, unknown)
    return None


def _only_term(residual: Expr, unknown: Expr) -> Expr | None:
    """The term of a sum that is the unknown or a product with it, signs aside, if it is nowhere else; else None."""
    if residual.op == "neg":
        residual = residual.args[0]
    if residual.op != "add":
        return None
    found = None
    for term in residual.args:
        body = term.args[0] if term.op == "neg" else term
        if body is not unknown:
            if not body.args or not contains(body, unknown):
                continue
            if body.op != "mul" or any(a is not unknown and contains(a, unknown) for a in body.args):
                return None
        if found is not None:
            return None
        found = term
    return found


def _around(pool: Pool, residual: Expr, term: Expr, unknown: Expr) -> tuple[Expr, Expr]:
    """The sum without the term, and the coefficient of the unknown in it, as `linear_form` finds them."""
    negated = residual.op == "neg"
    rest = pool.add(*[t for t in (residual.args[0] if negated else residual).args if t is not term])
    body = term.args[0] if term.op == "neg" else term
    slope = pool.one if body is unknown else pool.mul(*[a for a in body.args if a is not unknown])
    if term.op == "neg":
        slope = pool.neg(slope)
    return (pool.neg(rest), pool.neg(slope)) if negated else (rest, slope)


def divide_negated(pool: Pool, rest: Expr, slope: Expr) -> Expr:
    """-rest/slope."""
    if slope is pool.one:
        return pool.neg(rest)
    if slope.op == "const" and slope.number == -1.0:
        return rest
    return pool.neg(pool.div(rest, slope))


def contains(expr: Expr, leaf: Expr) -> bool:
    """True if the variable leaf occurs in the expression."""
    if not expr.args:
        return expr is leaf
    seen: set[Expr] = set()
    stack = [expr]
    while stack:
        node = stack.pop()
        if node is leaf:
            return True
        if node.args and node.flags & VARIES and node not in seen:
            seen.add(node)
            stack += node.args
    return False


def _peel(pool: Pool, holder: Expr, value: Expr, unknown: Expr) -> Expr | None:
    """Take operators off the side that holds the unknown, as long as it stands in one argument."""
    while holder is not unknown:
        inside = [a for a in holder.args if contains(a, unknown)]
        if len(inside) != 1:
            return None
        step = _undo(pool, holder, inside[0], value)
        if step is None:
            return None
        holder, value = inside[0], step
    return value


def _undo(pool: Pool, node: Expr, arg: Expr, value: Expr) -> Expr | None:
    """The value of `arg` if `node` has the given value."""
    others = [a for a in node.args if a is not arg]
    if node.op == "add":
        return pool.sub(value, pool.add(*others))
    if node.op == "neg":
        return pool.neg(value)
    if node.op == "mul":
        return pool.div(value, pool.mul(*others))
    if node.op == "pow" and node.args[1] is pool.const(-1):
        return pool.div(pool.one, value)
    row = OPS.get(node.op)
    return pool.call(row.inverse, value) if row is not None and row.inverse else None
