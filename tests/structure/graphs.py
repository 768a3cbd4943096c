"""Seeded random systems, and the oracles' form of them."""

from random import Random

import networkx as nx
import numpy as np
from scipy.sparse import csr_array

from acausal.ir.graph import Incidence


def random_incidence(rng: Random, eqs: int, variables: int, degree: int) -> Incidence:
    """Up to `degree` variables in each equation, some equations empty."""
    rows = [sorted({rng.randrange(variables) for _ in range(rng.randint(0, degree))}) for _ in range(eqs)]
    for row in rows:
        rng.shuffle(row)
    return Incidence(tuple(map(tuple, rows)), variables)


def random_square(rng: Random, size: int, degree: int) -> Incidence:
    """A system with a perfect matching, hidden by a permutation of the variables."""
    hidden = list(range(size))
    rng.shuffle(hidden)
    rows = []
    for eq in range(size):
        row = list(dict.fromkeys([hidden[eq], *[rng.randrange(size) for _ in range(rng.randint(0, degree))]]))
        rng.shuffle(row)
        rows.append(tuple(row))
    return Incidence(tuple(rows), size)


def from_one(*rows: list[int], variables: int) -> Incidence:
    """A system as papers print it, counted from one."""
    return Incidence(tuple(tuple(var - 1 for var in row) for row in rows), variables)


def bipartite(incidence: Incidence) -> nx.Graph:
    """For networkx: vertices ("e", i) and ("v", j)."""
    graph = nx.Graph()
    graph.add_nodes_from([("e", e) for e in range(incidence.equation_count)])
    graph.add_nodes_from([("v", v) for v in range(incidence.variable_count)])
    graph.add_edges_from([(("e", e), ("v", v)) for e, row in enumerate(incidence.vars_of_eq) for v in row])
    return graph


def sparse(incidence: Incidence) -> csr_array:
    """For SciPy: a matrix of ones."""
    rows = [e for e, row in enumerate(incidence.vars_of_eq) for _ in row]
    columns = [v for row in incidence.vars_of_eq for v in row]
    shape = (incidence.equation_count, incidence.variable_count)
    return csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)


def rank(incidence: Incidence) -> int:
    """Size of a largest matching, by SciPy."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not incidence.equation_count or not incidence.variable_count:
        return 0
    return int((maximum_bipartite_matching(sparse(incidence), perm_type="column") >= 0).sum())
