"""Newton's matrix where all states act on each other through one quantity: M = diag(d) + l r'.

So it is for feeders on a bus, bodies on a platform, cells in a common fluid: their Jacobian is dense, but solved with a
few operations for each state instead of n^2 (J. Sherman, W. J. Morrison, Annals of Mathematical Statistics 21, 1950).
Whether a matrix is of this kind its numbers show, with less work than a factorization has; any other one is
factored by LAPACK.

    int set_up_sum(SUNLinearSolver solver, SUNMatrix M)
    int solve_sum(SUNLinearSolver solver, SUNMatrix M, N_Vector x, N_Vector b, double tolerance)

(SUNDIALS 7, sundials_linearsolver.h, sunlinsol_lapackdense.h.)
"""

from typing import Protocol

from acausal.runtime.cvode.cvode_context import Vector
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Ints, Real, Reals, Struct, kernel, tail

CLOSE = 1e-4
"""Share of d by which all entries of a row together may differ from l r'.

A Jacobian by differences is off by as much, and Newton's method with an old matrix by far more."""
SAFE = 1e-6
"""Share of a sum that must be left where its terms cancel."""


class SetUp(Protocol):
    """SUNLinSolSetup of LAPACK."""

    def __call__(self, solver: Address, matrix: Address, /) -> CInt:
        """Status."""
        ...


class NewtonContent(Struct):
    """The content of the solver: that of LAPACK's, which serves that one, too, and what belongs to the sum."""

    length: Int
    pivots: Address
    last_flag: Int
    solver: Address
    set_up: SetUp
    solve: Ints
    """Where the solver has its function to solve."""
    by_factors: Int
    by_sum: Int
    """The addresses of LAPACK's function and of `solve_sum`."""
    size: Int
    entries: Reals
    """M, column by column."""
    diagonal: Reals
    left: Reals
    right: Reals
    errors: Reals
    one_plus: Real
    """1 + r' diag(d)^-1 l."""


class NewtonSolver(Struct):
    """SUNLinearSolver."""

    content: NewtonContent


@kernel
def set_up_sum(solver: NewtonSolver, matrix: Address) -> CInt:
    """Finds the parts of the matrix, or has it factored; SUNDIALS' status."""
    c = solver.content
    if split_sum(c):
        c.solve[0] = c.by_sum
        return 0
    c.solve[0] = c.by_factors
    return c.set_up(c.solver, matrix)


@kernel
def solve_sum(solver: NewtonSolver, matrix: Address, x: Vector, b: Vector, tolerance: Real) -> CInt:  # noqa: ARG001
    """Solves M x = b by the parts."""
    c = solver.content
    found = x.content.values
    given = b.content.values
    total = 0.0
    for i in range(c.size):
        found[i] = given[i] / c.diagonal[i]
        total += c.right[i] * found[i]
    share = total / c.one_plus
    for i in range(c.size):
        found[i] = found[i] - share * c.left[i] / c.diagonal[i]
    return 0


@kernel
def split_sum(c: NewtonContent) -> Bool:
    """Finds d, l and r; False where the matrix is no such sum, or cancellation leaves nothing of it."""
    column = first_full_column(c)
    if column < 0:
        return False
    entries = tail(c.entries, column * c.size)
    pivot = largest_but(entries, c.size, column, column)
    for i in range(c.size):
        c.left[i] = entries[i]
        c.right[i] = c.entries[i * c.size + pivot] / entries[pivot]
    c.right[column] = 1.0
    across = largest_but(c.right, c.size, column, pivot)
    down = largest_but(c.left, c.size, column, pivot)
    if across < 0 or c.right[across] == 0.0 or c.left[down] == 0.0:
        return False
    c.left[column] = c.entries[across * c.size + column] / c.right[across]
    c.right[pivot] = c.entries[pivot * c.size + down] / c.left[down]
    return is_regular(c) and is_sum(c)


@kernel
def first_full_column(c: NewtonContent) -> Int:
    """The first column with an entry that is not on the diagonal; -1 without any."""
    for j in range(c.size):
        entries = tail(c.entries, j * c.size)
        if entries[largest_but(entries, c.size, j, j)] != 0.0:
            return j
    return -1


@kernel
def largest_but(values: Reals, count: Int, first: Int, second: Int) -> Int:
    """The place of the largest of these values, but for two places; -1 without others."""
    found = -1
    largest = -1.0
    for i in range(count):
        size = abs(values[i])
        if i != first and i != second and size > largest:
            found = i
            largest = size
    return found


@kernel
def is_sum(c: NewtonContent) -> Bool:
    """True if the entries that are not on the diagonal are those of l r', but for little."""
    for i in range(c.size):
        c.errors[i] = 0.0
    for j in range(c.size):
        entries = tail(c.entries, j * c.size)
        for i in range(j):
            c.errors[i] += abs(entries[i] - c.left[i] * c.right[j])
        for i in range(j + 1, c.size):
            c.errors[i] += abs(entries[i] - c.left[i] * c.right[j])
    for i in range(c.size):
        if not c.errors[i] <= CLOSE * abs(c.diagonal[i]):
            return False
    return True


@kernel
def is_regular(c: NewtonContent) -> Bool:
    """Store d and 1 + r' diag(d)^-1 l; False where little is left of a sum."""
    total = 1.0
    size = 1.0
    for i in range(c.size):
        entry = c.entries[i * c.size + i]
        c.diagonal[i] = entry - c.left[i] * c.right[i]
        if not abs(c.diagonal[i]) > SAFE * abs(entry):
            return False
        term = c.right[i] * c.left[i] / c.diagonal[i]
        total += term
        size += abs(term)
    c.one_plus = total
    return abs(total) > SAFE * size
