"""Regularity of a badly scaled matrix: whether small relative changes of its entries can make it singular.

    [1/r  -1  ]   1/r = 1e-9, 1/s = 24 beside each other: the condition number is 1e10, and yet no change of r
    [1/s   1  ]   and s by a few per cent makes the matrix singular

A matrix A stays regular for all changes of its entries by at most a share d if the spectral radius of |A^-1| E is below
1/d, where E holds the sizes of the entries that can change: whole numbers (the signs in a balance of currents) are
exact. This does not depend on the scales of rows and columns.
(H. Beeck, Zur Problematik der Hüllenbestimmung von Intervallgleichungssystemen, 1975; J. Rohn, Systems of linear
interval equations, Linear Algebra Appl. 126, 1989.) The inverse is computed with the scales that make the condition
number least (F. L. Bauer, Optimally scaled matrices, Numer. Math. 5, 1963).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

LARGEST = 400
"""Rows of a matrix that is judged: larger ones take too long."""
PRECISE = 1e13
"""A condition number up to which an inverse has a correct digit."""
ROUNDS, ITERATIONS = 4, 30
LEAST = 1e-100


def stays_regular(matrix: "Array", share: float) -> bool:
    """True if no relative changes by at most `share` make the matrix singular; False where that is not certain."""
    import numpy as np

    if not 0 < len(matrix) <= LARGEST or not np.isfinite(matrix).all():
        return False
    with np.errstate(all="ignore"):
        found = _inverse(matrix)
        if found is None:
            return False
        inverse, rows, columns = found
        inexact = np.where(matrix == np.round(matrix), 0.0, np.abs(matrix)) / rows[:, None] / columns
        product = np.abs(inverse) @ inexact
        return bool(np.isfinite(product).all() and _growth(product)[0] * share < 1.0)


def rows_stay_regular(rows: Sequence[Mapping[int, float]], columns: int, share: float) -> bool:
    """The same of a matrix given by the entries of its rows."""
    if not 0 < len(rows) == columns <= LARGEST:
        return False
    import numpy as np

    matrix = np.zeros((columns, columns))
    for i, row in enumerate(rows):
        matrix[i, list(row)] = list(row.values())
    return stays_regular(matrix, share)


def sensitivity(rows: Sequence[Mapping[int, float]], rounded: Sequence[Mapping[int, float]], columns: int) -> float:
    """By what rounding errors of entries are magnified; infinite where the matrix is singular to working precision.

    `rounded` has the sizes of what is rounded in the entries of each row. Where it is 1e9, nine digits may be lost:
    that is the spectral radius above.
    """
    import numpy as np

    if not 0 < columns <= LARGEST:
        return 0.0
    matrix, errors = np.zeros((2, columns, columns))
    for i, (row, sizes) in enumerate(zip(rows, rounded, strict=True)):
        matrix[i, list(row)] = list(row.values())
        errors[i, list(sizes)] = list(sizes.values())
    if not np.isfinite(matrix).all() or not np.isfinite(errors).all():
        return 0.0
    with np.errstate(all="ignore"):
        found = _inverse(matrix)
        if found is None:
            return np.inf
        inverse, scales, others = found
        product = np.abs(inverse) @ (errors / scales[:, None] / others)
        return _growth(product)[0] if np.isfinite(product).all() else np.inf


def _inverse(matrix: "Array") -> "tuple[Array, Array, Array] | None":
    """The inverse of the matrix with rows and columns divided by scales, and these; None where it has no digit."""
    import numpy as np

    rows = np.abs(matrix).max(axis=1)
    if not rows.all():
        return None
    columns = (np.abs(matrix) / rows[:, None]).max(axis=0)
    if not columns.all():
        return None
    for _ in range(ROUNDS):
        scaled = matrix / rows[:, None] / columns
        try:
            inverse = np.linalg.inv(scaled)
        except np.linalg.LinAlgError:
            return None
        if not np.isfinite(inverse).all():
            return None
        condition = np.abs(scaled).sum(axis=1).max() * np.abs(inverse).sum(axis=1).max()
        if condition < len(matrix) * 1e3:
            break
        _, vector = _growth(np.abs(scaled) @ np.abs(inverse))
        rows = rows * vector
        columns = columns / np.maximum(np.abs(inverse) @ vector, LEAST)
    return (inverse, rows, columns) if condition < PRECISE else None


def _growth(product: "Array") -> "tuple[float, Array]":
    """An upper bound of the spectral radius of a matrix of numbers that are not negative, and a vector near Perron's.

    (Collatz, Wielandt: for any positive vector the greatest ratio of its image to it is an upper bound.)
    """
    import numpy as np

    vector, bound = np.ones(len(product)), np.inf
    for _ in range(ITERATIONS):
        image = product @ vector
        bound = min(bound, float((image / vector).max()))
        vector = image + 1e-3 * image.max() / len(image)
        if not vector.any():
            return 0.0, np.ones(len(product))
        vector = vector / vector.max()
    return bound, vector
