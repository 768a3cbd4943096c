"""The record of a search for two crossings within a step (`hidden_crossings`), and its points."""

from typing import Protocol

from acausal.runtime.kernel.language import Address, Int, Ints, Real, Reals, Struct, kernel, tail

MOST_TRIES = 8
"""Points within one step."""
PAST = 3
"""Points that are kept from before a step: an interval and the two points next to it give a third difference."""
MOST_SIDES = 8
"""Points beside jumps within one step."""
MOST_POINTS = 4 * (PAST + 2 + MOST_TRIES + MOST_SIDES)
"""Room for so many: now and then those of the past move to its begin."""
WHOLE_NUMBERS = "point_count begin last tries sample next_point jump jump_tries jump_side sides".split()
REAL_NUMBERS = "next_time next_share found_time sign side lower lower_value upper upper_value".split()
"""Fields of a `HiddenSearch` that change in the search."""
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
    jump_count: Int
    """So many of them, the last ones, are zero where others jump or have a pole."""
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
    jump: Int
    """The function whose zero is being located; -1: none."""
    jump_tries: Int
    jump_side: Int
    """1 where the last evaluation has moved `upper`, -1 for `lower`."""
    sides: Int
    """Points beside jumps in this step."""
    side: Real
    """Where functions are to be evaluated before the next jump; infinite if nowhere."""
    lower: Real
    lower_value: Real
    upper: Real
    upper_value: Real
    """Around the zero of `jump`: times, and values there, as the method of false position weighs them."""
    found_time: Real
    """Where a function has another sign; infinite if none was found."""
    sign: Real
    """1 or -1, changed wherever a step has a hidden crossing: a root function for the solver."""


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
