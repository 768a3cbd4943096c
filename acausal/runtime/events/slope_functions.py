"""Functions that decide about frozen values, in runs with slopes: derivatives by time, sizes, slopes of crossings.

The routine `events` has these slopes in columns, one for each parameter: with derivatives by time in their place it
gives those of its results, with single states moved it gives the size of these.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, LEFT
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel
from acausal.runtime.limits import SMALL
from acausal.runtime.slope_context import SlopeContext

DEPTH = 10.0
"""A crossing that goes less than so many times the error of the run beyond zero is grazing."""
STEP = 1e-6
"""A share of the run over which the rate of a crossing is compared."""


@kernel
def find_moving(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """Derivatives by time before the event and a little earlier, and sizes, unless they are known."""
    if s.is_moving != 0:
        return DONE
    span = STEP * s.span
    put_arguments(e, s, 1.0)
    put_columns(s, s.rates)
    if evaluate_beside(e, s, t, s.moving) != DONE:
        return LEFT
    copy_numbers(e.frozen_count, e.frozen_before, s.u)
    copy_numbers(e.states, s.before, s.y)
    for j in range(s.states):
        s.y[j] -= span * s.rates[j]
    e.record.calls += 1.0
    if e.derivatives(t - span, s.y, s.u, e.p, s.m, s.earlier_rates) != 0:
        return LEFT
    put_arguments(e, s, 1.0)
    put_columns(s, s.earlier_rates)
    for j in range(s.states):
        s.y[j] -= span * s.rates[j]
    if evaluate_beside(e, s, t - span, s.earlier) != DONE or find_function_sizes(e, s, t) != DONE:
        return LEFT
    s.is_moving = 1
    return DONE


@kernel
def put_arguments(e: LoopContext, s: SlopeContext, time: Real) -> None:
    """Arguments before the event; parameters and discrete values have no slopes, time has this one."""
    copy_numbers(e.states, s.before, s.y)
    copy_numbers(s.parameters, e.p, s.p)
    for i in range(s.zero_count):
        s.p[s.zeros[i]] = 0.0
    copy_numbers(e.frozen_count, e.frozen_before, s.u)
    for i in range(s.shift):
        s.u[s.time + i] = 0.0
    for k in range(s.count):
        s.u[s.time + k] = time
    copy_numbers(e.memory_size, e.m, s.m)
    copy_numbers(e.memory, e.memory_before, s.m)


@kernel
def put_columns(s: SlopeContext, direction: Reals) -> None:
    """The states move in this direction, in all columns."""
    for k in range(s.count):
        first = s.states * (1 + k)
        for j in range(s.states):
            s.y[first + j] = direction[j]


@kernel
def evaluate_beside(e: LoopContext, s: SlopeContext, t: Real, out: Reals) -> Int:
    """The results of `events` with these arguments."""
    return LEFT if e.events(t, s.y, s.u, s.p, s.m, out) != 0 else DONE


@kernel
def find_function_sizes(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """`sizes`: each state moves by itself, as many at once as there are columns."""
    for i in range(s.frozen):
        s.sizes[i] = 0.0
    put_arguments(e, s, 0.0)
    begin = 0
    while begin < s.states:
        for k in range(s.count * s.states):
            s.y[s.states + k] = 0.0
        for k in range(min(s.count, s.states - begin)):
            s.y[s.states * (1 + k) + begin + k] = max(abs(s.before[begin + k]), SMALL)
        if evaluate_beside(e, s, t, s.aside) != DONE:
            return LEFT
        for i in range(s.frozen):
            if s.now[i] >= 0:
                for k in range(s.count):
                    s.sizes[i] += abs(s.aside[s.now[i] + k])
        begin += s.count
    return DONE


@kernel
def is_nearly_none(s: SlopeContext, i: Int) -> Bool:
    """True for a crossing that hardly goes beyond zero: its time has no derivative."""
    rate = s.moving[s.now[i]]
    second = (rate - s.earlier[s.now[i]]) / (STEP * s.span)
    depth = abs(rate) * s.span
    if second != 0.0:
        depth = min(depth, rate * rate / abs(2.0 * second))
    return not depth > DEPTH * s.tolerance * s.sizes[i]


@kernel
def crossing_slopes(s: SlopeContext, i: Int) -> None:
    """`own`: dt/dp where a function, which moves, crosses zero."""
    at = s.now[i]
    for k in range(s.count):
        slope = s.results[at + k]
        s.own[k] = 0.0 if slope == 0.0 else -slope / s.moving[at]
