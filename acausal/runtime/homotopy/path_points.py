"""Points of the paths of homotopies (`continuation`): H, the decomposition of its Jacobian, tangents, corrections."""

from acausal.runtime.blocks.decomposition import Dgesvd, decompose_square
from acausal.runtime.blocks.newton import Residuals
from acausal.runtime.homotopy.scaled_system import evaluate_scaled
from acausal.runtime.kernel.language import Bool, CInts, Int, Real, Reals, kernel, tail

CORRECTIONS = 6
CLOSE = 2.0**-20
"""Tolerance of points on the path."""
STEEP = 1e-9
"""At the start s grows by this share of a step at least, or it is not what tells the direction."""
RANK = 2.0**-52
"""A singular value below this share of the largest, times their number, is zero."""
START, POINT, TANGENT, MOVED, FOLLOWING, BEGIN, VALUE, TRIAL = range(8)
"""Vectors in the work array: of a point its unknowns, then s."""
VECTORS = 8


@kernel
def vector_at(n: Int, number: Int) -> Int:
    """Where a vector is, behind residuals and Jacobian."""
    return n * (n + 1) + number * (n + 1)


@kernel
def factor_at(n: Int) -> Int:
    """Where A is, row by row."""
    return vector_at(n, VECTORS)


@kernel
def slopes_at(n: Int) -> Int:
    """Where the Jacobian of H is, column by column with a row of zeros, then room for its decomposition."""
    return factor_at(n) + n * n


@kernel
def evaluate_path(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    z: Reals,
    weights: Reals,
    scales: Reals,
    is_newton: Bool,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Stores H and the decomposition of its Jacobian; False where there are no finite numbers."""
    start = tail(work, vector_at(n, START))
    begin = tail(work, vector_at(n, BEGIN))
    value = tail(work, vector_at(n, VALUE))
    trial = tail(work, vector_at(n, TRIAL))
    factor = tail(work, factor_at(n))
    slopes = tail(work, slopes_at(n))
    order = n + 1
    for j in range(n):
        trial[j] = z[j] * weights[j]
    if not evaluate_scaled(n, n, residuals, captured, trial, weights, scales, work):
        return False
    s = z[n]
    rest = 1.0 - s
    for i in range(n):
        away = 0.0
        for j in range(n):
            entry = work[n + i * n + j]
            away = away + factor[i * n + j] * (z[j] - start[j])
            slopes[j * order + i] = entry if is_newton else s * entry + rest * factor[i * n + j]
        value[i] = work[i] - rest * begin[i] if is_newton else s * work[i] + rest * away
        slopes[n * order + i] = begin[i] if is_newton else work[i] - away
    for j in range(order):
        slopes[j * order + n] = 0.0
    values = tail(slopes, 3 * order * order)
    return decompose_square(order, slopes, values, tail(values, order), integers, svd)


@kernel
def find_tangent(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    z: Reals,
    weights: Reals,
    scales: Reals,
    is_newton: Bool,
    tangent: Reals,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """The unit vector along the path."""
    if not evaluate_path(n, residuals, captured, z, weights, scales, is_newton, work, integers, svd):
        return False
    v = tail(work, slopes_at(n) + 2 * (n + 1) * (n + 1))
    for j in range(n + 1):
        tangent[j] = v[j * (n + 1) + n]
    return True


@kernel
def turn_to(n: Int, direction: Real, tangent: Reals) -> None:
    """Turns the tangent at the start so that s grows with direction 1."""
    leading = tangent[n]
    if abs(leading) <= STEEP:
        for j in range(n + 1):
            if abs(tangent[j]) > abs(leading):
                leading = tangent[j]
    factor = direction if leading > 0.0 else -direction
    for j in range(n + 1):
        tangent[j] = factor * tangent[j]


@kernel
def turn_as(n: Int, before: Reals, tangent: Reals) -> Real:
    """Turns a tangent as the one before; the cosine of the angle between them."""
    cosine = 0.0
    for j in range(n + 1):
        cosine = cosine + before[j] * tangent[j]
    if cosine < 0.0:
        for j in range(n + 1):
            tangent[j] = -tangent[j]
    return abs(cosine)


@kernel
def correct(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    z: Reals,
    weights: Reals,
    scales: Reals,
    is_newton: Bool,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Moves z to the nearest point of the path, by Newton's method with the least change; False if that fails."""
    before = float("inf")
    for _ in range(CORRECTIONS):
        if not evaluate_path(n, residuals, captured, z, weights, scales, is_newton, work, integers, svd):
            return False
        size = make_least_change(n, z, work)
        if size > before:
            return False
        if size <= CLOSE * max(1.0, largest_of(n + 1, z)):
            return True
        before = size
    return False


@kernel
def make_least_change(n: Int, z: Reals, work: Reals) -> Real:
    """Moves z by the shortest step that makes H zero to first order; its largest element."""
    order = n + 1
    value = tail(work, vector_at(n, VALUE))
    change = tail(work, vector_at(n, TRIAL))
    u = tail(work, slopes_at(n) + order * order)
    v = tail(u, order * order)
    s = tail(v, order * order)
    for j in range(order):
        change[j] = 0.0
    for k in range(n):
        if s[k] > RANK * float(order) * s[0]:
            share = 0.0
            for i in range(n):
                share = share - u[k * order + i] * value[i]
            share = share / s[k]
            for j in range(order):
                change[j] = change[j] + v[j * order + k] * share
    for j in range(order):
        z[j] = z[j] + change[j]
    return largest_of(order, change)


@kernel
def largest_of(count: Int, numbers: Reals) -> Real:
    """The size of the largest number."""
    largest = 0.0
    for j in range(count):
        largest = max(largest, abs(numbers[j]))
    return largest


@kernel
def largest_difference(count: Int, numbers: Reals, others: Reals) -> Real:
    """The largest distance of two numbers."""
    largest = 0.0
    for j in range(count):
        largest = max(largest, abs(numbers[j] - others[j]))
    return largest
