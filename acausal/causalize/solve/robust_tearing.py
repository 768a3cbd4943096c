"""Blocks that tearing would spoil: numbers that differ by many orders of magnitude, in sums.

    R1*i1 = v - w,  RG*iG = v,  i1 + iG = j     i1 = (v - w)/R1 as inner unknown: (1/R1 + 1/RG)*v + ... loses 1/RG

What is lost may be all that determines a potential (1 GOhm to ground beside 1 mOhm). Each entry of the matrix that
tearing leaves is a sum, whose rounding error is a share of the sum of its terms' sizes. Where such errors can make the
matrix nearly singular (`structure/regular`), the block is solved whole, so that entries are the coefficients of the
equations, and with refinement (`runtime/blocks/refined`). Blocks of numbers and parameters alone are, wherever sums add
terms that differ by that much: inner unknowns and right-hand sides lose digits, too.
"""

from collections.abc import Mapping, Sequence

from acausal.causalize.solve.conditioning_cuts import Factors
from acausal.ir.expr import Expr

SPREAD = 1e8
"""Coefficients of a block that differ by less lose half of their digits at most."""
TERMS = 1e5
"""Terms of one sum, in such a block, that differ by less lose five digits at most."""
FRAGILE = 1e8
"""By so much rounding errors may be magnified."""

Chain = Sequence[tuple[Expr, Factors]]
_Sum = tuple[float, float]
"""A sum, and the sizes of those of its terms that are rounded."""


def is_spread(factors: Sequence[float], share: float = SPREAD) -> bool:
    """True if numbers differ by so much that sums may lose what determines a solution."""
    sizes = [abs(f) for f in factors if f]
    return bool(sizes) and max(sizes) > share * min(sizes)


def adds_spread_terms(chain: Chain, residuals: Sequence[Factors]) -> bool:
    """True if sums that tearing makes have terms so different that the least lose their digits.

    Units do not matter: capacitances of 1e-15 F beside conductances are no such case, as no sum has both.
    """
    if not is_spread([f for row in (*residuals, *[factors for _, factors in chain]) for f in row.values()]):
        return False
    explicit: dict[Expr, dict[Expr, float]] = {}
    rows: list[tuple[Expr | None, Factors]] = [*chain, *[(None, row) for row in residuals]]
    for x, factors in rows:
        terms: dict[Expr, list[float]] = {}
        for y, factor in factors.items():
            for tear, slope in explicit.get(y, {y: 1.0}).items():
                terms.setdefault(tear, []).append(factor * slope)
        if any(is_spread(found, TERMS) for found in terms.values()):
            return True
        if x is not None:
            explicit[x] = {tear: sum(found) for tear, found in terms.items()}
    return False


def is_fragile(tears: Sequence[Expr], chain: Chain, residuals: Sequence[Factors]) -> bool:
    """True if rounding errors spoil the matrix that is left; `chain` has inner unknowns in the order of assignment."""
    if not is_spread([f for row in (*residuals, *[factors for _, factors in chain]) for f in row.values()]):
        return False
    from acausal.structure.regular import sensitivity

    explicit: dict[Expr, dict[Expr, _Sum]] = {}
    for x, factors in chain:
        explicit[x] = _in_tears(factors, explicit)
    place = {x: k for k, x in enumerate(tears)}
    rows = [{place[x]: found for x, found in _in_tears(row, explicit).items()} for row in residuals]
    values = [{k: total for k, (total, _) in row.items()} for row in rows]
    rounded = [{k: size for k, (_, size) in row.items()} for row in rows]
    return sensitivity(values, rounded, len(tears)) > FRAGILE


def _in_tears(row: Factors, explicit: Mapping[Expr, Mapping[Expr, _Sum]]) -> dict[Expr, _Sum]:
    found: dict[Expr, _Sum] = {}
    for x, factor in row.items():
        for tear, (slope, rounded) in explicit.get(x, {x: (1.0, 0.0)}).items():
            total, size = found.get(tear, (0.0, 0.0))
            term = factor * slope
            inexact = 0.0 if term == round(term) and not rounded else abs(term)
            found[tear] = total + term, size + max(inexact, abs(factor) * rounded)
    return found
