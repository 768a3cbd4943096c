"""Expressions as linear forms: coefficients and a rest, exactly, or not at all."""

from collections.abc import Container

from acausal.base.frozen import record
from acausal.ir.expr import MOVES, VARIES, Expr
from acausal.ir.pool import Pool
from acausal.ir.walk import marked


@record(frozen=True, slots=True)
class LinearForm:
    """sum of coefficients[x] * x, plus rest; neither holds any of the unknowns."""

    coefficients: dict[Expr, Expr]
    rest: Expr


def linear_form(pool: Pool, expr: Expr, unknowns: Container[Expr]) -> LinearForm | None:
    """The form of `expr` in the unknowns, or None where it is not linear in them.

    `a*x + b*(x + y)` in x and y gives {x: a + b, y: b}, 0.
    """
    forms: dict[Expr, LinearForm] = {}
    for node in marked([expr], VARIES):
        if not node.args:
            if node in unknowns:
                forms[node] = LinearForm({node: pool.one}, pool.zero)
        elif not forms.keys().isdisjoint(node.args):
            form = _combine(pool, node, [forms.get(a) for a in node.args])
            if form is None:
                return None
            forms[node] = form
    return forms.get(expr) or LinearForm({}, expr)


def linear_in_time(pool: Pool, expr: Expr) -> tuple[Expr, Expr] | None:
    """(rate, rest) of what is rate*time + rest and moves with time alone; None for anything else."""
    form = linear_form(pool, expr, {pool.time}) if _moves_with_time_alone(expr) else None
    if form is None or (form.rest.flags | form.coefficients[pool.time].flags) & MOVES:
        return None
    return form.coefficients[pool.time], form.rest


_LINEAR = frozenset(("add", "neg", "mul", "noevent", "if"))
"""Operators that `_combine` looks into."""


def _moves_with_time_alone(expr: Expr) -> bool:
    """True if time, and no variable, stands below operators that can be linear; others end the search at once."""
    seen: set[Expr] = set()
    stack, moves = [expr], False
    while stack:
        node = stack.pop()
        if node in seen or not node.flags & MOVES:
            continue
        seen.add(node)
        if node.op == "time":
            moves = True
        elif node.op not in _LINEAR:
            return False
        stack += node.args
    return moves


def _combine(pool: Pool, node: Expr, inner: list[LinearForm | None]) -> LinearForm | None:
    """The form of a node from those of its arguments (None: free of unknowns)."""
    if node.op == "add":
        return _sum(pool, node, inner)
    if node.op == "neg":
        form = _given(inner[0])
        return LinearForm({x: pool.neg(c) for x, c in form.coefficients.items()}, pool.neg(form.rest))
    if node.op == "mul":
        with_unknowns = [i for i, f in enumerate(inner) if f is not None]
        if len(with_unknowns) > 1:
            return None
        at = with_unknowns[0]
        factor = pool.mul(*node.args[:at], *node.args[at + 1 :])
        return _scale(pool, _given(inner[at]), factor)
    if node.op == "noevent":
        form = _given(inner[0])
        quiet = {x: pool.call("noevent", c) if c.varies else c for x, c in form.coefficients.items()}
        return LinearForm(quiet, pool.call("noevent", form.rest))
    if node.op == "if" and inner[0] is None:
        return _choice(pool, node, inner)
    return None


def _given(form: LinearForm | None) -> LinearForm:
    assert form is not None
    return form


def _scale(pool: Pool, form: LinearForm, factor: Expr) -> LinearForm:
    return LinearForm({x: pool.mul(factor, c) for x, c in form.coefficients.items()}, pool.mul(factor, form.rest))


def _sum(pool: Pool, node: Expr, inner: list[LinearForm | None]) -> LinearForm:
    terms: dict[Expr, list[Expr]] = {}
    rest: list[Expr] = []
    for arg, form in zip(node.args, inner, strict=True):
        if form is None:
            rest.append(arg)
            continue
        rest.append(form.rest)
        for x, c in form.coefficients.items():
            terms.setdefault(x, []).append(c)
    added = {x: cs[0] if len(cs) == 1 else pool.add(*cs) for x, cs in terms.items()}
    return LinearForm({x: c for x, c in added.items() if c is not pool.zero}, pool.add(*rest))


def _choice(pool: Pool, node: Expr, inner: list[LinearForm | None]) -> LinearForm:
    condition, then, otherwise = node.args
    a = inner[1] or LinearForm({}, then)
    b = inner[2] or LinearForm({}, otherwise)
    both = dict.fromkeys([*a.coefficients, *b.coefficients])
    coefficients = {
        x: pool.if_(condition, a.coefficients.get(x, pool.zero), b.coefficients.get(x, pool.zero)) for x in both
    }
    return LinearForm(coefficients, pool.if_(condition, a.rest, b.rest))
