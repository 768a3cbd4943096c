"""Two crossings of one function within a step: it has one sign at both ends, and another one between them.

A function with values a and b at the ends of an interval of length h, whose second derivative is at most 2*c there, is
nowhere below a + (b - a)*s - c*h^2*s*(1 - s), 0 <= s <= 1: where that is positive it does not cross. c is the second
divided difference of values next to the interval, larger by SAFETY times what the third one adds to it. Elsewhere the
function is evaluated within the step, where it is expected to be least, and both parts are examined in the same way
(L. F. Shampine, I. Gladwell, R. W. Brankin, Reliable solution of special event location problems for ODEs, ACM
Transactions on Mathematical Software 17, 1991). So nothing is evaluated but next to zero. Another sign by rounding
alone is no crossing: it has to be there at all states that differ by rounding, and for solutions of nonlinear blocks
that are found from either end. Turning points that formulas know are root functions of their own.

Differences tell nothing of jumps and poles: functions are evaluated on both sides of each (`hidden_jumps`).
"""

from math import inf

from acausal.runtime.crossings.hidden_jumps import has_jump, locate_jump, propose_jump
from acausal.runtime.crossings.hidden_proposals import is_far, propose_point
from acausal.runtime.crossings.hidden_search import (
    CANDIDATE,
    MOST_POINTS,
    MOST_SIDES,
    MOST_TRIES,
    NOISE,
    PAST,
    UNKNOWN,
    HiddenSearch,
    append_point,
    copy_point,
    insert_point,
)
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel

SAMPLES, APART = 3, 2.0**-50
"""So often a crossing is evaluated again, at states that differ by rounding: by multiples of this share."""


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
    if c.point_count + 1 + MOST_TRIES + MOST_SIDES > MOST_POINTS:
        past = c.point_count - 1 - PAST
        for point in range(PAST + 1):
            copy_point(c, point + past, point)
        c.point_count = PAST + 1
    c.begin = c.point_count - 1
    append_point(c, t, values)
    c.last = c.begin + 1
    if c.begin > 1 and is_far(c) and (c.jump_count == 0 or not has_jump(c)):
        return 0
    return begin_proposals(c)


@kernel
def resume_search(c: HiddenSearch) -> Int:
    """The same for the rest of the step, behind the time that was found."""
    c.sign = hidden_root(c, end_time(c))
    c.found_time = inf
    c.begin = c.last
    c.last = c.point_count - 1
    if c.point_count + MOST_TRIES + MOST_SIDES > MOST_POINTS:
        return 0
    return begin_proposals(c)


@kernel
def begin_proposals(c: HiddenSearch) -> Int:
    """1 if functions are to be evaluated at `next_time`, in a step about which nothing is known yet."""
    c.tries = 0
    c.sides = 0
    c.jump = -1
    c.side = inf
    for k in range(c.count):
        c.states[k] = UNKNOWN
    return 1 if is_finite_end(c) and propose_next(c) else 0


@kernel
def propose_next(c: HiddenSearch) -> Bool:
    """True if functions are to be evaluated at `next_time`: beside a jump, or where one may be zero."""
    return propose_jump(c) or propose_point(c)


@kernel
def go_on_search(c: HiddenSearch) -> Int:
    """The same behind an evaluation at `next_time` into `root_functions`; without finite numbers the search ends."""
    if c.jump >= 0:
        return 1 if locate_jump(c) or propose_next(c) else 0
    if not is_finite_within(c):
        return 0
    if c.sample == 0:
        insert_point(c)
        c.sample = 1 if has_candidate(c) else 0
        return 1 if c.sample != 0 or propose_next(c) else 0
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
    return 1 if propose_next(c) else 0


@kernel
def hidden_root(c: HiddenSearch, t: Real) -> Real:
    """The root function that changes its sign where a function has another one than at both ends of a step."""
    return -c.sign if t >= c.found_time else c.sign


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
