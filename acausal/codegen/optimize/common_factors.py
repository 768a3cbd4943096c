"""Factors that terms of a sum have in common are taken out: one multiplication less for each.

r*x + y - r*z    ->    r*(x - z) + y        if nothing else uses r*x and r*z
"""

from collections.abc import Callable, Sequence

from acausal.ir.expr import VARIES, Expr
from acausal.ir.pool import Pool

Halves = tuple[Expr, Expr]
"""A product as one of two: its factors without variables and the rest, or its only two factors."""


def take_out(pool: Pool, terms: Sequence[Expr], is_free: Callable[[Expr], bool]) -> list[Expr]:
    """The terms, those with a common factor as one product; `is_free` says which products nothing else uses.

    The factor that most terms have goes first.
    """
    found = list(terms)
    if len([t for t in terms if t.op == "mul" or (t.op == "neg" and t.args[0].op == "mul")]) < 2:
        return found
    halves_of = _candidates(pool, terms, is_free)
    while len(halves_of) > 1:
        common = _most_common(halves_of)
        if common is None:
            break
        factor, group = common
        rest = [_other(pool, term, halves_of.pop(term), factor) for term in group]
        place = found.index(group[0])
        found = [t for t in found if t not in group]
        found.insert(place, pool.mul(factor, pool.add(*rest)))
    return found


def _candidates(pool: Pool, terms: Sequence[Expr], is_free: Callable[[Expr], bool]) -> dict[Expr, Halves]:
    found: dict[Expr, Halves] = {}
    for term in terms:
        product = term.args[0] if term.op == "neg" else term
        halves = _halves(pool, product) if product.op == "mul" and is_free(product) else None
        if halves is not None:
            found[term] = halves
    return found


def _halves(pool: Pool, product: Expr) -> Halves | None:
    fixed = [f for f in product.args if not f.flags & VARIES]
    moving = [f for f in product.args if f.flags & VARIES]
    for factor in moving:
        if factor.op == "pow":
            return None
    if fixed:
        return (_product(pool, fixed), _product(pool, moving)) if moving else None
    return (moving[0], moving[1]) if len(moving) == 2 else None


def _product(pool: Pool, factors: list[Expr]) -> Expr:
    """Most are one factor."""
    return factors[0] if len(factors) == 1 and factors[0].op != "mul" else pool.mul(*factors)


def _most_common(halves_of: dict[Expr, Halves]) -> tuple[Expr, list[Expr]] | None:
    """The factor of the most terms, and those; the first one of several, None where no two terms have one."""
    with_factor: dict[Expr, list[Expr]] = {}
    shared = False
    for term, halves in halves_of.items():
        for factor in halves:
            group = with_factor.get(factor)
            if group is not None:
                group.append(term)
                shared = True
            elif factor.op != "const":
                with_factor[factor] = [term]
    return max(with_factor.items(), key=lambda item: len(item[1])) if shared else None


def _other(pool: Pool, term: Expr, halves: Halves, factor: Expr) -> Expr:
    """Other factor of a product, with the sign of the term."""
    other = halves[1] if halves[0] is factor else halves[0]
    return pool.neg(other) if term.op == "neg" else other
