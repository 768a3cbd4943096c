"""Replace leaves of expressions; shared parts are rebuilt once."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from acausal.ir.expr import VARIES, Expr

if TYPE_CHECKING:
    from acausal.ir.pool import Pool

Memo = dict[Expr, Expr]


def rebuild(pool: "Pool", node: Expr, args: tuple[Expr, ...]) -> Expr:
    """The scalar node with other arguments, simplified again."""
    op = node.op
    if op == "add":
        return pool.add(*args)
    if op == "mul":
        return pool.mul(*args)
    if op == "neg":
        return pool.neg(args[0])
    if node.value is not None or node.shape:
        return pool.node(op, args, node.value, node.shape)
    return pool.call(op, *args)


def substitute(pool: "Pool", expr: Expr, replacements: Mapping[Expr, Expr], memo: Memo | None = None) -> Expr:
    """`expr` with leaves replaced; `memo` may be kept as long as the replacements stay."""
    return rewrite(pool, expr, lambda leaf: replacements.get(leaf, leaf), {} if memo is None else memo)


def rewrite_marked(expr: Expr, mark: int, change: Callable[[Expr, tuple[Expr, ...]], Expr], memo: Memo) -> Expr:
    """`expr` with each node that has the flag `mark` replaced by what `change` makes of it and its new arguments."""
    if not expr.flags & mark:
        return expr
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        missing = [a for a in node.args if a.flags & mark and a not in memo]
        if missing:
            missing.reverse()
            stack += missing
            continue
        stack.pop()
        memo[node] = change(node, tuple([memo.get(a, a) for a in node.args]))
    return memo[expr]


def rewrite(pool: "Pool", expr: Expr, leaf: Callable[[Expr], Expr], memo: Memo, *, parameters: bool = True) -> Expr:
    """`expr` with each leaf replaced by what `leaf` says; without `parameters` what has no variables stays as it is."""
    if not (parameters or expr.flags & VARIES):
        return expr
    if not expr.args:
        return leaf(expr)
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in memo:
            stack.pop()
            continue
        inner = False
        args = []
        for a in node.args[::-1]:
            new = memo.get(a)
            if new is None:
                if not (parameters or a.flags & VARIES):
                    new = a
                elif a.args:
                    stack.append(a)
                    inner = True
                    continue
                else:
                    new = memo[a] = leaf(a)
            args.append(new)
        if inner:
            continue
        stack.pop()
        args.reverse()
        changed = tuple(args)
        memo[node] = node if changed == node.args else rebuild(pool, node, changed)
    return memo[expr]
