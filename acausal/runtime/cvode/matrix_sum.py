"""Newton's matrix where all states act on each other through one quantity: J = diag(d) + l r'.

So it is for feeders on a bus, bodies on a platform, cells in a common fluid: their Jacobian is dense, but Newton's
matrix M = I - gamma J is solved with a few operations for each state instead of n^2 (J. Sherman, W. J. Morrison, Annals
of Mathematical Statistics 21, 1950). Whether a Jacobian is of this kind its numbers show, once for all matrices that
are made from it; with any other one M is factored by LAPACK.

    int set_up_sum(SUNLinearSolver solver, SUNMatrix M)
    int solve_sum(SUNLinearSolver solver, SUNMatrix M, N_Vector x, N_Vector b, double tolerance)

(SUNDIALS 7, sundials_linearsolver.h, sunlinsol_lapackdense.h.)
"""

from acausal.runtime.cvode.cvode_context import NewtonContent, Vector
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Real, Reals, Struct, kernel, tail

CLOSE = 1e-4
"""Share of the diagonal by which all entries of a row together may differ from the outer product.

A Jacobian by differences is off by as much, and Newton's method with an old matrix by far more."""
SAFE = 1e-6
"""Share of a sum that must be left where its terms cancel."""


class NewtonSolver(Struct):
    """SUNLinearSolver."""

    content: NewtonContent


@kernel
def set_up_sum(solver: NewtonSolver, matrix: Address) -> CInt:
    """Has the matrix factored unless it is solved as a sum; SUNDIALS' status."""
    c = solver.content
    if c.is_regular != 0:
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
    share = c.gamma * total / c.one_plus
    for i in range(c.size):
        found[i] = found[i] + share * c.left[i] / c.diagonal[i]
    return 0


@kernel
def make_matrix(c: NewtonContent, gamma: Real) -> None:
    """I - gamma J: its parts where these are regular, else all entries."""
    c.gamma = gamma
    c.is_regular = 1 if c.is_sum != 0 and make_parts(c) else 0
    if c.is_regular != 0:
        return
    for k in range(c.size * c.size):
        c.entries[k] = -gamma * c.jacobian[k]
    for i in range(c.size):
        c.entries[i * c.size + i] = 1.0 + c.entries[i * c.size + i]


@kernel
def make_parts(c: NewtonContent) -> Bool:
    """Store the diagonal and `one_plus`; False where little is left of a sum, or J is none as exactly as needed."""
    total = 1.0
    size = 1.0
    for i in range(c.size):
        entry = 1.0 - c.gamma * c.jacobian[i * c.size + i]
        c.diagonal[i] = entry + c.gamma * c.left[i] * c.right[i]
        if not abs(c.diagonal[i]) > SAFE * abs(entry):
            return False
        if not abs(c.gamma) * c.errors[i] <= CLOSE * abs(c.diagonal[i]):
            return False
        term = c.gamma * c.right[i] * c.left[i] / c.diagonal[i]
        total -= term
        size += abs(term)
    c.one_plus = total
    return abs(total) > SAFE * size


@kernel
def split_sum(c: NewtonContent) -> Bool:
    """Finds l and r, and by how much rows of J differ from them; False where J is no such sum."""
    column = first_full_column(c)
    if column < 0:
        return False
    entries = tail(c.jacobian, column * c.size)
    pivot = largest_but(entries, c.size, column, column)
    for i in range(c.size):
        c.left[i] = entries[i]
        c.right[i] = c.jacobian[i * c.size + pivot] / entries[pivot]
    c.right[column] = 1.0
    across = largest_but(c.right, c.size, column, pivot)
    down = largest_but(c.left, c.size, column, pivot)
    if across < 0 or c.right[across] == 0.0 or c.left[down] == 0.0:
        return False
    c.left[column] = c.jacobian[across * c.size + column] / c.right[across]
    c.right[pivot] = c.jacobian[pivot * c.size + down] / c.left[down]
    compare_rows(c)
    return True


@kernel
def first_full_column(c: NewtonContent) -> Int:
    """The first column with an entry that is not on the diagonal; -1 without any."""
    for j in range(c.size):
        entries = tail(c.jacobian, j * c.size)
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
def compare_rows(c: NewtonContent) -> None:
    """By how much the entries of each row that are not on the diagonal differ from those of l r'."""
    for i in range(c.size):
        c.errors[i] = 0.0
    for j in range(c.size):
        entries = tail(c.jacobian, j * c.size)
        for i in range(j):
            c.errors[i] += abs(entries[i] - c.left[i] * c.right[j])
        for i in range(j + 1, c.size):
            c.errors[i] += abs(entries[i] - c.left[i] * c.right[j])
