"""A tube around a curve: the band that it sweeps when it is moved by small times and values.

At every instant the tube reaches from the least to the largest value that the curve has within `shift` before and
after, and by an allowance beyond. So a step that comes a little later is inside, a step that is a little higher too.
"""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

    Indices = NDArray[intp]


@dataclass(frozen=True, slots=True)
class Deviation:
    """The largest distance of a curve from a tube without allowance, and its time; infinite for values missing."""

    value: float
    time: float


def deviation(reference: "tuple[Array, Array]", tested: "tuple[Array, Array]", shift: float) -> Deviation:
    """The deviation of a curve from the tube around a reference; both are (times, values), linear in between.

    Times ascend; an instant may stand twice, before and after an event. Only the common range of time counts.
    """
    import numpy as np

    (times, values), (other_times, others) = reference, tested
    start, stop = max(times[0], other_times[0]), min(times[-1], other_times[-1])
    between = np.unique(times[(times >= start) & (times <= stop)])
    at = np.concatenate([other_times, between])
    numbers = np.concatenate([others, np.interp(between, other_times, others)])
    single = np.concatenate([np.ones(len(others), dtype=bool), ~np.isin(between, other_times)])
    chosen = single & (at >= start) & (at <= stop)
    at, numbers = at[chosen], numbers[chosen]
    if not len(at):
        return Deviation(np.inf, float(times[0]))
    with np.errstate(invalid="ignore"):
        low, high = _window(times, values, at, shift)
        outside = np.maximum(np.maximum(numbers - high, low - numbers), 0.0)
    outside = np.where((numbers == low) | (numbers == high), 0.0, outside)  # infinite values are equal
    outside = np.where(np.isnan(numbers) & np.isnan(low), 0.0, np.where(np.isnan(outside), np.inf, outside))
    worst = int(np.argmax(outside))
    return Deviation(float(outside[worst]), float(at[worst]))


def _window(times: "Array", values: "Array", at: "Array", shift: float) -> "tuple[Array, Array]":
    """Least and largest value of a curve between `at - shift` and `at + shift`."""
    import numpy as np

    first = np.searchsorted(times, at - shift, side="left")
    last = np.searchsorted(times, at + shift, side="right")
    edges = [np.interp(at + side, times, values) for side in (-shift, shift)]
    low, high = np.minimum(*edges), np.maximum(*edges)
    inside = last > first
    least, largest = _ranges(values, first[inside], last[inside])
    low[inside] = np.minimum(low[inside], least)
    high[inside] = np.maximum(high[inside], largest)
    return low, high


def _ranges(values: "Array", first: "Indices", last: "Indices") -> "tuple[Array, Array]":
    """Least and largest of values[first:last], by tables for lengths that are powers of two.

    Bender, Farach-Colton: The LCA problem revisited, 2000, section 3 (sparse tables).
    """
    import numpy as np

    least, largest = [values], [values]
    while len(least) < int(np.max(last - first, initial=1)).bit_length():
        half = 1 << (len(least) - 1)
        least.append(np.minimum(least[-1][:-half], least[-1][half:]))
        largest.append(np.maximum(largest[-1][:-half], largest[-1][half:]))
    level = np.frexp((last - first).astype(float))[1] - 1
    low, high = np.empty(len(first)), np.empty(len(first))
    for k in range(len(least)):
        here = level == k
        left, right = first[here], last[here] - (1 << k)
        low[here] = np.minimum(least[k][left], least[k][right])
        high[here] = np.maximum(largest[k][left], largest[k][right])
    return low, high
