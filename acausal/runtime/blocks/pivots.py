"""Pivots of nonlinear blocks: how near to singular their Jacobians are, compared with earlier ones."""

from acausal.runtime.kernel.language import Int, Real, Reals, kernel
from acausal.runtime.kernel.overlay import Overlay, overlay

NEAR = 0.01
"""A pivot that is smaller, as a share, magnifies rounding errors a hundredfold and more."""
SINGULAR = 1e-5
"""A pivot that is so small, as a share, may be one of a singular matrix."""


class PivotRecord(Overlay):
    """The end of the record of branches (`branch_record`); the largest pivots of blocks stand before it."""

    block: Real
    """The number of the next block; 0: pivots are not watched."""
    least: Real
    """The least pivot since watching began, as a share of the largest one of its block."""
    second: Real
    """The least of all other pivots, as the same share."""
    sign: Real
    """The sign of the product of all determinants since watching began."""
    strict: Real
    """True if Newton's method may only contract (`runtime/blocks/newton`)."""


PIVOTS = PivotRecord.words


@kernel
def note_pivots(m: Reals, end: Int, factors: Reals, size: Int) -> None:
    """The least pivot of a block by its factors, as a share of the largest one it had; m[end] is behind the record.

    Where it had none, 0 says that it is small beside the factors.
    """
    pivots = overlay(PivotRecord, m, end - PIVOTS)
    if pivots.block == 0.0:
        return
    least = float("inf")
    second = float("inf")
    for k in range(size):
        pivot = factors[k * size + k]
        second = min(second, max(least, abs(pivot)))
        least = min(least, abs(pivot))
        if pivot < 0.0:
            pivots.sign = -pivots.sign
    largest_at = end - PIVOTS - int(pivots.block)
    pivots.block = pivots.block + 1.0
    if m[largest_at] == 0.0:
        largest = 0.0
        for i in range(size * size):
            largest = max(largest, abs(factors[i]))
        if not least > SINGULAR * largest:
            pivots.least = 0.0
    m[largest_at] = max(m[largest_at], least)
    if m[largest_at] > 0.0:
        share = least / m[largest_at]
        pivots.second = min(pivots.second, second / m[largest_at], max(pivots.least, share))
        pivots.least = min(pivots.least, share)
