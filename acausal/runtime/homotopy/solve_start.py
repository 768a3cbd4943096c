"""Equations of the first instant: Newton's method, and where it fails from afar.

Tried one after the other: whole steps of Newton's method, damped ones with patience, those from where least squares
lead to, homotopies. What is found is verified.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.decomposition import Dgesvd
from acausal.runtime.blocks.newton import FREE, Residuals, solve_newton
from acausal.runtime.homotopy.continuation import follow_path
from acausal.runtime.homotopy.least_squares import MOST_STEPS, minimize_residuals
from acausal.runtime.homotopy.scaled_system import scale_system
from acausal.runtime.homotopy.verified_solution import is_verified
from acausal.runtime.homotopy.whole_steps import solve_by_whole_steps
from acausal.runtime.kernel.language import Bool, CInt, CInts, Int, Real, Reals, floor, kernel, tail

PATIENCE = 1000
"""Iterations of damped Newton before anything else: exponentials need many."""
BESIDE = 0.1
"""Distance from the start at which the last ways begin: a start may be a special point."""
GOLDEN = 0.6180339887498949
"""Golden ratio: its multiples, without their whole parts, are as many different numbers."""


def homotopy_work(n: int) -> int:
    """Numbers that `solve_start` and `solve_by_homotopy` need, with 6 integers."""
    return 3 * n + (n + 1) * (5 * n + 20)


@kernel
def solve_start(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    nominals: Reals,
    work: Reals,
    iterations: Int,
    strict: Real,
    integers: CInts,
    svd: Dgesvd,
) -> CInt:
    """`solve_newton`, and what remains to be tried where it may go far."""
    start = tail(work, n * (2 * n + 5))
    copy_numbers(n, x, start)
    if solve_newton(n, residuals, captured, x, nominals, work, iterations, strict) == 0:
        return 0
    if strict != FREE:
        return 1
    copy_numbers(n, start, x)
    return solve_by_homotopy(n, residuals, captured, x, nominals, work, integers, svd)


@kernel
def solve_by_homotopy(
    n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> CInt:
    """Replaces x by a solution that a way from it leads to; 0, or 1 where there is none."""
    start = tail(work, 2 * n)
    room = tail(work, 3 * n)
    copy_numbers(n, x, start)
    is_solved = solve_by_whole_steps(n, residuals, captured, x, nominals, room)
    if is_solved and is_verified(n, residuals, captured, x, nominals, room, integers, svd):
        return 0
    copy_numbers(n, start, x)
    if solve_patiently(n, residuals, captured, x, nominals, room, integers, svd):
        return 0
    for k in range(2):
        move_beside(n, start, nominals, BESIDE * float(k), x)
        if go_downhill(n, residuals, captured, x, nominals, work, integers, svd):
            return 0
    for k in range(8):
        move_beside(n, start, nominals, BESIDE if k >= 4 else 0.0, x)
        direction = 1.0 if k & 1 == 0 else -1.0
        if go_along_path(n, residuals, captured, x, nominals, k & 2 == 0, direction, work, integers, svd):
            return 0
    return 1


@kernel
def solve_patiently(
    n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> Bool:
    """Damped steps of Newton's method to a verified solution."""
    if solve_newton(n, residuals, captured, x, nominals, work, PATIENCE, FREE) != 0:
        return False
    return is_verified(n, residuals, captured, x, nominals, work, integers, svd)


@kernel
def move_beside(n: Int, start: Reals, nominals: Reals, beside: Real, x: Reals) -> None:
    """A point beside the start, by this share of the scales, or less."""
    for i in range(n):
        multiple = GOLDEN * float(i)
        share = 1.0 - 2.0 * (multiple - floor(multiple))
        x[i] = start[i] + beside * share * max(abs(start[i]), nominals[i])


@kernel
def go_downhill(
    n: Int, residuals: Residuals, captured: Reals, x: Reals, nominals: Reals, work: Reals, integers: CInts, svd: Dgesvd
) -> Bool:
    """The solution at the foot of the start's valley: where Newton's matrix is singular there, it comes away."""
    scales = tail(work, n)
    room = tail(work, 3 * n)
    if not scale_system(n, residuals, captured, x, nominals, work, scales, room):
        return False
    if not minimize_residuals(n, n, residuals, captured, x, work, scales, MOST_STEPS, room, integers, svd):
        return False
    return solve_patiently(n, residuals, captured, x, nominals, room, integers, svd)


@kernel
def go_along_path(
    n: Int,
    residuals: Residuals,
    captured: Reals,
    x: Reals,
    nominals: Reals,
    is_newton: Bool,
    direction: Real,
    work: Reals,
    integers: CInts,
    svd: Dgesvd,
) -> Bool:
    """The solution at the end of a path."""
    scales = tail(work, n)
    room = tail(work, 3 * n)
    if not scale_system(n, residuals, captured, x, nominals, work, scales, room):
        return False
    if not follow_path(n, residuals, captured, x, work, scales, is_newton, direction, room, integers, svd):
        return False
    return solve_patiently(n, residuals, captured, x, nominals, room, integers, svd)
