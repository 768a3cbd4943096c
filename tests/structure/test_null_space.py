"""Rank and null vectors of sparse matrices against NumPy's singular values."""

import random

import numpy as np
import pytest

from acausal.structure.null_space import null_space


def _random(seed: int) -> tuple[np.ndarray, int]:
    """A sparse square matrix and its rank, for even seeds with some rows that depend on others; no doubtful ones."""
    r = random.Random(seed)
    while True:
        n = r.randint(2, 30)
        matrix = np.array([[r.choice([0, 0, 0, 1, -1, 2, r.uniform(-9, 9)]) for _ in range(n)] for _ in range(n)])
        for _ in range(0 if seed % 2 else r.randint(1, 3)):
            a, b, c = (r.randrange(n) for _ in range(3))
            if a not in (b, c):
                matrix[a] = r.randint(-3, 3) * matrix[b] + r.choice([1, 0.1]) * matrix[c]
        sizes = np.linalg.svd(matrix, compute_uv=False)
        ranks = {int((sizes > limit * sizes[0]).sum()) for limit in (1e-4, 1e-13)} if sizes[0] else {0}
        if len(ranks) == 1:
            return matrix * np.array([10.0 ** r.randint(-6, 6) for _ in range(n)]), ranks.pop()


def _size(matrix: np.ndarray, vector: np.ndarray) -> np.ndarray:
    """What the terms of each product could come to: its row times the largest term that any row has of a column."""
    columns = np.abs(matrix).max(0)
    columns[columns == 0] = 1
    return np.abs(matrix / columns).sum(1) * np.abs(columns * vector).max()


@pytest.mark.parametrize("seed", range(200))
def test_rank_and_null_vectors(seed: int) -> None:
    matrix, rank = _random(seed)
    rows = [{c: float(x) for c, x in enumerate(row) if x} for row in matrix]
    found = null_space(rows, len(matrix))
    assert found is not None
    assert len(found.rows) == len(found.columns) == len(matrix) - rank
    for combination in found.rows:
        left = np.array([combination.get(i, 0.0) for i in range(len(matrix))])
        assert (np.abs(left @ matrix) <= 1e-6 * _size(matrix.T, left)).all()
    for vector in found.columns:
        right = np.array([vector.get(i, 0.0) for i in range(len(matrix))])
        assert (np.abs(matrix @ right) <= 1e-6 * _size(matrix, right)).all()


def test_example_of_the_docstring() -> None:
    found = null_space([{0: 1.0, 1: 1.0}, {2: 1.0}, {0: 2.0, 1: 2.0}], 3)
    assert found is not None
    assert found.rows == ({0: 1.0, 2: -0.5},)
    assert found.columns == ({0: -1.0, 1: 1.0},) or found.columns == ({0: 1.0, 1: -1.0},)
