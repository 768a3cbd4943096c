"""Two crossings of one function within a step: it has one sign at both ends, and a turning point between them.

The parabola through the last three points tells where a turning point may come to zero; there, and where parabolas
through what is found tell next, the function is evaluated within the step (L. F. Shampine, I. Gladwell, R. W. Brankin,
Reliable solution of special event location problems for ODEs, ACM Transactions on Mathematical Software 17, 1991). So
nothing is evaluated but next to zero. Turning points that formulas know are root functions of their own.
"""

from acausal.runtime.kernel.language import Bool, Int, Ints, Real, Reals, Struct, kernel

MOST_TRIES = 8
"""Points within one step."""
SLACK = 0.3
"""A turning point is looked for that far beyond the ends, as a share of the step: a parabola is no more exact."""
EDGE = 0.05
"""So far within the step functions are evaluated where it is expected beyond."""
NEAR_ZERO = 0.25
"""The value at a turning point that may be one below zero, as a share of the change from there."""
SAME = 1e-4
"""Points within so small a share of the step are one."""
BEFORE, BEGIN, INSIDE, END = range(4)


class TurningPoints(Struct):
    """Functions at points: before a step, at its begin, inside, and at its end."""

    count: Int
    """Number of functions, those that no formula watches."""
    functions: Ints
    """Their places among the root functions."""
    times: Reals
    """Of the points."""
    before: Reals
    begin: Reals
    inside: Reals
    end: Reals
    next_time: Real
    """Where a function may be zero (NaN: nowhere)."""
    next_share: Real
    """The value expected there, as a share of the change."""


@kernel
def begin_search(c: TurningPoints) -> Bool:
    """True if a function may be zero within the step, at `next_time`: by the point before and the ends."""
    c.next_time = float("nan")
    c.next_share = NEAR_ZERO
    for k in range(c.count):
        i = c.functions[k]
        if c.begin[i] * c.end[i] > 0.0 and c.before[i] * c.begin[i] > 0.0:
            propose_turning(c, c.times[BEFORE], c.before[i], c.times[BEGIN], c.begin[i], c.end[i])
    return c.next_time == c.next_time


@kernel
def go_on_search(c: TurningPoints) -> Bool:
    """The same by the point inside, where no function has crossed."""
    c.next_time = float("nan")
    c.next_share = NEAR_ZERO
    for k in range(c.count):
        i = c.functions[k]
        if c.begin[i] * c.end[i] > 0.0:
            propose_turning(c, c.times[BEGIN], c.begin[i], c.times[INSIDE], c.inside[i], c.end[i])
    step = c.times[END] - c.times[BEGIN]
    return abs(c.next_time - c.times[INSIDE]) > SAME * step


@kernel
def propose_turning(c: TurningPoints, first: Real, a: Real, second: Real, b: Real, value: Real) -> None:
    """The turning point of a parabola through the end of the step into `next_time`, if it is the nearest to zero."""
    begin = c.times[BEGIN]
    end = c.times[END]
    step = end - begin
    slope = (value - b) / (end - second)
    bend = (slope - (b - a) / (second - first)) / (end - first)
    sign = 1.0 if value > 0.0 else -1.0
    if not sign * bend > 0.0:
        return
    turning = 0.5 * (second + end) - 0.5 * slope / bend
    if not (turning > begin - SLACK * step and turning < end + SLACK * step):
        return
    least = sign * (value + slope * (turning - end) + bend * (turning - second) * (turning - end))
    largest = max(abs(a), abs(b))
    change = max(largest, abs(value)) - least
    if least < c.next_share * change:
        c.next_share = least / change
        c.next_time = turning
        if turning <= begin or turning >= end:
            c.next_time = begin + EDGE * step if turning <= begin else end - EDGE * step


@kernel
def has_crossed(c: TurningPoints) -> Bool:
    """True if a function has another sign inside than at both ends."""
    for k in range(c.count):
        i = c.functions[k]
        if c.begin[i] * c.end[i] > 0.0 and c.begin[i] * c.inside[i] <= 0.0:
            return True
    return False


@kernel
def begin_at(c: TurningPoints, t: Real, values: Reals) -> None:
    """The first point, before which nothing is known."""
    c.times[BEGIN] = float("nan")
    c.times[END] = t
    for k in range(c.count):
        c.end[c.functions[k]] = values[c.functions[k]]


@kernel
def step_to_point(c: TurningPoints, t: Real, values: Reals) -> Bool:
    """A step from the end of the last one; True if a function may be zero within it."""
    c.times[BEFORE] = c.times[BEGIN]
    c.times[BEGIN] = c.times[END]
    c.times[END] = t
    for k in range(c.count):
        i = c.functions[k]
        c.before[i] = c.begin[i]
        c.begin[i] = c.end[i]
        c.end[i] = values[i]
    return c.times[BEFORE] == c.times[BEFORE] and begin_search(c)
