"""A run from event to event: CVODE, rows on both sides of events, and what happens at them.

`acausal_start_events` is the first instant, `acausal_begin_events` makes crossings and clocks ready there, where Python
does not; they return DONE, or LEFT where Python is to do it. `acausal_run_events` goes through the output times as
`simulate/run/run` does; it returns CVODE's status where that is not success. An event that is out of the ordinary is
left to Python, everything as it is before it: a block that cannot be solved, values that are no finite numbers,
variables that start again but are no states, `assert` and `terminate`, events that never cease (chattering).
Nothing depends on the model, so that it is compiled once.
"""

from acausal.runtime.context import DONE, LEFT
from acausal.runtime.cvode.callbacks import ILL_CONDITIONED_STATES
from acausal.runtime.events.between_events import ROOT, advance, run_to_event, take_states, to_next_row
from acausal.runtime.events.event import event, find_next_event, put_back, save
from acausal.runtime.events.first_instant import first_instant
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.events.root_functions import leave
from acausal.runtime.events.single_steps import are_states_ill_conditioned
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import MOST_ROWS
from acausal.runtime.slope_context import TURNING


@kernel
def acausal_start_events(e: LoopContext) -> Int:
    """The first instant."""
    save(e)
    calls = e.record.calls
    for i in range(e.crossing_count):
        e.roots[i] = 0
    if first_instant(e, e.reached[0]) != DONE:
        put_back(e)
        e.record.calls = calls
        return LEFT
    return DONE


@kernel
def acausal_begin_events(e: LoopContext) -> Int:
    """Crossings and clocks are made ready."""
    t = e.reached[0]
    e.is_checking = 0
    if leave(e, t, e.y) != DONE or find_next_event(e, t) != DONE:
        return LEFT
    return DONE


@kernel
def acausal_advance(e: LoopContext, goal: Real) -> Int:
    """To the goal, or to a crossing before; what CVODE says. The states are in its vector."""
    return advance(e, goal)


@kernel
def acausal_run_events(e: LoopContext) -> Int:
    """Through the output times and over events."""
    take_states(e)
    while e.number != e.count and e.rows + MOST_ROWS <= e.row_room and e.event_count != e.event_room:
        status = run_to_event(e)
        if status < 0 or status == ILL_CONDITIONED_STATES:
            return status
        t = e.reached[0]
        late = has_come(e.limit, t)
        if status == 0 and not late:
            return 0
        if late and status != ROOT:
            for i in range(e.crossing_count):
                e.roots[i] = 0
        if (late or (status == ROOT and is_event(e))) and event(e, t, status) != DONE:
            return ROOT if status == ROOT else 0
        is_turning = e.has_slopes != 0 and status == ROOT and not late and not is_event(e)
        if is_turning and e.slope_task(e.address, t, TURNING) != DONE:
            return ROOT
        if are_states_ill_conditioned(e):
            return ILL_CONDITIONED_STATES
        to_next_row(e)
    return 0


@kernel
def is_event(e: LoopContext) -> Bool:
    """True if more than turning points was located."""
    for i in range(e.watched):
        if e.roots[i] != 0:
            return True
    return False
