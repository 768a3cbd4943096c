"""The first change of sign between two times, for solvers that do not locate it themselves.

The secant method for many functions at once, as CVODE does it: K. L. Hiebert, L. F. Shampine, Implicitly defined output
points for solutions of ODEs, Sandia report SAND80-0180 (1980); with the weights of M. Dowell, P. Jarratt, The Pegasus
method for computing the root of an equation, BIT 12 (1972). Where the secant comes nearer to one end than time is
located, the next point lies just beyond: a crossing that is nearly linear takes three evaluations.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import bool_
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array
    from acausal.simulate.solver.hidden import Hidden, Watch

PRECISION = 4.0
"""A crossing is located to that many rounding errors of the time."""
BEYOND = 0.75
"""Distance beyond an end, as a share of the precision; four times as far each time in a row."""
FROM_BEGIN = 0.1
"""The same from the begin, as a share of what is left: behind an event functions begin at zero, but for rounding."""


def locate(
    watch: "Watch", begin: float, first: "Array", end: float, hidden: "Hidden | None" = None
) -> tuple[float, dict[int, int]] | None:
    """The earliest time behind a crossing in (begin, end], and what crosses there in which direction.

    `first` are the values at `begin`; none of them is zero. Two crossings within the step are found by `hidden`.
    """
    import numpy as np

    if not len(first):
        return None
    sides = np.sign(first)
    sides[sides == 0.0] = np.nan  # never crosses
    low, below, high, above = begin, first, end, watch(end, 1.0)
    crossed = _crossed(sides, above)
    if hidden is not None:
        if hidden.end != begin:
            hidden.begin(begin, first)
        inside = hidden.find(watch, end, above)
        if inside is not None:
            high, above = inside
            crossed = _crossed(sides, above)
    if not crossed.any():
        return None
    precision = PRECISION * max(abs(begin), abs(end)) * float(np.finfo(float).eps)
    weight, side_before, beyond = 1.0, 0, BEYOND * precision
    while high - low > precision:
        i, wanted = _secant(low, below, high, above, crossed, weight)
        nearest = low + (beyond if low != begin else FROM_BEGIN * (high - low))
        middle = min(wanted if wanted > low + beyond else nearest, high - beyond)
        beyond *= 1.0 if middle == wanted else 4.0
        if not low < middle < high or 2.0 * beyond > high - low:
            middle, beyond = low + 0.5 * (high - low), BEYOND * precision
        values = watch(middle, 1.0)
        found = _crossed(sides, values)
        side = 1 if found.any() else -1
        share = _share(values[i], above[i] if side > 0 else below[i])
        weight = 1.0 if side != side_before else weight * (share if side > 0 else 1.0 / share)
        side_before = side
        if side > 0:
            high, above, crossed = middle, values, found
        else:
            low, below = middle, values
    return float(high), {i: 1 if first[i] < 0 else -1 for i in crossed.nonzero()[0].tolist()}


def _crossed(sides: "Array", values: "Array") -> "NDArray[bool_]":
    """Flags of functions that are no longer on their side; NaN is on both."""
    found: NDArray[bool_] = values * sides <= 0.0
    return found


def _secant(
    low: float, below: "Array", high: float, above: "Array", crossed: "NDArray[bool_]", weight: float
) -> tuple[int, float]:
    """The function that seems to cross first and where, by its secant; the value at `low` counts `weight` times."""
    candidates = crossed.nonzero()[0]
    before, after = below[candidates], above[candidates]
    first = int(abs(after / (after - before)).argmax()) if len(candidates) > 1 else 0
    share = after[first] / (after[first] - weight * before[first])
    return int(candidates[first]), float(high - (high - low) * share)


def _share(value: float, last: float) -> float:
    """Weight of the value at an end that stays where the other end has come nearer, from `last` to `value`."""
    return last / (last + value) if value * last > 0.0 else 0.5
