"""Kernels of linear algebra and Newton's method: the same bits in Python and as machine code, solutions by NumPy."""

import ctypes
from collections.abc import Callable
from math import inf, nan

import numpy as np
import pytest

from acausal.codegen.llvm.kernel_code import load_text
from acausal.runtime.blocks.linear import KERNELS, factor_linear, solve_by_lapack, solve_factored, solve_linear
from acausal.runtime.blocks.newton import ITERATIONS, solve_newton
from acausal.runtime.kernel.check import check_kernels
from acausal.runtime.kernel.llvm.printer import print_llvm
from tests.codegen.bounds import relative_bound

ARRAY, WHOLE = ctypes.c_void_p, ctypes.c_int64
ENGINE = load_text(
    print_llvm(
        check_kernels([*KERNELS, solve_newton, solve_by_lapack]),
        ["solve_linear", "factor_linear", "solve_factored", "solve_newton", "solve_by_lapack"],
    )
)


def machine_code(name: str, *arguments: type) -> Callable[..., int]:
    return ctypes.CFUNCTYPE(ctypes.c_int, *arguments)(ENGINE.get_function_address(name))


def matrices() -> list[np.ndarray]:
    """Regular, badly scaled, singular and infinite ones."""
    rng = np.random.default_rng(11)
    found = []
    for size in [1, 2, 3, 4, 5, 8, 17]:
        for _ in range(6):
            matrix = rng.normal(size=(size, size))
            scales = 10.0 ** rng.integers(-12, 12, size)
            found += [matrix, matrix * scales, scales[:, None] * matrix]
            singular = matrix.copy()
            singular[-1] = 0.3 * matrix[:-1].sum(axis=0)
            special = matrix.copy()
            special[rng.integers(size), rng.integers(size)] = rng.choice([nan, inf, -inf, 0.0, -0.0])
            found += [singular, special, np.zeros((size, size))]
    return found


def test_elimination_in_python_and_as_machine_code() -> None:
    compiled, rng = machine_code("solve_linear", WHOLE, ARRAY, ARRAY), np.random.default_rng(1)
    statuses = []
    for matrix in matrices():
        n = len(matrix)
        right = rng.normal(size=n)
        a, b = matrix.ravel().tolist(), right.tolist()
        status = solve_linear(n, a, b)
        there, x = matrix.copy(), right.copy()
        assert compiled(n, there.ctypes.data, x.ctypes.data) == status
        assert np.array(a).tobytes() == there.tobytes()
        assert np.array(b).tobytes() == x.tobytes()
        statuses.append(status)
        if not status and np.isfinite(matrix).all():
            expected = np.linalg.solve(matrix, right)
            np.testing.assert_allclose(x, expected, rtol=relative_bound(matrix, expected))
    assert 80 < sum(statuses) < 120


def test_factors_in_python_and_as_machine_code() -> None:
    factor = machine_code("factor_linear", WHOLE, ARRAY)
    substitute = machine_code("solve_factored", WHOLE, ARRAY, ARRAY)
    rng = np.random.default_rng(2)
    for matrix in matrices():
        n = len(matrix)
        right = rng.normal(size=n)
        a = np.append(matrix.ravel(), np.zeros(n + 1))
        there = a.copy()
        with np.errstate(all="ignore"):
            status = factor_linear(n, a)
        assert factor(n, there.ctypes.data) == status
        assert a.tobytes() == there.tobytes()
        b, x = right.copy(), right.copy()
        assert solve_factored(n, a, b) == substitute(n, there.ctypes.data, x.ctypes.data) == status
        assert b.tobytes() == x.tobytes()
        if not status:
            at_once = right.tolist()
            assert solve_linear(n, matrix.ravel().tolist(), at_once) == 0
            assert at_once == x.tolist()


@pytest.mark.parametrize("n", [32, 40])
def test_lapack(n: int) -> None:
    """Python calls SciPy's wrapper of the same routine."""
    from scipy.linalg import lapack

    from acausal.codegen.llvm.lapack import lapack_address

    def dgesv(size, count, a, a_stride, pivots, b, b_stride, info) -> None:
        assert (size[0], count[0], a_stride[0], b_stride[0]) == (n, 1, n, n)
        factors, found, x, status = lapack.dgesv(a[: n * n].reshape(n, n).T, b[:n])
        a[: n * n], pivots[:n], b[:n], info[0] = factors.T.ravel(), found, x, status

    compiled = machine_code("solve_by_lapack", WHOLE, ARRAY, ARRAY, ARRAY, ARRAY)
    rng = np.random.default_rng(n)
    for rank in (n, n - 1):
        matrix = rng.normal(size=(n, rank)) @ rng.normal(size=(rank, n))
        right = rng.normal(size=n)
        a, b = matrix.T.ravel().copy(), right.copy()
        there, x = a.copy(), b.copy()
        status = solve_by_lapack(n, a, b, np.zeros(n + 3, dtype=np.int32), dgesv)
        workspace = np.zeros(n + 3, dtype=np.int32)
        arrays = [array.ctypes.data for array in (there, x, workspace)]
        assert compiled(n, *arrays, lapack_address("dgesv")) == status == (rank < n)
        if not status:
            expected = np.linalg.solve(matrix, right)
            np.testing.assert_allclose(x, expected, rtol=relative_bound(matrix, expected))
            np.testing.assert_allclose(b, expected, rtol=relative_bound(matrix, expected))


RESIDUALS = ctypes.CFUNCTYPE(None, ctypes.POINTER(ctypes.c_double), *[ctypes.POINTER(ctypes.c_double)] * 2)


@pytest.mark.parametrize("strict", [0.0, 1.0])
def test_newton_in_python_and_as_machine_code(strict: float) -> None:
    """x + a sin(B x) = c, which has a solution for any a, as x - c is bounded."""
    compiled = machine_code(
        "solve_newton", WHOLE, RESIDUALS, ARRAY, ARRAY, ARRAY, ARRAY, WHOLE, ctypes.c_double
    )  # fmt: skip
    rng, solved = np.random.default_rng(5), 0
    for _ in range(60):
        n, a = int(rng.integers(1, 6)), rng.choice([0.01, 0.5, 3.0])
        b, c = rng.normal(size=(n, n)), rng.normal(size=n)

        def residuals(captured, x, values, n=n, a=a, b=b) -> None:
            at = np.array([x[i] for i in range(n)])
            inner = b @ at
            found = at + a * np.sin(inner) - [captured[i] for i in range(n)]
            slopes = np.eye(n) + a * np.cos(inner)[:, None] * b
            for i, value in enumerate([*found, *slopes.ravel()]):
                values[i] = value

        start, nominals = rng.normal(size=n), 10.0 ** rng.integers(-2, 2, n)
        x, there = start.copy(), start.copy()
        works = [np.zeros(n * (2 * n + 5)) for _ in range(2)]
        status = solve_newton(n, residuals, c, x, nominals, works[0], ITERATIONS, strict)
        arrays = [array.ctypes.data for array in (c, there, nominals, works[1])]
        assert compiled(n, RESIDUALS(residuals), *arrays, ITERATIONS, strict) == status
        assert x.tobytes() == there.tobytes()
        if not status:
            solved += 1
            assert np.abs(x + a * np.sin(b @ x) - c).max() <= 1e-9 * (1 + np.abs(x).max())
    assert 15 < solved < 60
