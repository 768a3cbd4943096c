"""Derivatives of expressions, shared: equal parts are differentiated once.

`total` is the derivative with respect to time (der(x) is the leaf of the next order),
`differentiate` that along given slopes of variable leaves, all others held.
"""

from collections.abc import Callable, Mapping

from acausal.diagnostics import InternalError
from acausal.ir.expr import Expr, Pool, postorder
from acausal.ir.ops import OPS

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
    for node in postorder([expr], memo.__contains__):
        if not node.varies:
            memo[node] = pool.zero
        elif not node.args:
            memo[node] = leaf(node)
        else:
            memo[node] = _chain(pool, node, memo)
    return memo[expr]


def _chain(pool: Pool, node: Expr, memo: Memo) -> Expr:
    args, op, zero = node.args, node.op, pool.zero
    if op == "add":
        return pool.add(*[memo[a] for a in args if memo[a] is not zero])
    if op == "neg":
        return pool.neg(memo[args[0]])
    if op == "mul":
        return _product_rule(pool, args, memo)
    if op == "if":
        return pool.if_(args[0], memo[args[1]], memo[args[2]])
    if all(memo[a] is zero for a in args) or OPS[op].boolean:
        return zero
    if op == "pow":
        return _power_rule(pool, node, memo)
    if op == "noevent":
        return pool.call("noevent", memo[args[0]])
    partials = OPS[op].partials
    if partials is None:
        raise InternalError("differentiate", f"no derivative is known for {op}")
    return pool.add(
        *[pool.mul(d, memo[a]) for d, a in zip(partials(pool, args), args, strict=True) if memo[a] is not zero]
    )


def _product_rule(pool: Pool, args: tuple[Expr, ...], memo: Memo) -> Expr:
    terms = []
    for i, arg in enumerate(args):
        slope = memo[arg]
        if slope is not pool.zero:
            terms.append(pool.mul(slope, *args[:i], *args[i + 1 :]))
    return pool.add(*terms)


def _power_rule(pool: Pool, node: Expr, memo: Memo) -> Expr:
    base, exponent = node.args
    terms = []
    if memo[base] is not pool.zero:
        lowered = pool.pow(base, pool.sub(exponent, pool.one))
        terms.append(pool.mul(exponent, lowered, memo[base]))
    if memo[exponent] is not pool.zero:
        terms.append(pool.mul(node, pool.call("log", base), memo[exponent]))
    return pool.add(*terms)
