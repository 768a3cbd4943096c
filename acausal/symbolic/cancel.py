"""Sums of nested sums whose terms cancel, with nothing left of them but what does not cancel.

    (1/a + 1/b + 1/r) - (1/a + 1/b)     ->   1/r
    (g + e)*(g + f) - g*g               ->   e*f + e*g + f*g     of parameters alone

By numbers the first one is 1e-6 with an error of 1e-15, where a = b = 40 mOhm and r = 1 MOhm: the potential of a
floating part of a circuit is determined by such differences.
"""

from collections.abc import Iterable, Sequence

from acausal.ir.expr import Expr
from acausal.ir.pool import Pool
from acausal.symbolic.term_signs import BOTH, TermSigns, term_signs

MOST = 120
"""Terms of an opened sum; a longer one is left as it is."""

Terms = list[tuple[float, Expr]]


def cancelled(pool: Pool, terms: Sequence[Expr], signs: TermSigns | None = None) -> Expr:
    """The sum of the terms; nested sums are opened if something in them cancels, products of sums if none varies.

    Sums whose terms have one sign are not opened. `signs` keeps those from one call to the next.
    """
    if len(terms) < 2 or term_signs(terms, {} if signs is None else signs) != BOTH:
        return pool.add(*terms)
    expand = not any(t.varies for t in terms)
    opened = _opened(pool, terms, expand=expand)
    if opened is None or not _cancels(opened):
        return pool.add(*terms)
    return pool.add(*[pool.mul(pool.const(f), b) for f, b in opened])


def _cancels(terms: Terms) -> bool:
    """True if a term occurs with both signs."""
    positive: dict[Expr, bool] = {}
    return any(positive.setdefault(b, f > 0) != (f > 0) for f, b in terms)


def _opened(pool: Pool, terms: Iterable[Expr], *, expand: bool) -> Terms | None:
    """The terms of all nested sums as factors and products; None if there are too many."""
    found: Terms = []
    waiting = [(1.0, t) for t in reversed(list(terms))]
    while waiting:
        factor, term = waiting.pop()
        number, base = pool.split(term)
        factor *= number
        if base.op == "const":
            found.append((factor * base.number, pool.one))
        elif base.op == "add":
            waiting += [(factor, t) for t in reversed(base.args)]
        elif expand and base.op == "mul" and (at := _sum_in(base)) is not None:
            others = (*base.args[:at], *base.args[at + 1 :])
            waiting += [(factor, pool.mul(*others, t)) for t in reversed(base.args[at].args)]
        else:
            found.append((factor, base))
        if len(found) + len(waiting) > MOST:
            return None
    return found


def _sum_in(product: Expr) -> int | None:
    """The place of the first sum among the factors."""
    return next((i for i, a in enumerate(product.args) if a.op == "add"), None)
