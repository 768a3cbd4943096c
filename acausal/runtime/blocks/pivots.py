"""Pivots of nonlinear blocks: how near to singular their Jacobians are, compared with earlier ones."""

from acausal.runtime.kernel.language import Int, Reals, kernel

STRICT, PIVOT, BLOCK = 1, 2, 3
"""Places in the record of branches (`runtime/blocks/branch`) from its end back: whether Newton's method may only
contract, the least pivot, the number of the next block (0: pivots are not watched); before them the largest pivots of
blocks."""
PIVOTS = 3
NEAR = 0.01
"""A pivot that is smaller, as a share, magnifies rounding errors a hundredfold and more."""
SINGULAR = 1e-5
"""A pivot that is so small, as a share, may be one of a singular matrix."""


@kernel
def note_pivots(m: Reals, end: Int, factors: Reals, size: Int) -> None:
    """The least pivot of a block by its factors, as a share of the largest one it had; m[end] is behind the record.

    Where it had none, 0 says that it is small beside the factors.
    """
    if m[end - BLOCK] == 0.0:
        return
    least = float("inf")
    for k in range(size):
        least = min(least, abs(factors[k * size + k]))
    block = end - PIVOTS - int(m[end - BLOCK])
    m[end - BLOCK] = m[end - BLOCK] + 1.0
    if m[block] == 0.0:
        largest = 0.0
        for i in range(size * size):
            largest = max(largest, abs(factors[i]))
        if not least > SINGULAR * largest:
            m[end - PIVOT] = 0.0
    m[block] = max(m[block], least)
    if m[block] > 0.0:
        m[end - PIVOT] = min(m[end - PIVOT], least / m[block])
