"""Linear equations: elimination with partial pivoting. Matrices are stored row by row, or as a function says.

A pivot that cancellation left over, a NOISE-th of what was subtracted, counts as 0: in random singular matrices of up
to 100 rows it is a 1e-13th, in regular ones a 1e-4th at least. This does not depend on the scales of rows and columns.

Functions that are called from outside return 0, or 1 if the matrix is singular.
"""

from typing import Protocol

from acausal.runtime.kernel.language import Bool, CInt, CInts, Int, Real, Reals, kernel, tail

NOISE = 2.0**-42


class Dgesv(Protocol):
    """LAPACK's dgesv: n, right-hand sides, A column by column, its stride, pivots, b, its stride, status."""

    def __call__(
        self,
        n: CInts,
        count: CInts,
        a: Reals,
        a_stride: CInts,
        pivots: CInts,
        b: Reals,
        b_stride: CInts,
        info: CInts,
        /,
    ) -> None:
        """Replaces A by its factors and b by the solution."""


@kernel
def bring_pivot(n: Int, a: Reals, k: Int) -> Int:
    """Exchanges row k with the row of the largest entry of column k, from row k on; the number of that row."""
    best = k
    largest = abs(a[k * n + k])
    for i in range(k + 1, n):
        size = abs(a[i * n + k])
        if size > largest:
            largest = size
            best = i
    if best != k:
        for j in range(n):
            entry = a[k * n + j]
            a[k * n + j] = a[best * n + j]
            a[best * n + j] = entry
    return best


@kernel
def exceeds_noise(n: Int, a: Reals, k: Int) -> Bool:
    """True if the pivot of column k is more than rounding error."""
    noise = 0.0
    for j in range(k):
        noise = max(noise, abs(a[k * n + j] * a[j * n + k]))
    return abs(a[k * n + k]) > NOISE * noise


@kernel
def reduce_row(n: Int, a: Reals, k: Int, i: Int) -> Real:
    """Row i less a multiple of row k; the multiple, which is kept in the place of the entry that vanishes."""
    quotient = a[i * n + k] / a[k * n + k]
    a[i * n + k] = quotient
    for j in range(k + 1, n):
        a[i * n + j] = a[i * n + j] - quotient * a[k * n + j]
    return quotient


@kernel
def substitute_back(n: Int, a: Reals, b: Reals) -> None:
    """The solution of the upper triangle in the place of the right-hand side."""
    for done in range(n):
        k = n - 1 - done
        for j in range(k + 1, n):
            b[k] = b[k] - a[k * n + j] * b[j]
        b[k] = b[k] / a[k * n + k]


@kernel
def solve_linear(n: Int, a: Reals, b: Reals) -> CInt:
    """Replaces b by the solution, A by its factors, whose pivots have the sign of the determinant as their product.

    So a row that is exchanged changes its sign.
    """
    for k in range(n):
        row = bring_pivot(n, a, k)
        entry = b[k]
        b[k] = b[row]
        b[row] = entry
        if row != k:
            b[k] = -b[k]
            for j in range(n):
                a[k * n + j] = -a[k * n + j]
        if not exceeds_noise(n, a, k):
            return 1
        for i in range(k + 1, n):
            quotient = reduce_row(n, a, k, i)
            b[i] = b[i] - quotient * b[k]
    substitute_back(n, a, b)
    return 0


@kernel
def factor_linear(n: Int, a: Reals) -> CInt:
    """Replaces A by its factors, behind which n pivots are put, then 0, or nan where A is singular."""
    pivots = tail(a, n * n)
    pivots[n] = float("nan")
    for k in range(n):
        pivots[k] = float(bring_pivot(n, a, k))
        if not exceeds_noise(n, a, k):
            return 1
        for i in range(k + 1, n):
            reduce_row(n, a, k, i)
    pivots[n] = 0.0
    return 0


@kernel
def solve_factored(n: Int, a: Reals, b: Reals) -> CInt:
    """Replaces b by the solution, where A is as `factor_linear` leaves it."""
    pivots = tail(a, n * n)
    if pivots[n] != 0.0:
        return 1
    for k in range(n):
        row = int(pivots[k])
        entry = b[k]
        b[k] = b[row]
        b[row] = entry
    for k in range(n):
        for i in range(k + 1, n):
            b[i] = b[i] - a[i * n + k] * b[k]
    substitute_back(n, a, b)
    return 0


@kernel
def solve_by_lapack(n: Int, a: Reals, b: Reals, workspace: CInts, dgesv: Dgesv) -> CInt:
    """Replaces b by the solution; A column by column, a workspace of n + 3 integers."""
    workspace[0] = n
    workspace[1] = 1
    dgesv(workspace, tail(workspace, 1), a, workspace, tail(workspace, 3), b, workspace, tail(workspace, 2))
    if workspace[2] != 0:
        return 1
    for k in range(n):
        if not exceeds_noise(n, a, k):
            return 1
    return 0


KERNELS = (solve_linear, factor_linear, solve_factored)
"""Kernels called by programs."""
