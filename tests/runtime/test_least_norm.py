"""Singular linear equations: minimum norm by LAPACK in Python and as machine code; pseudoinverse as reference."""

import ctypes

import numpy as np
import pytest

from acausal.codegen.llvm.kernel_code import load_text
from acausal.codegen.llvm.lapack import lapack_address
from acausal.codegen.numpy.numpy_solvers import least_norm_slopes, least_norm_solution, linear_solution
from acausal.runtime.blocks.least_norm import kinds_of, solve_least_norm
from acausal.runtime.blocks.least_norm_slopes import solve_least_norm_slopes
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.llvm.printer import print_llvm

ENGINE = load_text(print_llvm(check_kernels([solve_least_norm]), ["solve_least_norm"]))
KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 6)(
    ENGINE.get_function_address("solve_least_norm")
)


def both(
    matrix: np.ndarray, right: np.ndarray, reactions: list[int], measured: list[int], same: bool = True
) -> np.ndarray | None:
    """The solution of Python and machine code; None where they find none."""
    n = len(right)
    a, b, kinds = matrix.ravel().copy(), right.copy(), np.array(kinds_of(n, reactions, measured))
    work, integers = np.zeros(n * (3 * n + 13)), np.zeros(6, dtype=np.int32)
    arrays = [array.ctypes.data for array in (a, b, kinds, work, integers)]
    status = KERNEL(n, *arrays, lapack_address("dgesvd"))
    found = least_norm_solution(a.tolist(), right.tolist(), reactions, measured)
    assert (found is None) == bool(status)
    if found is None:
        return None
    if same:
        assert np.array(found).tobytes() == b.tobytes()
    return b


def constrained(rng: np.random.Generator, moving: int, constraints: int, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """M a + G' t = f, G a = g with a G of this rank, g in its range."""
    root = rng.normal(size=(moving, moving))
    jacobian = rng.normal(size=(constraints, rank)) @ rng.normal(size=(rank, moving))
    mass = root @ root.T + np.eye(moving)
    matrix = np.block([[mass, jacobian.T], [jacobian, np.zeros((constraints, constraints))]])
    return matrix, np.concatenate([rng.normal(size=moving), jacobian @ rng.normal(size=moving)])


@pytest.mark.parametrize("seed", range(12))
def test_redundant_constraints_have_reactions_of_minimum_norm(seed: int) -> None:
    """However rows and accelerations are scaled; the pseudoinverse of the constraints gives the shortest reactions."""
    rng = np.random.default_rng(seed)
    moving, constraints = int(rng.integers(2, 6)), int(rng.integers(2, 6))
    rank = int(rng.integers(1, min(moving, constraints) + 1))
    matrix, right = constrained(rng, moving, constraints, rank)
    reactions = list(range(moving, moving + constraints))
    expected = np.linalg.pinv(matrix, rcond=1e-11) @ right
    jacobian = matrix[moving:, :moving]
    forces = right[:moving] - matrix[:moving, :moving] @ expected[:moving]
    expected[moving:] = np.linalg.pinv(jacobian.T, rcond=1e-11) @ forces
    rows = 10.0 ** rng.integers(-6, 6, len(right))
    columns = np.where(np.arange(len(right)) < moving, 10.0 ** rng.integers(-6, 6, len(right)), 1.0)
    for of_rows, of_columns in ((np.ones_like(rows), np.ones_like(rows)), (rows, columns)):
        scaled = of_rows[:, None] * matrix * of_columns
        found = both(scaled, of_rows * right, reactions, reactions, same=False)
        assert found is not None
        np.testing.assert_allclose(found * of_columns, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("seed", range(6))
def test_contradicting_constraints_have_no_solution(seed: int) -> None:
    rng = np.random.default_rng(seed)
    matrix, right = constrained(rng, 3, 3, 2)
    right[3:] += 1e-5 * rng.normal(size=3)
    assert both(matrix, right, [3, 4, 5], [3, 4, 5]) is None


def test_what_is_no_reaction_is_not_chosen() -> None:
    """A floating potential: consistent, but nothing determines it."""
    matrix, right = np.array([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 2.0]]), np.array([3.0, -3.0, 4.0])
    assert both(matrix, right, [], []) is None
    assert both(matrix, right, [0], [0]) is None
    found = both(matrix, right, [0, 1], [0, 1])
    np.testing.assert_allclose(found, [1.5, -1.5, 2.0], rtol=1e-14)


def test_the_norm_is_that_of_what_is_measured() -> None:
    """x + y = 2, y - z = 0: shortest in x and y, or in z alone."""
    matrix, right = np.array([[1.0, 1.0, 0.0], [0.0, 1.0, -1.0], [1.0, 2.0, -1.0]]), np.array([2.0, 0.0, 2.0])
    np.testing.assert_allclose(both(matrix, right, [0, 1, 2], [0, 1]), [1.0, 1.0, 1.0], rtol=1e-13)
    np.testing.assert_allclose(both(matrix, right, [0, 1, 2], [2]), [2.0, 0.0, 0.0], atol=1e-14)
    np.testing.assert_allclose(both(matrix, right, [0, 1, 2], []), [4 / 3, 2 / 3, 2 / 3], rtol=1e-13)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_regular_ones_are_solved_by_elimination(n: int) -> None:
    rng = np.random.default_rng(n)
    matrix, right = rng.normal(size=(n, n)), rng.normal(size=n)
    found = both(matrix, right, [0], [0])
    assert found is not None
    assert found.tolist() == linear_solution(matrix.ravel().tolist(), right.tolist())


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_numbers_that_are_not_finite_end_it(value: float) -> None:
    matrix, right = np.zeros((3, 3)), np.ones(3)
    matrix[0, 0] = value
    assert both(matrix, right, [0, 1, 2], [0]) is None
    assert both(np.eye(3) * [1, 1, 0], np.array([1.0, value, 0.0]), [2], [2]) is None


@pytest.mark.parametrize("load", [-1.0, 0.0, 2.0])
def test_formulas_that_contradict_are_infinite(load: float) -> None:
    """0*s = load, t = s, t + 2*f = 3: with load 0 the shortest (t, f), with another s is infinite: the mode is left."""
    matrix = np.array([[0.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 1.0, 2.0]])
    found = both(matrix, np.array([load, 0.0, 3.0]), [0, 1, 2], [1, 2])
    assert found is not None
    wanted = [0.6, 0.6, 1.2] if load == 0 else np.array([1, 1, -1]) * np.sign(load) * np.inf
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_a_reaction_of_two_elements_counts_twice() -> None:
    """t + f = 3 with t twice: t^2 + t^2 + f^2 is least for f = 2*t."""
    matrix, right = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([3.0, 3.0])
    found = both(matrix, right, [0, 1], [0, 0, 1])
    assert found is not None
    np.testing.assert_allclose(found, [1, 2], rtol=1e-12)


SLOPES = load_text(print_llvm(check_kernels([solve_least_norm_slopes]), ["solve_least_norm_slopes"]))
SLOPES_KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, ctypes.c_int64, *[ctypes.c_void_p] * 7)(
    SLOPES.get_function_address("solve_least_norm_slopes")
)


@pytest.mark.parametrize("measured", [[], [3, 4, 5, 6], [3, 3, 4, 5, 6], [3]])
def test_slopes_of_minimum_norm(measured: list[int]) -> None:
    """Against extrapolated differences; two of four constraints repeat the others, whatever s is."""
    rng, reactions, n = np.random.default_rng(len(measured)), [3, 4, 5, 6], 7
    begin, moved = [[rng.normal(size=s) for s in ((3, 3), (2, 3), (2, 2), 3, 2)] for _ in range(2)]

    def system(s: float) -> tuple[np.ndarray, np.ndarray]:
        root, rows, repeats, force, motion = [a + s * b for a, b in zip(begin, moved, strict=True)]
        jacobian = np.vstack([rows, repeats @ rows])
        matrix = np.block([[root @ root.T + np.eye(3), jacobian.T], [jacobian, np.zeros((4, 4))]])
        return matrix, np.concatenate([force, motion, repeats @ motion])

    def x(s: float) -> np.ndarray:
        matrix, right = system(s)
        return np.array(least_norm_solution(matrix.ravel().tolist(), right.tolist(), reactions, measured))

    h = 1e-3
    expected = (8 * (x(h) - x(-h)) - (x(2 * h) - x(-2 * h))) / (12 * h)
    (matrix, _), (above, b1), (below, b0) = system(0.0), system(h), system(-h)
    change, start = (above - below) / (2 * h), x(0.0)
    parts = np.tile(np.concatenate([change.ravel(), (b1 - b0) / (2 * h) - change @ start]), 2)
    found = least_norm_slopes(matrix.ravel().tolist(), [*start, *parts], reactions, measured)
    assert found is not None
    for column in (found[:n], found[n:]):
        assert column == pytest.approx(expected, rel=2e-5, abs=2e-5 * np.abs(expected).max())
    kinds, work = np.array(kinds_of(n, reactions, measured)), np.zeros(n * (5 * n + 15))
    a, integers = matrix.ravel().copy(), np.zeros(6, dtype=np.int32)
    arrays = [array.ctypes.data for array in (a, start, parts, kinds, work, integers)]
    assert SLOPES_KERNEL(n, 2, *arrays, lapack_address("dgesvd")) == 0
    assert np.array(found).tobytes() == parts.reshape(2, -1)[:, n * n :].tobytes()
