"""Linear blocks that are narrow bands, in whatever order, against NumPy's solver."""

import numpy as np
import pytest

from acausal.codegen.llvm.to_llvm import compile_llvm
from acausal.codegen.lower.band import find_band
from acausal.ir.program.program import Program
from tests.codegen.plans import PlanMaker, lowered, run, run_both, value_of


def program(matrix: np.ndarray, right: np.ndarray) -> Program:
    """A block whose entries are states; what is zero is a zero of the text."""
    m = PlanMaker()
    n = len(right)
    zero = m.pool.zero
    entries = [
        [m.state(f"a{i}_{j}", float(matrix[i, j])) if matrix[i, j] else zero for j in range(n)] for i in range(n)
    ]
    rights = [m.state(f"b{i}", float(right[i])) for i in range(n)]
    targets = [m.variable(f"x{i}") for i in range(n)]
    m.linear(targets, entries, rights)
    for state in m.states:
        m.rate(state, targets[0])
    return lowered(m.plan())


def is_band(matrix: np.ndarray) -> bool:
    return find_band([x == 0.0 for x in matrix.ravel()], len(matrix)) is not None


def shuffled_band(n: int, lower: int, upper: int, ring: bool, random: np.random.Generator) -> np.ndarray:
    """Rows and columns exchanged each in their own way; the diagonal is small, so that rows must be exchanged too."""
    matrix = np.zeros((n, n))
    for k in range(-lower, upper + 1):
        matrix += np.diag(random.normal(size=n - abs(k)) * (1e-3 if k == 0 else 1.0), k)
    if ring:
        matrix[0, -1], matrix[-1, 0] = 0.7, -1.3
    return matrix[random.permutation(n)][:, random.permutation(n)]


@pytest.mark.parametrize(("n", "lower", "upper", "ring"), [(8, 1, 0, False), (24, 1, 1, True), (40, 2, 1, False)])
@pytest.mark.parametrize("seed", range(3))
def test_shuffled_bands(n: int, lower: int, upper: int, ring: bool, seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix, right = shuffled_band(n, lower, upper, ring, random), random.normal(size=n)
    made = program(matrix, right)
    assert is_band(matrix)
    found = run_both(made)
    assert found.statuses == (0, 0, 0, 0)
    x = np.array([value_of(made, found, f"x{i}") for i in range(n)])
    size = np.linalg.norm(np.linalg.inv(matrix), 2) * np.linalg.norm(right)
    assert np.abs(x - np.linalg.solve(matrix, right)).max() < 1e-11 * size


def test_a_singular_band_is_told() -> None:
    """The rows of a Laplacian of a ring add up to 0."""
    n = 24
    matrix = 2 * np.eye(n) - np.roll(np.eye(n), 1, axis=1) - np.roll(np.eye(n), -1, axis=1)
    made = program(matrix, np.ones(n))
    assert is_band(matrix)
    assert any(run(compile_llvm(made)).statuses)


def test_full_matrices_are_no_bands() -> None:
    random = np.random.default_rng(0)
    assert not is_band(random.normal(size=(12, 12)))
