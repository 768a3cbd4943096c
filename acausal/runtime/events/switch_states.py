"""Steps begin again: behind an event that the loop over events has left, and with other states."""

from math import nan

from acausal.runtime.context import DONE, LEFT
from acausal.runtime.cvode import ILL_CONDITIONED_STATES
from acausal.runtime.events.event import begin_again
from acausal.runtime.events.event_loop import acausal_begin_events
from acausal.runtime.events.single_event import FIRST_STEP, do_task
from acausal.runtime.kernel.language import Int, Real, kernel
from acausal.runtime.limits import ILL_CONDITIONED
from acausal.runtime.loop_context import LoopContext
from acausal.runtime.state_sets import StateSets, judge_set, select_set


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
