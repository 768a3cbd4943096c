"""Where chains are cut: counted on chains whose growth is known."""

from itertools import pairwise

import numpy as np

from acausal.causalize.solve.conditioning_cuts import Factors, find_cuts
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

Chain = list[tuple[Expr, Factors]]


def magnified(tears: list[Expr], chain: Chain, cuts: frozenset[Expr]) -> float:
    """The greatest derivative of an inner unknown that is left, with respect to a tearing variable."""
    columns = [*tears, *[x for x, _ in chain if x in cuts]]
    rows = {x: np.eye(len(columns))[k] for k, x in enumerate(columns)}
    for x, factors in chain:
        if x not in cuts:
            rows[x] = np.sum([f * rows[y] for y, f in factors.items()], axis=0)
    return max(np.abs(row).max() for row in rows.values())


def names(count: int) -> list[Expr]:
    pool = Pool()
    return [pool.variable((f"x{k}",)) for k in range(count)]


def test_a_chain_is_cut_as_seldom_as_possible() -> None:
    """Each ten times the one before: every fourth at least, as ten to the fourth is more than a thousand."""
    x = names(41)
    chain: Chain = [(b, {a: 10.0}) for a, b in pairwise(x)]
    cuts = find_cuts([x[0]], chain)
    assert len(cuts) == 10
    assert magnified([x[0]], chain, cuts) <= 1000


def test_a_ladder_is_cut_in_pairs() -> None:
    """v' = v - 2*i', i' = i - 0.1*v: both grow 1.56 times a section, so that about every 15th is cut, in both."""
    x = names(402)
    chain: Chain = []
    for k in range(2, 402, 2):
        chain.append((x[k], {x[k - 2]: 1.0, x[k - 1]: -2.0}))
        chain.append((x[k + 1], {x[k - 1]: 1.0, x[k]: -0.1}))
    cuts = find_cuts(x[:2], chain)
    assert 200 / 16 < len(cuts) < 2.5 * 200 / 12
    assert magnified(x[:2], chain, cuts) <= 1000


def test_what_does_not_grow_is_not_cut() -> None:
    """A star of a hundred unknowns, each nine hundred times the tearing variable, and a chain of turned vectors."""
    x = names(101)
    assert not find_cuts([x[0]], [(y, {x[0]: 900.0}) for y in x[1:]])
    turned = [(x[k], {x[k - 2]: 0.6, x[k - 1]: 0.8 * (-1) ** k}) for k in range(2, 6)]
    assert not find_cuts(x[:2], turned)


def test_a_single_large_factor_is_cut_where_it_stands() -> None:
    x = names(3)
    assert find_cuts([x[0]], [(x[1], {x[0]: 1e6}), (x[2], {x[1]: 2.0})]) == {x[1]}
