"""CVODE by single steps, each of which becomes part of the history of delays once it is accepted.

Output times and crossings within a step are interpolated by CVODE's own polynomial.
"""

from acausal.runtime.blocks.arrays import copy_numbers, gather_numbers
from acausal.runtime.context import DONE, LEFT
from acausal.runtime.cvode.callbacks import ILL_CONDITIONED_STATES, judge_states
from acausal.runtime.delays import NODES, end_piece, node_time, repeat_node, store_node
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.root_functions import is_violated
from acausal.runtime.inputs import evaluate_inputs
from acausal.runtime.kernel.language import Bool, Int, Real, kernel
from acausal.runtime.limits import ILL_CONDITIONED

ONE_STEP, TOO_MUCH_WORK = 2, -1
"""CVODE's way to be called, and its status behind many steps."""
NOT_DELAYED = -1001
"""Status where delayed expressions cannot be evaluated."""
UNNOTICED = 3
"""Status where CVODE has not noticed that a frozen value no longer agrees with its sides."""
MOST_STEPS = 5000
"""In one call: between calls Python sees whether the user wants to stop."""


@kernel
def step_to(e: LoopContext, goal: Real) -> Int:
    """To the goal, or to where CVODE stops before; its status. `reached` and CVODE's vector are there.

    Where states were selected they are judged after each step.
    """
    steps = 0
    while True:
        if e.ready == 0:
            status = TOO_MUCH_WORK
            if steps < MOST_STEPS and e.inputs.history.pieces < e.inputs.history.piece_room:
                status = make_step(e)
            if status < 0:
                if status != NOT_DELAYED:
                    show_states(e, e.inputs.history.ends[e.inputs.history.pieces])
                return status
            steps += 1
        if goal < e.ready_time:
            show_states(e, goal)
            return 0
        e.ready = 0
        if e.ready_status != 0 or e.ready_time == goal:
            show_states(e, e.ready_time)
            return e.ready_status
        if e.is_monitored != 0:
            show_states(e, e.ready_time)
            if are_states_ill_conditioned(e):
                return ILL_CONDITIONED_STATES


@kernel
def are_states_ill_conditioned(e: LoopContext) -> Bool:
    """True if states are ill-conditioned where they have not been judged; start values are then as before."""
    if e.is_monitored == 0 or e.reached[0] >= e.stop:
        return False
    copy_numbers(e.memory, e.m, e.memory_before)
    if judge_states(e, e.reached[0]) != ILL_CONDITIONED:
        return False
    copy_numbers(e.memory, e.memory_before, e.m)
    return True


@kernel
def make_step(e: LoopContext) -> Int:
    """One step into the history; CVODE's status. Output times have no part in it."""
    status = e.solve(e.cvode, min(e.stop, e.limit), e.vector, e.reached, ONE_STEP)
    if status < 0:
        return status
    e.ready = 1
    e.ready_time = e.reached[0]
    e.ready_status = UNNOTICED if status == 0 and is_violated(e, e.reached[0]) else status
    return status if extend_history(e, e.reached[0]) == DONE else NOT_DELAYED


@kernel
def show_states(e: LoopContext, t: Real) -> None:
    """The states at a time in the last step."""
    e.reached[0] = t
    e.interpolate(e.cvode, t, 0, e.vector)


@kernel
def extend_history(e: LoopContext, end: Real) -> Int:
    """Record delayed values up to `end`, which the solver has reached."""
    h = e.inputs.history
    if end <= h.ends[h.pieces]:
        return DONE
    copy_numbers(e.memory, e.m, e.delay_memory)
    for node in range(1 if repeat_node(h) else 0, NODES):
        t = node_time(h, node, end)
        if e.interpolate(e.cvode, t, 0, e.between) != 0:
            return LEFT
        gather_numbers(e.states, e.between_there, e.place, e.moved)
        if evaluate_inputs(e.inputs, t) != 0:
            return LEFT
        if e.inputs.delayed(t, e.moved, e.frozen, e.p, e.delay_memory, e.delayed_results) != 0:
            return LEFT
        store_node(h, node, e.delayed_results)
    end_piece(h, end)
    return DONE
