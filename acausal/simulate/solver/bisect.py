"""The first change of sign between two times, for solvers that do not locate it themselves.

The Illinois variant of the secant method for many functions at once, as CVODE does it: K. L. Hiebert, L. F. Shampine,
Implicitly defined output points for solutions of ODEs, Sandia report SAND80-0180 (1980).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

PRECISION = 8.0
"""A crossing is located to that many rounding errors of the time."""
FEW = 5.0
LEAST_SHARE = 0.1
"""A part that is cut off has at least this share of the interval, where that is more than a FEW times too long."""


def locate(
    watch: "Callable[[float], Array]", begin: float, first: "Array", end: float
) -> tuple[float, dict[int, int]] | None:
    """The earliest time behind a crossing in (begin, end], and what crosses there in which direction.

    `first` are the values at `begin`; none of them is zero.
    """
    import numpy as np

    if not len(first):
        return None
    low, below, high, above = begin, first, end, watch(end)
    candidates = changed(below, above)
    if not candidates.any():
        return None
    precision = PRECISION * max(abs(begin), abs(end)) * float(np.finfo(float).eps)
    weight, side_before = 1.0, 0
    while high - low > precision:
        middle = _between(low, below, high, above, weight)
        middle = _inside(middle, low, high, precision)
        values = watch(middle)
        side = 1 if changed(below, values).any() else -1
        weight = 1.0 if side != side_before else weight * (0.5 if side > 0 else 2.0)
        side_before = side
        if side > 0:
            high, above = middle, values
        else:
            low, below = middle, values
    crossed = changed(below, above).nonzero()[0].tolist()
    return float(high), {i: 1 if first[i] < 0 else -1 for i in crossed}


def changed(before: "Array", after: "Array") -> "NDArray[bool_]":
    """Which of them have another sign than before, or have become zero."""
    found: NDArray[bool_] = ((before < 0) & (after >= 0)) | ((before > 0) & (after <= 0))
    return found


def _between(low: float, below: "Array", high: float, above: "Array", weight: float) -> float:
    """By the secant of the function that seems to cross first; the value at `low` counts `weight` times."""
    crossing = changed(below, above)
    before, after = below[crossing], above[crossing]
    first = int(abs(after / (after - before)).argmax())
    return high - (high - low) * float(after[first] / (after[first] - weight * before[first]))


def _inside(middle: float, low: float, high: float, precision: float) -> float:
    """A time that is not too near to an end of the interval; the middle of a very short one."""
    share = (high - low) / precision
    apart = (LEAST_SHARE if share > FEW else 0.5 / share) * (high - low)
    if middle - low < 0.5 * precision:
        middle = low + apart
    if high - middle < 0.5 * precision:
        middle = high - apart
    return middle if low < middle < high else low + 0.5 * (high - low)
