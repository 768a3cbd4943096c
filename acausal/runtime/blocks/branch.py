"""Branch tracking: nonlinear blocks start at what earlier solutions predict, and stay on their branch.

A nonlinear block may have several solutions. Between events its solution is a smooth function of time, so the solutions
at the last points are extrapolated, and from there Newton's method may only contract: undamped, with steps and
residuals that fall fourfold at least. Where this holds the solution is the one that continues the branch (P. Deuflhard,
Newton Methods for Nonlinear Problems, 2004, sections 3.1 and 5.1); where it does not, the block counts as unsolved, and
the solver takes a shorter step, for which the prediction is better. So a dead centre, where two branches cross, is
stepped over, and at a fold, where a branch ends, the run ends.

Points are those at which the derivatives were evaluated. The last one is pending: what a solver has tried and given up
is later than what it tries next, and is dropped then. So derivatives depend on time, states and the points before, not
on earlier trials. Solutions are extrapolated by modified divided differences (L. F. Shampine, M. K. Gordon, Computer
Solution of Ordinary Differential Equations, 1975, chapter 5).

The first n of the `base` start values are solutions that the derivatives follow; the last n + 1 are their rates by the
points, and the time between points (0: not known), which rows next to a dead center need (`near_singular`).

The record stands in m behind them: the numbers below, then
of these n the pending point, the prediction, what was expected at an event, and differences (POINTS each), then the
start values of a row; from the end back what `runtime/blocks/pivots` says.
"""

from acausal.runtime.blocks.pivots import BLOCK, NEAR, PIVOT, PIVOTS, STRICT
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel

POINTS = 5
MOST_KEPT = 3
MOST_SHARE = 100.0
"""So many times the deviation of a pending point is extrapolated at most: next to another point it is rounding."""
NEAR_SHARE = 1e-6
"""A point nearer to the last one, as a share of the distance of the points before, takes its place."""
SAME = 1e-3
"""After an event solutions that differ from the prediction by less, as a share, are on the branch of before."""
ACTIVE, COUNT, AFTER_EVENT, IS_PENDING, PENDING_TIME, IS_PREDICTED, PREDICTED_TIME, BY_STEPS = range(8)
"""True if a run is under way; points without the pending one; the pending one; for which time FACTORS are; whether
only ends of steps are points: within steps, Runge-Kutta methods evaluate derivatives at states that are not near."""
SPACING, CENTER, WIDTH, FAILURES, SKIPPED, CROSSING, ROW_TIME, TIMES = range(8, 16)
"""Of `runtime/blocks/removable`: time between nodes; middle of the last ones, and time between these (0: none);
attempts that failed, evaluations to come without one; whether it begins where branches cross; the time at which the
start values of a row hold. Times of points."""
FACTORS = TIMES + POINTS
ARRAYS = FACTORS + POINTS
ROUGH = 0.005
"""Error of a prediction, as a share of the way from the point before, over which points are too few."""
ROUNDING = 1e-9
WITHIN = 0.1
"""Share of the time between points over which rates are taken."""
RUN_BEGINS = (1.0, 0.0, 1.0, 0.0)
"""ACTIVE to IS_PENDING where a run begins, or goes on with other states."""


def before_row(base: int, n: int) -> slice:
    """Slice in which `begin_row` stores the start values of a row."""
    first = base + ARRAYS + (3 + POINTS) * n
    return slice(first, first + base)


def record_size(base: int, n: int) -> int:
    """Numbers in m for the record of n of `base` solutions."""
    return ARRAYS + (4 + POINTS) * n + 2 * base + PIVOTS


@kernel
def record_end(base: Int, n: Int) -> Int:
    """End of the record in m."""
    return 3 * base + ARRAYS + (4 + POINTS) * n + PIVOTS


@kernel
def set_strict(m: Reals, base: Int, n: Int, strict: Real) -> None:
    """True if Newton's method may only contract."""
    m[record_end(base, n) - STRICT] = strict


@kernel
def watch_pivots(m: Reals, base: Int, n: Int, first: Int) -> None:
    """From here on the pivots of nonlinear blocks are noted, from the place `first` of the largest ones on."""
    m[record_end(base, n) - PIVOT] = 1.0
    m[record_end(base, n) - BLOCK] = float(first)


@kernel
def least_pivot(m: Reals, base: Int, n: Int) -> Real:
    """The least pivot since then, as a share of the largest one of its block."""
    m[record_end(base, n) - BLOCK] = 0.0
    return m[record_end(base, n) - PIVOT]


@kernel
def forget(m: Reals, base: Int) -> None:
    """No points."""
    m[base + COUNT] = 0.0
    m[base + IS_PENDING] = 0.0
    m[base + IS_PREDICTED] = 0.0
    m[base + WIDTH] = 0.0


@kernel
def points(m: Reals, base: Int) -> Int:
    """Number of points, without the pending one."""
    return int(m[base + COUNT])


@kernel
def set_factors(m: Reals, base: Int, count: Int, t: Real) -> None:
    """Compute the factors of the differences at t."""
    if m[base + IS_PREDICTED] != 0.0 and m[base + PREDICTED_TIME] == t:
        return
    factor = 1.0
    newest = m[base + TIMES]
    for i in range(count):
        if i > 0:
            factor = factor * ((t - m[base + TIMES + i - 1]) / (newest - m[base + TIMES + i]))
        m[base + FACTORS + i] = factor
    m[base + PREDICTED_TIME] = t
    m[base + IS_PREDICTED] = 0.0


@kernel
def extrapolate(m: Reals, base: Int, n: Int, count: Int, out: Int) -> None:
    """Solutions by FACTORS to m[out]; terms of higher order as long as they do not grow."""
    for j in range(n):
        row = base + ARRAYS + 3 * n + j * POINTS
        value = m[row]
        last = float("inf")
        before = float("inf")
        i = 1
        while i < count:
            term = m[base + FACTORS + i] * m[row + i]
            size = abs(term)
            if i > 2 and not size <= max(last, before):
                break
            value = value + term
            before = last
            last = size
            i = i + 1
        m[out + j] = value


@kernel
def commit(m: Reals, base: Int, n: Int) -> None:
    """The pending point becomes one of the points."""
    count = points(m, base)
    t = m[base + PENDING_TIME]
    m[base + IS_PENDING] = 0.0
    if count > 0 and m[base + TIMES] == t:
        return
    near = 0.0
    if count > 1:
        near = NEAR_SHARE * (m[base + TIMES] - m[base + TIMES + 1])
    if count > 0 and m[base + TIMES] > t - near:
        drop_later(m, base, n, t - near)
    add_point(m, base, n, t, base + ARRAYS)


@kernel
def drop_later(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Only the points before t remain: a step that went beyond t ended at an event before it."""
    while m[base + COUNT] > 0.0 and m[base + TIMES] >= t:
        drop_newest(m, base, n)


@kernel
def drop_newest(m: Reals, base: Int, n: Int) -> None:
    """The points without the newest one; differences of the others follow from those with it."""
    last = points(m, base) - 1
    newest = m[base + TIMES]
    for j in range(n):
        row = base + ARRAYS + 3 * n + j * POINTS
        share = 1.0
        for i in range(last):
            if i > 0:
                share = share * ((m[base + TIMES + 1] - m[base + TIMES + i + 1]) / (newest - m[base + TIMES + i]))
            m[row + i] = share * (m[row + i] - m[row + i + 1])
    for i in range(last):
        m[base + TIMES + i] = m[base + TIMES + i + 1]
    m[base + COUNT] = float(last)
    m[base + IS_PREDICTED] = 0.0


@kernel
def add_point(m: Reals, base: Int, n: Int, t: Real, source: Int) -> None:
    """The solutions m[source] at t, later than all points, become one of the points."""
    count = points(m, base)
    set_factors(m, base, count, t)
    for j in range(n):
        row = base + ARRAYS + 3 * n + j * POINTS
        difference = m[source + j]
        for i in range(count):
            term = m[base + FACTORS + i] * m[row + i]
            m[row + i] = difference
            difference = difference - term
        if count < POINTS:
            m[row + count] = difference
    last = count
    if count == POINTS:
        last = POINTS - 1
    for back in range(last):
        i = last - back
        m[base + TIMES + i] = m[base + TIMES + i - 1]
    m[base + TIMES] = t
    m[base + COUNT] = float(last + 1)
    m[base + IS_PREDICTED] = 0.0


@kernel
def go_back(m: Reals, base: Int, n: Int, t: Real) -> None:
    """A solver that goes back behind the last point goes on from what was at t and a little earlier, by the points."""
    count = points(m, base)
    apart = 0.0
    if count > 1:
        apart = (m[base + TIMES] - m[base + TIMES + count - 1]) / float(count - 1)
    kept = 0
    while kept < count and kept < MOST_KEPT:
        kept = kept + 1
    for k in range(kept):
        set_factors(m, base, count, t - float(k) * apart)
        extrapolate(m, base, n, count, base + ARRAYS + k * n)
    forget(m, base)
    for back in range(kept):
        k = kept - 1 - back
        for j in range(n):
            last = m[base + ARRAYS + j]
            m[base + ARRAYS + j] = m[base + ARRAYS + k * n + j]
            m[base + ARRAYS + k * n + j] = last
        m[base + PENDING_TIME] = t - float(k) * apart
        commit(m, base, n)
        for j in range(n):
            last = m[base + ARRAYS + j]
            m[base + ARRAYS + j] = m[base + ARRAYS + k * n + j]
            m[base + ARRAYS + k * n + j] = last


@kernel
def begin_slope(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Start values for the derivatives at t: the prediction by the points before, strict; at the first point free."""
    set_strict(m, base, n, 0.0)
    if m[base + ACTIVE] == 0.0:
        return
    by_steps = m[base + BY_STEPS] != 0.0
    if m[base + IS_PENDING] != 0.0 and not by_steps:
        if m[base + PENDING_TIME] < t:
            commit(m, base, n)
        elif m[base + PENDING_TIME] > t:
            m[base + IS_PENDING] = 0.0
    count = points(m, base)
    if count == 0:
        return
    if m[base + TIMES] > t and not by_steps:
        go_back(m, base, n, t)
        count = points(m, base)
    predicted = base + ARRAYS + n
    if m[base + IS_PREDICTED] == 0.0 or m[base + PREDICTED_TIME] != t:
        set_factors(m, base, count, t)
        extrapolate(m, base, n, count, predicted)
        m[base + IS_PREDICTED] = 1.0
    for j in range(n):
        m[j] = m[predicted + j]
    if (by_steps and m[base + AFTER_EVENT] == 0.0) or (m[base + TIMES] < t and not by_steps):
        set_strict(m, base, n, 1.0)


@kernel
def end_slope(m: Reals, base: Int, n: Int, t: Real) -> None:
    """The solutions at t are the pending point; the points are forgotten where an event has left their branch.

    Where the last point is at t itself the solutions were not found strictly, and a block that no relation depends on
    is solved here first. Next to a singular block they say nothing.
    """
    pivot = m[record_end(base, n) - PIVOT]
    strict = m[record_end(base, n) - STRICT] != 0.0
    if m[base + ACTIVE] != 0.0 and m[base + AFTER_EVENT] != 0.0 and m[base + COUNT] > 0.0 and not strict:
        predicted = m[base + IS_PREDICTED] != 0.0 and m[base + PREDICTED_TIME] == t
        if predicted and (pivot == 0.0 or pivot >= NEAR):
            forget_if_left(m, base, n, base + ARRAYS + n)
    keep_pending(m, base, n, t)


@kernel
def keep_pending(m: Reals, base: Int, n: Int, t: Real) -> None:
    """The solutions at t are the pending point."""
    set_strict(m, base, n, 0.0)
    if m[base + ACTIVE] != 0.0:
        m[base + AFTER_EVENT] = 0.0
        m[base + IS_PENDING] = 1.0
        m[base + PENDING_TIME] = t
        for j in range(n):
            m[base + ARRAYS + j] = m[j]


@kernel
def slope_again(m: Reals, base: Int, n: Int) -> Int:
    """1 where the derivatives may be tried once more, free of the points before: an event may have left the branch."""
    strict = m[record_end(base, n) - STRICT] != 0.0
    set_strict(m, base, n, 0.0)
    if not strict or m[base + AFTER_EVENT] == 0.0:
        return 0
    forget(m, base)
    for j in range(n):
        m[j] = m[base + ARRAYS + n + j]
    return 1


@kernel
def predict(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Solutions at t, which the run has reached, by all points."""
    set_strict(m, base, n, 0.0)
    if m[base + ACTIVE] == 0.0:
        return
    count = points(m, base)
    last = m[base + PENDING_TIME]
    reached = m[base + IS_PENDING] != 0.0 and last == t
    is_near = m[base + IS_PENDING] != 0.0 and m[base + BY_STEPS] == 0.0
    pending = is_near and count > 0 and last != m[base + TIMES] and not reached
    expected = base + ARRAYS + 2 * n
    share = 0.0
    if pending:
        set_factors(m, base, count, last)
        extrapolate(m, base, n, count, expected)
        share = 1.0
        for i in range(count):
            share = share * ((t - m[base + TIMES + i]) / (last - m[base + TIMES + i]))
    set_rates(m, base, n, count, t)
    if reached:
        for j in range(n):
            m[j] = m[base + ARRAYS + j]
    elif count > 0:
        for j in range(n):
            m[j] = m[base + ARRAYS + n + j]
        if pending and abs(share) <= MOST_SHARE:
            for j in range(n):
                m[j] = m[j] + share * (m[base + ARRAYS + j] - m[expected + j])
    for j in range(n):
        m[expected + j] = m[j]


@kernel
def set_rates(m: Reals, base: Int, n: Int, count: Int, t: Real) -> None:
    """Solutions at t by the points, in place of the prediction, and their rates over a small part of the time between.

    Without points no solutions, with a single one no rates.
    """
    rates = base - 1 - n
    step = 0.0
    for j in range(n):
        m[rates + j] = 0.0
    if count > 1:
        step = (m[base + TIMES] - m[base + TIMES + count - 1]) / float(count - 1)
        m[base + IS_PREDICTED] = 0.0
        set_factors(m, base, count, t - WITHIN * step)
        extrapolate(m, base, n, count, rates)
    if count > 0:
        m[base + IS_PREDICTED] = 0.0
        set_factors(m, base, count, t)
        extrapolate(m, base, n, count, base + ARRAYS + n)
    if count > 1:
        for j in range(n):
            m[rates + j] = (m[base + ARRAYS + n + j] - m[rates + j]) / (WITHIN * step)
    m[base - 1] = step


@kernel
def back_to_last(m: Reals, base: Int, n: Int) -> None:
    """The last solutions, where what is predicted between points leads to none."""
    if m[base + IS_PENDING] != 0.0:
        for j in range(n):
            m[j] = m[base + ARRAYS + j]


@kernel
def end_events(m: Reals, base: Int, n: Int) -> None:
    """Behind what an event has solved: the points are forgotten where it has left their branch."""
    m[base + AFTER_EVENT] = 1.0
    forget_if_left(m, base, n, base + ARRAYS + 2 * n)


@kernel
def forget_if_left(m: Reals, base: Int, n: Int, expected: Int) -> None:
    """No points, where the solutions are not next to m[expected]."""
    for j in range(n):
        value = m[expected + j]
        if not abs(m[j] - value) <= SAME * max(abs(m[j]), abs(value)):
            forget(m, base)


@kernel
def begin_run(m: Reals, base: Int, n: Int) -> None:
    """No points; who runs a model through time makes its record ACTIVE."""
    set_strict(m, base, n, 0.0)
    forget(m, base)
    m[base + AFTER_EVENT] = 1.0
    for i in range(SPACING, TIMES):
        m[base + i] = 0.0
    m[base - 1] = 0.0
    for k in range(n + base):
        m[record_end(base, n) - PIVOTS - 1 - k] = 0.0


@kernel
def is_rough(m: Reals, base: Int, n: Int, t: Real) -> Bool:
    """True if the pending point at t lies far from its prediction, compared with the way from the point before."""
    if m[base + IS_PENDING] == 0.0 or m[base + PENDING_TIME] != t or not m[base + TIMES] < t:
        return False
    count = points(m, base)
    expected = base + ARRAYS + 2 * n
    set_factors(m, base, count, t)
    extrapolate(m, base, n, count, expected)
    for j in range(n):
        way = abs(m[base + ARRAYS + j] - m[base + ARRAYS + 3 * n + j * POINTS])
        if abs(m[base + ARRAYS + j] - m[expected + j]) > ROUGH * way + ROUNDING * abs(m[base + ARRAYS + j]):
            return True
    return False


@kernel
def end_step(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Behind a step to t, where the derivatives were evaluated last: a point, where only ends of steps are points."""
    if m[base + IS_PENDING] != 0.0 and m[base + PENDING_TIME] == t:
        commit(m, base, n)


@kernel
def begin_steps(m: Reals, base: Int, n: Int, t: Real) -> None:
    """Behind the first derivatives after an event: those are a point, and the points of a step beyond it are none."""
    drop_later(m, base, n, t)
    end_step(m, base, n, t)


@kernel
def begin_row(m: Reals, base: Int, n: Int) -> None:
    """Before the variables of a row where the run has not followed all blocks: from the row before, strict."""
    for j in range(base):
        m[base + ARRAYS + (3 + POINTS) * n + j] = m[j]
    set_strict(m, base, n, 1.0)


@kernel
def end_row(m: Reals, base: Int, n: Int) -> None:
    """Behind the variables of a row."""
    set_strict(m, base, n, 0.0)
