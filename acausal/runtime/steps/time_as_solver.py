"""Functions of CVODE for a run without states, where time alone goes on."""

from math import nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE
from acausal.runtime.cvode.callbacks import NORMAL, TOO_MUCH_WORK, note_failure
from acausal.runtime.events.loop_context import LoopContext
from acausal.runtime.events.single_steps import NOT_DELAYED, extend_history
from acausal.runtime.kernel.language import Address, CInt, CInts, Int, Ints, Real, Reals, kernel
from acausal.runtime.steps.time_steps import TimeSolver, advance_time


@kernel
def solve_time(c: TimeSolver, goal: Real, vector: Address, reached: Reals, task: CInt) -> CInt:  # noqa: ARG001
    """In place of CVode."""
    status = advance_time(c, min(goal, c.stop))
    reached[0] = c.time
    return status


@kernel
def begin_time(c: TimeSolver, t: Real, vector: Address) -> CInt:  # noqa: ARG001
    """In place of CVodeReInit."""
    c.time = t
    c.is_begin = 1
    return 0


@kernel
def stop_time(c: TimeSolver, t: Real) -> CInt:
    """In place of CVodeSetStopTime."""
    c.stop = t
    return 0


@kernel
def crossed_roots(c: TimeSolver, roots: CInts) -> CInt:
    """In place of CVodeGetRootInfo."""
    for i in range(c.search.count):
        roots[i] = c.search.roots[i]
    return 0


@kernel
def ignore_time(c: Address, t: Real) -> CInt:  # noqa: ARG001
    """In place of functions that limit steps."""
    return 0


@kernel
def count_nothing(c: Address, count: Ints) -> CInt:  # noqa: ARG001
    """In place of functions that count steps and Jacobians."""
    count[0] = 0
    return 0


@kernel
def no_states(c: Address, t: Real, order: CInt, vector: Address) -> CInt:  # noqa: ARG001
    """In place of CVodeGetDky."""
    return 0


@kernel
def step_in_time(e: LoopContext, goal: Real) -> Int:
    """In place of `single_steps.step_to`: a run without states makes its own steps."""
    return e.solve(e.cvode, goal, e.vector, e.reached, NORMAL)


@kernel
def watch_in_time(e: LoopContext, t: Real, factor: Real, out: Reals) -> None:
    """Root functions with their offsets at a time, and at times that differ by rounding."""
    status = e.crossings(t * factor, e.y, e.u, e.p, e.m, out)
    if status != 0:
        note_failure(e, t, status)
    for i in range(e.crossing_count):
        out[i] = out[i] + e.offset[i] if status == 0 else nan


@kernel
def watch_begin(e: LoopContext, t: Real, out: Reals) -> None:
    """Root functions where the run goes on: each begins on its side."""
    if t == e.starts[e.crossing_count]:
        copy_numbers(e.crossing_count, e.starts, out)
    else:
        watch_in_time(e, t, 1.0, out)


@kernel
def extend_in_time(e: LoopContext, t: Real) -> CInt:
    """The history goes on to t; TOO_MUCH_WORK where it has no room for another piece."""
    if extend_history(e, t) != DONE:
        return NOT_DELAYED
    return TOO_MUCH_WORK if e.inputs.history.pieces == e.inputs.history.piece_room else 0


KERNELS = (
    *(solve_time, begin_time, stop_time, crossed_roots, ignore_time, count_nothing, no_states),
    *(step_in_time, watch_in_time, watch_begin, extend_in_time),
)
"""Kernels called by their addresses."""
