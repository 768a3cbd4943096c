"""Newton's method for nonlinear blocks, damped, or where it continues a branch contracting (`branch_slopes`).

Residuals, each as a share of its largest term, must fall at each step. Unknowns count as a share of the larger of their
value and their nominal value. Where `strict`, steps are not damped, and residuals and steps contract by CONTRACTION at
least, so that the solution is the one next to the start; but where the whole way is TINY. With HOLD a start that is a
solution but for rounding stays as it is: next to a singular Jacobian a step leads away from it. With VERIFY the start
stays in any case, and there is no solution where its residuals are not small.

Where a full step has not made the residuals smaller, although the equations are linear along it, these are rounding
errors of terms that cancel each other: the equations determine the unknowns no better. If the step is TINY, this is the
solution.

Equations that only tend to a solution at infinity, as atan(x) = pi/2 does, are satisfied within rounding far away.
Steps do not become shorter there, and farther on the equations remain satisfied: that is no solution.
"""

from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.linear import solve_linear
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, tail

STEP_TOLERANCE = 1e-9
RESIDUAL_TOLERANCE = 2.0**-48
RESIDUAL_NOISE = 1e-8
"""Residuals after a small step, as cancellation leaves them."""
SMALLEST_DAMPING = 2.0**-20
ITERATIONS = 60
CONTRACTION = 0.25
"""Residuals and steps fall at least by this factor where Newton's method starts near a solution."""
FREE, CONTRACTING, HOLD, VERIFY = 0.0, 1.0, 2.0, 3.0
"""Values of `strict`."""
HELD = 2.0**-36
"""Residuals of a start that is held."""
VERIFIED = 2.0**-20
"""Residuals of a start that is no other solution."""
LONG = 2.0**-10
"""The step to a solution is shorter, as a share of the unknowns, unless the equations are linear along it."""
REACHES, FARTHER = 3, 8.0
"""Points beyond a solution, each so many times farther: rounding errors may leave residuals at one of them."""
TINY = 1e-7
"""So small a way, as a share of the unknowns, leads to no other branch, however slowly Newton's method goes it."""
LINEAR = 0.0625
"""Equations whose derivatives change by less in a step, as a share of the largest term, are linear along it."""


class Residuals(Protocol):
    """The equations of a block."""

    def __call__(self, captured: Reals, x: Reals, values: Reals, /) -> None:
        """Stores the n residuals at x, then their Jacobian row by row."""


def factors_place(n: int) -> int:
    """Where the factors of the last Jacobian begin in the work array of n unknowns, behind residuals and Jacobian."""
    return n * (n + 1)


@kernel
def norm(n: Int, values: Reals, scales: Reals) -> Real:
    """The largest residual as a share of its scale; infinite if a value or a derivative is no finite number."""
    total = 0.0
    for i in range(n * (n + 1)):
        total = total + abs(values[i])
    if not total < float("inf"):
        return float("inf")
    largest = 0.0
    for i in range(n):
        largest = max(largest, abs(values[i]) / scales[i])
    return largest


@kernel
def prepare(n: Int, values: Reals, x: Reals, nominals: Reals, matrix: Reals, step: Reals, scales: Reals) -> None:
    """Copies the Jacobian and the negative residuals, and scales each row."""
    for i in range(n):
        step[i] = -values[i]
        scales[i] = 0.0
        for j in range(n):
            entry = values[n + i * n + j]
            matrix[i * n + j] = entry
            scales[i] = max(scales[i], abs(entry) * max(abs(x[j]), nominals[j]))


@kernel
def step_size(n: Int, step: Reals, x: Reals, nominals: Reals) -> Real:
    """The largest change as a share of its unknown."""
    size = 0.0
    for j in range(n):
        size = max(size, abs(step[j]) / max(abs(x[j]), nominals[j]))
    return size


@kernel
def is_solved(residual: Real, size: Real) -> Bool:
    """True if residuals or the last step are small enough.

    A step may be small because it is damped, as at the corner of abs(x) + 0.001 = 0: that is no solution.
    """
    return residual <= RESIDUAL_TOLERANCE or (size <= STEP_TOLERANCE and residual <= RESIDUAL_NOISE)


@kernel
def stays(n: Int, strict: Real, residual: Real, values: Reals, scales: Reals) -> Bool:
    """True if a start with this residual is the solution.

    In a dead center the terms of an equation may vanish together: rounding errors are those of the largest terms then.
    """
    if strict == VERIFY or residual <= HELD or not residual <= VERIFIED:
        return residual <= (VERIFIED if strict == VERIFY else HELD)
    largest = 0.0
    for i in range(n):
        largest = max(largest, scales[i])
    for i in range(n):
        if abs(values[i]) > RESIDUAL_TOLERANCE * largest:
            return False
    return True


@kernel
def ends_flat(n: Int, residuals: Residuals, captured: Reals, x: Reals, size: Real, work: Reals) -> CInt:
    """1 if an equation that a step to x has satisfied is so beyond x, too, where a linear one is not; 0 otherwise."""
    if size <= LONG:
        return 0
    step = tail(work, n * (2 * n + 1))
    scales = tail(work, n * (2 * n + 2))
    trial = tail(work, n * (2 * n + 3))
    before = tail(work, n * (2 * n + 4))
    reach = max(1.0, 1.0 / size)
    for _ in range(REACHES):
        for i in range(n):
            trial[i] = x[i] + reach * step[i]
        residuals(captured, trial, work)
        for i in range(n):
            small = RESIDUAL_TOLERANCE * scales[i]
            if abs(before[i]) > small and abs(work[i]) <= small:
                return 1
        reach = FARTHER * reach
    return 0


@kernel
def is_rounding(n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals) -> Bool:
    """True if the Jacobian is the same before a full step, at x: the residuals that are left are rounding errors."""
    matrix = tail(work, n * (n + 1))
    scales = tail(work, n * (2 * n + 2))
    copy_numbers(n * n, tail(work, n), matrix)
    residuals(captured, x, work)
    same = True
    for i in range(n):
        for j in range(n):
            change = abs(work[n + i * n + j] - matrix[i * n + j])
            same = same and change * max(abs(x[j]), nominals[j]) <= LINEAR * scales[i]
    residuals(captured, tail(work, n * (2 * n + 3)), work)
    return same


@kernel
def stalls(size: Real, damping: Real, start: Real, now: Real) -> Bool:
    """True if a full step has not made small residuals smaller, and no other solution is as near."""
    return damping == 1.0 and size <= TINY and max(now, start) <= RESIDUAL_NOISE and now > CONTRACTION * start


@kernel
def move_by(n: Int, x: Reals, damping: Real, step: Reals, trial: Reals) -> None:
    """A share of the step from x."""
    for i in range(n):
        trial[i] = x[i] + damping * step[i]


@kernel
def solve_newton(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    nominals: Reals,
    work: Reals,
    iterations: Int,
    strict: Real,
) -> CInt:
    """Replaces x by the solution; 0, or 1 where there is none.

    `work` has room for n * (2 * n + 5) numbers.
    """
    matrix = tail(work, n * (n + 1))
    step = tail(work, n * (2 * n + 1))
    scales = tail(work, n * (2 * n + 2))
    trial = tail(work, n * (2 * n + 3))
    before = tail(work, n * (2 * n + 4))
    longest = float("inf")
    way = 0.0
    slow = False
    contracts = strict != FREE
    residuals(captured, x, work)
    for _ in range(iterations):
        prepare(n, work, x, nominals, matrix, step, scales)
        if strict >= HOLD and way == 0.0 and stays(n, strict, norm(n, work, scales), work, scales):
            return 0
        if strict == VERIFY or solve_linear(n, matrix, step) != 0:
            return 1
        size = step_size(n, step, x, nominals)
        start = norm(n, work, scales)
        if not start < float("inf"):
            return 1
        copy_numbers(n, work, before)
        slow = slow or size > longest
        if contracts and size > STEP_TOLERANCE / CONTRACTION:
            longest = CONTRACTION * size
        damping = 1.0
        while True:
            move_by(n, x, damping, step, trial)
            residuals(captured, trial, work)
            now = norm(n, work, scales)
            moved = size if contracts else damping * size
            if is_solved(now, moved):
                copy_numbers(n, trial, x)
                return ends_flat(n, residuals, captured, x, size, work)
            if stalls(size, damping, start, now) and is_rounding(n, residuals, captured, x, nominals, work):
                copy_numbers(n if now < start else 0, trial, x)
                return 0
            slow = slow or (contracts and not now <= CONTRACTION * start)
            if slow and way + damping * size > TINY:
                return 1
            if now <= (1.0 - damping * 0.25) * start:
                break
            damping = damping * 0.5
            if damping < SMALLEST_DAMPING:
                return 1
        way = way + damping * size
        copy_numbers(n, trial, x)
    return 1
