"""How far two solutions of a linear system may differ: rounding times the conditioning of the system."""

import numpy as np
from scipy.linalg import lu

ROUNDING = 2.0**-53


def relative_bound(matrix: np.ndarray, x: np.ndarray) -> float:
    """A bound of |x - y| / |x| over all elements, for y by elimination with partial pivoting, whatever sums come first.

    |x - y| <= 3 n u |A^-1| |L| |U| |y| (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed. 2002,
    theorem 9.4), with the pivots that the scales of the rows bring about; twice, as both sides have it.
    """
    permutation, lower, upper = lu(matrix)
    growth = permutation @ (np.abs(lower) @ np.abs(upper))
    inverse = np.abs(np.linalg.inv(matrix))
    error = 3 * len(x) * ROUNDING * (inverse @ (growth @ np.abs(x)))
    return float(2 * (error / np.abs(x)).max())
