"""Two crossings of one function within a step: it has one sign at both ends, and another one between them.

A function with values a and b at the ends of an interval of length h, whose second derivative is at most 2*c there, is
nowhere below a + (b - a)*s - c*h^2*s*(1 - s), 0 <= s <= 1: where that is positive it does not cross. c is the second
divided difference of values next to the interval, larger by SAFETY times what the third one adds to it. Elsewhere the
function is evaluated within the step, where it is expected to be least, and both parts are looked at in the same way
(L. F. Shampine, I. Gladwell, R. W. Brankin, Reliable solution of special event location problems for ODEs, ACM
Transactions on Mathematical Software 17, 1991). So nothing is evaluated but next to zero. Another sign by rounding
alone is no crossing: it has to be there at all states that differ by rounding, and for solutions of nonlinear blocks
that are found from either end. Turning points that formulas know are root functions of their own.
"""

from math import inf
from typing import Protocol

from acausal.runtime.kernel.language import Address, Bool, Int, Ints, Real, Reals, Struct, kernel, tail

MOST_TRIES = 8
"""Points within one step."""
PAST = 3
"""Points that are kept from before a step: an interval and the two points next to it give a third difference."""
MOST_POINTS = PAST + 2 + MOST_TRIES
SAFETY = 4.0
"""The third derivative is no more than so many times what differences say."""
EDGE = 0.05
"""So far from the ends of an interval functions are evaluated, as a share of it."""
NARROW = 1e-6
"""A share of the step so small that an interval is not divided."""
SAMPLES, APART = 3, 2.0**-50
"""So often a crossing is evaluated again, at states that differ by rounding: by multiples of this share."""
UNKNOWN, CANDIDATE, NOISE = range(3)
"""State of a function in a step; the last one is for one whose other sign is rounding."""


class Watch(Protocol):
    """Root functions at a time within a step, and at the states there times a factor; NaN where there are none."""

    def __call__(self, context: Address, t: Real, factor: Real, out: Reals, /) -> None:
        """Root functions into `out`."""
        ...


class HiddenSearch(Struct):
    """Functions at points in the order of time: some before the step, its begin, those within it, its end."""

    watch: Watch
    context: Address
    """First argument of `watch`."""
    place: Int
    """Place of the root function that changes its sign where two crossings are found within a step."""
    memory: Int
    """Number of solutions of blocks in m."""
    m: Reals
    memory_at_begin: Reals
    memory_at_end: Reals
    """Solutions at the ends of a step, from which those within it are found."""

    count: Int
    """Number of functions, those that no formula watches."""
    functions: Ints
    """Their places among the root functions."""
    point_count: Int
    begin: Int
    """The point where the step begins."""
    last: Int
    """The point up to which nothing was found: the end of the step, or the first crossing."""
    tries: Int
    times: Reals
    values: Reals
    """Of the functions, point by point."""
    root_functions: Reals
    """Room for all root functions."""
    states: Ints
    """UNKNOWN, CANDIDATE or NOISE, of each function."""
    next_time: Real
    """Where functions are to be evaluated."""
    sample: Int
    """With states that differ by so many times APART."""
    next_point: Int
    """The point before it; or, where `sample` is not 0, it itself."""
    next_share: Real
    """The share of its change by which a function may be below zero there."""
    found_time: Real
    """Where a function has another sign; infinite if none was found."""
    sign: Real
    """1 or -1, changed wherever a step has a hidden crossing: a root function for the solver."""


@kernel
def begin_at(c: HiddenSearch, t: Real, values: Reals) -> None:
    """The first point, before which nothing is known; `values` are all root functions."""
    c.found_time = inf
    c.sign = 1.0
    c.point_count = 0
    append_point(c, t, values)


@kernel
def end_time(c: HiddenSearch) -> Real:
    """The end of the last step; infinite where there is none."""
    return c.times[c.point_count - 1] if c.point_count > 0 else inf


@kernel
def begin_search(c: HiddenSearch, t: Real, values: Reals) -> Int:
    """A step from the end of the last one to t; 1 if functions are to be evaluated at `next_time`, else 0."""
    c.sign = hidden_root(c, end_time(c))
    c.found_time = inf
    past = c.point_count - 1 - PAST
    if past > 0:
        for point in range(PAST + 1):
            copy_point(c, point + past, point)
        c.point_count = PAST + 1
    c.begin = c.point_count - 1
    append_point(c, t, values)
    c.last = c.begin + 1
    c.tries = 0
    for k in range(c.count):
        c.states[k] = UNKNOWN
    return 1 if is_finite_end(c) and propose_point(c) else 0


@kernel
def go_on_search(c: HiddenSearch) -> Int:
    """The same behind an evaluation at `next_time` into `root_functions`; without finite numbers the search ends."""
    if not is_finite_within(c):
        return 0
    if c.sample == 0:
        insert_point(c)
        c.sample = 1 if has_candidate(c) else 0
        return 1 if c.sample != 0 or propose_point(c) else 0
    check_candidates(c)
    if c.sample < SAMPLES:
        c.sample += 1
        return 1
    is_crossing = False
    for k in range(c.count):
        if c.states[k] == CANDIDATE:
            c.states[k] = UNKNOWN
            is_crossing = True
    if is_crossing:
        c.last = c.next_point
        c.found_time = c.next_time
    return 1 if propose_point(c) else 0


@kernel
def hidden_root(c: HiddenSearch, t: Real) -> Real:
    """The root function that changes its sign where a function has another one than at both ends of a step."""
    return -c.sign if t >= c.found_time else c.sign


@kernel
def append_point(c: HiddenSearch, t: Real, values: Reals) -> None:
    """A point behind all others."""
    point = tail(c.values, c.point_count * c.count)
    for k in range(c.count):
        point[k] = values[c.functions[k]]
    c.times[c.point_count] = t
    c.point_count += 1


@kernel
def copy_point(c: HiddenSearch, source: Int, target: Int) -> None:
    """A point to another place."""
    c.times[target] = c.times[source]
    for k in range(c.count):
        c.values[target * c.count + k] = c.values[source * c.count + k]


@kernel
def insert_point(c: HiddenSearch) -> None:
    """The point of `next_time`, which becomes `next_point`."""
    for i in range(c.point_count - 1 - c.next_point):
        copy_point(c, c.point_count - 1 - i, c.point_count - i)
    c.next_point += 1
    c.last += 1
    count = c.point_count
    c.point_count = c.next_point
    append_point(c, c.next_time, c.root_functions)
    c.point_count = count + 1


@kernel
def is_finite_end(c: HiddenSearch) -> Bool:
    """True if all functions are finite numbers at both ends of a step."""
    total = 0.0
    for k in range(c.count):
        total += 0.0 * (c.values[c.begin * c.count + k] + c.values[c.last * c.count + k])
    return total == 0.0


@kernel
def is_finite_within(c: HiddenSearch) -> Bool:
    """True if all functions are finite numbers among `root_functions`."""
    total = 0.0
    for k in range(c.count):
        total += 0.0 * c.root_functions[c.functions[k]]
    return total == 0.0


@kernel
def has_candidate(c: HiddenSearch) -> Bool:
    """True if a function has another sign at `next_point` than where the step begins, and the same one behind."""
    found = False
    for k in range(c.count):
        begin = c.values[c.begin * c.count + k]
        here = c.values[c.next_point * c.count + k]
        behind = c.values[(c.next_point + 1) * c.count + k]
        if c.states[k] == UNKNOWN and begin * here < 0.0 and begin * behind > 0.0:
            c.states[k] = CANDIDATE
            found = True
    return found


@kernel
def check_candidates(c: HiddenSearch) -> None:
    """Functions whose sign at `next_point` is another one among `root_functions` have it by rounding."""
    for k in range(c.count):
        begin = c.values[c.begin * c.count + k]
        if c.states[k] == CANDIDATE and not begin * c.root_functions[c.functions[k]] < 0.0:
            c.states[k] = NOISE


@kernel
def propose_point(c: HiddenSearch) -> Bool:
    """True if a function may be zero within an interval; then `next_time` is where it may be farthest beyond."""
    c.sample = 0
    c.next_share = 0.0
    if c.tries == MOST_TRIES:
        return False
    c.tries += 1
    if c.point_count == 2:  # two points tell nothing
        c.next_point = 0
        c.next_time = 0.5 * (c.times[0] + c.times[1])
    else:
        narrow = NARROW * (c.times[c.point_count - 1] - c.times[c.begin])
        for k in range(c.count):
            if c.states[k] == UNKNOWN:
                propose_for(c, k, narrow)
        if c.next_share == 0.0:
            return False
    return c.times[c.next_point] < c.next_time and c.next_time < c.times[c.next_point + 1]


@kernel
def propose_for(c: HiddenSearch, k: Int, narrow: Real) -> None:
    """The most promising point for a function, up to its first change of sign."""
    for point in range(c.begin, c.last):
        if c.times[point + 1] - c.times[point] > narrow:
            propose_within(c, point, k)
        if not c.values[c.begin * c.count + k] * c.values[(point + 1) * c.count + k] > 0.0:
            return


@kernel
def propose_within(c: HiddenSearch, point: Int, k: Int) -> None:
    """A point between this one and the next one, if the function may be zero twice before it and is most likely so."""
    sign = 1.0 if c.values[point * c.count + k] > 0.0 else -1.0
    a = sign * c.values[point * c.count + k]
    b = sign * c.values[(point + 1) * c.count + k]
    step = c.times[point + 1] - c.times[point]
    bend = sign * step * step * second_difference(c, point, k)
    error = step * step * bend_error(c, point, k)
    if b <= 0.0:
        bend = abs(bend)
    most = bend + error
    if most <= abs(b - a):  # it falls or rises
        return
    share = 1.0 - abs(b - a) / most
    place = 0.5
    if b > 0.0:
        place = least_place(a, b, most)
        least = a + (b - a) * place - most * place * (1.0 - place)
        if least > 0.0:
            return
        share = 1.0 if least == 0.0 else -least / (max(a, b) - least)
        if bend > abs(b - a):
            place = least_place(a, b, bend)
    if share > c.next_share:
        c.next_share = share
        c.next_point = point
        c.next_time = c.times[point] + min(max(place, EDGE), 1.0 - EDGE) * step


@kernel
def least_place(a: Real, b: Real, bend: Real) -> Real:
    """Where a + (b - a)*s - bend*s*(1 - s) is least."""
    return 0.5 - 0.5 * (b - a) / bend


@kernel
def second_difference(c: HiddenSearch, point: Int, k: Int) -> Real:
    """The second divided difference of this point, the next one, and the nearer one of those beside them."""
    return divided_difference(c, point if is_next_nearer(c, point) else point - 1, k)


@kernel
def is_next_nearer(c: HiddenSearch, point: Int) -> Bool:
    """True if the point behind an interval is nearer to it than that before it, or the only one."""
    if point + 2 >= c.point_count or point == 0:
        return point == 0
    return c.times[point + 2] - c.times[point + 1] < c.times[point] - c.times[point - 1]


@kernel
def divided_difference(c: HiddenSearch, first: Int, k: Int) -> Real:
    """The second divided difference of three points."""
    values = tail(c.values, first * c.count + k)
    times = tail(c.times, first)
    later = (values[2 * c.count] - values[c.count]) / (times[2] - times[1])
    earlier = (values[c.count] - values[0]) / (times[1] - times[0])
    return (later - earlier) / (times[2] - times[0])


@kernel
def bend_error(c: HiddenSearch, point: Int, k: Int) -> Real:
    """A bound of half the second derivative above the second difference, by the change of these."""
    first = point if is_next_nearer(c, point) else point - 1
    here = divided_difference(c, first, k)
    other = first - 1 if first + 3 >= c.point_count or (first == point and point > 0) else first + 1
    if other < 0 or other + 3 > c.point_count:
        return 2.0 * abs(here)
    there = divided_difference(c, other, k)
    begin = min(first, other)
    share = (c.times[first + 2] - c.times[first]) / (c.times[begin + 3] - c.times[begin])
    return SAFETY * share * abs(there - here)
