"""CVODE through output times up to the next event: all that there is to do where nothing happens."""

from math import nan

from acausal.runtime.blocks.arrays import gather_numbers
from acausal.runtime.cvode.callbacks import ILL_CONDITIONED_STATES, cvode_advance
from acausal.runtime.events.angular_velocity import next_check_at
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.events.root_functions import is_violated
from acausal.runtime.events.single_steps import are_states_ill_conditioned
from acausal.runtime.kernel.language import Int, Real, kernel
from acausal.runtime.limits import CLOSEST, MOST_ROWS

STOPPED, ROOT, CLOSE = 1, 2, -22
"""CVODE's status at the end, at a crossing, and where a crossing stays at zero."""


@kernel
def run_to_event(e: LoopContext) -> Int:
    """Rows at output times, until CVODE says anything but success or an event is due there; its status."""
    while e.number != e.count and e.rows + MOST_ROWS <= e.row_room:
        status = advance(e, min(e.times[e.number], e.limit))
        if status != 0 or e.reached[0] >= e.limit or has_come(e.limit, e.reached[0]):
            return status
        if e.has_delays != 0 and are_states_ill_conditioned(e):
            return ILL_CONDITIONED_STATES
        to_next_row(e)
    return 0


@kernel
def advance(e: LoopContext, goal: Real) -> Int:
    """CVODE goes on to there, to a crossing before, or to where sines are evaluated before; what it says.

    Where a crossing stays at zero it has moved the states: they are put back from `y`, which has them before and after.
    """
    t = e.reached[0]
    if goal - t <= CLOSEST * max(abs(t), abs(goal)):
        e.reached[0] = goal
        return 0
    until = goal
    stop = min(e.stop, e.limit)
    if e.has_phases != 0:
        check = find_check(e, t)
        until = min(goal, check)
        if e.has_delays != 0:  # only ends of steps are examined
            stop = min(stop, check)
    if stop != e.solver_limit:
        e.set_stop(e.cvode, stop)
        e.solver_limit = stop
    if e.has_delays != 0:
        status = e.step_with_history(e.address, until)
    else:
        status = cvode_advance(e, until)
        if status == CLOSE:
            e.reached[0] = t
            put_states(e)
    take_states(e)
    if status == STOPPED:
        e.solver_limit = nan
    if status == ROOT:
        e.root_info(e.cvode, e.roots)
    elif status >= 0 and e.crossing_count != 0 and is_violated(e, e.reached[0]):
        return ROOT
    return status


@kernel
def find_check(e: LoopContext, t: Real) -> Real:
    """The time of the next evaluation of sines, from where the solver is; with delays that may be later than t."""
    if e.has_delays == 0 or e.ready == 0:
        return next_check_at(e, t, e.y)
    if e.angle_count == 0 or (e.is_checking != 0 and e.ready_time < e.check_due):
        return next_check_at(e, e.ready_time, e.y)
    e.interpolate(e.cvode, e.ready_time, 0, e.between)
    gather_numbers(e.states, e.between_there, e.place, e.taken)
    return next_check_at(e, e.ready_time, e.taken)


@kernel
def to_next_row(e: LoopContext) -> None:
    """Output times that have been reached, and a row of `y` where this is one."""
    t = e.reached[0]
    while e.number != e.count and not e.times[e.number] > t:
        e.number += 1
    if e.number != 0 and e.times[e.number - 1] == t and e.last_row != t:
        add_row(e, t)


@kernel
def add_row(e: LoopContext, t: Real) -> None:
    """One more row, of `y`."""
    if e.followed > 0:
        e.predict(e.m, e.memory, e.followed, t)
    row = e.rows
    e.row_times[row] = t
    for i in range(e.states):
        e.row_states[row * e.states + i] = e.y[i]
    for i in range(e.frozen_count):
        e.row_frozen[row * e.frozen_count + i] = e.frozen[i]
    for i in range(e.memory):
        e.row_memory[row * e.memory + i] = e.m[i]
    e.rows = row + 1
    e.last_row = t


@kernel
def take_states(e: LoopContext) -> None:
    """The states as CVODE has them into `y`."""
    gather_numbers(e.states, e.numbers, e.place, e.y)


@kernel
def put_states(e: LoopContext) -> None:
    """The states `y` as CVODE has them."""
    gather_numbers(e.states, e.y, e.order, e.numbers)
