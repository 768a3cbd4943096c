"""Seeded random systems, and the oracles' form of them."""

from random import Random

import networkx as nx
import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from acausal.ir.graph import Incidence, Reduction


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
    return csr_array((np.ones(len(rows)), (np.array(rows, np.int32), np.array(columns, np.int32))), shape=shape)


def rank(incidence: Incidence) -> int:
    """Size of a largest matching, by SciPy."""
    from scipy.sparse.csgraph import maximum_bipartite_matching

    if not incidence.equation_count or not incidence.variable_count:
        return 0
    return int((maximum_bipartite_matching(sparse(incidence), perm_type="column") >= 0).sum())


def random_dae(rng: Random, size: int, order: int) -> tuple[Incidence, list[int | None], list[list[int | None]]]:
    """A square DAE: incidence, `derivative_of`, and the highest order of each variable in each equation.

    Every derivative occurs in some equation, as in a flat model.
    """
    orders: list[list[int | None]] = [[None] * size for _ in range(size)]
    for row in orders:
        for base in {rng.randrange(size) for _ in range(rng.randint(1, 3))}:
            row[base] = rng.randint(0, order)
    highest = [max((row[base] or 0 for row in orders), default=0) for base in range(size)]
    number: dict[tuple[int, int], int] = {(base, 0): base for base in range(size)}
    derivative_of: list[int | None] = [None] * size
    for base in range(size):
        for level in range(1, highest[base] + 1):
            derivative_of[number[base, level - 1]] = number[base, level] = len(derivative_of)
            derivative_of.append(None)
    rows = []
    for row in orders:
        entries = [(base, level) for base, level in enumerate(row) if level is not None]
        lower = [(b, rng.randrange(level)) for b, level in entries if level and rng.random() < 0.5]
        rows.append(tuple(dict.fromkeys(number[entry] for entry in entries + lower)))
    return Incidence(tuple(rows), len(derivative_of)), derivative_of, orders


def differentiated(incidence: Incidence, reduced: Reduction) -> Incidence:
    """All equations of a reduction: a derivative contains the variables of its predecessor and their derivatives."""
    rows: list[tuple[int, ...]] = [()] * len(reduced.eq_derivative)
    for eq, row in enumerate(incidence.vars_of_eq):
        current = row
        for number in reduced.eq_chain(eq):
            rows[number] = current
            lifted = [reduced.var_derivative[var] for var in current]
            current = tuple(dict.fromkeys([*current, *[var for var in lifted if var is not None]]))
    return Incidence(tuple(rows), len(reduced.var_derivative))


def pryce_offsets(orders: list[list[int | None]]) -> tuple[list[int], list[int]] | None:
    """The smallest offsets (c, d) of the signature matrix, None if it has no transversal.

    J. D. Pryce, A simple structural analysis method for DAEs, BIT 41(2), 2001,
    pp. 364-394: an independent way to what Pantelides' algorithm finds.
    """
    size = len(orders)
    if size == 0 or rank(Incidence(tuple(_present(row) for row in orders), size)) < size:
        return None
    cost = np.array([[-1e6 if order is None else float(order) for order in row] for row in orders])
    transversal = linear_sum_assignment(cost, maximize=True)[1]
    c = [0] * size
    while True:
        d = [max(row[j] + c[i] for i, row in enumerate(orders) if row[j] is not None) for j in range(size)]
        following = [d[j] - orders[i][j] for i, j in enumerate(transversal)]
        if following == c:
            return c, d
        c = following


def _present(row: list[int | None]) -> tuple[int, ...]:
    return tuple(base for base, order in enumerate(row) if order is not None)
