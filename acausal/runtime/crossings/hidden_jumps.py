"""Jumps and poles within a step: where they are, and root functions on both sides.

    atan(tan(a)) > 1.57      true for 0.0008 rad, up to the jump at a = pi/2, where cos(a) = 0

Behind a jump a function may be as it was before, so that neither signs nor differences show what was between. What is
zero there is one of the functions: where its sign changes within a step the zero is located by the method of false
position (the Illinois variant, M. Dowell, P. Jarratt, BIT 11, 1971), and all functions are evaluated beside it.
"""

from math import inf

from acausal.runtime.crossings.hidden_search import MOST_SIDES, HiddenSearch
from acausal.runtime.kernel.language import Bool, Real, kernel
from acausal.runtime.limits import LEAST

BESIDE = 2.0**-37
"""Functions are evaluated that far from a jump, as a share of the time: beyond rounding of what jumps."""
MOST_LOCATING = 80
SECANTS = 20
"""Behind so many steps of false position the interval is halved."""


@kernel
def has_jump(c: HiddenSearch) -> Bool:
    """True if there is a jump within an interval of the step, which becomes `next_point` and `jump`."""
    c.jump = -1
    for k in range(c.count - c.jump_count, c.count):
        for point in range(c.begin, c.last):
            width = c.times[point + 1] - c.times[point]
            before = c.values[point * c.count + k]
            behind = c.values[(point + 1) * c.count + k]
            if is_jump(before, behind) and width > 4.0 * distance(c.times[point + 1]):
                c.jump = k
                c.next_point = point
                return True
    return False


@kernel
def is_jump(before: Real, behind: Real) -> Bool:
    """True if a function is zero between, or at one of the ends."""
    if abs(before) <= LEAST or abs(behind) <= LEAST:
        return before != behind
    return before * behind < 0.0


@kernel
def distance(t: Real) -> Real:
    """So far from a jump at t functions are evaluated."""
    return BESIDE * abs(t)


@kernel
def propose_jump(c: HiddenSearch) -> Bool:
    """True if functions are to be evaluated at `next_time`: beside a jump that was located, or to locate the next one.

    Those beside it wait in `side`.
    """
    if take_side(c):
        return True
    if c.jump_count == 0 or c.sides + 2 > MOST_SIDES or not has_jump(c):
        return False
    c.sides += 2
    c.sample = 0
    c.jump_tries = 0
    c.jump_side = 0
    c.lower = c.times[c.next_point]
    c.upper = c.times[c.next_point + 1]
    c.lower_value = c.values[c.next_point * c.count + c.jump]
    c.upper_value = c.values[(c.next_point + 1) * c.count + c.jump]
    if abs(c.lower_value) <= LEAST:
        c.upper = c.lower
    elif abs(c.upper_value) <= LEAST:
        c.lower = c.upper
    if c.lower == c.upper:
        return go_beside(c) or take_side(c)
    c.next_time = false_position(c)
    return True


@kernel
def false_position(c: HiddenSearch) -> Real:
    """The next time at which the function of a jump is evaluated."""
    middle = 0.5 * (c.lower + c.upper)
    if c.jump_tries > SECANTS:
        return middle
    found = c.lower - c.lower_value * (c.upper - c.lower) / (c.upper_value - c.lower_value)
    return found if found > c.lower and found < c.upper else middle


@kernel
def locate_jump(c: HiddenSearch) -> Bool:
    """True if functions are to be evaluated at `next_time`: to locate the jump further, or behind it."""
    value = c.root_functions[c.functions[c.jump]]
    if value * 0.0 != 0.0:
        c.jump = -1
        c.sides = MOST_SIDES
        return False
    if value == 0.0:
        c.lower = c.next_time
        c.upper = c.next_time
        return go_beside(c)
    if value * c.lower_value > 0.0:
        c.lower = c.next_time
        c.lower_value = value
        c.upper_value *= 0.5 if c.jump_side == -1 else 1.0
        c.jump_side = -1
    else:
        c.upper = c.next_time
        c.upper_value = value
        c.lower_value *= 0.5 if c.jump_side == 1 else 1.0
        c.jump_side = 1
    c.jump_tries += 1
    if c.upper - c.lower > distance(c.upper) and c.jump_tries < MOST_LOCATING:
        c.next_time = false_position(c)
        return True
    return go_beside(c)


@kernel
def go_beside(c: HiddenSearch) -> Bool:
    """True if functions are to be evaluated behind the jump that was located, or before it."""
    c.jump = -1
    c.sample = 0
    c.side = c.lower - distance(c.lower)
    c.next_time = c.upper + distance(c.upper)
    return is_within(c)


@kernel
def take_side(c: HiddenSearch) -> Bool:
    """True if functions are to be evaluated before a jump that was located."""
    if c.side == inf:
        return False
    c.next_time = c.side
    c.side = inf
    return is_within(c)


@kernel
def is_within(c: HiddenSearch) -> Bool:
    """True if `next_time` is within the step, behind `next_point` then."""
    c.sample = 0
    for point in range(c.begin, c.last):
        if c.times[point] < c.next_time and c.next_time < c.times[point + 1]:
            c.next_point = point
            return True
    return False
