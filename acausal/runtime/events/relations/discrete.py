"""Discrete values at an event: their values now and behind a crossing, and when time alone changes them next."""

from math import inf

from acausal.runtime.context import RELATION, SAMPLE, STEP, EventContext
from acausal.runtime.kernel.language import Bool, Int, Real, floor, kernel, nearest
from acausal.runtime.limits import NEAR


@kernel
def value_after(e: EventContext, i: Int, now: Real, direction: Real) -> Real:
    """The frozen value behind a crossing: the difference, or the argument of a step, has grown or fallen."""
    if e.kind[i] == RELATION:
        return float((e.above[i] != 0) == (direction > 0.0))
    return nearest(now) if direction > 0.0 else nearest(now) - 1.0


@kernel
def value_now(e: EventContext, i: Int, now: Real) -> Real:
    """The frozen value as the model's variables have it."""
    if e.kind[i] != RELATION:
        return floor(now)
    if now == 0.0:
        return float(e.at_zero[i])
    return float((e.above[i] != 0) == (now > 0.0))


@kernel
def side(e: EventContext, i: Int, frozen: Real) -> Real:
    """1 or -1: the sign of what crosses, as long as the value is frozen."""
    if e.kind[i] == STEP or (e.above[i] != 0) == (frozen != 0.0):
        return 1.0
    return -1.0


@kernel
def is_clocked(e: EventContext, i: Int) -> Bool:
    """True if time alone changes it."""
    return e.clock[i] >= 0 or e.kind[i] == SAMPLE


@kernel
def has_come(time: Real, t: Real) -> Bool:
    """True if it is not after t, but for rounding."""
    return time <= t + NEAR * abs(t)


@kernel
def clock_time(e: EventContext, i: Int) -> Real:
    """The time of the next event of a clock or sample, infinite if there is none, by `results` at t."""
    if e.kind[i] == SAMPLE:
        return e.results[e.now[i]] + e.results[e.now[i] + 1] * e.next_sample[i]
    rate = e.results[e.clock[i]]
    rest = e.results[e.clock[i] + 1]
    if rate == 0.0:
        return inf
    if e.kind[i] == STEP:
        return (e.frozen[i] + float(rate > 0.0) - rest) / rate
    pending = (e.frozen[i] != 0.0) != ((e.above[i] != 0) == (rate > 0.0))
    return -rest / rate if pending else inf


@kernel
def clocked_value(e: EventContext, i: Int, t: Real) -> Real:
    """The frozen value of what time alone changes: its crossing has come where t is that time but for rounding."""
    now = e.results[e.now[i]]
    rate = e.results[e.clock[i]]
    if rate == 0.0:
        return value_now(e, i, now)
    if is_clock_at(e, i, t):
        return value_after(e, i, now, rate)
    return value_now(e, i, now)


@kernel
def is_clock_at(e: EventContext, i: Int, t: Real) -> Bool:
    """True if what time alone changes is at its crossing, but for rounding."""
    rate = e.results[e.clock[i]]
    rest = e.results[e.clock[i] + 1]
    if rate == 0.0:
        return False
    at = 0.0 if e.kind[i] == RELATION else nearest(e.results[e.now[i]])
    return abs((at - rest) / rate - t) <= NEAR * abs(t)


@kernel
def value_at_zero(e: EventContext, i: Int, now: Real) -> Real:
    """The frozen value at the crossing itself."""
    return float(e.at_zero[i]) if e.kind[i] == RELATION else nearest(now)


@kernel
def first_sample(e: EventContext, i: Int, t: Real) -> Real:
    """The number of the first instant of a sample that is not before t, but for rounding."""
    first = e.results[e.now[i]]
    interval = e.results[e.now[i] + 1]
    number = max(nearest((t - first) / interval), 0.0) if interval > 0.0 else 0.0
    return number if has_come(t, first + interval * number) else number + 1.0
