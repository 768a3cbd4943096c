"""The record of tracked branches in m: its layout.

Branches of nonlinear blocks are tracked by points, solutions at earlier times (`branch_points`), from which derivatives
(`branch_slopes`) and results (`branch_results`) begin.

The first n of the `base` start values in m are solutions that the derivatives follow; the last n + 1 are their rates by
the points, and the time between points (0: not known), which rows next to a dead center need (`near_singular`); before
these stand rates of driven states while routines are interpolated (`moved_routine`). Then come `BranchRecord`; of these
n solutions the pending point, the prediction, what was expected at an event, differences (POINTS each), and the rates
by nodes; the largest pivots of blocks, and `PivotRecord`.
"""

from typing import Annotated

from acausal.runtime.blocks.pivots import PIVOTS, PivotRecord
from acausal.runtime.kernel.language import Int, Real, Reals, kernel
from acausal.runtime.kernel.overlay import Overlay, overlay

POINTS = 5


class BranchRecord(Overlay):
    """Points of the branches, and how the solver makes them; truth values are 0 and 1."""

    active: Real
    """1 if a run is under way."""
    count: Real
    """Points, without the pending one."""
    after_event: Real
    is_pending: Real
    pending_time: Real
    is_predicted: Real
    """1 if the prediction is that of `predicted_time`."""
    predicted_time: Real
    """The time of `factors`."""
    by_steps: Real
    """1 if only ends of steps are points: Runge-Kutta methods evaluate derivatives at states that are not near."""
    spacing: Real
    """Time between nodes (`removable`)."""
    center: Real
    """The middle of the last nodes."""
    width: Real
    """The time between the last nodes; 0: there are none."""
    failures: Real
    """Attempts to interpolate that failed."""
    skipped: Real
    """Evaluations to come without an attempt."""
    crossing: Real
    """1 if the last routine was refused, as the run begins or goes on from an event where branches cross."""
    rates: Real
    """So many of the solutions, the last ones, are rates of states, which may jump at events."""
    has_speeds: Real
    """1 if speeds before an event are known (`turned`)."""
    speed_time: Real
    """The time of these speeds."""
    pace: Real
    """Speed, as a share of that with which the points were passed, behind impacts that follow each other."""
    struck: Real
    """1 behind an impact beside a dead center, until the motion has left it."""
    stopped: Real
    """1 behind an event that has stopped the motion."""
    row_time: Real
    """The time at which the start values of a row hold."""
    has_tangents: Real
    """1 if rates of the solutions at `tangent_time` are known by the nodes (`singular_point`)."""
    tangent_time: Real
    pending_side: Real
    """The least pivot of the pending point with the sign of the determinants, and the state that moves the blocks."""
    pending_place: Real
    side: Real
    """The same at the last point that was not next to a dead center (`sides`); 0: there is none."""
    place: Real
    side_slope: Real
    """Change of `side` with `place`; 0: not known."""
    times: Annotated[Reals, POINTS]
    """Times of the points."""
    factors: Annotated[Reals, POINTS]
    """Of the differences, at `predicted_time`."""


HEAD = BranchRecord.words
REGULAR_PIVOT = 0.3
"""Of a pivot that does not vanish together with the least one."""


def record_size(base: int, n: int) -> int:
    """Numbers in m for the record of n of `base` solutions."""
    return record_end(base, n) - base


@kernel
def record_end(base: Int, n: Int) -> Int:
    """End of the record in m."""
    return 2 * base + HEAD + (5 + POINTS) * n + PIVOTS


@kernel
def pending_at(base: Int) -> Int:
    """Place in m of the solutions of the pending point."""
    return base + HEAD


@kernel
def predicted_at(base: Int, n: Int) -> Int:
    """Place in m of the solutions at `predicted_time` by the points."""
    return base + HEAD + n


@kernel
def expected_at(base: Int, n: Int) -> Int:
    """Place in m of what is expected at an event."""
    return base + HEAD + 2 * n


@kernel
def differences_at(base: Int, n: Int) -> Int:
    """Place in m of the modified divided differences: POINTS of each solution, first the one at the newest point."""
    return base + HEAD + 3 * n


@kernel
def tangents_at(base: Int, n: Int) -> Int:
    """Place in m of the rates of the solutions at `tangent_time`."""
    return base + HEAD + (3 + POINTS) * n


@kernel
def unknowns(m: Reals, base: Int, n: Int) -> Int:
    """Number of solutions that are unknowns of blocks."""
    return n - int(overlay(BranchRecord, m, base).rates)


@kernel
def points(m: Reals, base: Int) -> Int:
    """Number of points, without the pending one."""
    return int(overlay(BranchRecord, m, base).count)


@kernel
def set_strict(m: Reals, base: Int, n: Int, strict: Real) -> None:
    """True if Newton's method may only contract."""
    pivots = overlay(PivotRecord, m, record_end(base, n) - PIVOTS)
    pivots.strict = strict


@kernel
def strictness(m: Reals, base: Int, n: Int) -> Real:
    """Mode of Newton's method, as `set_strict` has set it."""
    return overlay(PivotRecord, m, record_end(base, n) - PIVOTS).strict


@kernel
def watch_pivots(m: Reals, base: Int, n: Int, first: Int) -> None:
    """From here on the pivots of nonlinear blocks are noted, from the place `first` of the largest ones on."""
    pivots = overlay(PivotRecord, m, record_end(base, n) - PIVOTS)
    pivots.least = 1.0
    pivots.second = 1.0
    pivots.sign = 1.0
    pivots.block = float(first)


@kernel
def last_pivot(m: Reals, base: Int, n: Int) -> Real:
    """The least pivot that was noted last."""
    return overlay(PivotRecord, m, record_end(base, n) - PIVOTS).least


@kernel
def last_side(m: Reals, base: Int, n: Int) -> Real:
    """The least pivot that was noted last, with the sign of the determinants; 0 where it is not the only small one.

    Where several pivots vanish together, signs tell nothing.
    """
    pivots = overlay(PivotRecord, m, record_end(base, n) - PIVOTS)
    return pivots.sign * pivots.least if pivots.second >= REGULAR_PIVOT else 0.0


@kernel
def set_regular(m: Reals, base: Int, n: Int) -> None:
    """The solutions are on a branch that is known, however small pivots are."""
    pivots = overlay(PivotRecord, m, record_end(base, n) - PIVOTS)
    pivots.least = 1.0


@kernel
def least_pivot(m: Reals, base: Int, n: Int) -> Real:
    """The least pivot since `watch_pivots`, as a share of the largest one of its block; the watch ends."""
    pivots = overlay(PivotRecord, m, record_end(base, n) - PIVOTS)
    pivots.block = 0.0
    return pivots.least
