"""Workspace of blocks, behind the start values in m.

Linear: A, then b, which becomes the solution, what `solve_least_norm` or `solve_refined` needs, integers for LAPACK.
Factored: b, which becomes the solution.
Columns: the factors of A, then B, which becomes the solutions.
Nonlinear: what is captured, then x, which becomes the solution, then the work of the Newton loop, or of the
homotopy behind it.
"""

from acausal.ir.program.instructions import FactoredSolve, Instruction, LinearColumns, LinearSolve, NewtonSolve
from acausal.runtime.homotopy.solve_start import homotopy_work

STRAIGHT = 3
"""Linear blocks up to this size are eliminated in straight-line code and need no work area."""

USE_LAPACK = 32
"""Linear blocks from this size on go to LAPACK, column by column."""


def block_workspace(solve: LinearSolve | FactoredSolve | LinearColumns | NewtonSolve, arguments: int) -> int:
    """The work area of a block; blocks run one after the other and share it."""
    n = solve.size
    if isinstance(solve, NewtonSolve):
        return arguments + (homotopy_work(n) if solve.homotopy else newton_work(n))
    if isinstance(solve, FactoredSolve):
        return n
    if is_straight(solve):
        return 0
    if isinstance(solve, LinearColumns):
        own = factors_size(n) + n * solve.columns
        return own if solve.norm is None else arguments + least_norm_slopes_work(n) + 3
    if solve.refined:
        return n * n + n + refined_work(n)
    if solve.norm is not None:
        return n * n + n + least_norm_work(n) + 3
    return n * n + 2 * n


def is_straight(solve: LinearSolve | LinearColumns) -> bool:
    """True if a block is eliminated in straight-line code."""
    is_refined = isinstance(solve, LinearSolve) and solve.refined
    return solve.norm is None and not is_refined and solve.size <= STRAIGHT


def code_workspace(code: tuple[Instruction, ...]) -> int:
    """The work area of all blocks of a routine."""
    solves = LinearSolve | FactoredSolve | LinearColumns | NewtonSolve
    return max((block_workspace(value, len(args)) for _, args, value in code if isinstance(value, solves)), default=0)


def factors_size(n: int) -> int:
    """Numbers in p for the factors of a matrix: the matrix, its pivots, and whether it is regular."""
    return n * n + n + 1


def least_norm_work(n: int) -> int:
    """Numbers that `solve_least_norm` needs beside A and b, and beside 6 integers."""
    return n * (3 * n + 13)


def least_norm_slopes_work(n: int) -> int:
    """Numbers that `solve_least_norm_slopes` needs beside its arguments, and beside 6 integers."""
    return n * (5 * n + 15)


def refined_work(n: int) -> int:
    """Numbers that `solve_refined` needs beside A and b."""
    return n * (n + 4) + 1


def newton_work(n: int) -> int:
    """Numbers a Newton loop of n unknowns needs beside x: values and matrix twice, scales, step, trial."""
    return 2 * (n + n * n) + 3 * n
