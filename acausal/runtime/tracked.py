"""Routines of a program around which branches are tracked; `codegen/llvm_tracking` is the same as machine code."""

from collections.abc import Callable

from acausal.ir.program import Program
from acausal.runtime.branch import (
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
from acausal.runtime.language import Reals, tail
from acausal.runtime.removable import NEAR, Motion, smooth_results

Routine = Callable[..., int]
"""f(t, y, u, p, m, out)."""
PREDICTED = ("events", "crossings", "choices", "delayed")


def tracked(program: Program, name: str, routine: Routine) -> Routine:
    """The routine of this name, with start values of nonlinear blocks by their record."""
    base, n = program.memory, program.followed
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

    def slope(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        begin_slope(m, base, n, t)
        status = routine(t, y, u, p, m, out)
        if status and slope_again(m, base, n):
            status = routine(t, y, u, p, m, out)
        if not status:
            end_slope(m, base, n, t)
        return status

    if name != "derivatives":
        return around
    return _smooth(program, routine, slope) if program.moving else slope


def _smooth(program: Program, routine: Routine, slope: Routine) -> Routine:
    """`slope`, interpolated where branches cross."""
    base, n, size = program.memory, program.followed, len(program.state_slots)
    position, rate = zip(*program.moving, strict=True)
    motion = Motion(
        routine=routine,
        base=base,
        followed=n,
        states=size,
        results=size,
        moving=len(position),
        position=position,
        rate=rate,
    )

    def smoothed(t: float, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> int:
        watch_pivots(m, base, n)
        status = slope(t, y, u, p, m, out)
        if least_pivot(m, base, n) >= NEAR and not status:
            return 0
        return smooth_results(motion, t, y, u, p, m, out, tail(m, program.interpolation_start), status)

    return smoothed
