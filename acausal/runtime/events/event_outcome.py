"""Outcome of an event, whoever drives the run: rows, the log and the solver go by it."""

from acausal.runtime.context import EventContext
from acausal.runtime.events.relations.discrete import has_come
from acausal.runtime.kernel.language import Bool, Int, Ints, Real, Reals, kernel

UNCHANGED, CHANGED, MOVED = range(3)
"""Nothing; discrete values, or it was time for the event; states, or what their derivatives read."""


@kernel
def event_outcome(e: EventContext, t: Real, limit: Real, states: Reals, frozen: Reals, moves: Ints) -> Int:
    """The outcome of an event at t, due by time at `limit`; `states` and `frozen` values are those before it.

    `moves` are flags of the frozen values that the derivatives read.
    """
    for i in range(e.states):
        if e.y[i] != states[i]:
            return MOVED
    outcome = CHANGED if has_come(limit, t) else UNCHANGED
    for i in range(e.frozen_count):
        if e.frozen[i] != frozen[i]:
            if moves[i] != 0:
                return MOVED
            outcome = CHANGED
    return outcome


@kernel
def is_chattering(first: Real, t: Real, shortest: Real) -> Bool:
    """True if the last `WITHOUT_END` events, from `first` to t, came within the shortest time that they may take."""
    return t - first <= shortest
