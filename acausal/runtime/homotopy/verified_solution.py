"""Verification of solutions that lie far from where numbers of their unknowns are expected."""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.decomposition import Dgesvd, decompose_square
from acausal.runtime.blocks.linear import solve_linear
from acausal.runtime.blocks.newton import RESIDUAL_TOLERANCE, Residuals, step_size
from acausal.runtime.kernel.language import Bool, CInts, Int, Real, Reals, kernel, tail

AWAY = 1e3
"""Growth of an unknown beyond which a solution is verified: periodic functions seem solved where they are not."""
PROBE = 2.0**-20
"""Distance from a solution, as a share of the unknowns, at which the equations must still be linear."""
DISTANCES, FARTHER = 3, 8.0
"""Points outward from a solution at which no equation may be satisfied, each so many times farther."""


@kernel
def is_verified(
    n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> Bool:
    """False if the solution is flat, or if an unknown is large and the equations are not linear a PROBE away.

    A step of Newton's method counts as a share of its unknown: sin(x) = 2 seems solved at x = 1e10, where the last step
    of 1 is small. Noise of cancellation, for which steps are shares, is small beside the change that is tried here.
    `work` has room for n (4 n + 18) numbers.
    """
    if is_flat(n, residuals, captured, x, nominals, work, integers, svd):
        return False
    for i in range(n):
        if not abs(x[i]) <= AWAY * nominals[i]:
            return is_linear_near(n, residuals, captured, x, nominals, work)
    return True


@kernel
def is_flat(
    n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> Bool:
    """True if an equation is satisfied far from x, too, on the line along which the others are.

    Equations that tend to a solution at infinity, as atan(x) = pi/2 does, are satisfied within rounding far away. Where
    rounding leaves no derivative, as of sinh(x) = cosh(x) at x = 19.4, the residual at x is the measure.
    """
    vectors = tail(work, n * (n + 1))
    scales = tail(vectors, n)
    limits = tail(vectors, 2 * n)
    away = tail(vectors, 3 * n)
    matrix = tail(vectors, 8 * n)
    s = tail(matrix, 3 * n * n)
    residuals(captured, x, work)
    least = scale_rows_at(n, x, nominals, work)
    if least < 0.0:
        return False
    if least == 0.0:
        for i in range(n):
            limits[i] = abs(work[i]) if scales[i] == 0.0 else -1.0
            away[i] = vectors[i] if x[i] >= 0.0 else -vectors[i]
        return is_satisfied_beyond(n, residuals, captured, x, work)
    for i in range(n):
        for j in range(n):
            matrix[j * n + i] = work[n + i * n + j] * vectors[j] / scales[i]
    if not decompose_square(n, matrix, s, tail(s, n), integers, svd) or s[n - 1] == 0.0:
        return False
    for i in range(n):
        for j in range(n):
            limits[j] = RESIDUAL_TOLERANCE * scales[i] if j == i else -1.0
        point_outward(n, i, x, vectors, matrix, s, away)
        if is_satisfied_beyond(n, residuals, captured, x, work):
            return True
    return False


@kernel
def scale_rows_at(n: Int, x: Reals, nominals: Reals, work: Reals) -> Real:
    """Stores weights of the unknowns and the largest term of each equation; the least of these, -1 without numbers."""
    weights = tail(work, n * (n + 1))
    scales = tail(weights, n)
    total = 0.0
    least = float("inf")
    for i in range(n):
        weights[i] = max(abs(x[i]), nominals[i])
    for i in range(n):
        scales[i] = 0.0
        for j in range(n):
            entry = abs(work[n + i * n + j]) * weights[j]
            total = total + entry
            scales[i] = max(scales[i], entry)
        least = min(least, scales[i])
    return least if total < float("inf") else -1.0


@kernel
def point_outward(n: Int, i: Int, x: Reals, weights: Reals, matrix: Reals, s: Reals, away: Reals) -> None:
    """The direction along which only equation i changes, with an unknown of the length of its weight."""
    u = tail(matrix, n * n)
    v = tail(matrix, 2 * n * n)
    largest = 0.0
    outward = 0.0
    for j in range(n):
        entry = 0.0
        for k in range(n):
            entry = entry + v[j * n + k] * u[k * n + i] / s[k]
        away[j] = entry
        largest = max(largest, abs(entry))
        outward = outward + entry * (x[j] / weights[j])
    factor = 1.0 / largest if outward >= 0.0 else -1.0 / largest
    for j in range(n):
        away[j] = away[j] * factor * weights[j]


@kernel
def is_satisfied_beyond(n: Int, residuals: Residuals, captured: Reals, x: Reals, work: Reals) -> Bool:
    """True if a residual is within its limit at one of the distances from x."""
    limits = tail(work, n * (n + 3))
    away = tail(work, n * (n + 4))
    trial = tail(work, n * (n + 5))
    distance = 1.0
    for _ in range(DISTANCES):
        for i in range(n):
            trial[i] = x[i] + distance * away[i]
        residuals(captured, trial, work)
        for i in range(n):
            if abs(work[i]) <= limits[i]:
                return True
        distance = FARTHER * distance
    return False


@kernel
def is_linear_near(n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals) -> Bool:
    """True if the residuals change as their derivatives tell, at several distances of about a PROBE.

    A periodic function may have by chance at one of them what a linear one has.
    """
    vectors = tail(work, n * (n + 1))
    residual = tail(vectors, n)
    step = tail(vectors, 2 * n)
    matrix = tail(vectors, 8 * n)
    residuals(captured, x, work)
    copy_numbers(n, work, residual)
    copy_numbers(n, work, step)
    copy_numbers(n * n, tail(work, n), matrix)
    for i in range(n):
        vectors[i] = 0.0
        for j in range(n):
            vectors[i] = max(vectors[i], abs(matrix[i * n + j]) * max(abs(x[j]), nominals[j]))
        if vectors[i] == 0.0:
            vectors[i] = 1.0
    if solve_linear(n, matrix, step) != 0:
        return False
    size = step_size(n, step, x, nominals)
    if size == 0.0 or size > PROBE:
        return size == 0.0
    for k in range(6):
        share = 1.0 if k < 2 else 0.5 if k < 4 else 4.0
        factor = (share if k & 1 == 0 else -share) * PROBE / size
        if not changes_linearly(n, residuals, captured, x, factor, work):
            return False
    return True


@kernel
def changes_linearly(n: Int, residuals: Residuals, captured: Reals, x: Reals, factor: Real, work: Reals) -> Bool:
    """True if this multiple of the step changes the residuals by what it is of them, within a half."""
    scales = tail(work, n * (n + 1))
    residual = tail(work, n * (n + 2))
    step = tail(work, n * (n + 3))
    trial = tail(work, n * (n + 5))
    for i in range(n):
        trial[i] = x[i] + factor * step[i]
    residuals(captured, trial, work)
    error = 0.0
    change = 0.0
    for i in range(n):
        deviation = abs(work[i] - (1.0 + factor) * residual[i]) / scales[i]
        if not deviation < float("inf"):
            return False
        error = max(error, deviation)
        change = max(change, abs(factor * residual[i]) / scales[i])
    return error <= 0.5 * change
