"""A run from event to event: CVODE, rows on both sides of events, and what happens at them.

`acausal_start_events` is the first instant, `acausal_begin_events` makes crossings and clocks ready there, where Python
does not; they return DONE, or LEFT where Python is to do it. `acausal_run_events` goes through the output times as
`simulate/run/run` does; it returns CVODE's status where that is not success. An event that is out of the ordinary is
left to Python, everything as it is before it: a block that cannot be solved, values that are no finite numbers,
variables that start again but are no states, `assert` and `terminate`, events that never cease (chattering).
Nothing depends on the model, so that it is compiled once.
"""

from math import nan

from acausal.runtime.context import DONE, LEFT, LoopContext
from acausal.runtime.events.discrete import has_come
from acausal.runtime.events.event import ROOT, add_row, event, find_next_event, put_back, put_states, save, take_states
from acausal.runtime.events.event_iteration import first_instant
from acausal.runtime.events.root_functions import is_violated, leave
from acausal.runtime.events.single_steps import step_to
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import CLOSEST

NORMAL, STOPPED, CLOSE = 1, 1, -22
"""CVODE's way to be called, and its status at the end, and where a crossing stays at zero."""
MOST_ROWS = 2
"""So many are made in one turn of the loop over output times and events."""


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
        status = advance(e, min(e.times[e.number], e.limit))
        if status < 0:
            return status
        t = e.reached[0]
        late = has_come(e.limit, t)
        if late and status != ROOT:
            for i in range(e.crossing_count):
                e.roots[i] = 0
        if (late or (status == ROOT and is_event(e))) and event(e, t, status) != DONE:
            return ROOT if status == ROOT else 0
        to_next_row(e)
    return 0


@kernel
def is_event(e: LoopContext) -> Bool:
    """True if more than turning points was located."""
    for i in range(e.watched):
        if e.roots[i] != 0:
            return True
    return False


@kernel
def advance(e: LoopContext, goal: Real) -> Int:
    """CVODE goes on to there, or to a crossing before; what it says.

    Where a crossing stays at zero it has moved the states: they are put back from `y`, which has them before and after.
    """
    t = e.reached[0]
    if goal - t <= CLOSEST * max(abs(t), abs(goal)):
        e.reached[0] = goal
        return 0
    stop = min(e.stop, e.limit)
    if stop != e.solver_limit:
        e.set_stop(e.cvode, stop)
        e.solver_limit = stop
    if e.has_delays != 0:
        status = step_to(e, goal)
    else:
        status = e.solve(e.cvode, goal, e.vector, e.reached, NORMAL)
        if status == CLOSE:
            e.reached[0] = t
            put_states(e)
    take_states(e)
    if status == STOPPED:
        e.solver_limit = nan
    if status == ROOT:
        e.root_info(e.cvode, e.roots)
    elif status >= 0 and is_violated(e, e.reached[0]):
        return ROOT
    return status


@kernel
def to_next_row(e: LoopContext) -> None:
    """Output times that have been reached, and a row of `y` where this is one."""
    t = e.reached[0]
    while e.number != e.count and not e.times[e.number] > t:
        e.number += 1
    if e.number != 0 and e.times[e.number - 1] == t and e.last_row != t:
        add_row(e, t)
