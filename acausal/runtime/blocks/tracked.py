"""Routines of a program around which branches are tracked; `codegen/llvm/tracking` is the same as machine code."""

from collections.abc import Callable

from acausal.ir.program import Program
from acausal.runtime.blocks.branch import (
    back_to_last,
    begin_run,
    begin_slope,
    end_events,
    end_slope,
    least_pivot,
    predict,
    slope_again,
    watch_pivots,
)
from acausal.runtime.blocks.near_singular import interpolate_results, keep_start
from acausal.runtime.blocks.pivots import NEAR, SINGULAR
from acausal.runtime.blocks.removable import NODES, Motion, smooth_results
from acausal.runtime.kernel.language import Reals, tail

Routine = Callable[..., int]
"""f(t, y, u, p, m, out)."""
PREDICTED = ("events", "crossings", "choices", "delayed")


def tracked(program: Program, name: str, routine: Routine) -> Routine:
    """The routine of this name, with start values of nonlinear blocks by their record."""
    base, n = program.memory, program.followed
    if n and name in program.near_singular:
        routine = _near_singular(program, name, routine)
    if not n or (name not in PREDICTED and name not in ("initial", "derivatives")):
        return routine

    def around(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        if name == "initial":
            begin_run(m, base, n)
        else:
            predict(m, base, n, t)
        status = routine(t, y, u, p, m, out)
        if status and name != "initial":
            back_to_last(m, base, n)
            status = routine(t, y, u, p, m, out)
        if name == "events":
            end_events(m, base, n)
        return status

    def once(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        status = routine(t, y, u, p, m, out)
        if not status:
            end_slope(m, base, n, t)
        return status

    attempt = _smooth(program, routine, once) if program.moving else once

    def slope(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        begin_slope(m, base, n, t)
        status = attempt(t, y, u, p, m, out)
        if status and slope_again(m, base, n):
            status = attempt(t, y, u, p, m, out)
        return status

    return slope if name == "derivatives" else around


def _smooth(program: Program, routine: Routine, once: Routine) -> Routine:
    """`once`, interpolated where branches cross."""
    base, n = program.memory, program.followed
    motion = _motion(program, "derivatives", routine)

    def smoothed(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        watch_pivots(m, base, n, 1)
        status = once(t, y, u, p, m, out)
        if least_pivot(m, base, n) >= NEAR and not status:
            return 0
        return smooth_results(motion, t, y, u, p, m, out, tail(m, program.interpolation_start), status)

    return smoothed


def first_block(program: Program, name: str) -> int:
    """Place of the largest pivot of the first block of a routine: rows, which others evaluate later, have their own."""
    return program.followed + 1 if name == "variables" else 1


def least_direct(name: str) -> float:
    """The least pivot with which the results of a routine stand as they are.

    The relations of events jump and are evaluated directly: root functions agree with them as long as these are right.
    """
    return SINGULAR if name in ("events", "crossings") else NEAR


def _motion(program: Program, name: str, routine: Routine) -> Motion:
    position, rate = zip(*program.moving, strict=True)
    return Motion(
        routine=routine,
        base=program.memory,
        followed=program.followed,
        states=len(program.state_slots),
        results=program.result_size(name),
        moving=len(position),
        position=position,
        rate=rate,
        first_block=first_block(program, name),
        is_row=int(name != "derivatives"),
    )


def _near_singular(program: Program, name: str, routine: Routine) -> Routine:
    """The routine, interpolated next to singular blocks."""
    base, n = program.memory, program.followed
    motion, limit = _motion(program, name, routine), least_direct(name)

    def near(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        work = tail(m, program.interpolation_start)
        keep_start(m, n, tail(work, motion.states + 2 * NODES * n))
        watch_pivots(m, base, n, motion.first_block)
        status = routine(t, y, u, p, m, out)
        if least_pivot(m, base, n) >= limit and not status:
            return 0
        return interpolate_results(motion, t, y, u, p, m, out, work, status)

    return near
