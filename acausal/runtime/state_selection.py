"""The state-selection monitor: whether the states of a model are still well chosen.

By the results of the routine `choices` the dummies of each selection are judged by their columns in the matrix of the
differentiated constraints: their volume beside that of the best columns, found by orthogonalization with pivoting
(modified Gram-Schmidt: G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013, sections 5.2.8 and 5.4.2),
where a column counts the more the less its variable is wanted as a state.
"""

from acausal.runtime.kernel.language import Bool, CInt, Int, Ints, Real, Reals, Struct, kernel, sqrt, tail
from acausal.runtime.limits import ILL_CONDITIONED, NEARLY_ILL_CONDITIONED, WELL_CONDITIONED
from acausal.structure.orthogonal import LEAST_VOLUME

NEAR = 0.5
"""The share of the best volume below which selections are nearly ill-conditioned."""
DEPENDENT = 1e-7
"""Columns whose parts beyond the others are smaller, as a share, depend on each other but for rounding errors."""
CLEAR = 0.99
"""The share of the least volume at which an event indicator crosses zero: behind it the verdict is clear."""
EXTRA = 3
"""Numbers behind each vector: its weight, its column, and its square as it was last computed."""


class StateSelections(Struct):
    """The selections of a program; those of each are behind those of the one before."""

    count: Int
    rows: Ints
    columns: Ints
    position: Ints
    """Where the matrix of a selection begins in the results."""
    first_weight: Ints
    weights: Reals
    first_dummy: Ints
    dummies: Ints
    best: Ints
    """The best columns, as found last."""
    vectors: Reals
    """Room for the vectors of one selection."""


def vectors_size(rows: int, columns: int) -> int:
    """Numbers of room that a selection needs."""
    return (rows + EXTRA) * columns


@kernel
def judge_selections(results: Reals, c: StateSelections) -> CInt:
    """The verdict on the worst selection."""
    worst = worst_share(results, c)
    if worst < LEAST_VOLUME:
        return ILL_CONDITIONED
    return NEARLY_ILL_CONDITIONED if worst < NEAR else WELL_CONDITIONED


@kernel
def selection_indicator(results: Reals, c: StateSelections) -> Real:
    """An event indicator: negative where states are ill-conditioned."""
    return worst_share(results, c) - CLEAR * LEAST_VOLUME


@kernel
def worst_share(results: Reals, c: StateSelections) -> Real:
    """The least share of all selections."""
    worst = 1.0
    for number in range(c.count):
        share = volume_share(results, c, number)
        worst = min(worst, share)
    return worst


@kernel
def volume_share(results: Reals, c: StateSelections, number: Int) -> Real:
    """The volume of the dummies as a share of the largest one; 1 where numbers are not finite.

    And where the best columns depend on each other, as in a dead center: there no choice is better than any other.
    """
    rows = c.rows[number]
    columns = c.columns[number]
    matrix = tail(results, c.position[number])
    dummies = tail(c.dummies, c.first_dummy[number])
    best = tail(c.best, c.first_dummy[number])
    weights = tail(c.weights, c.first_weight[number])
    for k in range(rows):
        best[k] = dummies[k]
    total = 0.0
    for i in range(rows * columns):
        total = total + matrix[i] * 0.0
    if total != 0.0:
        return 1.0
    if rows == 1:
        return single_share(columns, matrix, weights, best)
    for j in range(columns):
        copy_column(rows, columns, matrix, j, weights[j], tail(c.vectors, j * (rows + EXTRA)))
    largest = find_volume(rows, columns, c.vectors)
    if are_dependent(rows, c.vectors):
        return 1.0
    for k in range(rows):
        best[k] = int(c.vectors[k * (rows + EXTRA) + rows + 1])
    for k in range(rows):
        copy_column(rows, columns, matrix, dummies[k], 1.0, tail(c.vectors, k * (rows + EXTRA)))
    return find_volume(rows, rows, c.vectors) / largest


@kernel
def single_share(columns: Int, matrix: Reals, weights: Reals, best: Ints) -> Real:
    """The same for a single dummy, which `best` has before: volumes are magnitudes."""
    dummy = abs(matrix[best[0]])
    column = -1
    largest = 0.0
    for j in range(columns):
        size = abs(matrix[j] * weights[j])
        if size * size > largest:
            largest = size * size
            column = j
    if column < 0:
        return 1.0
    best[0] = column
    return sqrt(dummy * dummy) / (sqrt(largest) / weights[column])


@kernel
def are_dependent(rows: Int, vectors: Reals) -> Bool:
    """True if the least of the vectors that `find_volume` has made orthogonal is zero beside the largest one."""
    least = float("inf")
    greatest = 0.0
    for k in range(rows):
        square = dot_product(rows, tail(vectors, k * (rows + EXTRA)), tail(vectors, k * (rows + EXTRA)))
        least = min(least, square)
        greatest = max(greatest, square)
    return least <= DEPENDENT * DEPENDENT * greatest


@kernel
def copy_column(rows: Int, columns: Int, matrix: Reals, column: Int, weight: Real, vector: Reals) -> None:
    """A column of the matrix, times its weight."""
    for i in range(rows):
        vector[i] = matrix[i * columns + column] * weight
    vector[rows] = weight
    vector[rows + 1] = float(column)


@kernel
def find_volume(rows: Int, count: Int, vectors: Reals) -> Real:
    """The volume of the largest vectors, without their weights; they come first."""
    volume = 1.0
    length = rows + EXTRA
    square_at = rows + EXTRA - 1
    for j in range(count):
        vectors[j * length + square_at] = dot_product(rows, tail(vectors, j * length), tail(vectors, j * length))
    for k in range(rows):
        best = k
        largest = -float("inf")
        for j in range(k, count):
            if vectors[j * length + square_at] > largest:
                largest = vectors[j * length + square_at]
                best = j
        if best != k:
            for i in range(length):
                entry = vectors[k * length + i]
                vectors[k * length + i] = vectors[best * length + i]
                vectors[best * length + i] = entry
        square = vectors[k * length + square_at]
        if k > 0:  # rounding errors of what was removed
            square = dot_product(rows, tail(vectors, k * length), tail(vectors, k * length))
        volume = volume * (sqrt(square) / vectors[k * length + rows])
        if square > 0.0:
            for j in range(k + 1, count):
                remove_direction(rows, square, tail(vectors, k * length), tail(vectors, j * length))
    return volume


@kernel
def remove_direction(rows: Int, square: Real, direction: Reals, vector: Reals) -> None:
    """A vector less its part in a direction, of which this is the square."""
    product = dot_product(rows, direction, vector)
    if product != 0.0:
        share = product / square
        for i in range(rows):
            vector[i] = vector[i] - share * direction[i]
        vector[rows + EXTRA - 1] = vector[rows + EXTRA - 1] - share * product


@kernel
def dot_product(rows: Int, one: Reals, other: Reals) -> Real:
    """The product of two vectors."""
    total = 0.0
    for i in range(rows):
        total = total + one[i] * other[i]
    return total
