"""Cuts of chains of inner unknowns, so that they do not magnify their tearing variables too much.

    a -> b -> c -> d, each 100 times the one before      cut at c: a and c are tearing variables

A resistive ladder of thousands of sections, torn at one end, would otherwise grow like 2.6^n. Where two neighbours
both grow, as potentials and currents along a ladder do, both are cut: if one alone were, the other would make it grow
again at once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence

from acausal.ir.expr import Expr

GROWTH = 1e3
"""Magnification of the tearing variables above which a chain of inner unknowns is cut."""

LARGE = GROWTH**0.5

TrialValue = Callable[[Expr], float]
"""The value of an expression, at a sample of the variables where it varies (`causalize.magnitude`)."""

Factors = Mapping[Expr, float]
"""Derivatives of an inner unknown with respect to tearing variables and inner unknowns before it."""

Slopes = dict[Expr, float]
"""Derivatives with respect to the tearing variables."""


def find_cuts(tears: Sequence[Expr], chain: Sequence[tuple[Expr, Factors]]) -> frozenset[Expr]:
    """The inner unknowns that have to become tearing variables; `chain` has them in the order of assignment.

    Terms of one equation are summed without cancellation.
    """
    links = list(_scaled(tears, chain))
    place = {x: k for k, (x, _) in enumerate(links)}
    slopes: dict[Expr, Slopes] = {t: {t: 1.0} for t in tears}
    cuts: set[Expr] = set()
    k = 0
    while k < len(links):
        x, factors = links[k]
        if x in cuts:
            slopes[x] = {x: 1.0}
        elif _growth(factors, slopes) <= GROWTH:
            slopes[x] = _slopes(factors, slopes)
        else:
            growing = [y for y in factors if y in place and y not in cuts and max(map(abs, slopes[y].values())) > LARGE]
            cut = growing if len(growing) == 2 else [x]
            cuts.update(cut)
            k = min([place[y] for y in cut])
            continue
        k += 1
    return frozenset(cuts)


def _scaled(tears: Sequence[Expr], chain: Sequence[tuple[Expr, Factors]]) -> Iterator[tuple[Expr, Factors]]:
    """A derivative counts as a share of its greatest term: der(u) = i/C with a C of 1e-12 is no growth."""
    scale = dict.fromkeys(tears, 1.0)
    for x, factors in chain:
        sizes = {y: factor * scale[y] for y, factor in factors.items()}
        shares = [scale[y] if y.order else abs(size) for y, size in sizes.items()] if x.order else []
        scale[x] = max(shares, default=0.0) or 1.0
        yield x, {y: size / scale[x] for y, size in sizes.items()}


def _slopes(factors: Factors, slopes: Mapping[Expr, Slopes]) -> Slopes:
    found: Slopes = {}
    for y, factor in factors.items():
        for tear, slope in slopes[y].items():
            found[tear] = found.get(tear, 0.0) + factor * slope
    return found


def _growth(factors: Factors, slopes: Mapping[Expr, Slopes]) -> float:
    """The greatest of the same derivatives, were all signs alike."""
    found: Slopes = {}
    for y, factor in factors.items():
        for tear, slope in slopes[y].items():
            found[tear] = found.get(tear, 0.0) + abs(factor * slope)
    return max(found.values(), default=0.0)
