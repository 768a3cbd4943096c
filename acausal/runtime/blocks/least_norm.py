"""Linear equations that may be redundant in some modes: where they are singular, reactions have minimum norm.

    a = 0 (b1 sticks)    a = 0 (b2 sticks)    J*a = f - t1 - t2       t1 + t2 = f,  t1 = t2

A singular block is solved if

- its matrix is singular to working precision with rows and columns scaled (else it is only badly scaled),
- its right-hand side is in the range of the matrix: what is left of it is rounding error of the scaled data, and
- only reactions are undetermined: in the null vectors all other unknowns are zero.

So what the equations determine (accelerations, potentials, rates of states) is what every solution has in common, and
only forces of constraints that follow from others are chosen, by the shortest vector of those that are measured; where
these do not decide, of all reactions. Everything else stays an error, but for formulas that were merged to one block
(`causalize/loops/held_modes`): where they contradict, a reaction is infinite, and the mode is left. (G. H. Golub, C. F.
Van Loan, Matrix Computations, 2013, section 5.5; J. G. de Jalon, E. Bayo, Kinematic and Dynamic Simulation of Multibody
Systems, 1994, section 3.4.)
"""

from collections.abc import Iterable

from acausal.runtime.blocks.decomposition import Dgesvd, decompose_square
from acausal.runtime.blocks.linear import solve_linear
from acausal.runtime.blocks.scaled_equations import (
    MEASURED,
    OTHER,
    REACTION,
    combine_scaled,
    is_consistent,
    is_free_of_others,
    scale_columns,
    scale_rows,
)
from acausal.runtime.kernel.language import Bool, CInt, CInts, Int, Reals, kernel, tail

RANK = 1e-11
"""A singular value of the scaled matrix below this share of the largest is zero."""


@kernel
def shorten(n: Int, rank: Int, v: Reals, columns: Reals, kinds: Reals, x: Reals, gram: Reals, share: Reals) -> None:
    """Moves x along the null vectors to where the measured unknowns are the shortest vector."""
    count = n - rank
    for k in range(count):
        total = 0.0
        for j in range(n):
            if kinds[j] > REACTION:
                total = total + (kinds[j] - REACTION) * (columns[j] * v[j * n + rank + k] * x[j])
        share[k] = total
        for m in range(count):
            total = 0.0
            for j in range(n):
                if kinds[j] > REACTION:
                    product = (columns[j] * v[j * n + rank + k]) * (columns[j] * v[j * n + rank + m])
                    total = total + (kinds[j] - REACTION) * product
            gram[k * count + m] = total
    if solve_linear(count, gram, share) != 0:
        return
    for k in range(count):
        for j in range(n):
            x[j] = x[j] - share[k] * (columns[j] * v[j * n + rank + k])


@kernel
def is_finite(count: Int, values: Reals) -> Bool:
    """True if all are finite numbers."""
    total = 0.0
    for i in range(count):
        total = total + abs(values[i])
    return total < float("inf")


@kernel
def find_rank(n: Int, s: Reals) -> Int:
    """Number of singular values that are not zero."""
    rank = 0
    for k in range(n):
        if s[k] > RANK * s[0]:
            rank = k + 1
    return rank


@kernel
def substitute_forward(n: Int, a: Reals, b: Reals) -> Bool:
    """Replaces b by the solution of lower triangular equations, infinite where they contradict; False for others.

    Diagonal elements are not negative.
    """
    for i in range(n):
        for j in range(i + 1, n):
            if a[i * n + j] != 0.0:
                return False
    for i in range(n):
        total = b[i]
        for j in range(i):
            if a[i * n + j] != 0.0:
                total = total - a[i * n + j] * b[j]
        if a[i * n + i] != 0.0:
            b[i] = total / a[i * n + i]
        elif total == 0.0:
            b[i] = 0.0
        else:
            b[i] = float("inf") if total > 0.0 else -float("inf")
    return True


@kernel
def decompose(n: Int, a: Reals, kinds: Reals, work: Reals, integers: CInts, svd: Dgesvd) -> Int:
    """Scales and decomposes; the rank, or 0 where this fails. `work` holds what `solve_least_norm` takes from there."""
    z = tail(work, 3 * n * n)
    rows = tail(z, n)
    columns = tail(z, 2 * n)
    scale_rows(n, a, rows)
    scale_columns(n, a, kinds, rows, columns)
    for i in range(n):
        for j in range(n):
            work[j * n + i] = a[i * n + j] * rows[i] * columns[j]
    if not decompose_square(n, work, tail(z, 3 * n), tail(z, 5 * n), integers, svd):
        return 0
    return find_rank(n, tail(z, 3 * n))


@kernel
def solve_least_norm(n: Int, a: Reals, b: Reals, kinds: Reals, work: Reals, integers: CInts, svd: Dgesvd) -> CInt:
    """Replaces b by the solution; 0, or 1 where there is none or where it is not unique but for reactions.

    `work` has room for n * (3 * n + 13) numbers, `integers` for 6.
    """
    u = tail(work, n * n)
    v = tail(work, 2 * n * n)
    z = tail(work, 3 * n * n)
    rows = tail(z, n)
    columns = tail(z, 2 * n)
    s = tail(z, 3 * n)
    x = tail(z, 4 * n)
    for i in range(n * n):
        work[i] = a[i]
    for i in range(n):
        x[i] = b[i]
    if solve_linear(n, work, x) == 0:
        for i in range(n):
            b[i] = x[i]
        return 0
    if not is_finite(n * n, a) or not is_finite(n, b):
        return 1
    room = tail(z, 5 * n)
    rank = decompose(n, a, kinds, work, integers, svd)
    if rank == n or rank == 0 or not is_free_of_others(n, v, kinds, rank):
        return 1
    combine_scaled(n, rank, b, u, v, s, rows, z)
    if not is_consistent(n, rank, a, b, u, rows, columns, z):
        return 0 if substitute_forward(n, a, b) else 1
    for j in range(n):
        b[j] = columns[j] * z[j]
    shorten(n, rank, v, columns, kinds, b, work, room)
    return 0


def kinds_of(n: int, reactions: Iterable[int], measured: Iterable[int]) -> list[float]:
    """The kinds of n unknowns by positions, which are repeated for reactions of several elements."""
    kinds = [OTHER] * n
    for position in reactions:
        kinds[position] = REACTION
    for position in measured:
        kinds[position] = max(kinds[position], REACTION) + MEASURED - REACTION
    return kinds
