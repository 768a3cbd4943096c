"""Steps of fixed length, in place of CVODE for the loop over events: for real time, and without allocated memory.

Every step takes the same number of operations, but for events and nonlinear equations. Events are located within a
step, on the cubic polynomial through the states and derivatives at its ends, and the next step begins there.
(E. Hairer, S. P. Noersett, G. Wanner, Solving Ordinary Differential Equations I, 1993, section II.6.)
"""

from collections.abc import Callable

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.cvode.callbacks import NORMAL, TOO_MUCH_WORK, note_failure
from acausal.runtime.events.between_events import ROOT
from acausal.runtime.kernel.language import Address, CInt, Int, Ints, Real, Reals, kernel, tail
from acausal.runtime.steps.fixed_methods import (
    HEUN,
    IMPLICIT_EULER,
    UNSOLVED,
    FixedSolver,
    attempt_step,
    find_derivatives,
)
from acausal.runtime.steps.stability import judge_step
from acausal.runtime.steps.time_steps import begin_part, cross_part

HALVINGS = 12
"""So often a step that has no solution is tried with half the length: nonlinear equations may need a nearer start."""
TOO_MANY_PARTS = -12
"""Status where a step would take more parts, up to events and turning points, than the host allows."""
SAME_LENGTH = 1e-9
"""A step may be longer by this share, so that none is left over for rounding."""


@kernel
def solve_fixed(c: FixedSolver, goal: Real, vector: Address, reached: Reals, task: CInt) -> CInt:  # noqa: ARG001
    """In place of CVode."""
    status = 0
    if c.is_begin != 0:
        c.is_slope_known = 0
        c.steps = 0
        status = begin_part(c)
    is_single = int(task) != NORMAL
    until = c.stop if is_single else min(goal, c.stop)
    made = 0
    while status == 0 and c.time < until:
        if made >= c.most_steps:
            status = TOO_MUCH_WORK
        elif c.made >= c.most_made:
            status = TOO_MANY_PARTS
        else:
            status = make_fixed_step(c, until)
            made += 1
            c.made += 1
            if is_single:
                break
    reached[0] = c.time
    return status


@kernel
def make_fixed_step(c: FixedSolver, until: Real) -> Int:
    """One step, or the part of it up to the first crossing; status as that of CVODE."""
    e = c.loop
    n = e.states
    end = until if until - c.time <= c.step * (1.0 + SAME_LENGTH) else c.time + c.step
    status = 0 if c.is_slope_known != 0 else find_derivatives(c, c.time, e.numbers, c.slope)
    if status != 0:
        return status
    c.begin_time = c.time
    copy_numbers(n, e.numbers, c.begin_states)
    copy_numbers(n, c.slope, c.begin_slope)
    status = attempt_step(c, end)
    for _ in range(HALVINGS):
        if status != UNSOLVED:
            break
        end = c.begin_time + 0.5 * (end - c.begin_time)
        status = attempt_step(c, end)
    if status != 0:
        return status
    c.end_time = end
    c.steps += 1
    if c.method != IMPLICIT_EULER:
        slope = tail(c.slopes, 0 if c.method == HEUN else 2 * n)
        is_heun = 1 if c.method == HEUN else 0
        judge_step(n, end - c.begin_time, is_heun, c.stage, slope, c.end_states, c.end_slope, c.judgement)
    is_found = c.search.count != 0 and cross_part(c, end)
    if is_found and c.time < end:
        interpolate_fixed(c, c.time, 0, e.numbers)
        c.is_slope_known = 0
    else:
        c.time = end
        copy_numbers(n, c.end_states, e.numbers)
        copy_numbers(n, c.end_slope, c.slope)
        c.is_slope_known = 1
        if e.followed > 0:
            c.end_step(e.m, e.memory, e.followed, end)
    return ROOT if is_found else 0


# ------------------------------------------------------------------ in place of CVODE


@kernel
def interpolate_fixed(c: FixedSolver, t: Real, order: CInt, out: Reals) -> CInt:  # noqa: ARG001
    """In place of CVodeGetDky: the states in the last step, whose ends are met exactly."""
    n = c.loop.states
    h = c.end_time - c.begin_time
    if t == c.end_time or not h > 0.0:
        copy_numbers(n, c.end_states, out)
        return 0
    s = (t - c.begin_time) / h
    r = 1.0 - s
    for i in range(n):
        way = c.end_states[i] - c.begin_states[i]
        bend = r * (h * c.begin_slope[i] - way) - s * (h * c.end_slope[i] - way)
        out[i] = c.begin_states[i] + s * (way + r * bend)
    return 0


@kernel
def watch_fixed(c: FixedSolver, t: Real, factor: Real, out: Reals) -> None:
    """Root functions with their offsets in the last step, and at states that differ by rounding."""
    e = c.loop
    interpolate_fixed(c, t, 0, e.between_there)
    for i in range(e.states):
        e.between_there[i] *= factor
    status = e.crossings(t, e.between_there, e.u, e.p, e.m, out)
    if status != 0:
        note_failure(e, t, status)
    for i in range(e.crossing_count):
        out[i] = out[i] + e.offset[i] if status == 0 else float("nan")


@kernel
def begin_watch(c: FixedSolver, t: Real, out: Reals) -> None:
    """Root functions where steps begin: each on its side."""
    e = c.loop
    if t == e.starts[e.crossing_count]:
        copy_numbers(e.crossing_count, e.starts, out)
        return
    status = e.crossings(t, e.numbers, e.u, e.p, e.m, out)
    if status != 0:
        note_failure(e, t, status)
    for i in range(e.crossing_count):
        out[i] = out[i] + e.offset[i] if status == 0 else float("nan")


@kernel
def count_fixed(c: FixedSolver, count: Ints) -> CInt:
    """In place of CVodeGetNumSteps."""
    count[0] = c.steps
    return 0


@kernel
def limit_fixed(c: FixedSolver, count: Int) -> CInt:
    """In place of CVodeSetMaxNumSteps."""
    c.most_steps = count
    return 0


KERNELS: tuple[Callable[..., object], ...] = (
    *(solve_fixed, interpolate_fixed, watch_fixed, begin_watch, count_fixed, limit_fixed),
)
"""Kernels called by their addresses."""
