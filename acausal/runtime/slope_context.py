"""The structure that events of runs with slopes work on, beside that of the run."""

from typing import Protocol

from acausal.runtime.kernel.language import Address, Int, Ints, Real, Reals, Struct

BEFORE, AFTER, TURNING, STARTING, ENDING = range(5)
"""Tasks: before an event and behind it, where root functions turn around, and at both ends of a run."""


class SlopeTask(Protocol):
    """`events/slope_event.slope_task`, which is compiled for runs with slopes only."""

    def __call__(self, context: Address, t: Real, task: Int, /) -> Int:
        """Status."""
        ...


class SlopeContext(Struct):
    """Slopes along `count` parameters of a model with so many `states` and `frozen` values of its own.

    `time` is the position among frozen values of the slopes of the time of an event; `shift` slopes stand from there
    on. Of each frozen value `now` has the first of the results of `events` that are slopes of what decides about it,
    `interval` of those of the interval of a sample (-1: none). `zeros` are the positions in p of slopes.
    """

    states: Int
    count: Int
    frozen: Int
    time: Int
    shift: Int
    parameters: Int
    """The length of p."""
    now: Ints
    interval: Ints
    zeros: Ints
    zero_count: Int
    span: Real
    """The duration of the run."""
    tolerance: Real
    # arguments of routines beside the run
    y: Reals
    u: Reals
    p: Reals
    m: Reals
    # before the event: states, their derivatives, results of `events`, and the derivatives of these by time
    before: Reals
    rates: Reals
    results: Reals
    moving: Reals
    is_moving: Int
    """1 where `moving`, `earlier` and `sizes` are known."""
    earlier_rates: Reals
    earlier: Reals
    """Derivatives of results by time a little earlier."""
    aside: Reals
    """Results where single states move."""
    sizes: Reals
    """Of each frozen value: how much what decides about it changes where each state changes by itself."""
    # of the event
    known: Ints
    """1: the crossing or time of this frozen value is its reason."""
    slopes: Reals
    """Of its time."""
    own: Reals
    """The same for one of several reasons."""
    is_moved: Int
    """1 where a slope is not zero."""
    event_slopes: Reals
    event_known: Ints
    """`slopes` and `known` of the events of a call."""
