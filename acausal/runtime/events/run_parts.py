"""A run without events through its output times, part by part: at ends of parts its method may be chosen.

`simulate/run/method_choice` says when that is due; machine code goes on to the next part where it is not, since to come
back to Python takes as long as 20 steps of a small model.
"""

from math import inf

from acausal.runtime.events.between_events import run_to_event, take_states
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, Struct, kernel

PARTS, FIRST = 50.0, 1000.0
"""Parts of a run at whose ends the method is chosen: the first is a thousandth, the next end at twice the time."""
LONG_RUN = 4000
"""Steps of BDF before the method is chosen: a run with fewer keeps it, whatever its parts are (sweeps rely on this)."""
LONG_PART = 400.0
"""Steps of BDF in a part; with fewer the run is short, whatever the method.

Then the next part is so long that it has about as many, at most half of the run."""


class RunParts(Struct):
    """The part of a run in which a solver is."""

    loop: LoopContext
    begin: Real
    """Of the run."""
    length: Real
    """The longest part but for those with few steps."""
    boundary: Real
    """The part ends at the first output time from here on; infinite where no method is chosen."""
    time: Real
    steps: Int
    """Where the part before has ended, and the steps of the run up to there."""
    earlier: Int
    """Steps before the solver began again last."""


@kernel
def acausal_run_parts(p: RunParts) -> Int:
    """Through the output times, or to the end of a part where a method is to be chosen; CVODE's status.

    For models without events and delays.
    """
    e = p.loop
    take_states(e)
    count = e.count
    status = 0
    while True:
        e.count = end_of_part(p.boundary, e.times, e.number, count)
        status = run_to_event(e)
        t = e.reached[0]
        if status != 0 or e.number != e.count or e.number == count or t < p.boundary:
            break
        e.counted[0] = 0
        e.count_steps(e.cvode, e.counted)
        steps = p.earlier + e.counted[0]
        if is_choice_due(p, t, steps):
            break
        begin_next_part(p, t, steps)
    e.count = count
    return status


@kernel
def end_of_part(boundary: Real, times: Reals, number: Int, count: Int) -> Int:
    """The number of output times up to the first one from the boundary on."""
    end = number
    while end < count:
        end += 1
        if times[end - 1] >= boundary:
            break
    return end


@kernel
def is_choice_due(p: RunParts, t: Real, steps: Int) -> Bool:
    """True if the part up to t has so many steps of BDF, and the run, that another method may be better."""
    return steps >= LONG_RUN and not has_few_steps(p, t, steps)


@kernel
def begin_next_part(p: RunParts, t: Real, steps: Int) -> None:
    """The next part begins at t, behind so many steps of the run."""
    if has_few_steps(p, t, steps):
        p.boundary = t + p.length * min(0.5 * PARTS, LONG_PART / max(expected_steps(p, t, steps), 1.0))
    else:
        p.boundary = t + min(p.length, t - p.begin)
    p.steps = steps
    p.time = t


@kernel
def has_few_steps(p: RunParts, t: Real, steps: Int) -> Bool:
    """True if the part up to t is short, or the longest part with such steps would be."""
    return float(steps - p.steps) < LONG_PART or expected_steps(p, t, steps) < LONG_PART


@kernel
def expected_steps(p: RunParts, t: Real, steps: Int) -> Real:
    """Steps of the longest part, if they are as long as in that up to t."""
    past = t - p.time
    return float(steps - p.steps) * p.length / past if past > 0.0 else inf
