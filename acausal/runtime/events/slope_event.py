"""Slopes at ordinary events of a run with slopes: those of the time of the event, and of the states on both sides.

`simulate/sensitivities/slope_instant` says what is computed, and does whatever is out of the ordinary: a crossing that
is nearly none, reasons that parameters move apart, inputs and delays, events at the ends of a run. A task is LEFT to
it, then.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, LEFT, RELATION, SAMPLE
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.relations.discrete import clock_time, has_come, is_clocked
from acausal.runtime.events.relations.evaluate import are_finite
from acausal.runtime.events.slope_functions import (
    DEPTH,
    STEP,
    crossing_slopes,
    evaluate_beside,
    find_function_sizes,
    find_moving,
    is_nearly_none,
    put_arguments,
    put_columns,
)
from acausal.runtime.kernel.language import Bool, Int, Real, kernel, nearest, tail
from acausal.runtime.slope_context import AFTER, BEFORE, STARTING, TURNING, SlopeContext

SAME = 1e-6
"""Slopes of times of events at one instant that differ by less, relatively, are one."""
ZERO = 1e-10
"""A share of its size: a function that is smaller is at its crossing."""


@kernel
def slope_task(e: LoopContext, t: Real, task: Int) -> Int:
    """A task at t with the states `y`."""
    if task == BEFORE:
        return begin_event(e, e.slope_context, t)
    if task == AFTER:
        return end_event(e, e.slope_context, t)
    if task == TURNING:
        return turning(e, e.slope_context, t)
    return at_end_of_run(e, e.slope_context, t, task == STARTING)


@kernel
def begin_event(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """Slopes of `y` become those at the time of the event, and its own stand among the frozen values."""
    copy_numbers(e.states, e.y, s.before)
    s.is_moving = 0
    copy_numbers(e.frozen_count, e.frozen, s.u)
    copy_numbers(e.memory_size, e.m, s.m)
    if e.events(t, e.y, s.u, e.p, s.m, e.results) != 0 or not are_finite(e.results, e.results_count):
        return LEFT
    copy_numbers(e.results_count, e.results, s.results)
    e.record.calls += 1.0
    if e.derivatives(t, e.y, s.u, e.p, s.m, s.rates) != 0:
        return LEFT
    if not find_slopes(e, s, t):
        return LEFT
    s.is_moved = 0
    for k in range(s.count):
        slope = s.slopes[k]
        e.frozen[s.time + k] = slope
        if slope != 0.0:
            s.is_moved = 1
            first = s.states * (1 + k)
            for j in range(s.states):
                e.y[first + j] += s.rates[j] * slope
    return DONE


@kernel
def find_slopes(e: LoopContext, s: SlopeContext, t: Real) -> Bool:
    """`slopes` of the time of the event; False where it is not ordinary."""
    found = False
    for k in range(s.count):
        s.slopes[k] = 0.0
    for i in range(s.frozen):
        s.known[i] = 0
        at = e.crossing[i]
        is_located = at >= 0 and e.roots[at] != 0
        if is_located or (is_clocked(e, i) and has_come(clock_time(e, i), t)):
            if not find_own(e, s, t, i):
                return False
            if found and not are_same(s):
                return False
            if not found:
                copy_numbers(s.count, s.own, s.slopes)
            found = True
            s.known[i] = 1
    return True


@kernel
def find_own(e: LoopContext, s: SlopeContext, t: Real, i: Int) -> Bool:
    """`own`: the slopes of the time when a frozen value changes; False where it has none, or may have none."""
    at = s.now[i]
    if at < 0:
        return False
    if e.kind[i] == SAMPLE:
        interval = s.interval[i]
        for k in range(s.count):
            s.own[k] = s.results[at + k] + e.next_sample[i] * s.results[interval + k]
        return True
    if find_moving(e, s, t) != DONE or is_nearly_none(s, i):
        return False
    crossing_slopes(s, i)
    return True


@kernel
def are_same(s: SlopeContext) -> Bool:
    """True if `own` slopes are those of the event."""
    for k in range(s.count):
        if abs(s.own[k] - s.slopes[k]) > SAME * (abs(s.own[k]) + abs(s.slopes[k])):
            return False
    return True


@kernel
def end_event(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """Slopes of `y` become those at fixed time again."""
    for k in range(s.count):
        e.frozen[s.time + k] = 0.0
    if s.is_moved != 0:
        copy_numbers(e.frozen_count, e.frozen, s.u)
        copy_numbers(e.memory_size, e.m, s.m)
        e.record.calls += 1.0
        if e.derivatives(t, e.y, s.u, e.p, s.m, s.earlier_rates) != 0:
            return LEFT
        for k in range(s.count):
            first = s.states * (1 + k)
            for j in range(s.states):
                e.y[first + j] -= s.earlier_rates[j] * s.slopes[k]
    if not is_alone(e, s, t):
        return LEFT
    number = e.event_count
    copy_numbers(s.count, s.slopes, tail(s.event_slopes, number * s.count))
    for i in range(s.frozen):
        s.event_known[number * s.frozen + i] = s.known[i]
    return DONE


@kernel
def is_alone(e: LoopContext, s: SlopeContext, t: Real) -> Bool:
    """False where a relation has changed that was at its crossing, too, and moves otherwise."""
    for i in range(s.frozen):
        if e.crossing[i] >= 0 and s.known[i] == 0 and e.frozen[i] != e.frozen_before[i]:
            if find_moving(e, s, t) != DONE:
                return False
            at = s.now[i]
            if at >= 0 and abs(s.results[e.now[i]]) <= ZERO * s.sizes[i] and s.moving[at] != 0.0:
                crossing_slopes(s, i)
                if not are_same(s):
                    return False
    return True


@kernel
def turning(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """LEFT where a relation is at zero, but for the error of the run."""
    if evaluate_here(e, s, t) != DONE:
        return LEFT
    if find_moving(e, s, t) != DONE:
        return LEFT
    for i in range(s.frozen):
        if e.crossing[i] >= 0 and e.kind[i] == RELATION:
            near = DEPTH * s.tolerance * s.sizes[i]
            is_near = abs(s.results[e.now[i]]) <= near
            if is_near and abs(s.moving[s.now[i]]) * STEP * s.span <= near:
                return LEFT
    return DONE


@kernel
def evaluate_here(e: LoopContext, s: SlopeContext, t: Real) -> Int:
    """`results` and `rates` at `y`, where there need not be an event."""
    copy_numbers(e.states, e.y, s.before)
    copy_numbers(e.frozen_count, e.frozen, e.frozen_before)
    copy_numbers(e.frozen_count, e.frozen, s.u)
    copy_numbers(e.memory_size, e.m, s.m)
    copy_numbers(e.memory, e.m, e.memory_before)
    s.is_moving = 0
    if e.events(t, e.y, s.u, e.p, s.m, s.results) != 0 or e.derivatives(t, e.y, s.u, e.p, s.m, s.rates) != 0:
        return LEFT
    return DONE


@kernel
def at_end_of_run(e: LoopContext, s: SlopeContext, t: Real, is_start: Bool) -> Int:
    """LEFT where a relation or a sample that parameters move is at its event (`simulate/sensitivities/run_ends`)."""
    if evaluate_here(e, s, t) != DONE:
        return LEFT
    if not are_some_moved(e, s):
        return DONE
    put_arguments(e, s, 1.0)
    put_columns(s, s.rates)
    if evaluate_beside(e, s, t, s.moving) != DONE or find_function_sizes(e, s, t) != DONE:
        return LEFT
    depth = ZERO if is_start else ZERO + DEPTH * s.tolerance
    for i in range(s.frozen):
        if is_moved_event(e, s, i):
            near = depth * s.sizes[i] + ZERO * abs(s.moving[s.now[i]]) * s.span
            if (e.kind[i] == SAMPLE and is_sample_near(e, s, i, t)) or (
                e.kind[i] == RELATION and abs(s.results[e.now[i]]) <= near
            ):
                return LEFT
    return DONE


@kernel
def are_some_moved(e: LoopContext, s: SlopeContext) -> Bool:
    """True if there is an event that parameters move."""
    for i in range(s.frozen):
        if is_moved_event(e, s, i):
            return True
    return False


@kernel
def is_moved_event(e: LoopContext, s: SlopeContext, i: Int) -> Bool:
    """True for a relation or a sample whose time may depend on the parameters."""
    if s.now[i] < 0 or (e.kind[i] != RELATION and e.kind[i] != SAMPLE):
        return False
    for k in range(s.count):
        if s.results[s.now[i] + k] != 0.0 or (s.interval[i] >= 0 and s.results[s.interval[i] + k] != 0.0):
            return True
    return False


@kernel
def is_sample_near(e: LoopContext, s: SlopeContext, i: Int, t: Real) -> Bool:
    """True if an instant of a sample is at t."""
    first = s.results[e.now[i]]
    interval = s.results[e.now[i] + 1]
    number = max(nearest((t - first) / interval), 0.0) if interval > 0.0 else 0.0
    return abs(first + number * interval - t) <= ZERO * max(abs(t), s.span)
