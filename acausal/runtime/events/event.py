"""One event with its rows and the solver behind it."""

from math import nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, LEFT
from acausal.runtime.cvode.callbacks import EVERY
from acausal.runtime.delay_events import add_break, next_delayed_event
from acausal.runtime.events.between_events import ROOT, add_row, put_states
from acausal.runtime.events.event_iteration import find_next_time, instant
from acausal.runtime.events.event_outcome import MOVED, UNCHANGED, event_outcome, is_chattering
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.root_functions import find_first_step, leave
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import SHORTEST, WITHOUT_END
from acausal.runtime.slope_context import AFTER, BEFORE


@kernel
def event(e: LoopContext, t: Real, said: Int) -> Int:
    """The event at t, and the solver begins again if need be; all as before where it is left to Python."""
    save(e)
    calls = e.record.calls
    rows = e.rows
    last = e.last_row
    limit = e.limit
    seen = e.inputs.history.seen if e.has_delays != 0 else 0.0
    breaks = e.inputs.history.break_count if e.has_delays != 0 else 0
    if try_event(e, t, said) != DONE:
        put_back(e)
        if e.has_delays != 0:
            e.inputs.history.seen = seen
            e.inputs.history.break_count = breaks
        e.record.calls = calls
        e.rows = rows
        e.last_row = last
        e.limit = limit
        return LEFT
    record_event(e, t)
    e.watched_values[e.crossing_count] = nan
    if e.first_step >= 0.0:
        begin_again(e, t)
    return DONE


@kernel
def try_event(e: LoopContext, t: Real, said: Int) -> Int:
    """The event at t with its rows; `first_step` is then negative where the solver, which said so, goes on."""
    if is_chattering(e.event_times[e.event_count], t, e.chattering_time):
        return LEFT
    if e.last_row != t:
        add_row(e, t)
    if e.has_delays != 0:
        add_break(e.inputs.history, t)
    if e.has_slopes != 0 and e.slope_task(e.address, t, BEFORE) != DONE:
        return LEFT
    if instant(e, t) != DONE:
        return LEFT
    if e.has_slopes != 0 and e.slope_task(e.address, t, AFTER) != DONE:
        return LEFT
    outcome = event_outcome(e, t, e.limit, e.states_before, e.frozen_before, e.moves)
    if outcome == UNCHANGED:
        return LEFT
    add_row(e, t)
    if leave(e, t, e.y) != DONE or find_next_event(e, t) != DONE:
        return LEFT
    e.first_step = -1.0
    return DONE if outcome != MOVED and goes_on(e, said) else find_first_step(e, t, e.y)


@kernel
def find_next_event(e: LoopContext, t: Real) -> Int:
    """The time of the next event that is known, by time alone or through a delay, into `limit`."""
    status = find_next_time(e, t, e.y)
    if status == DONE and e.has_delays != 0:
        e.limit = min(e.limit, next_delayed_event(e.inputs.history, t))
    return status


@kernel
def goes_on(e: LoopContext, said: Int) -> Bool:
    """True if the solver, which said so, may go on from an event that leaves the motion as it is."""
    if e.goes_on == 0 or not (said == ROOT or e.crossing_count == 0):
        return False
    return not min(e.stop, e.limit) < e.solver_limit


@kernel
def begin_again(e: LoopContext, t: Real) -> None:
    """The solver begins again with the states `y`."""
    e.counted[0] = 0
    e.count_steps(e.cvode, e.counted)
    steps = e.counted[0]
    e.steps += steps
    if steps != 0:  # CVODE sets the others to zero at the first step
        e.count_jacobians(e.cvode, e.counted)
        e.jacobians += e.counted[0]
    shortest = SHORTEST * abs(t)
    e.set_least(e.cvode, shortest)
    e.set_first(e.cvode, 0.0 if e.first_step == 0.0 else max(e.first_step, 10.0 * shortest))
    put_states(e)
    e.ready = 0
    e.is_checking = 0
    e.record.repeated = 0.0
    if e.is_monitored != 0:
        e.judged_at = 0
        e.set_most_steps(e.cvode, EVERY)
    e.reinit(e.cvode, t, e.vector)
    e.solver_limit = nan


@kernel
def record_event(e: LoopContext, t: Real) -> None:
    """The event, its frozen values on both sides, and what was located."""
    number = e.event_count
    e.event_times[number + WITHOUT_END - 1] = t
    first = 2 * number * e.frozen_count
    for i in range(e.frozen_count):
        e.event_frozen[first + i] = e.frozen_before[i]
        e.event_frozen[first + e.frozen_count + i] = e.frozen[i]
    for i in range(e.crossing_count):
        e.event_roots[number * e.crossing_count + i] = e.roots[i]
    e.event_count = number + 1


@kernel
def save(e: LoopContext) -> None:
    """Keeps what an event changes, as it is before it; the states, too, which solvers have themselves."""
    copy_numbers(e.states, e.y, e.states_before)
    copy_numbers(e.frozen_count, e.frozen, e.frozen_before)
    copy_numbers(e.frozen_count, e.next_sample, e.samples_before)
    copy_numbers(e.frozen_count, e.band, e.band_before)
    copy_numbers(e.memory, e.m, e.memory_before)
    copy_numbers(e.crossing_count, e.offset, e.offset_before)
    copy_numbers(e.crossing_count, e.sides, e.sides_before)
    copy_numbers(e.crossing_count + 1, e.starts, e.starts_before)


@kernel
def put_back(e: LoopContext) -> None:
    """Puts it back, but for the states."""
    copy_numbers(e.frozen_count, e.frozen_before, e.frozen)
    copy_numbers(e.frozen_count, e.samples_before, e.next_sample)
    copy_numbers(e.frozen_count, e.band_before, e.band)
    copy_numbers(e.memory, e.memory_before, e.m)
    copy_numbers(e.crossing_count, e.offset_before, e.offset)
    copy_numbers(e.crossing_count, e.sides_before, e.sides)
    copy_numbers(e.crossing_count + 1, e.starts_before, e.starts)
