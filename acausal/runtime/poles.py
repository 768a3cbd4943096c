"""Poles of derivatives that a run of an exported program has stepped over.

The divisors of the derivatives are compared at the ends of each way between two points. Where one has changed its sign,
its zero is located on the line between the states, and the derivatives are evaluated beside it: at a distance d from a
pole they grow as 1/d at least. Where they do not, as those of sin(x)/x, the solution goes on.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, Struct, kernel
from acausal.runtime.kernel.routines import ModelRoutine

BISECTIONS = 60
FIRST_DISTANCE = 1e-4
SECOND_DISTANCE = 1e-6
"""Distances from a zero at which the derivatives are evaluated, as shares of the way."""
NEARER = 1e-3
"""And again at this share of the distance."""
GROWTH = 100.0
"""From one to the other they grow so much at a pole: 1000 times at one of first order."""
RESIDUE = 1e-9
"""Derivative times distance, as a share of the largest state: less changes nothing."""


class PoleWatch(Struct):
    """The last point of a run, where the next way begins."""

    count: Int
    """Divisors."""
    states: Int
    memory_size: Int
    divisors: ModelRoutine
    derivatives: ModelRoutine
    u: Reals
    p: Reals
    m: Reals
    has_point: Int
    """0 where nothing is known before: at the start, and behind an event."""
    time: Real
    point: Reals
    """The states there."""
    values: Reals
    """The divisors there."""
    # room
    now: Reals
    between: Reals
    far_rates: Reals
    near_rates: Reals
    memory_aside: Reals


@kernel
def passes_pole(w: PoleWatch, t: Real, y: Reals) -> Bool:
    """True if a derivative has a pole between the last point and this one, which becomes the last one."""
    found = False
    if w.count > 0:
        w.divisors(t, y, w.u, w.p, w.m, w.now)
        for i in range(w.count if w.has_point != 0 else 0):
            changes = (w.now[i] > 0.0 and w.values[i] < 0.0) or (w.now[i] < 0.0 and w.values[i] > 0.0)
            if changes and not found:
                found = is_pole(w, i, t, y)
    w.has_point = 1
    w.time = t
    copy_numbers(w.states, y, w.point)
    copy_numbers(w.count, w.now, w.values)
    return found


@kernel
def is_pole(w: PoleWatch, divisor: Int, t: Real, y: Reals) -> Bool:
    """True if derivatives grow without bound where a divisor is zero."""
    zero = find_zero(w, divisor, 1.0, t, y)
    w.divisors(t, y, w.u, w.p, w.m, w.now)
    size = 0.0
    for k in range(w.states):
        size = max(size, abs(w.point[k]))
        size = max(size, abs(y[k]))
    for number in range(4):
        distance = FIRST_DISTANCE if number < 2 else SECOND_DISTANCE
        side = -1.0 if number == 0 or number == 2 else 1.0
        if rates_grow(w, zero, side * distance, size, t, y):
            return True
    return False


@kernel
def find_zero(w: PoleWatch, divisor: Int, end: Real, t: Real, y: Reals) -> Real:
    """The share of the way, up to `end`, at which a divisor changes its sign; there it has the other one."""
    positive = w.values[divisor] > 0.0
    lower = 0.0
    upper = end
    for _ in range(BISECTIONS):
        middle = 0.5 * (lower + upper)
        w.divisors(point_between(w, middle, t, y), w.between, w.u, w.p, w.m, w.now)
        if (w.now[divisor] > 0.0) == positive:
            lower = middle
        else:
            upper = middle
    return 0.5 * (lower + upper)


@kernel
def rates_grow(w: PoleWatch, zero: Real, distance: Real, size: Real, t: Real, y: Reals) -> Bool:
    """True if derivatives are much larger nearer to a zero; False where they cannot be computed."""
    if find_rates(w, zero + distance, t, y, w.far_rates) != 0:
        return False
    if find_rates(w, zero + NEARER * distance, t, y, w.near_rates) != 0:
        return False
    for k in range(w.states):
        if is_unbounded(w.far_rates[k], w.near_rates[k], abs(NEARER * distance), t - w.time, size):
            return True
    return False


@kernel
def is_unbounded(far: Real, near: Real, share: Real, width: Real, size: Real) -> Bool:
    """True if a derivative grows as at a pole, from `far` to `near`, which is a share of the way before the zero.

    `width` is the time of the way, `size` the largest state.
    """
    rate = abs(near)
    return rate < float("inf") and rate > GROWTH * abs(far) and rate * share * width > RESIDUE * size


@kernel
def find_rates(w: PoleWatch, share: Real, t: Real, y: Reals, rates: Reals) -> Int:
    """Derivatives at a share of the way; status. Memory stays as it is."""
    copy_numbers(w.memory_size, w.m, w.memory_aside)
    status = w.derivatives(point_between(w, share, t, y), w.between, w.u, w.p, w.m, rates)
    copy_numbers(w.memory_size, w.memory_aside, w.m)
    return status


@kernel
def point_between(w: PoleWatch, share: Real, t: Real, y: Reals) -> Real:
    """The time at a share of the way; the states there into `between`."""
    for k in range(w.states):
        w.between[k] = w.point[k] + share * (y[k] - w.point[k])
    return w.time + share * (t - w.time)
