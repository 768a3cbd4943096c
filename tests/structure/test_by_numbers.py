"""The structure of a linear system used to solve it: block by block, and torn, the solution is NumPy's."""

from random import Random

import networkx as nx
import numpy as np
import pytest

from acausal.ir.graph import Incidence
from acausal.structure.blt import sort_blocks
from acausal.structure.matching import match
from acausal.structure.tearing import SOLVABLE, Tearing, tear
from tests.structure.graphs import random_square


def random_matrix(rng: Random, incidence: Incidence) -> np.ndarray:
    """Coefficients where the incidence has entries, those of the hidden matching far from zero."""
    size = incidence.equation_count
    matrix = np.zeros((size, size))
    for e, row in enumerate(incidence.vars_of_eq):
        for v in row:
            matrix[e, v] = rng.choice((-1, 1)) * rng.uniform(0.5, 1.5)
    for e, v in enumerate(match(incidence).var_of_eq):
        assert v is not None
        matrix[e, v] *= 8
    return matrix


@pytest.mark.parametrize("seed", range(60))
def test_block_by_block(seed: int) -> None:
    rng = Random(seed)
    incidence = random_square(rng, rng.randint(1, 50), rng.randint(1, 3))
    matrix, right = random_matrix(rng, incidence), np.random.default_rng(seed).standard_normal(incidence.variable_count)
    x = np.full(incidence.variable_count, np.nan)
    for block in sort_blocks(incidence, match(incidence)):
        eqs, variables = list(block.eqs), list(block.vars)
        rest = right[eqs].copy()
        for k, e in enumerate(eqs):
            rest[k] -= sum(matrix[e, v] * x[v] for v in incidence.vars_of_eq[e] if v not in variables)
        x[variables] = np.linalg.solve(matrix[np.ix_(eqs, variables)], rest)
    np.testing.assert_allclose(x, np.linalg.solve(matrix, right), rtol=1e-9, atol=1e-9)


def evaluate(matrix: np.ndarray, right: np.ndarray, torn: Tearing, tears: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All unknowns by the inner equations one after the other, then the residuals."""
    x = np.zeros(len(right))
    x[list(torn.tearing_vars)] = tears
    for e, v in torn.inner:
        x[v] = (right[e] - matrix[e] @ x + matrix[e, v] * x[v]) / matrix[e, v]
    left_over = list(torn.residual_eqs)
    return x, matrix[left_over] @ x - right[left_over]


@pytest.mark.parametrize("seed", range(60))
def test_torn(seed: int) -> None:
    """Residuals are affine in the tearing variables: their zero is the solution of the whole."""
    rng = Random(seed)
    incidence = random_square(rng, rng.randint(1, 14), rng.randint(1, 3))
    matrix, right = random_matrix(rng, incidence), np.random.default_rng(seed).standard_normal(incidence.variable_count)
    size = incidence.variable_count
    solvable = {(e, v): SOLVABLE for e, row in enumerate(incidence.vars_of_eq) for v in row}
    torn = tear(range(size), range(size), incidence, solvable, SOLVABLE)
    count = len(torn.tearing_vars)
    at_zero = evaluate(matrix, right, torn, np.zeros(count))[1]
    slopes = [evaluate(matrix, right, torn, unit)[1] - at_zero for unit in np.eye(count)]
    tears = -np.linalg.solve(np.array(slopes).T, at_zero) if count else at_zero
    np.testing.assert_allclose(
        evaluate(matrix, right, torn, tears)[0], np.linalg.solve(matrix, right), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize("seed", range(60))
def test_inner_equations_have_no_cycle(seed: int) -> None:
    """networkx: who needs whom among the inner unknowns is acyclic, and they stand in a topological order."""
    rng = Random(seed)
    incidence = random_square(rng, rng.randint(2, 80), 3)
    solvable = {(e, v): SOLVABLE for e, row in enumerate(incidence.vars_of_eq) for v in row}
    size = incidence.variable_count
    torn = tear(range(size), range(size), incidence, solvable, SOLVABLE)
    graph = nx.DiGraph()
    inner = [v for _, v in torn.inner]
    graph.add_nodes_from(inner)
    for e, v in torn.inner:
        graph.add_edges_from((w, v) for w in incidence.vars_of_eq[e] if w != v and w not in torn.tearing_vars)
    assert nx.is_directed_acyclic_graph(graph)
    place = {v: k for k, v in enumerate(inner)}
    assert all(place[a] < place[b] for a, b in graph.edges)


@pytest.mark.parametrize("seed", range(20))
def test_names_do_not_matter(seed: int) -> None:
    """Equations and variables in another order give the same blocks under their other numbers."""
    rng = Random(seed)
    incidence = random_square(rng, 40, 2)
    new_eq, new_var = rng.sample(range(40), 40), rng.sample(range(40), 40)
    rows: list[tuple[int, ...]] = [()] * 40
    for e, row in enumerate(incidence.vars_of_eq):
        rows[new_eq[e]] = tuple(new_var[v] for v in row)
    other = Incidence(tuple(rows), 40)
    blocks = {(frozenset(new_eq[e] for e in b.eqs), frozenset(new_var[v] for v in b.vars))
              for b in sort_blocks(incidence, match(incidence))}  # fmt: skip
    assert blocks == {(frozenset(b.eqs), frozenset(b.vars)) for b in sort_blocks(other, match(other))}
