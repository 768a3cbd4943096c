"""The first change of sign between two times, where a solver does not locate it itself.

The secant method for many functions at once, as CVODE does it: K. L. Hiebert, L. F. Shampine, Implicitly defined output
points for solutions of ODEs, Sandia report SAND80-0180 (1980); with the weights of M. Dowell, P. Jarratt, The Pegasus
method for computing the root of an equation, BIT 12 (1972). Where the secant comes nearer to one end than time is
located, the next point lies just beyond: a crossing that is nearly linear takes three evaluations.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.crossings.hidden_search import Watch
from acausal.runtime.kernel.language import Address, Bool, CInts, Int, Real, Reals, Struct, kernel

PRECISION = 4.0 * 2.0**-52
"""A crossing is located to four rounding errors of the time."""
BEYOND = 0.75
"""Distance beyond an end, as a share of the precision; four times as far each time in a row."""
MOST_SECANTS = 100
"""Behind so many points the interval is halved: no function needs more than 160."""
FROM_BEGIN = 0.1
"""The same from the begin, as a share of what is left: behind an event functions begin at zero, but for rounding."""


class RootSearch(Struct):
    """Root functions at the ends of an interval that becomes smaller."""

    count: Int
    watch: Watch
    context: Address
    """First argument of `watch`."""
    first: Reals
    """Values where the search begins; what is zero there never crosses."""
    below: Reals
    above: Reals
    """Values at the ends of the interval; those above are behind the first crossing."""
    values: Reals
    roots: CInts
    """1 for functions that cross upward, -1 for those that cross downward, else 0."""
    time: Real
    """The end of the interval, behind the first crossing."""


@kernel
def locate_root(c: RootSearch, begin: Real, end: Real) -> Bool:
    """True if functions cross between `begin`, where they are `first`, and `end`, where they are `above`."""
    c.time = end
    if not mark_crossed(c, c.above):
        return False
    copy_numbers(c.count, c.first, c.below)
    low = begin
    precision = PRECISION * max(abs(begin), abs(end))
    weight = 1.0
    last_side = 0
    beyond = BEYOND * precision
    points = 0
    while c.time - low > precision:
        points += 1
        high = c.time
        i = find_earliest(c)
        across = c.above[i] - weight * c.below[i]
        wanted = high - (high - low) * (c.above[i] / across if across != 0.0 else 0.5)
        nearest = low + (beyond if low != begin else FROM_BEGIN * (high - low))
        middle = min(wanted if wanted > low + beyond else nearest, high - beyond)
        if middle != wanted:
            beyond *= 4.0
        if points > MOST_SECANTS or middle <= low or middle >= high or 2.0 * beyond > high - low:
            middle = low + 0.5 * (high - low)
            beyond = BEYOND * precision
        c.watch(c.context, middle, 1.0, c.values)
        if has_crossed(c, c.values):
            share = weight_share(c.values[i], c.above[i])
            weight = weight * share if last_side == 1 else 1.0
            last_side = 1
            c.time = middle
            copy_numbers(c.count, c.values, c.above)
        else:
            share = weight_share(c.values[i], c.below[i])
            weight = weight / share if last_side == -1 else 1.0
            last_side = -1
            low = middle
            copy_numbers(c.count, c.values, c.below)
    mark_crossed(c, c.above)
    return True


@kernel
def is_beyond(value: Real, side: Real) -> Bool:
    """True if a root function is not on the side (1 or -1) of its frozen value; 0 is that of turning points."""
    return value * side < 0.0


@kernel
def are_violated(count: Int, values: Reals, sides: Reals) -> Bool:
    """True if a root function is not on the side of its frozen value (`events/relations/consistency`)."""
    for i in range(count):
        if is_beyond(values[i], sides[i]):
            return True
    return False


@kernel
def is_crossed(first: Real, value: Real) -> Bool:
    """True if a function is no longer on its side; NaN is on both."""
    return (first < 0.0 and value >= 0.0) or (first > 0.0 and value <= 0.0)


@kernel
def has_crossed(c: RootSearch, values: Reals) -> Bool:
    """True if any function is no longer on its side."""
    for i in range(c.count):
        if is_crossed(c.first[i], values[i]):
            return True
    return False


@kernel
def mark_crossed(c: RootSearch, values: Reals) -> Bool:
    """Mark in `roots` the functions that are no longer on their sides; whether there is any."""
    found = False
    for i in range(c.count):
        c.roots[i] = 0
        if is_crossed(c.first[i], values[i]):
            c.roots[i] = 1 if c.first[i] < 0.0 else -1
            found = True
    return found


@kernel
def find_earliest(c: RootSearch) -> Int:
    """The function that seems to cross first, by its secant."""
    first = -1
    largest = 0.0
    for i in range(c.count):
        if is_crossed(c.first[i], c.above[i]):
            share = abs(c.above[i] / (c.above[i] - c.below[i]))
            if first < 0 or share > largest:
                first = i
                largest = share
    return first


@kernel
def weight_share(value: Real, last: Real) -> Real:
    """Weight of the value at an end that stays where the other end has come nearer, from `last` to `value`."""
    return last / (last + value) if value * last > 0.0 else 0.5
