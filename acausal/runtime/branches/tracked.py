"""Routines of a program around which branches are tracked: start values of nonlinear blocks come from their record.

Next to singular blocks results are interpolated (`removable`, `near_singular`).
"""

from collections.abc import Callable
from typing import Protocol

from acausal.ir.program.program import Program
from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.pivots import NEAR, PIVOTS, PivotRecord
from acausal.runtime.branches.branch_record import (
    BranchRecord,
    last_pivot,
    last_side,
    least_pivot,
    points,
    record_end,
    strictness,
    watch_pivots,
)
from acausal.runtime.branches.branch_results import back_to_last, begin_run, end_events, predict
from acausal.runtime.branches.branch_slopes import (
    begin_slope,
    begin_steps,
    departure,
    end_slope,
    end_step,
    is_rough,
    slope_again,
)
from acausal.runtime.branches.moved_routine import TrackedRoutine, hold_rates, is_way_known, start_at
from acausal.runtime.branches.near_singular import EXACT, interpolate_results
from acausal.runtime.branches.removable import smooth_results
from acausal.runtime.branches.sides import is_beside_center, is_other_branch, note_side
from acausal.runtime.branches.singular_start import refuse_singular_start
from acausal.runtime.branches.turned import follow_impact
from acausal.runtime.kernel.language import Bool, CInt, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay


class Tracker(Protocol):
    """A kernel in the place of the routine."""

    __name__: str

    def __call__(self, c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, /) -> CInt:
        """Status."""
        ...


@kernel
def tracked_initial(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """`initial`, which begins a record."""
    begin_run(m, c.base, c.followed, c.driven)
    return c.routine(t, y, u, p, m, out)


@kernel
def tracked_derivatives(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """`derivatives`, whose solutions are points of the branches.

    Behind an event there is no step that could be shorter: its solutions are compared by `end_events`.
    """
    record = overlay(BranchRecord, m, c.base)
    record.crossing = 0.0
    after_event = record.after_event != 0.0
    begins = after_event and record.by_steps != 0.0
    begin_slope(m, c.base, c.followed, t)
    is_judged = c.is_judged != 0 and record.by_steps == 0.0 and not after_event
    is_judged = is_judged and strictness(m, c.base, c.followed) != 0.0
    status = attempt_slope(c, t, y, u, p, m, out)
    if is_judged and status == 0:
        place = departure(m, c.base, c.followed, t)
        if place >= 0:
            record.is_pending = 0.0
            return c.block_of[place]
    is_beside = has_sides(c) and is_beside_center(m, c.base, y[c.position[c.turned[0]]])
    if status != 0 and slope_again(m, c.base, c.followed, is_beside) != 0:
        status = attempt_slope(c, t, y, u, p, m, out)
    if status == 0 and begins:
        begin_steps(m, c.base, c.followed, t)
    return status


@kernel
def attempt_slope(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """The derivatives from these start values, interpolated where branches cross."""
    strict = strictness(m, c.base, c.followed)
    if is_way_known(c):
        if points(m, c.base) < 2:
            copy_numbers(c.followed, m, tail(m, c.interpolation_start + start_at(c)))
        watch_pivots(m, c.base, c.followed, c.first_block)
    status = c.routine(t, y, u, p, m, out)
    side = last_side(m, c.base, c.followed)
    if status == 0:
        end_slope(m, c.base, c.followed, t)
    if not is_way_known(c):
        return status
    pivot = least_pivot(m, c.base, c.followed)
    is_regular = pivot >= NEAR
    is_sided = status == 0 and has_sides(c) and (is_regular or strict != 0.0)
    if not is_regular or status != 0:
        hold_rates(c, m)
        status = smooth_results(c, t, y, u, p, m, out, tail(m, c.interpolation_start), status)
        if status == 0 and pivot < EXACT and refuses_struck(c, m):
            return 1
    elif strict != 0.0:
        overlay(BranchRecord, m, c.base).struck = 0.0
    if is_sided:
        note_side(m, c.base, side, y[c.position[c.turned[0]]])
    if status == 0 and is_other_branch(m, c.base):
        overlay(BranchRecord, m, c.base).is_pending = 0.0
        return c.block_of[0]
    return status


@kernel
def refuses_struck(c: TrackedRoutine, m: Reals) -> Bool:
    """True if nothing is known of a motion of several states behind an impact in a dead center.

    It does not pass straight through, where results would be interpolated, but beside the center, where accelerations
    are large and the speeds behind the impact are not exact enough.
    """
    record = overlay(BranchRecord, m, c.base)
    if record.struck == 0.0 or has_sides(c) or last_pivot(m, c.base, c.followed) == 1.0:
        return False
    record.crossing = 1.0
    record.is_pending = 0.0
    return True


@kernel
def has_sides(c: TrackedRoutine) -> Bool:
    """True if one state alone moves the blocks, so that their determinants tell the branch."""
    return c.turning == 1 and c.driven == 0 and c.is_timed == 0 and c.moving_inputs == 0


@kernel
def tracked_results(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """Results from predicted solutions; where they lead to none, from those of the last point."""
    overlay(BranchRecord, m, c.base).crossing = 0.0
    predict(m, c.base, c.followed, t)
    status = near_results(c, t, y, u, p, m, out)
    if status == 0 or overlay(BranchRecord, m, c.base).crossing != 0.0:
        return status
    back_to_last(m, c.base, c.followed)
    return near_results(c, t, y, u, p, m, out)


@kernel
def tracked_events(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """`events`, behind which the branch is that of before or another one."""
    if is_way_known(c):
        follow_impact(c, t, y, m, tail(m, c.interpolation_start))
    status = tracked_results(c, t, y, u, p, m, out)
    end_events(m, c.base, c.followed)
    return status


@kernel
def near_results(c: TrackedRoutine, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals) -> CInt:
    """Results, interpolated next to singular blocks."""
    if c.is_near == 0:
        return c.routine(t, y, u, p, m, out)
    work = tail(m, c.interpolation_start)
    copy_numbers(c.followed, m, tail(work, start_at(c)))
    watch_pivots(m, c.base, c.followed, c.first_block)
    status = c.routine(t, y, u, p, m, out)
    pivot = least_pivot(m, c.base, c.followed)
    if pivot >= NEAR and status == 0:
        return 0
    hold_rates(c, m)
    if c.in_run != 0 and overlay(BranchRecord, m, c.base).active != 0.0 and points(m, c.base) == 0:
        return refuse_singular_start(c, t, y, u, p, m, out, work, status)
    found = interpolate_results(c, t, y, u, p, m, out, work, status, pivot)
    if c.in_run != 0:
        overlay(PivotRecord, m, record_end(c.base, c.followed) - PIVOTS).least = pivot
    return found


TRACKERS: dict[str, Tracker] = {
    "initial": tracked_initial,
    "derivatives": tracked_derivatives,
    "events": tracked_events,
    **dict.fromkeys(("crossings", "choices", "delayed"), tracked_results),
}
"""Kernels in the place of routines."""
KERNELS: tuple[Callable[..., object], ...] = (
    *(tracked_initial, tracked_derivatives, tracked_results, tracked_events, near_results),
    *(predict, end_step, is_rough),
)
"""Kernels called from outside."""


def tracker(program: Program, name: str) -> Tracker | None:
    """The kernel in the place of a routine; None where it needs none."""
    if not program.followed:
        return None
    return TRACKERS.get(name) or (near_results if name in program.near_singular else None)


def tracked(program: Program, name: str, routine: Callable[..., int]) -> Callable[..., int]:
    """The routine of this name, with start values of nonlinear blocks by their record."""
    kernel = tracker(program, name)
    if kernel is None:
        return routine
    context = tracked_routine(program, name, routine)

    def call(t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, /) -> CInt:
        return kernel(context, t, y, u, p, m, out)

    return call


def tracked_routine(program: Program, name: str, routine: object) -> TrackedRoutine:
    """The context of a kernel in the place of the routine."""
    moving, turning, inputs = program.moving, program.turning, program.moving_inputs
    rates = range(program.memory - 1 - program.followed - len(program.driven), program.memory)
    return TrackedRoutine(
        routine=routine,
        base=program.memory,
        followed=program.followed,
        states=len(program.state_slots),
        results=program.result_size(name),
        moving=len(moving) + len(program.driven),
        driven=len(program.driven),
        is_timed=int(program.is_timed or not program.state_slots),
        position=[*(position for position, _ in moving), *program.driven],
        rate=[*(rate for _, rate in moving), *rates[: len(program.driven)]],
        turning=len(turning),
        turned=[*turning],
        inputs=program.input_size,
        inputs_start=program.interpolation - program.input_size,
        moving_inputs=len(inputs),
        input_position=[position for position, _ in inputs],
        input_rate=[rate for _, rate in inputs],
        first_block=first_block(program, name),
        in_run=int(name != "variables"),
        is_row=int(name != "derivatives"),
        interpolation_start=program.interpolation_start,
        is_near=int(name not in ("initial", "derivatives") and name in program.near_singular),
        is_judged=int(program.is_judged and name == "derivatives"),
        block_of=program.block_of_followed if name == "derivatives" else [],
    )


def first_block(program: Program, name: str) -> int:
    """Place of the largest pivot of the first block of a routine: rows, which others evaluate later, have their own."""
    return program.followed + 1 if name == "variables" else 1
