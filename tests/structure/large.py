"""One random system through all structural passes, each beside its oracle: for the long campaigns."""

from random import Random

import networkx as nx
from scipy.sparse.csgraph import connected_components

from acausal.ir.graph import Incidence, Reduction, check_matching
from acausal.structure.blt import sort_blocks
from acausal.structure.matching import match
from acausal.structure.pantelides import pantelides
from acausal.structure.tearing import NOT_SOLVABLE, SOLVABLE, SOLVABLE_WITH_CARE, tear
from tests.structure.graphs import bipartite, pryce_offsets, random_dae, random_incidence, random_square, rank, sparse
from tests.structure.test_tearing import check


def structure_agrees(rng: Random) -> None:
    """Matching with networkx and SciPy, blocks with SciPy, tearing by its definition, Pantelides with Pryce."""
    _matching(random_incidence(rng, rng.randint(1, 150), rng.randint(1, 150), rng.randint(1, 5)))
    _blocks_and_tearing(rng, random_square(rng, rng.randint(1, 120), rng.randint(0, 3)))
    _differentiations(rng)


def _matching(incidence: Incidence) -> None:
    matching = match(incidence)
    assert not check_matching(incidence, matching)
    top = [("e", e) for e in range(incidence.equation_count)]
    assert matching.size == rank(incidence) == len(nx.bipartite.hopcroft_karp_matching(bipartite(incidence), top)) // 2


def _blocks_and_tearing(rng: Random, incidence: Incidence) -> None:
    matching = match(incidence)
    needs = tuple(tuple(matching.eq_of_var[v] or 0 for v in row) for row in incidence.vars_of_eq)
    blocks = sort_blocks(incidence, matching)
    assert len(blocks) == connected_components(sparse(Incidence(needs, len(needs))), connection="strong")[0]
    solvable = {
        (e, v): rng.choice((NOT_SOLVABLE, SOLVABLE_WITH_CARE, SOLVABLE, SOLVABLE))
        for e, row in enumerate(incidence.vars_of_eq)
        for v in row
    }
    known: set[int] = set()
    for block in blocks:
        known |= set(block.vars)
        assert all(known.issuperset(incidence.vars_of_eq[e]) for e in block.eqs)
        torn = tear(block.eqs, block.vars, incidence, solvable, SOLVABLE)
        check(incidence, block.eqs, block.vars, torn, solvable, SOLVABLE)


def _differentiations(rng: Random) -> None:
    incidence, derivative_of, orders = random_dae(rng, rng.randint(1, 12), rng.randint(0, 3))
    found, offsets = pantelides(incidence, derivative_of), pryce_offsets(orders)
    assert isinstance(found, Reduction) == (offsets is not None)
    if isinstance(found, Reduction) and offsets is not None:
        assert list(found.differentiations) == offsets[0]
