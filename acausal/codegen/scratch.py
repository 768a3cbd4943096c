"""How blocks use the work area behind the start values in m."""

from acausal.ir.program import LinearSolve, NewtonSolve, Routine

STRAIGHT = 3
"""Linear blocks up to this size are eliminated in straight-line code and need no work area."""


def scratch_size(routine: Routine) -> int:
    """The largest work area of the routine's blocks; they run one after the other and share it."""
    return max((_size(i.value, len(i.args)) for i in routine.code), default=0)


def _size(solve: object, arguments: int) -> int:
    if isinstance(solve, LinearSolve):
        n = solve.size
        return 0 if n <= STRAIGHT else n * n + 2 * n
    if isinstance(solve, NewtonSolve):
        n = solve.size
        return (arguments - n) + newton_work(n)
    return 0


def newton_work(n: int) -> int:
    """Numbers a Newton loop needs beside what is captured (`solvers.ll` tells their order)."""
    return 4 * n + 2 * (n + n * n)
