"""Variables that start again by `init` and are no states: the least change of the states that gives them their values.

Newton's method with difference quotients; each step is the shortest one that the linearized values allow, by the
singular values of their Jacobian. Positions stay where rates suffice. Values that depend on each other, as velocities
in a loop after an impact, are reached if they agree. (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013,
section 5.5.)
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.singular_values import singular_values
from acausal.runtime.context import DONE, UNREACHABLE, EventContext
from acausal.runtime.events.relations.evaluate import are_finite, evaluate_events
from acausal.runtime.events.relations.fixed_point import UNKNOWN
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, kernel, tail

MOVE = 1e-7
MOST_ITERATIONS = 25
REACHED = 1e-10
NOISE = 1e-6
"""Of difference quotients: what is smaller against the largest one is no dependence."""


def restart_size(states: int, restarts: int) -> int:
    """The order of the matrices of `RestartRoom`."""
    return max(states, restarts)


@kernel
def restart_others(e: EventContext, t: Real) -> CInt:
    """States `moved` that give the variables their values, by `results`; those `taken` stay. DONE or UNREACHABLE.

    What branches have seen stays as it was: speeds that are tried are no impacts.
    """
    room = e.restart_room
    e.is_ahead = UNKNOWN
    copy_numbers(e.states, e.moved, room.begin)
    copy_numbers(e.memory_size, e.m, e.memory_aside)
    status = reach_values(e, t, 0)
    if status != DONE:
        copy_numbers(e.states, room.begin, e.moved)
        status = reach_values(e, t, 1)
    for i in range(e.memory, e.memory_size):
        e.m[i] = e.memory_aside[i]
    return status


@kernel
def reach_values(e: EventContext, t: Real, moves_positions: Int) -> CInt:
    """Newton's method from `moved`, in the states that may change."""
    for number in range(MOST_ITERATIONS):
        if evaluate_events(e, t, e.moved, e.later) != DONE:
            return UNREACHABLE
        if are_reached(e):
            if number > 0:
                improve(e, t)
            return DONE
        if not fill_quotients(e, t, moves_positions) or not step_shortest(e):
            return UNREACHABLE
    return UNREACHABLE


@kernel
def improve(e: EventContext, t: Real) -> None:
    """One more step by the last quotients, if it leads nearer: what stops is at rest then, and does not creep."""
    room = e.restart_room
    kept = room.matrix
    error = largest_error(e)
    copy_numbers(e.states, e.moved, kept)
    if error == 0.0 or not move_shortest(e) or evaluate_events(e, t, e.moved, e.later) != DONE:
        copy_numbers(e.states, kept, e.moved)
        return
    if not are_reached(e) or not largest_error(e) < error:
        copy_numbers(e.states, kept, e.moved)


@kernel
def largest_error(e: EventContext) -> Real:
    """By how much a variable is off its value at most."""
    largest = 0.0
    for i in range(e.restart_room.size):
        largest = max(largest, abs(e.restart_room.right[i]))
    return largest


@kernel
def is_other(e: EventContext, restart: Int) -> Bool:
    """True if a restart fires that is not that of a state."""
    return e.restart_state[restart] < 0 and e.results[e.restart_at[restart]] != 0.0


@kernel
def are_reached(e: EventContext) -> Bool:
    """Stores the variables into `now` and by how much they are off their values into `right`; True if none is."""
    room = e.restart_room
    found = True
    for i in range(room.size):
        room.right[i] = 0.0
    for i in range(e.restarts):
        if is_other(e, i):
            wanted = e.results[e.restart_at[i] + 1]
            room.now[i] = e.later[e.restart_at[i] + 2]
            room.right[i] = wanted - room.now[i]
            found = found and abs(room.right[i]) <= REACHED * (1.0 + abs(wanted))
    return found


@kernel
def fill_quotients(e: EventContext, t: Real, moves_positions: Int) -> Bool:
    """The Jacobian of the variables, column by column; False where it is not finite, or no state may change."""
    room = e.restart_room
    n = room.size
    for i in range(n * n):
        room.matrix[i] = 0.0
    is_free = False
    for k in range(e.states):
        if e.taken[k] == 0.0 and (moves_positions != 0 or room.positions[k] == 0):
            is_free = True
            kept = e.moved[k]
            step = MOVE * (1.0 + abs(kept))
            e.moved[k] = kept + step
            status = evaluate_events(e, t, e.moved, e.later)
            e.moved[k] = kept
            if status != DONE:
                return False
            for i in range(e.restarts):
                if is_other(e, i):
                    room.matrix[k * n + i] = (e.later[e.restart_at[i] + 2] - room.now[i]) / step
    return is_free and are_finite(room.matrix, n * n)


@kernel
def step_shortest(e: EventContext) -> Bool:
    """The shortest step of `moved` that the Jacobian allows; False where it changes nothing any more.

    The matrix is no longer needed behind its singular values.
    """
    room = e.restart_room
    n = room.size
    room.integers[0] = n
    order = room.integers
    info = tail(room.integers, 1)
    singular_values(
        order, order, order, order, room.matrix, order, room.s, room.u, order, room.v, order, room.step, order, info
    )
    return move_shortest(e)


@kernel
def move_shortest(e: EventContext) -> Bool:
    """Move by the singular values of the last Jacobian; False where this changes nothing any more."""
    room = e.restart_room
    n = room.size
    for j in range(n):
        room.step[j] = 0.0
    for k in range(n):
        if room.s[k] > NOISE * room.s[0]:
            share = 0.0
            for i in range(n):
                share += room.u[k * n + i] * room.right[i]
            for j in range(n):
                room.step[j] = room.step[j] + share / room.s[k] * room.v[j * n + k]
    is_moved = False
    for j in range(e.states):
        e.moved[j] += room.step[j]
        is_moved = is_moved or abs(room.step[j]) > REACHED * abs(e.moved[j])
    return is_moved
