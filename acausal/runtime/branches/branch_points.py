"""Points of the branches: solutions of nonlinear blocks at earlier times, and their extrapolation.

Points are those at which the derivatives were evaluated. The last one is pending: what a solver has tried and given up
is later than what it tries next, and is dropped then. So derivatives depend on time, states and the points before, not
on earlier trials. Solutions are extrapolated by modified divided differences (L. F. Shampine, M. K. Gordon, Computer
Solution of Ordinary Differential Equations, 1975, chapter 5).
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.branches.branch_record import (
    POINTS,
    BranchRecord,
    differences_at,
    pending_at,
    points,
    set_strict,
    unknowns,
)
from acausal.runtime.branches.sides import commit_side, forget_side
from acausal.runtime.kernel.language import Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

NEAR_SHARE = 1e-6
"""A point nearer to the last one, as a share of the distance of the points before, takes its place."""
SAME = 1e-3
"""After an event solutions that differ from the prediction by less, as a share, are on the branch of before."""


MOST_FACTOR = 1e7
"""Larger factors of differences magnify their rounding errors: points are much nearer to each other than to t."""


@kernel
def activate(m: Reals, base: Int) -> None:
    """No points, and those to come are kept: a run begins, or goes on with other states."""
    record = overlay(BranchRecord, m, base)
    record.active = 1.0
    forget_side(m, base)
    record.count = 0.0
    record.after_event = 1.0
    record.is_pending = 0.0


@kernel
def forget(m: Reals, base: Int) -> None:
    """No points."""
    record = overlay(BranchRecord, m, base)
    record.count = 0.0
    record.is_pending = 0.0
    record.is_predicted = 0.0
    record.has_tangents = 0.0
    record.width = 0.0


@kernel
def forget_if_left(m: Reals, base: Int, n: Int, expected: Reals) -> None:
    """No points, where the solutions are not next to these."""
    for j in range(unknowns(m, base, n)):
        value = expected[j]
        if not abs(m[j] - value) <= SAME * max(abs(m[j]), abs(value)):
            forget(m, base)
            forget_side(m, base)


@kernel
def set_factors(m: Reals, base: Int, count: Int, t: Real) -> None:
    """Compute the factors of the differences at t."""
    record = overlay(BranchRecord, m, base)
    if record.is_predicted != 0.0 and record.predicted_time == t:
        return
    times = record.times
    factors = record.factors
    factor = 1.0
    newest = times[0]
    for i in range(count):
        if i > 0:
            factor = factor * ((t - times[i - 1]) / (newest - times[i]))
        factors[i] = factor
    record.predicted_time = t
    record.is_predicted = 0.0


@kernel
def extrapolate(m: Reals, base: Int, n: Int, count: Int, out: Reals) -> None:
    """Solutions by the factors; terms of higher order as long as they do not grow."""
    factors = overlay(BranchRecord, m, base).factors
    differences = tail(m, differences_at(base, n))
    for j in range(n):
        row = j * POINTS
        value = differences[row]
        last = float("inf")
        before = float("inf")
        i = 1
        while i < count:
            term = factors[i] * differences[row + i]
            size = abs(term)
            if abs(factors[i]) > MOST_FACTOR or (i > 2 and not size <= max(last, before)):
                break
            value = value + term
            before = last
            last = size
            i = i + 1
        out[j] = value


@kernel
def commit(m: Reals, base: Int, n: Int) -> None:
    """The pending point becomes one of the points."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    count = points(m, base)
    t = record.pending_time
    record.is_pending = 0.0
    commit_side(m, base)
    if count > 0 and times[0] == t:
        return
    near = 0.0
    if count > 1:
        near = NEAR_SHARE * (times[0] - times[1])
    if count > 0 and times[0] > t - near:
        drop_later(m, base, n, t - near)
    add_point(m, base, n, t, tail(m, pending_at(base)))


@kernel
def drop_later(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Only the points before t remain: a step that went beyond t ended at an event before it."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    while record.count > 0.0 and times[0] >= t:
        drop_newest(m, base, n)


@kernel
def drop_newest(m: Reals, base: Int, n: Int) -> None:
    """The points without the newest one; differences of the others follow from those with it."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    differences = tail(m, differences_at(base, n))
    last = points(m, base) - 1
    newest = times[0]
    for j in range(n):
        row = j * POINTS
        share = 1.0
        for i in range(last):
            if i > 0:
                share = share * ((times[1] - times[i + 1]) / (newest - times[i]))
            differences[row + i] = share * (differences[row + i] - differences[row + i + 1])
    for i in range(last):
        times[i] = times[i + 1]
    record.count = float(last)
    record.is_predicted = 0.0


@kernel
def add_point(m: Reals, base: Int, n: Int, t: Real, solutions: Reals) -> None:
    """The solutions at t, later than all points, become one of the points."""
    record = overlay(BranchRecord, m, base)
    times = record.times
    factors = record.factors
    differences = tail(m, differences_at(base, n))
    count = points(m, base)
    set_factors(m, base, count, t)
    for j in range(n):
        row = j * POINTS
        difference = solutions[j]
        for i in range(count):
            term = factors[i] * differences[row + i]
            differences[row + i] = difference
            difference = difference - term
        if count < POINTS:
            differences[row + count] = difference
    last = count
    if count == POINTS:
        last = POINTS - 1
    for back in range(last):
        i = last - back
        times[i] = times[i - 1]
    times[0] = t
    record.count = float(last + 1)
    record.is_predicted = 0.0


@kernel
def keep_pending(m: Reals, base: Int, n: Int, t: Real) -> None:
    """The solutions at t are the pending point."""
    record = overlay(BranchRecord, m, base)
    set_strict(m, base, n, 0.0)
    if record.active != 0.0:
        record.after_event = 0.0
        record.is_pending = 1.0
        record.pending_side = 0.0
        record.pending_time = t
        copy_numbers(n, m, tail(m, pending_at(base)))
