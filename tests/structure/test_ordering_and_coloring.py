"""Orders of small bandwidth against SciPy's reverse Cuthill-McKee; groups of columns against brute force."""

from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee as order_of_scipy

from acausal.ir.graph import Incidence
from acausal.structure.breadth_first import entries, order_breadth_first
from acausal.structure.coloring import color_columns
from acausal.structure.cuthill_mckee import reverse_cuthill_mckee, symmetric, width
from acausal.structure.tearing import SOLVABLE, Tearing

Edges = list[tuple[int, int]]


def rows_of(size: int, edges: Edges) -> list[list[int]]:
    """A symmetric pattern with its diagonal."""
    rows = [{i} for i in range(size)]
    for a, b in edges:
        rows[a].add(b)
        rows[b].add(a)
    return [sorted(row) for row in rows]


def places(order: list[int]) -> list[int]:
    assert sorted(order) == list(range(len(order)))
    place = [0] * len(order)
    for i, v in enumerate(order):
        place[v] = i
    return place


def shuffled(size: int, edges: Edges, seed: int) -> list[list[int]]:
    names = list(range(size))
    Random(seed).shuffle(names)
    return rows_of(size, [(names[a], names[b]) for a, b in edges])


@pytest.mark.parametrize("seed", range(5))
def test_a_shuffled_chain_has_three_diagonals_and_a_ring_five(seed: int) -> None:
    chain = list(pairwise(range(40)))
    for edges, least in ((chain, 1), ([*chain, (39, 0)], 2)):
        rows = shuffled(40, edges, seed)
        assert width(rows, places(reverse_cuthill_mckee(symmetric(rows)))) == (least, least)


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs_become_as_narrow_as_by_scipy(seed: int) -> None:
    random = Random(seed)
    size = random.randrange(1, 60)
    edges = [(random.randrange(size), random.randrange(size)) for _ in range(random.randrange(2 * size))]
    rows = rows_of(size, edges)
    mine = width(rows, places(reverse_cuthill_mckee(symmetric(rows))))[0]
    pairs = np.array([(i, j) for i, row in enumerate(rows) for j in row])
    graph = csr_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(size, size))
    peer = width(rows, places([int(v) for v in order_of_scipy(graph, symmetric_mode=True)]))[0]
    assert mine <= 1.3 * peer + 2


def fits(group: list[int], columns: list[list[int]]) -> bool:
    """Whether no two columns of a group have a row in common."""
    return all(
        group[a] != group[b] or not set(columns[a]) & set(columns[b])
        for a in range(len(columns))
        for b in range(a + 1, len(columns))
    )


@pytest.mark.parametrize("seed", range(30))
def test_groups_fit_and_are_few(seed: int) -> None:
    """At least as many as the fullest row; at most one more than the columns that the worst one meets."""
    random = Random(seed)
    rows, size = random.randrange(1, 7), random.randrange(1, 7)
    columns = [sorted({random.randrange(rows) for _ in range(random.randrange(4))}) for _ in range(size)]
    group = color_columns(columns, rows, range(size))
    assert fits(group, columns)
    assert sorted(set(group)) == list(range(max(group) + 1))
    fullest = max(sum(row in c for c in columns) for row in range(rows))
    meets = max(sum(bool(set(a) & set(b)) for b in columns) for a in columns)
    assert fullest <= max(group) + 1 <= max(1, meets)
    best = next(k for k in range(1, size + 1) if any(fits(list(g), columns) for g in product(range(k), repeat=size)))
    assert best <= max(group) + 1 <= best + 1


def test_a_grid_needs_few_groups_and_a_shuffled_chain_three() -> None:
    side = 20
    grid = [(i * side + j, i * side + j + 1) for i in range(side) for j in range(side - 1)]
    grid += [(i * side + j, (i + 1) * side + j) for i in range(side - 1) for j in range(side)]
    for size, edges, most in ((side * side, grid, 8), (100, list(pairwise(range(100))), 3)):
        rows = shuffled(size, edges, 1)
        group = color_columns(rows, size, reverse_cuthill_mckee(symmetric(rows)))
        assert max(group) + 1 <= most
        assert fits(group, rows)


def test_inner_unknowns_of_a_ring_are_assigned_breadth_first() -> None:
    """n cells: x_k + y_k = f(t_k), y_k = g(t_k), and x_k + y_k+1 = h(t_k), which could give y_k+1 as well.

    Along the chain, x_k hangs on all tearing variables before it; each from its own, on one.
    """
    n = 12
    t, x, y = range(n), range(n, 2 * n), range(2 * n, 3 * n)
    sums = [(x[k], y[k], t[k]) for k in range(n)]
    own = [(y[k], t[k]) for k in range(n)]
    joins = [(x[k], y[(k + 1) % n], t[k]) for k in range(n)]
    incidence = Incidence((*sums, *own, *joins), 3 * n)
    solvable = {(e, v): SOLVABLE for e, row in enumerate(incidence.vars_of_eq) for v in row if v >= n}
    chain = [(n, y[0]), (0, x[0])]
    for k in range(1, n):
        chain += [(2 * n + k - 1, y[k]), (k, x[k])]
    long = Tearing(tuple(t), (*range(n + 1, 2 * n), 3 * n - 1), tuple(chain))
    short = order_breadth_first(long, incidence, solvable, SOLVABLE)
    assert short.tearing_vars == long.tearing_vars
    assert entries(long, incidence) == sum(range(2, n + 1)) + n
    assert entries(short, incidence) == 2 * n
    known = set(t)
    for eq, var in short.inner:
        assert set(incidence.vars_of_eq[eq]) - {var} <= known
        known.add(var)
    assert sorted([*short.residual_eqs, *(eq for eq, _ in short.inner)]) == list(range(3 * n))
