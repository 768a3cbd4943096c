"""Nonlinear blocks of a model without states, followed through time.

No solver's error limits the steps: they are as long as each solution agrees with its prediction by the points before
(`runtime/branches/branch_slopes`). A step is halved where it does not or a block is not solved, else the next one may
be twice as long.

Every way ends. No step is shorter than a quarter of `shortest`, two units in the last place of time, so that each one
advances. A prediction that stays bad however short the step, as at a kink or where rounding is all there is, is
accepted; each of these makes such steps LONGER times as long at least for the rest of the way, so that there are at
most log2(1/SHORTEST) / log2(LONGER) of them. Before a step that long is passed again it goes back from steps only that
are half as long each time. All other steps are as long as a smooth solution needs.
"""

from math import inf, nan
from typing import Protocol

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_points import activate, drop_newest
from acausal.runtime.branches.branch_record import BranchRecord, points
from acausal.runtime.branches.branch_results import predict
from acausal.runtime.branches.branch_slopes import end_step, is_rough
from acausal.runtime.context import SolverRecord
from acausal.runtime.kernel.language import Address, Bool, CInt, Int, Real, Reals, Struct, floor, kernel
from acausal.runtime.kernel.overlay import overlay
from acausal.runtime.kernel.routines import ModelRoutine

FIRST = 1e-4
"""The first step, where no prediction can be judged yet, as a share of the way."""
SHORTEST = 2.0**-40
"""A step as short, as a share of the way, is not made shorter."""
RESOLUTION = 2.0**-49
"""The same as a share of the time."""
SHORTER = 2.0**-6
"""A bad prediction makes a step no shorter than this share of the last one: a near point improves the next one."""
LONGER = 4.0
"""So many times as long at least are the steps behind one whose prediction stayed bad."""
JUMP = 1e-6
"""An input that changes by more within the shortest step, as a share, jumps there: solutions may do so, too."""
MOST_STEPS = 5000
"""In one call: between calls Python sees whether the user wants to stop."""
UNFINISHED = -2
"""Status behind so many."""


class FillInputs(Protocol):
    """The inputs at a time, into u."""

    def __call__(self, context: Address, t: Real, /) -> Int:
        """Not 0 where a function of the host fails."""
        ...


class FollowedTime(Struct):
    """Blocks up to `time`, and what evaluates them."""

    time: Real
    step: Real
    """The next step."""
    last: Real
    """The last step; 0: none has been made since the run began, or went on from an event."""
    shortest: Real
    least: Real
    """A prediction that is bad for a step that is not longer is accepted."""
    begin: Real
    end: Real
    """The way of the last call."""
    back_until: Real
    longest_back: Real
    """Up to that time it goes back to a point before from steps only that are not longer."""
    derivatives: ModelRoutine
    y: Reals
    u: Reals
    p: Reals
    m: Reals
    out: Reals
    memory: Int
    followed: Int
    record: SolverRecord
    fill: FillInputs
    inputs: Address
    given: Reals
    """Frozen values and inputs."""
    given_before: Reals
    given_count: Int


@kernel
def begin_followed(f: FollowedTime, t: Real) -> CInt:
    """The run begins at t, or goes on from an event there; not 0 where a block is not solved."""
    record = overlay(BranchRecord, f.m, f.memory)
    record.by_steps = 1.0
    f.time = t
    f.last = 0.0
    f.end = nan
    f.back_until = -inf
    return solve_blocks(f, t)


@kernel
def follow_time(f: FollowedTime, end: Real) -> CInt:
    """Solve the blocks at times up to `end`, by steps of equal length while none is rejected; UNFINISHED behind many.

    Else 0, the number of the block where a branch ends, or -1 where a function of the host fails.
    """
    way = end - f.time
    if not way > 0.0:
        return 0
    begin_way(f, way, end)
    for _ in range(MOST_STEPS):
        left = end - f.time
        goal = end if f.step >= left else f.time - left / floor(-left / f.step)
        status = solve_blocks(f, goal)
        if status < 0:
            return status
        if status != 0 and goal - f.time > f.shortest:
            f.step = 0.5 * (goal - f.time)
            continue
        if status != 0:
            status = solve_behind_jump(f, goal, status)
            if status != 0:
                return status
        elif is_judged(f) and is_rough(f.m, f.memory, f.followed, goal) and is_shortened(f, goal):
            continue
        end_followed(f, goal)
        if goal == end:
            return 0
    return UNFINISHED


@kernel
def begin_way(f: FollowedTime, way: Real, end: Real) -> None:
    """Steps up to `end` are no shorter than a quarter of `shortest`; behind UNFINISHED the way is the same one."""
    f.shortest = max(SHORTEST * way, RESOLUTION * max(abs(f.time), abs(end)))
    f.step = max(f.step if f.last > 0.0 else FIRST * way, f.shortest)
    if f.end != end:
        f.end = end
        f.begin = f.time
        f.least = f.shortest


@kernel
def is_judged(f: FollowedTime) -> Bool:
    """True if predictions can be judged: not by a single point, nor behind an event that solutions may have changed."""
    return f.last > 0.0 and points(f.m, f.memory) > 1


@kernel
def is_shortened(f: FollowedTime, goal: Real) -> Bool:
    """True if the step to `goal`, which was predicted badly, is to be made shorter, or if the one before is.

    Where no step from a point is predicted well that point may be on another branch, or there is a kink: it is located
    by shorter steps up to it. A kink is passed; points before it predict none behind it.
    """
    taken = goal - f.time
    if taken > max(f.least, SHORTER * f.last):
        f.step = 0.5 * taken
        return True
    record = overlay(BranchRecord, f.m, f.memory)
    if goal > f.back_until:
        f.longest_back = inf
    if f.last > f.least and f.last <= f.longest_back and record.count > 3.0 and record.times[1] >= f.begin:
        if f.longest_back == inf:
            f.back_until = goal + f.last
        f.longest_back = 0.5 * f.last
        drop_newest(f.m, f.memory, f.followed)
        f.time = record.times[0]
        f.step = f.longest_back
        f.last = f.step
        return True
    f.least = LONGER * f.least
    return False


@kernel
def end_followed(f: FollowedTime, goal: Real) -> None:
    """The blocks are solved at `goal`."""
    end_step(f.m, f.memory, f.followed, goal)
    f.last = goal - f.time
    f.step = max(f.step, 2.0 * f.last, f.least)
    f.time = goal


@kernel
def solve_blocks(f: FollowedTime, t: Real) -> Int:
    """Status of the blocks at a time."""
    f.record.calls += 1.0
    status = f.derivatives(t, f.y, f.u, f.p, f.m, f.out)
    if status > 0:
        f.record.failed_block = float(status)
        f.record.failed_time = t
    return status


@kernel
def solve_behind_jump(f: FollowedTime, t: Real, status: Int) -> Int:
    """Where an input jumps solutions go on free of the points before; else a branch ends, with this status."""
    if not jumps(f, t):
        return status
    predict(f.m, f.memory, f.followed, f.time)
    activate(f.m, f.memory)
    return solve_blocks(f, t)


@kernel
def jumps(f: FollowedTime, t: Real) -> Bool:
    """True if an input jumps between the time up to which blocks are followed and t."""
    if f.given_count == 0 or f.fill(f.inputs, f.time) != 0:
        return False
    copy_numbers(f.given_count, f.given, f.given_before)
    if f.fill(f.inputs, t) != 0:
        return False
    for i in range(f.given_count):
        if abs(f.given[i] - f.given_before[i]) > JUMP * (abs(f.given[i]) + abs(f.given_before[i])):
            return True
    return False


KERNELS = (begin_followed, follow_time)
"""Kernels called by their addresses."""
