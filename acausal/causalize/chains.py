"""Where chains of inner unknowns are to be cut, so that they do not magnify their tearing variables too much.

    a -> b -> c -> d, each 100 times the one before      cut at c: a and c are tearing variables

Where two neighbours both grow, as potentials and currents along a ladder do, both are cut: if one alone were, the
other would make it grow again at once.
"""

from collections.abc import Mapping, Sequence

from acausal.causalize.solve_linear import GROWTH, growth_of_sum, slope_of_sum
from acausal.ir.expr import Expr

Factors = Mapping[Expr, float]
"""Derivatives of an inner unknown with respect to tearing variables and inner unknowns before it."""

LARGE = GROWTH**0.5


def find_cuts(tears: Sequence[Expr], chain: Sequence[tuple[Expr, Factors]]) -> frozenset[Expr]:
    """The inner unknowns that have to become tearing variables; `chain` has them in the order of assignment."""
    place = {x: k for k, (x, _) in enumerate(chain)}
    slopes: dict[Expr, dict[Expr, float]] = {t: {t: 1.0} for t in tears}
    cuts: set[Expr] = set()
    k = 0
    while k < len(chain):
        x, factors = chain[k]
        terms = [(factor, slopes[y]) for y, factor in factors.items()]
        if x in cuts:
            slopes[x] = {x: 1.0}
        elif growth_of_sum(terms) <= GROWTH:
            slopes[x] = slope_of_sum(terms)
        else:
            growing = [y for y in factors if y in place and y not in cuts and max(map(abs, slopes[y].values())) > LARGE]
            cut = growing if len(growing) == 2 else [x]
            cuts.update(cut)
            k = min(place[y] for y in cut)
            continue
        k += 1
    return frozenset(cuts)
