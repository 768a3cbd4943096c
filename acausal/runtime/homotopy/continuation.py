"""Paths of two homotopies: pseudo-arclength continuation.

    H(x, s) = F(x) - (1 - s) F(x0)              Newton homotopy: x0 solves it at s = 0, a solution of F at s = 1
    H(x, s) = s F(x) + (1 - s) A (x - x0)       regular at the start, even where F' is singular

A is the orthogonal factor of F'(x0) = A S. The path is followed by its tangent and corrected back to it, through
turning points too, where s goes back for a while. Residuals and unknowns are scaled.
Source: E. L. Allgower, K. Georg, Introduction to Numerical Continuation Methods, SIAM 2003, chapters 2, 3 and 11.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.decomposition import Dgesvd, decompose_square
from acausal.runtime.blocks.newton import Residuals
from acausal.runtime.homotopy.path_points import (
    BEGIN,
    FOLLOWING,
    MOVED,
    POINT,
    START,
    TANGENT,
    correct,
    factor_at,
    find_tangent,
    largest_difference,
    largest_of,
    slopes_at,
    turn_as,
    turn_to,
    vector_at,
)
from acausal.runtime.homotopy.scaled_system import evaluate_scaled
from acausal.runtime.kernel.language import Bool, CInts, Int, Real, Reals, kernel, tail

MOST_STEPS = 400
FIRST, SHORTEST, LONGEST = 0.02, 2.0**-23, 0.5
"""Lengths of steps, in scaled unknowns."""
FARTHEST = 1e8
STRAIGHT = 0.7
"""The least cosine of the angle by which the path may turn in a step."""


@kernel
def follow_path(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    weights: Reals,
    scales: Reals,
    is_newton: Bool,
    direction: Real,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Moves x to where the path from it reaches s = 1; False where it ends, goes astray or returns to its start.

    `work` has room for (n + 1) (5 n + 20) numbers.
    """
    start = tail(work, vector_at(n, START))
    point = tail(work, vector_at(n, POINT))
    tangent = tail(work, vector_at(n, TANGENT))
    moved = tail(work, vector_at(n, MOVED))
    following = tail(work, vector_at(n, FOLLOWING))
    for j in range(n):
        start[j] = x[j] / weights[j]
    start[n] = 0.0
    copy_numbers(n + 1, start, point)
    if not begin_path(n, residuals, captured, x, weights, scales, work, integers, svd):
        return False
    if not find_tangent(n, residuals, captured, point, weights, scales, is_newton, tangent, work, integers, svd):
        return False
    turn_to(n, direction, tangent)
    step = FIRST
    is_away = False
    for _ in range(MOST_STEPS):
        if not go_step(n, residuals, captured, weights, scales, is_newton, step, work, integers, svd):
            step = 0.5 * step
            if step < SHORTEST:
                return False
        elif moved[n] >= 1.0:
            share = (1.0 - point[n]) / (moved[n] - point[n])
            for j in range(n):
                x[j] = (point[j] + share * (moved[j] - point[j])) * weights[j]
            return True
        else:
            gone = largest_difference(n + 1, moved, start)
            if gone > FARTHEST or (is_away and gone < step):
                return False
            is_away = is_away or gone > 4.0 * step
            copy_numbers(n + 1, moved, point)
            copy_numbers(n + 1, following, tangent)
            step = min(1.6 * step, LONGEST * max(1.0, largest_of(n + 1, point)))
    return False


@kernel
def go_step(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    weights: Reals,
    scales: Reals,
    is_newton: Bool,
    step: Real,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Stores the point that a step along the tangent leads to, and its tangent; False where the path turns too much."""
    point = tail(work, vector_at(n, POINT))
    tangent = tail(work, vector_at(n, TANGENT))
    moved = tail(work, vector_at(n, MOVED))
    following = tail(work, vector_at(n, FOLLOWING))
    for j in range(n + 1):
        moved[j] = point[j] + step * tangent[j]
    if not correct(n, residuals, captured, moved, weights, scales, is_newton, work, integers, svd):
        return False
    if not find_tangent(n, residuals, captured, moved, weights, scales, is_newton, following, work, integers, svd):
        return False
    return turn_as(n, tangent, following) >= STRAIGHT


@kernel
def begin_path(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    weights: Reals,
    scales: Reals,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Stores F(x0) and A."""
    factor = tail(work, factor_at(n))
    matrix = tail(work, slopes_at(n))
    s = tail(matrix, 3 * n * n)
    u = tail(matrix, n * n)
    v = tail(matrix, 2 * n * n)
    if not evaluate_scaled(n, n, residuals, captured, x, weights, scales, work):
        return False
    copy_numbers(n, work, tail(work, vector_at(n, BEGIN)))
    for i in range(n):
        for j in range(n):
            matrix[j * n + i] = work[n + i * n + j]
    if not decompose_square(n, matrix, s, tail(s, n), integers, svd):
        return False
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total = total + u[k * n + i] * v[j * n + k]
            factor[i * n + j] = total
    return True
