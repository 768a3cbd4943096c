"""Slopes of linear equations that may be redundant: where they are singular, those of the solution of minimum norm.

From A x = b follows A dx = db - dA x. Null vectors N of A have shares of reactions only, whose squares with weights W
are least: N' W x = 0. So W x = A' l for some l, and where the rank stays,

    N' W dx = N' dA' l

determines what A dx leaves open. (G. H. Golub, V. Pereyra, SIAM J. Numer. Anal. 10, 1973, pages 413-432.)
"""

from acausal.runtime.blocks.decomposition import Dgesvd
from acausal.runtime.blocks.least_norm import decompose, is_finite
from acausal.runtime.blocks.linear import factor_linear, solve_factored, solve_linear
from acausal.runtime.blocks.scaled_equations import OTHER, REACTION, combine_scaled
from acausal.runtime.kernel.language import CInt, CInts, Int, Real, Reals, kernel, tail

LEFT_OVER = 1e-3
"""So much of a right side may be outside of the range of A: slopes are as exact as the run. Else the rank changes."""


@kernel
def weight_of(kind: Real, is_measured: Int) -> Real:
    """By what the square of an unknown counts: of measured reactions, or where these do not decide of all."""
    if is_measured != 0:
        return kind - REACTION if kind > REACTION else 0.0
    return 0.0 if kind == OTHER else 1.0


@kernel
def fill_gram(n: Int, rank: Int, v: Reals, columns: Reals, kinds: Reals, is_measured: Int, gram: Reals) -> None:
    """N' W N."""
    count = n - rank
    for k in range(count):
        for m in range(count):
            total = 0.0
            for j in range(n):
                product = (columns[j] * v[j * n + rank + k]) * (columns[j] * v[j * n + rank + m])
                total = total + weight_of(kinds[j], is_measured) * product
            gram[k * count + m] = total


@kernel
def fill_multipliers(
    n: Int,
    rank: Int,
    u: Reals,
    v: Reals,
    s: Reals,
    scales: Reals,
    kinds: Reals,
    is_measured: Int,
    x: Reals,
    multipliers: Reals,
) -> None:
    """The shortest solution of A' l = W x; `scales` are those of the rows, then of the columns."""
    columns = tail(scales, n)
    for i in range(n):
        multipliers[i] = 0.0
    for k in range(rank):
        share = 0.0
        for j in range(n):
            share = share + v[j * n + k] * (columns[j] * (weight_of(kinds[j], is_measured) * x[j]))
        share = share / s[k]
        for i in range(n):
            multipliers[i] = multipliers[i] + share * (scales[i] * u[k * n + i])


@kernel
def is_left_out(n: Int, rank: Int, right: Reals, u: Reals, rows: Reals) -> Int:
    """1 if a right side is outside of the range of A."""
    size = 0.0
    for i in range(n):
        size = size + abs(rows[i] * right[i])
    for k in range(rank, n):
        total = 0.0
        for i in range(n):
            total = total + u[k * n + i] * (rows[i] * right[i])
        if not abs(total) <= LEFT_OVER * size:
            return 1
    return 0


@kernel
def shift(
    n: Int,
    rank: Int,
    v: Reals,
    columns: Reals,
    kinds: Reals,
    is_measured: Int,
    change: Reals,
    multipliers: Reals,
    dx: Reals,
    room: Reals,
) -> CInt:
    """Moves dx along the null vectors; `change` is dA."""
    count = n - rank
    gram = tail(room, n)
    fill_gram(n, rank, v, columns, kinds, is_measured, gram)
    for k in range(count):
        total = 0.0
        for j in range(n):
            turned = 0.0
            for i in range(n):
                turned = turned + change[i * n + j] * multipliers[i]
            entry = columns[j] * v[j * n + rank + k]
            total = total + entry * (turned - weight_of(kinds[j], is_measured) * dx[j])
        room[k] = total
    if solve_linear(count, gram, room) != 0:
        return 1
    for k in range(count):
        for j in range(n):
            dx[j] = dx[j] + room[k] * (columns[j] * v[j * n + rank + k])
    return 0


@kernel
def solve_regular(n: Int, count: Int, a: Reals, parts: Reals, work: Reals) -> CInt:
    """The same where A is regular; 1 where it is not."""
    for i in range(n * n):
        work[i] = a[i]
    if factor_linear(n, work) != 0:
        return 1
    for part in range(count):
        solve_factored(n, work, tail(parts, part * (n * n + n) + n * n))
    return 0


@kernel
def solve_least_norm_slopes(
    n: Int, count: Int, a: Reals, x: Reals, parts: Reals, kinds: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> CInt:
    """Replaces the right side of each part, dA and db - dA x, by dx; 0, or 1 where there is none.

    `work` has room for n * (5 * n + 15) numbers, `integers` for 6.
    """
    if solve_regular(n, count, a, parts, work) == 0:
        return 0
    if not is_finite(n, x):  # reactions that contradict: the mode is left
        for part in range(count):
            for i in range(n):
                parts[part * (n * n + n) + n * n + i] = 0.0
        return 0
    rank = decompose(n, a, kinds, work, integers, svd)
    if rank == n or rank == 0:
        return 1
    u = tail(work, n * n)
    v = tail(work, 2 * n * n)
    z = tail(work, 3 * n * n)
    rows = tail(z, n)
    columns = tail(z, 2 * n)
    multipliers = tail(z, 4 * n)
    room = tail(z, 5 * n)
    fill_gram(n, rank, v, columns, kinds, 1, room)
    for k in range(n - rank):
        z[k] = 0.0
    is_measured = 1 if solve_linear(n - rank, room, z) == 0 else 0
    fill_multipliers(n, rank, u, v, tail(z, 3 * n), rows, kinds, is_measured, x, multipliers)
    for part in range(count):
        change = tail(parts, part * (n * n + n))
        right = tail(change, n * n)
        if is_left_out(n, rank, right, u, rows) != 0:
            return 1
        combine_scaled(n, rank, right, u, v, tail(z, 3 * n), rows, z)
        for j in range(n):
            right[j] = columns[j] * z[j]
        if shift(n, rank, v, columns, kinds, is_measured, change, multipliers, right, room) != 0:
            return 1
    return 0
