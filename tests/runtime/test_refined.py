"""Iterative refinement: Python and machine code to the bit; badly scaled equations by rational arithmetic."""

import ctypes
from fractions import Fraction

import numpy as np
import pytest

from acausal.codegen.llvm.kernel_code import load_text
from acausal.codegen.numpy.numpy_solvers import refined_solution
from acausal.runtime.blocks.refined import product_error, solve_refined
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.llvm.printer import print_llvm

ENGINE = load_text(print_llvm(check_kernels([solve_refined]), ["solve_refined"]))
KERNEL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int64, *[ctypes.c_void_p] * 3)(
    ENGINE.get_function_address("solve_refined")
)


def both(matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """The solution of Python and machine code; None where they find none."""
    n = len(right)
    a, b, work = matrix.ravel().copy(), right.copy(), np.zeros(n * (n + 4) + 1)
    status = KERNEL(n, a.ctypes.data, b.ctypes.data, work.ctypes.data)
    found = refined_solution(matrix.ravel().tolist(), right.tolist())
    assert (found is None) == bool(status)
    if found is None:
        return None
    assert np.array(found).tobytes() == b.tobytes()
    return b


def exact(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """By rational arithmetic."""
    n = len(right)
    rows = [[*map(Fraction, row), Fraction(b)] for row, b in zip(matrix.tolist(), right.tolist(), strict=True)]
    for k in range(n):
        row = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[row] = rows[row], rows[k]
        for i in range(n):
            if i != k and rows[i][k]:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return np.array([float(rows[k][n] / rows[k][k]) for k in range(n)])


@pytest.mark.parametrize("seed", range(8))
def test_rounding_errors_of_products(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for x, y in (rng.normal(size=(50, 2)) * 10.0 ** rng.integers(-9, 9, (50, 2))).tolist():
        assert Fraction(product_error(x, y)) == Fraction(x) * Fraction(y) - Fraction(x * y)


@pytest.mark.parametrize("seed", range(10))
def test_as_accurate_as_the_coefficients(seed: int) -> None:
    """A Hilbert matrix of up to 9 rows, and a random one with rows and columns of all sizes."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 10))
    hilbert = 1.0 / (np.arange(n)[:, None] + np.arange(n) + 1)
    random = rng.normal(size=(n, n)) * 10.0 ** rng.integers(-9, 9, (n, 1)) * 10.0 ** rng.integers(-9, 9, n)
    for matrix in (hilbert, random):
        right = matrix @ rng.normal(size=n)
        found = both(matrix, right)
        assert found is not None
        np.testing.assert_allclose(found, exact(matrix, right), rtol=1e-14)


def test_equations_that_no_refinement_saves_have_no_solution() -> None:
    """Rows that depend on each other up to rounding errors, a row of zeros, numbers that are not finite."""
    rng = np.random.default_rng(3)
    for n in (2, 5, 9):
        matrix, right = rng.normal(size=(n, n)), rng.normal(size=n)
        matrix[-1] = 0.3 * matrix[:-1].sum(axis=0)
        refused = both(matrix, right)
        assert refused is None or np.abs(refused).max() > 1e12  # the solution of the rounded coefficients
        matrix[-1] = 0.0
        assert both(matrix, right) is None
        matrix[-1, 0] = np.nan
        assert both(matrix, right) is None


def test_zeros_stay_zeros() -> None:
    """A part without sources beside one with 20 V: what is zero but for rounding does not end it."""
    part = np.array([[1.0, -1.0, -1.0], [0.0, 1.0, -1e-3], [1.0, 0.0, 3e9]])
    matrix = np.block([[part, np.zeros((3, 3))], [np.eye(3) * 1e-3, part]])
    right = np.array([0.0, 0.0, 0.0, 20.0, 0.0, 0.0])
    found = both(matrix, right)
    assert found is not None
    np.testing.assert_allclose(found, exact(matrix, right), rtol=1e-12, atol=1e-12)
