"""Events that delays repeat, each a delay behind the one that it comes from."""

from math import inf

from acausal.runtime.delays import DelayHistory, first_behind
from acausal.runtime.kernel.language import Real, kernel


@kernel
def add_break(h: DelayHistory, t: Real) -> None:
    """Record an event at t, which the delays will repeat."""
    h.seen = t
    if t > h.breaks[h.break_count - 1]:
        h.breaks[h.break_count] = t
        h.break_count += 1


@kernel
def next_delayed_event(h: DelayHistory, t: Real) -> Real:
    """The first time after t at which an earlier event comes through a delay."""
    later = inf
    for k in range(h.late):
        number = first_behind(h.breaks, h.break_count, t - h.times[k] + h.near, True)
        if number < h.break_count:
            later = min(later, h.breaks[number] + h.times[k])
    return later
