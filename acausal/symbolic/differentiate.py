"""Derivatives of expressions, shared: equal parts are differentiated once.

`total` is the derivative with respect to time (der(x) is the leaf of the next order),
`differentiate` that along given slopes of variable leaves, all others held.
"""

from collections.abc import Callable, Mapping, Sequence

from acausal.base.diagnostics import InternalError
from acausal.ir.expr import VARIES, Expr
from acausal.ir.ops import OPS
from acausal.ir.pool import Pool

Memo = dict[Expr, Expr]


def total(pool: Pool, expr: Expr, memo: Memo | None = None) -> Expr:
    """d expr / d t of a scalar expression; `memo` may be kept between calls of one translation."""

    def leaf(node: Expr) -> Expr:
        if node.op == "variable":
            return pool.derivative(node)
        return pool.one if node.op == "time" else pool.zero

    return _differentiate(pool, expr, leaf, {} if memo is None else memo)


def differentiate(pool: Pool, expr: Expr, slope_of: Mapping[Expr, Expr], memo: Memo) -> Expr:
    """The derivative along given slopes of variable leaves; leaves without slope are held.

    {x: 1} gives the partial derivative with respect to x. `memo` serves one direction only.
    """
    return _differentiate(pool, expr, lambda node: slope_of.get(node, pool.zero), memo)


def _differentiate(pool: Pool, expr: Expr, leaf: Callable[[Expr], Expr], memo: Memo) -> Expr:
    """Arguments first; what does not vary is left out of the memo."""
    stack = [expr] if expr.flags & VARIES else []
    while stack:
        node = stack[-1]
        missing = [a for a in node.args if a.flags & VARIES and a not in memo]
        if missing:
            missing.reverse()
            stack += missing
            continue
        stack.pop()
        if node not in memo:
            memo[node] = _chain(pool, node, memo) if node.args else leaf(node)
    return memo.get(expr, pool.zero)


def _chain(pool: Pool, node: Expr, memo: Memo) -> Expr:
    args, op, zero = node.args, node.op, pool.zero
    slopes = [memo.get(a, zero) for a in args]
    if slopes.count(zero) == len(slopes):
        return zero
    if op == "add":
        return pool.add(*[slope for slope in slopes if slope is not zero])
    if op == "neg":
        return pool.neg(slopes[0])
    if op == "mul":
        return _product_rule(pool, args, slopes)
    if op == "if":
        return pool.if_(args[0], slopes[1], slopes[2])
    if op == "delay":
        return pool.node("delay", (slopes[0], args[1]))
    if op == "new":  # of what is not discrete: reported by `lift_events`
        return pool.node("new", (slopes[0],))
    if OPS[op].boolean:
        return zero
    if op == "pow":
        return _power_rule(pool, node, slopes)
    if op == "noevent":
        return pool.call("noevent", slopes[0])
    partials = OPS[op].partials
    if partials is None:
        raise InternalError("differentiate", f"no derivative is known for {op}")
    terms = zip(partials(pool, args), slopes, strict=True)
    return pool.add(*[pool.mul(partial, slope) for partial, slope in terms if slope is not zero])


def _product_rule(pool: Pool, args: tuple[Expr, ...], slopes: Sequence[Expr]) -> Expr:
    terms = []
    for i, slope in enumerate(slopes):
        if slope is not pool.zero:
            terms.append(pool.mul(slope, *args[:i], *args[i + 1 :]))
    return pool.add(*terms)


def _power_rule(pool: Pool, node: Expr, slopes: Sequence[Expr]) -> Expr:
    base, exponent = node.args
    terms = []
    if slopes[0] is not pool.zero:
        lowered = pool.pow(base, pool.sub(exponent, pool.one))
        terms.append(pool.mul(exponent, lowered, slopes[0]))
    if slopes[1] is not pool.zero:
        terms.append(pool.mul(node, pool.call("log", base), slopes[1]))
    return pool.add(*terms)
