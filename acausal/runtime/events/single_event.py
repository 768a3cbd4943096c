"""One event at a time, for runs in which Python goes from event to event.

These are SciPy's solvers, models without states, and CVODE where states are selected. Each function returns DONE, or
LEFT where Python is to do it, everything as before.
"""

from acausal.runtime.context import DONE, LEFT
from acausal.runtime.events.angular_velocity import next_check_at
from acausal.runtime.events.event import put_back, save
from acausal.runtime.events.event_iteration import find_next_time, instant
from acausal.runtime.events.event_outcome import event_outcome
from acausal.runtime.events.first_instant import first_instant
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.evaluate import evaluate_events
from acausal.runtime.events.relations.fixed_point import UNKNOWN
from acausal.runtime.events.root_functions import find_first_step, find_violated, leave
from acausal.runtime.kernel.language import Int, Real, kernel

START, EVENT, LEAVE, LEAVE_ANEW, FIRST_STEP, CHECK = range(6)
"""Tasks; START is the first instant, LEAVE_ANEW where `results` are not those at t and `y`.

CHECK is the next evaluation of sines, for which `watched_values` are root functions at t where these are known."""


@kernel
def acausal_single_event(e: LoopContext, t: Real, task: Int) -> Int:
    """A task at t, with the states `y` and the `roots` that were located."""
    if task == CHECK:
        next_check_at(e, t, e.y)
        return DONE
    save(e)
    calls = e.record.calls
    if do_task(e, t, task) == DONE:
        return DONE
    put_back(e)
    e.record.calls = calls
    return LEFT


@kernel
def do_task(e: LoopContext, t: Real, task: Int) -> Int:
    """The same, without putting anything back."""
    if task == START:
        return first_instant(e, t)
    if task == EVENT:
        return instant(e, t)
    if task == FIRST_STEP:
        return find_first_step(e, t, e.y)
    if task == LEAVE_ANEW:
        e.is_ahead = UNKNOWN
        if evaluate_events(e, t, e.y, e.results) != DONE:
            return LEFT
    status = leave(e, t, e.y)
    return find_next_time(e, t, e.y) if status == DONE else status


@kernel
def acausal_find_violated(e: LoopContext) -> Int:
    """1 where `watched_values` are on another side than frozen values, marked in `roots`."""
    for i in range(e.crossing_count):
        e.roots[i] = 0
    return 1 if find_violated(e, e.watched_values) else 0


@kernel
def acausal_event_outcome(e: LoopContext, t: Real, limit: Real) -> Int:
    """`event_outcome`, with states and frozen values before the event as they are given in the context."""
    return event_outcome(e, t, limit, e.states_before, e.frozen_before, e.moves)
