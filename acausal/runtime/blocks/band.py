"""Linear equations whose matrix is a narrow band.

Row i of the matrix holds its columns i - lower to i + upper + lower: the last `lower` ones are room for entries that
exchanges of rows bring; so entry (i, j) is at i * width + j - i + lower. Elimination with partial pivoting; pivots as
in `linear`.
"""

from acausal.runtime.blocks.linear import NOISE
from acausal.runtime.kernel.language import Bool, CInt, Int, Reals, kernel


@kernel
def bring_pivot_of_band(n: Int, lower: Int, width: Int, a: Reals, b: Reals, k: Int) -> None:
    """Exchanges row k with the row of the largest entry of column k, from row k on."""
    best = k
    for i in range(k + 1, min(n, k + 1 + lower)):
        if abs(a[i * width + k - i + lower]) > abs(a[best * width + k - best + lower]):
            best = i
    if best == k:
        return
    first = max(0, k - lower)
    left = max(first, best - lower)
    for j in range(first, left):
        a[k * width + j - k + lower] = 0.0
    for j in range(left, min(n, k + width - lower)):
        entry = a[k * width + j - k + lower]
        a[k * width + j - k + lower] = a[best * width + j - best + lower]
        a[best * width + j - best + lower] = entry
    right = b[k]
    b[k] = b[best]
    b[best] = right


@kernel
def exceeds_noise_of_band(lower: Int, width: Int, a: Reals, k: Int) -> Bool:
    """True if the pivot of column k is more than rounding error."""
    noise = 0.0
    for j in range(max(0, k - lower), k):
        noise = max(noise, abs(a[k * width + j - k + lower] * a[j * width + k - j + lower]))
    return abs(a[k * width + lower]) > NOISE * noise


@kernel
def solve_band(n: Int, lower: Int, upper: Int, a: Reals, b: Reals) -> CInt:
    """Replaces b by the solution, A by its factors; 0, or 1 if the matrix is singular."""
    width = lower + lower + upper + 1
    for k in range(n):
        bring_pivot_of_band(n, lower, width, a, b, k)
        if not exceeds_noise_of_band(lower, width, a, k):
            return 1
        end = min(n, k + width - lower)
        for i in range(k + 1, min(n, k + 1 + lower)):
            quotient = a[i * width + k - i + lower] / a[k * width + lower]
            a[i * width + k - i + lower] = quotient
            for j in range(k + 1, end):
                at = i * width + j - i + lower
                a[at] = a[at] - quotient * a[k * width + j - k + lower]
            b[i] = b[i] - quotient * b[k]
    for done in range(n):
        k = n - 1 - done
        for j in range(k + 1, min(n, k + width - lower)):
            b[k] = b[k] - a[k * width + j - k + lower] * b[j]
        b[k] = b[k] / a[k * width + lower]
    return 0
