"""Levenberg-Marquardt: from a start where Newton's matrix is singular to a point where the residuals are least.

Each step minimizes |F + J d|^2 + mu |d|^2: it is short and of least norm along directions that the residuals do not
determine, and a continuous function of the numbers, where a rank would have to be decided. mu falls as the quadratic
model agrees with the residuals. Steps come from the singular values of J, which squares would lose.
Source: K. Madsen, H. B. Nielsen, O. Tingleff, Methods for Non-Linear Least Squares Problems, 2004, section 3.2.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.decomposition import Dgesvd, decompose_square
from acausal.runtime.blocks.newton import Residuals
from acausal.runtime.homotopy.scaled_system import evaluate_scaled
from acausal.runtime.kernel.language import Bool, CInts, Int, Real, Reals, kernel, tail

MOST_STEPS = 200
FIRST_DAMPING = 1e-2
"""As a share of the largest diagonal element of J^T J."""
MOST_DAMPING = 1e20
LEAST_STEP = 1e-10
"""A step that changes no unknown by more than this share of its scale ends the search."""


def squares_work(rows: int, n: int) -> int:
    """Numbers that `minimize_residuals` needs."""
    q = max(rows, n)
    return rows * (n + 1) + q * (3 * q + 13)


@kernel
def minimize_residuals(
    rows: Int,
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    weights: Reals,
    scales: Reals,
    steps: Int,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """Moves x to the point that the method comes to; False without finite numbers.

    Residuals, more or fewer than unknowns, are divided by `scales`, unknowns by `weights`.
    """
    q = max(rows, n)
    values = tail(work, rows * (n + 1))
    along = tail(values, q)
    step = tail(values, 2 * q)
    trial = tail(values, 3 * q)
    matrix = tail(values, 4 * q)
    s = tail(matrix, 3 * q * q)
    if not evaluate_scaled(rows, n, residuals, captured, x, weights, scales, work):
        return False
    damping = FIRST_DAMPING * largest_diagonal(rows, n, work)
    if damping == 0.0:
        damping = 1.0
    growth = 2.0
    is_moved = True
    for _ in range(steps):
        if is_moved and not decompose_slopes(rows, n, work, integers, svd):
            return True
        predicted = find_damped_step(min(rows, n), n, q, damping, along, s, tail(matrix, 2 * q * q), step)
        largest = 0.0
        for j in range(n):
            trial[j] = x[j] + step[j] * weights[j]
            largest = max(largest, abs(step[j]))
        is_finite = evaluate_scaled(rows, n, residuals, captured, trial, weights, scales, work)
        gained = 0.0
        for i in range(rows):
            gained = gained + (values[i] * values[i] - work[i] * work[i])
        is_moved = is_finite and predicted > 0.0 and gained > 0.0
        if is_moved:
            copy_numbers(n, trial, x)
            better = 2.0 * gained / predicted - 1.0
            damping = damping * max(1.0 / 3.0, 1.0 - better * better * better)
            growth = 2.0
        else:
            damping = damping * growth
            growth = 2.0 * growth
        if largest <= LEAST_STEP or damping > MOST_DAMPING:
            break
    return True


@kernel
def largest_diagonal(rows: Int, n: Int, values: Reals) -> Real:
    """Of J^T J."""
    largest = 0.0
    for j in range(n):
        total = 0.0
        for i in range(rows):
            entry = values[rows + i * n + j]
            total = total + entry * entry
        largest = max(largest, total)
    return largest


@kernel
def decompose_slopes(rows: Int, n: Int, work: Reals, integers: CInts, svd: Dgesvd) -> Bool:
    """Keeps the residuals just evaluated, decomposes their Jacobian, and stores the components of the residuals."""
    q = max(rows, n)
    values = tail(work, rows * (n + 1))
    along = tail(values, q)
    matrix = tail(values, 4 * q)
    s = tail(matrix, 3 * q * q)
    u = tail(matrix, q * q)
    for i in range(q):
        values[i] = work[i] if i < rows else 0.0
        for j in range(q):
            matrix[j * q + i] = work[rows + i * n + j] if i < rows and j < n else 0.0
    if not decompose_square(q, matrix, s, tail(s, q), integers, svd):
        return False
    for k in range(q):
        total = 0.0
        for i in range(rows):
            total = total + u[k * q + i] * values[i]
        along[k] = total
    return True


@kernel
def find_damped_step(count: Int, n: Int, q: Int, damping: Real, along: Reals, s: Reals, v: Reals, step: Reals) -> Real:
    """The minimum of |F + J d|^2 + mu |d|^2, and by how much it falls, but for a factor of 2."""
    predicted = 0.0
    for j in range(n):
        step[j] = 0.0
    for k in range(count):
        part = -s[k] * along[k] / (s[k] * s[k] + damping)
        predicted = predicted + part * (damping * part - s[k] * along[k])
        for j in range(n):
            step[j] = step[j] + v[j * q + k] * part
    return predicted
