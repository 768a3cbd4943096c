"""Where a function may be zero within a step: by divided differences of its values (`hidden_crossings`)."""

from acausal.runtime.crossings.hidden_search import MOST_TRIES, UNKNOWN, HiddenSearch
from acausal.runtime.kernel.language import Bool, Int, Real, kernel, tail

SAFETY = 4.0
"""The third derivative is no more than so many times what differences say."""
EDGE = 0.05
"""So far from the ends of an interval functions are evaluated, as a share of it."""
NARROW = 1e-6
"""A share of the step so small that an interval is not divided."""


@kernel
def is_far(c: HiddenSearch) -> Bool:
    """True if each function is too far from zero at both ends of the step, or falls or rises, as in `propose_within`.

    Nothing is proposed then; what depends on times alone is computed once for all functions.
    """
    times = tail(c.times, c.begin - 2)
    a = tail(c.values, (c.begin - 2) * c.count)
    b = tail(c.values, (c.begin - 1) * c.count)
    here = tail(c.values, c.begin * c.count)
    end = tail(c.values, (c.begin + 1) * c.count)
    first = times[1] - times[0]
    second = times[2] - times[1]
    step = times[3] - times[2]
    to_first = step / first
    to_second = step / second
    to_both = step / (first + second)
    of_end = step / (second + step)
    of_here = -to_second
    of_b = to_second * of_end
    earlier_here = to_second * to_both
    earlier_b = -to_first * to_second
    earlier_a = to_first * to_both
    weight = SAFETY * (second + step) / (first + second + step)
    near = 0
    for k in range(c.count):
        bend = of_b * b[k] + of_here * here[k] + of_end * end[k]
        earlier = earlier_a * a[k] + earlier_b * b[k] + earlier_here * here[k]
        most = abs(bend) + weight * abs(earlier - bend)
        least = min(abs(here[k]), abs(end[k]))
        near += 1 if 4.0 * least <= most and abs(end[k] - here[k]) < most else 0
    return near == 0


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
