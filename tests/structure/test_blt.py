"""Sorting against networkx, SciPy and Tarjan's example."""

from random import Random

import networkx as nx
import pytest
from scipy.sparse.csgraph import connected_components

from acausal.ir.graph import Incidence, Matching
from acausal.structure.blt import Block, sort_blocks, strong_components
from acausal.structure.matching import match
from tests.structure.graphs import from_one, random_square, sparse


def test_tarjan_1972_figure_3_page_158() -> None:
    graph = from_one([2], [3, 8], [4, 7], [5], [3, 6], [], [4, 6], [1, 7], variables=8)
    components = strong_components(graph.vars_of_eq)
    assert [sorted(v + 1 for v in c) for c in components] == [[6], [3, 4, 5, 7], [1, 2, 8]]


@pytest.mark.parametrize("seed", range(100))
def test_blocks_are_components_in_order(seed: int) -> None:
    rng = Random(seed)
    size = rng.randint(1, 60)
    incidence = random_square(rng, size, rng.randint(0, 3))
    matching = match(incidence)
    blocks = sort_blocks(incidence, matching)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from((e, matching.eq_of_var[v]) for e, row in enumerate(incidence.vars_of_eq) for v in row)
    assert {frozenset(b.eqs) for b in blocks} == set(map(frozenset, nx.strongly_connected_components(graph)))
    needs = Incidence(tuple(tuple(matching.eq_of_var[v] or 0 for v in row) for row in incidence.vars_of_eq), size)
    assert len(blocks) == connected_components(sparse(needs), connection="strong")[0]
    known: set[int] = set()
    for block in blocks:
        known |= set(block.vars)
        assert all(set(incidence.vars_of_eq[e]) <= known for e in block.eqs)
        assert all(matching.eq_of_var[v] == e for e, v in zip(block.eqs, block.vars, strict=True))
    assert known == set(range(size))


@pytest.mark.parametrize("seed", range(20))
def test_blocks_do_not_depend_on_the_matching(seed: int) -> None:
    rng = Random(seed)
    incidence = random_square(rng, 30, 2)
    turned = Incidence(tuple(row[::-1] for row in incidence.vars_of_eq), 30)
    first, second = sort_blocks(incidence, match(incidence)), sort_blocks(turned, match(turned))
    assert {(b.eqs, tuple(sorted(b.vars))) for b in first} == {(b.eqs, tuple(sorted(b.vars))) for b in second}


def test_sorted_equations_keep_their_order() -> None:
    rng = Random(3)
    rows = tuple(tuple({e, *[rng.randrange(e + 1) for _ in range(2)]}) for e in range(200))
    incidence = Incidence(rows, 200)
    assert [b.eqs[0] for b in sort_blocks(incidence, match(incidence))] == list(range(200))


def test_unmatched_variables_are_known_and_unmatched_equations_left_out() -> None:
    incidence = Incidence(((0, 1), (0,), (1, 2)), 3)
    matching = Matching((None, 0, 2), (1, None, 2))
    assert [b.vars for b in sort_blocks(incidence, Matching((None, 0, 2), (1, None, 2)))] == [(1,), (2,)]
    assert sort_blocks(incidence, matching) == (Block((0,), (1,)), Block((2,), (2,)))


def test_long_chains_and_rings() -> None:
    size = 20000
    chain = Incidence((*[(e, e + 1) for e in range(size - 1)], (size - 1,)), size)
    assert [b.eqs for b in sort_blocks(chain, match(chain))] == [(e,) for e in reversed(range(size))]
    ring = Incidence(tuple((e, (e + 1) % size) for e in range(size)), size)
    assert len(sort_blocks(ring, match(ring))) == 1
