"""Linear equations whose coefficients differ by many orders of magnitude: elimination and iterative refinement.

Residuals are computed with twice the precision (T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005) 1955;
J. Demmel and others, Error bounds from extra-precise iterative refinement, ACM TOMS 32 (2006) 325): as long as
corrections contract, the solution is that of the coefficients as they are, not of what rounding errors of the
elimination make of them. Where they do not, there is no solution.
"""

from acausal.runtime.blocks.linear import bring_pivot, reduce_row, solve_factored
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, tail

SPLIT = 134217729.0
"""2^27 + 1 (G. W. Veltkamp; T. J. Dekker, Numer. Math. 18 (1971) 224)."""
MOST_CORRECTIONS, MOST_STALLED = 20, 3
"""Corrections, and those that do not contract: what is zero becomes small at once, then it no longer counts."""
SMALL_CORRECTION, LAST_CORRECTION = 1e-14, 1e-9
"""A correction of this share of the terms of each equation is the last one; so small the last one has to be."""
NOTICEABLE = 2.0**-46
"""Rounding errors of unknowns as a share of the largest of their kind."""
SWEEPS = 30
CORRECTION_SHRINKS = 0.5


@kernel
def product_error(x: Real, y: Real) -> Real:
    """Rounding error of x*y."""
    product = x * y
    shifted = SPLIT * x
    high = shifted - (shifted - x)
    low = x - high
    shifted = SPLIT * y
    other = shifted - (shifted - y)
    rest = y - other
    return low * rest - (((product - high * other) - low * other) - high * rest)


@kernel
def accurate_residual(n: Int, a: Reals, b: Real, x: Reals) -> Real:
    """b less a row times x."""
    total = b
    rest = 0.0
    for j in range(n):
        if a[j] != 0.0:
            term = -(a[j] * x[j])
            after = total + term
            back = after - total
            rest = rest + (((total - (after - back)) + (term - back)) - product_error(a[j], x[j]))
            total = after
    return total + rest


@kernel
def is_balance(n: Int, a: Reals) -> Bool:
    """True if all coefficients of a row are 1, -1 or 0: it adds quantities of one kind."""
    for j in range(n):
        if a[j] != 0.0 and abs(a[j]) != 1.0:
            return False
    return True


@kernel
def spread_balance(n: Int, a: Reals, sizes: Reals) -> Bool:
    """Gives all unknowns of a row the largest size; whether one has grown."""
    largest = 0.0
    for j in range(n):
        if a[j] != 0.0:
            largest = max(largest, sizes[j])
    grown = False
    for j in range(n):
        if a[j] != 0.0 and sizes[j] < largest:
            sizes[j] = largest
            grown = True
    return grown


@kernel
def find_sizes(n: Int, a: Reals, x: Reals, sizes: Reals) -> None:
    """The largest unknown of the kind of each, as potentials or currents, as far as balances show."""
    for j in range(n):
        sizes[j] = abs(x[j])
    for _ in range(SWEEPS):
        grown = False
        for i in range(n):
            row = tail(a, i * n)
            if is_balance(n, row):
                grown = spread_balance(n, row, sizes) or grown
        if not grown:
            break


@kernel
def relative_size(n: Int, a: Reals, step: Reals, x: Reals, sizes: Reals) -> Real:
    """The largest share that a correction has of the terms of an equation.

    An equation whose terms are rounding errors of unknowns of their kind does not count.
    """
    find_sizes(n, a, x, sizes)
    largest = 0.0
    for i in range(n):
        changed = 0.0
        total = 0.0
        least = float("inf")
        for j in range(n):
            entry = abs(a[i * n + j])
            if entry != 0.0:
                changed = changed + entry * abs(step[j])
                total = total + entry * abs(x[j])
                least = min(least, entry * sizes[j])
        if changed + total > NOTICEABLE * least:
            largest = max(largest, changed / (changed + total))
    return largest


@kernel
def factor_any(n: Int, a: Reals) -> CInt:
    """As `factor_linear`, with any pivot that is not zero."""
    pivots = tail(a, n * n)
    pivots[n] = 0.0
    for k in range(n):
        pivots[k] = float(bring_pivot(n, a, k))
        if not abs(a[k * n + k]) > 0.0:
            return 1
        for i in range(k + 1, n):
            reduce_row(n, a, k, i)
    return 0


@kernel
def solve_refined(n: Int, a: Reals, b: Reals, work: Reals) -> CInt:
    """Replaces b by the solution; 0, or 1 where corrections do not contract. `work` is for n * (n + 4) + 1 numbers."""
    x = tail(work, n * n + n + 1)
    step = tail(x, n)
    sizes = tail(x, 2 * n)
    for i in range(n * n):
        work[i] = a[i]
    if factor_any(n, work) != 0:
        return 1
    for i in range(n):
        x[i] = 0.0
    before = float("inf")
    size = before
    stalled = 0
    for _ in range(MOST_CORRECTIONS):
        for i in range(n):
            step[i] = accurate_residual(n, tail(a, i * n), b[i], x)
        if solve_factored(n, work, step) != 0:
            return 1
        for i in range(n):
            x[i] = x[i] + step[i]
        size = relative_size(n, a, step, x, sizes)
        if not size < float("inf"):
            return 1
        if not size <= CORRECTION_SHRINKS * before:
            stalled = stalled + 1
        if size <= SMALL_CORRECTION or stalled == MOST_STALLED:
            break
        before = size
    for i in range(n):
        b[i] = x[i]
    return 0 if size <= LAST_CORRECTION else 1
