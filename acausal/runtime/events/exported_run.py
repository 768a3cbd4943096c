"""The run of an exported model, from call to call of the loop over events: its start, events, and other states."""

from math import inf, nan

from acausal.runtime.context import DONE, LEFT
from acausal.runtime.cvode.callbacks import ILL_CONDITIONED_STATES, TOO_MUCH_WORK
from acausal.runtime.delay_events import add_break
from acausal.runtime.delays import drop_pieces
from acausal.runtime.events.between_events import ROOT, run_to_event
from acausal.runtime.events.event import begin_again, save
from acausal.runtime.events.event_loop import acausal_begin_events, acausal_run_events, is_event
from acausal.runtime.events.event_outcome import is_chattering
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.events.relations.rest_bands import give_bands, note_changes
from acausal.runtime.events.single_event import EVENT, FIRST_STEP, START, do_task
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import ILL_CONDITIONED, WITHOUT_END
from acausal.runtime.state_sets import StateSets, judge_set, select_set

ROWS = 6
"""Room for rows of one call of the loop over events: both sides of an event, and the end."""
AT_GOAL, ON_THE_WAY, AT_EVENT, BEHIND_EVENT = range(4)
"""Where a call ends."""
CHATTERING = -30
"""Status of chattering."""


@kernel
def start_run(e: LoopContext, t: Real) -> Int:
    """The first instant, at t: states, discrete values, events; DONE, or why not."""
    forget_crossings(e)
    for i in range(e.frozen_count):
        e.next_sample[i] = 0.0
        e.frozen[i] = 0.0
    e.announced = -1
    e.ready = 0
    e.reached[0] = t
    e.event_number = 0
    for i in range(e.frozen_count):
        e.touched[i] = 0
        e.widening[i] = 0.0
        e.band[i] = 0.0
    forget_events(e)
    return do_task(e, t, START)


@kernel
def forget_events(e: LoopContext) -> None:
    """Nothing is known of the times of earlier events."""
    for i in range(WITHOUT_END):
        e.event_times[i] = -inf


@kernel
def forget_limit(e: LoopContext) -> None:
    """Nothing is known of the limit that the solver had in earlier calls."""
    e.solver_limit = nan


@kernel
def run_part(e: LoopContext, goal: Real, stop: Real, is_event_left: Int) -> Int:
    """One call of the loop: to the goal, or behind the first event before; before it if events are left.

    The place; ILL_CONDITIONED_STATES; or a status of the solver, which is negative. No step goes beyond `stop`. At an
    event that the loop has left, too, the place is AT_EVENT.
    """
    e.stop = stop
    e.times[0] = goal
    e.count = 1
    e.number = 0
    e.row_room = ROWS
    e.rows = 0
    e.event_room = 1
    e.event_count = 0
    e.last_row = nan
    e.announced = -1
    status = run_to_event(e) if is_event_left != 0 else acausal_run_events(e)
    if e.event_count != 0:
        note_event(e, e.event_times[WITHOUT_END - 1])
        note_changes(e, e.frozen_before)
    if status == ILL_CONDITIONED_STATES or (status < 0 and status != TOO_MUCH_WORK):
        return status
    if e.event_count != 0:
        return BEHIND_EVENT
    if has_come(e.limit, e.reached[0]) or (status == ROOT and is_event(e)):
        return AT_EVENT
    return ON_THE_WAY if e.reached[0] < goal else AT_GOAL


@kernel
def note_event(e: LoopContext, t: Real) -> None:
    """Times of the last events, the latest one last."""
    for i in range(WITHOUT_END - 2):
        e.event_times[i] = e.event_times[i + 1]
    e.event_times[WITHOUT_END - 2] = t


@kernel
def do_left_event(e: LoopContext) -> Int:
    """An event that the loop has left; DONE, CHATTERING, or why not."""
    if e.has_delays != 0:
        add_break(e.inputs.history, e.reached[0])
    status = do_noted_event(e, e.reached[0])
    return restart_steps(e, e.reached[0]) if status == DONE else status


@kernel
def do_told_event(e: LoopContext, t: Real) -> Int:
    """An event at t of which the host knows: it may repeat events at one time as often as it likes."""
    e.reached[0] = t
    status = do_noted_event(e, t)
    return status if status != DONE and status != CHATTERING else restart_steps(e, t)


@kernel
def do_noted_event(e: LoopContext, t: Real) -> Int:
    """The event itself; DONE, CHATTERING, or why not. Relations at rest that chatter get bands."""
    is_endless = is_chattering(e.event_times[0], t, e.chattering_time)
    note_event(e, t)
    save(e)
    status = do_task(e, t, EVENT)
    note_changes(e, e.frozen_before)
    if status != DONE or not is_endless:
        return status
    forget_events(e)
    return DONE if give_bands(e) else CHATTERING


@kernel
def make_room(e: LoopContext) -> Bool:
    """Room in the history of delays, where more than half of it is used; False: there is none."""
    h = e.inputs.history
    if 2 * h.pieces > h.piece_room or 2 * h.break_count > h.piece_room:
        drop_pieces(h, e.reached[0])
    return h.pieces < h.piece_room and h.break_count < h.piece_room


@kernel
def restart_steps(e: LoopContext, t: Real) -> Int:
    """Crossings and clocks are made ready at t, and the solver begins there; DONE or LEFT."""
    if acausal_begin_events(e) != DONE:
        return LEFT
    if do_task(e, t, FIRST_STEP) != DONE:
        e.first_step = e.usual_first
    begin_again(e, t)
    return DONE


@kernel
def forget_crossings(e: LoopContext) -> None:
    """Nothing is known of crossings: a run begins, or goes on with other states."""
    for i in range(e.crossing_count):
        e.roots[i] = 0
        e.offset[i] = 0.0
        e.sides[i] = 0.0
    e.starts[e.crossing_count] = nan
    e.watched_values[e.crossing_count] = nan


@kernel
def switch_states(e: LoopContext, s: StateSets, t: Real) -> Int:
    """Other states at t where the present ones are ill-conditioned.

    DONE, ILL_CONDITIONED_STATES where there are none, LEFT where crossings cannot be made ready.
    """
    s.is_due = 0
    if judge_set(s, t) != ILL_CONDITIONED:
        return DONE
    if not select_set(s, t):
        return ILL_CONDITIONED_STATES
    e.reached[0] = t
    forget_crossings(e)
    return restart_steps(e, t)
