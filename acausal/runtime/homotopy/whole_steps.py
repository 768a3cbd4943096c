"""Newton's method without damping: it comes through curved valleys, as those of transistors in saturation.

Each unknown is limited by itself, as SPICE limits the voltages of junctions; none that have the size of their nominal
values notice it.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.linear import solve_linear
from acausal.runtime.blocks.newton import STEP_TOLERANCE, Residuals
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, sqrt, tail

WHOLE_STEPS = 150
ASTRAY = 1e8
"""Growth limit of the residuals on the way: huge numbers whose differences are noise look like solutions."""
LEAP = 148.4131591025766
"""exp(5), the limit of an unknown's change in one step: times this, or from 0 to half of it times its nominal value."""
GREATEST, LARGE = 1e300, 1e8
"""Unknowns count as no larger than this, and from here on as much larger than 1."""


@kernel
def solve_by_whole_steps(n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals) -> Bool:
    """Replaces x by the solution; False where there is none. `work` has room for 2 n (n + 1) numbers."""
    matrix = tail(work, n * (n + 1))
    step = tail(work, n * (2 * n + 1))
    largest = float("inf")
    for _ in range(WHOLE_STEPS):
        residuals(captured, x, work)
        size = 0.0
        total = 0.0
        for i in range(n):
            size = max(size, abs(work[i]))
            total = total + abs(work[i])
            step[i] = -work[i]
        largest = min(largest, ASTRAY * size)
        if not total < float("inf") or size > largest:
            return False
        copy_numbers(n * n, tail(work, n), matrix)
        if solve_linear(n, matrix, step) != 0:
            return False
        total = 0.0
        for i in range(n):
            total = total + abs(step[i])
        if not total < float("inf"):
            return False
        is_small = True
        for i in range(n):
            x[i] = limited(x[i], x[i] + step[i], nominals[i])
            is_small = is_small and abs(step[i]) <= STEP_TOLERANCE * max(abs(x[i]), nominals[i])
        if is_small:
            return True
    return False


@kernel
def limited(old: Real, new: Real, nominal: Real) -> Real:
    """`new`, or where it is too far from `old` as far as allowed; 0 counts as small as the nominal value."""
    place = distance_of(old / nominal)
    ratio = distance_of(new / nominal) / place
    if ratio <= LEAP and ratio >= 1.0 / LEAP:
        return new
    moved = place * LEAP if new > old else place / LEAP
    return 0.5 * nominal * (moved - 1.0 / moved)


@kernel
def distance_of(x: Real) -> Real:
    """exp(asinh(x)): 1 at 0, far from it 2 x, and 1/(2 x) on the other side."""
    size = min(abs(x), GREATEST)
    distance = 2.0 * size if size > LARGE else size + sqrt(size * size + 1.0)
    return distance if x >= 0.0 else 1.0 / distance
