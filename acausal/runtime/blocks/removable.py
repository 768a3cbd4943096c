"""Derivatives where branches of nonlinear blocks cross: they are interpolated along the motion.

At a distance d from a dead center the Jacobian of a closed loop has a pivot of the size d, and rounding errors are
magnified: by 1/d in positions, 1/d^2 in velocities, 1/d^3 in accelerations. On a smooth branch all of these are
analytic functions nonetheless: the singularity is removable. So where the least pivot falls below NEAR, the derivatives
are the values of the polynomial through NODES points, half of them on either side of the singularity, half a DISTANCE
in pivots away from it at least. Errors by rounding and by the polynomial are about 1e-11 there (in the middle of the
nodes weights are small: L. N. Trefethen, Approximation Theory and Approximation Practice, 2013, chapter 15).

Points lie on a straight line: states whose rate is another state move with it, all others and inputs stay. Solutions at
the nodes continue the branch, node by node. The polynomial is rejected where its highest difference is not small: there
the derivatives are no smooth function, and the solver gets the values computed directly.

Pivots are shares of the largest ones so far, block by block in the order of the routine.
"""

from acausal.runtime.blocks.branch import (
    ACTIVE,
    CENTER,
    CROSSING,
    FAILURES,
    IS_PREDICTED,
    ROW_TIME,
    SKIPPED,
    SPACING,
    TIMES,
    WIDTH,
    extrapolate,
    keep_pending,
    least_pivot,
    points,
    record_end,
    set_factors,
    set_strict,
    watch_pivots,
)
from acausal.runtime.blocks.pivots import PIVOT, SINGULAR, STRICT
from acausal.runtime.kernel.language import Bool, CInt, Int, Ints, Real, Reals, Struct, kernel, tail
from acausal.runtime.kernel.routines import ModelRoutine

NODES = 8
HALF = 4
DISTANCE = 0.04
"""Change of the pivot from node to node."""
LEAST, MOST, AIM = 0.01, 0.1, 0.06
"""Pivots at a point from which the place of the singularity is found."""
OFFSET = 0.05
"""The largest pivot that is expected where the derivatives are wanted."""
TRIES, TRIES_OF_ROW = 8, 24
ERROR = 2e-3
"""Of the polynomial, as a share of its highest difference."""
SMOOTH = 1e-7
SMALL_SHARE = 1e-3
"""Errors that are accepted, as a share of the largest value of a derivative, of which all others have this share."""
MOST_SKIPPED, PERSISTENT = 1e6, 100.0
CLOSE, FAR = 1e-7, 0.1
"""So far states move to compare pivots, in seconds; those at rest by as many of their units."""


class Motion(Struct):
    """A routine of the model, and how states move: `moving` of them have a rate that is a state."""

    routine: ModelRoutine
    base: Int
    followed: Int
    states: Int
    results: Int
    moving: Int
    position: Ints
    rate: Ints
    first_block: Int
    """Place of the largest pivot of the first block."""
    is_row: Int
    """1 where solutions move from those of a row by their rates, and not by the record of the run."""


def workspace_size(followed: int, states: int, results: int) -> int:
    """Numbers for states, for solutions at the nodes, at the last nodes, direct and interpolated, and for results.

    Results are direct, interpolated, their highest differences, largest values, and what is equal at all nodes; then
    solutions without interpolation.
    """
    return states + 2 * (NODES + 1) * followed + 5 * results + followed


@kernel
def offset_of(node: Int) -> Real:
    """Places of the nodes around the singularity: back from it, then on."""
    if node < HALF:
        return -0.5 - float(node)
    return float(node - HALF) + 0.5


@kernel
def difference_weight(node: Int) -> Real:
    """Factor of the value at a node in the highest difference."""
    weight = 35.0
    for i in range(node if node < HALF else node - HALF):
        weight = -weight * float(3 - i) / float(5 + i)
    return weight if node < HALF else -weight


@kernel
def node_weight(node: Int, count: Int, at: Real) -> Real:
    """Factor of the value at a node in the polynomial through the first `count` ones."""
    weight = 1.0
    for i in range(count):
        if i != node:
            weight = weight * ((at - offset_of(i)) / (offset_of(node) - offset_of(i)))
    return weight


@kernel
def evaluate(c: Motion, t: Real, shift: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> Int:
    """Results of the routine where the states have moved for a time; not 0 where the start values in m lead to none."""
    for i in range(c.states):
        work[i] = y[i]
    for k in range(c.moving):
        work[c.position[k]] = y[c.position[k]] + shift * y[c.rate[k]]
    return evaluate_moved(c, t + shift, u, p, m, out, work, 1.0)


@kernel
def evaluate_moved(c: Motion, t: Real, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, strict: Real) -> Int:
    """Results of the routine at the states in `work`."""
    watch_pivots(m, c.base, c.followed, c.first_block)
    set_strict(m, c.base, c.followed, strict)
    status = c.routine(t, work, u, p, m, out)
    set_strict(m, c.base, c.followed, 0.0)
    return status


@kernel
def combine_nodes(n: Int, count: Int, at: Real, solutions: Reals, out: Reals) -> None:
    """Values of the polynomial through the solutions at the first `count` nodes."""
    for j in range(n):
        out[j] = 0.0
    for i in range(count):
        weight = node_weight(i, count, at)
        for j in range(n):
            out[j] = out[j] + weight * solutions[i * n + j]


@kernel
def predict_solutions(c: Motion, t: Real, m: Reals, work: Reals) -> None:
    """Start values by the solutions at the last nodes where these are near, else by those at the points of the run."""
    n = c.followed
    if c.is_row != 0:
        start = tail(work, c.states + 2 * NODES * n)
        for j in range(n):
            m[j] = start[j] + (t - m[c.base + ROW_TIME]) * m[c.base - 1 - n + j]
        return
    at = float("inf")
    if m[c.base + WIDTH] > 0.0:
        at = (t - m[c.base + CENTER]) / m[c.base + WIDTH]
    if abs(at) < float(NODES):
        combine_nodes(n, NODES, at, tail(work, c.states + NODES * n), m)
        return
    count = points(m, c.base)
    m[c.base + IS_PREDICTED] = 0.0
    set_factors(m, c.base, count, t)
    extrapolate(m, c.base, n, count, 0)


@kernel
def find_singularity(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, guess: Real
) -> Real:
    """The time until the pivot vanishes, by the line through two points before; SPACING is the time between nodes.

    NaN if there is no such line.
    """
    back = guess
    for _ in range(TRIES_OF_ROW if c.is_row != 0 else TRIES):
        predict_solutions(c, t - back, m, work)
        failed = evaluate(c, t, -back, y, u, p, m, out, work)
        near = least_pivot(m, c.base, c.followed)
        if failed != 0:
            back = 0.6 * back
        elif near < LEAST:
            back = 4.0 * back
        elif near > MOST:
            back = back * (AIM / near)
        else:
            predict_solutions(c, t - 2.0 * back, m, work)
            if evaluate(c, t, -2.0 * back, y, u, p, m, out, work) != 0:
                return float("nan")
            change = least_pivot(m, c.base, c.followed) - near
            if not abs(near - change) < OFFSET or not change > 0.0:
                return float("nan")
            m[c.base + SPACING] = back * (DISTANCE / change)
            return back * (near / change) - back
    return float("nan")


@kernel
def interpolate(
    c: Motion, t: Real, center: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Bool:
    """True if the routine is smooth around the singularity; its results and the solutions of nonlinear blocks."""
    results = tail(work, c.states + 2 * (NODES + 1) * c.followed + c.results)
    return sum_nodes(c, t, center, y, u, p, m, out, work) and is_smooth(c.results, results)


@kernel
def sum_nodes(
    c: Motion, t: Real, center: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Bool:
    """True if nonlinear blocks are solved at all nodes; interpolated results and solutions."""
    n = c.followed
    size = c.results
    nodes = tail(work, c.states)
    results = tail(work, c.states + 2 * (NODES + 1) * n + size)
    for i in range(3 * size):
        results[i] = 0.0
    at = -center / m[c.base + SPACING]
    for node in range(NODES):
        shift = center + offset_of(node) * m[c.base + SPACING]
        if node == 0:
            predict_solutions(c, t + shift, m, work)
        else:
            start_beside(c, t, center, node, m, work)
        if evaluate(c, t, shift, y, u, p, m, out, work) != 0:
            return False
        for j in range(n):
            nodes[node * n + j] = m[j]
        add_results(size, node, out, node_weight(node, NODES, at), difference_weight(node), results)
    combine_nodes(n, NODES, at, nodes, tail(work, c.states + (2 * NODES + 1) * n))
    return True


@kernel
def start_beside(c: Motion, t: Real, center: Real, node: Int, m: Reals, work: Reals) -> None:
    """Start values at a node by the nodes before it; at the second one by the change that is predicted."""
    n = c.followed
    nodes = tail(work, c.states)
    if node > 1:
        combine_nodes(n, node, offset_of(node), nodes, m)
        return
    change = tail(work, c.states + (2 * NODES + 1) * n)
    predict_solutions(c, t + center + offset_of(0) * m[c.base + SPACING], m, work)
    for j in range(n):
        change[j] = nodes[j] - m[j]
    predict_solutions(c, t + center + offset_of(1) * m[c.base + SPACING], m, work)
    for j in range(n):
        m[j] = m[j] + change[j]


@kernel
def add_results(size: Int, node: Int, out: Reals, weight: Real, in_difference: Real, results: Reals) -> None:
    """Results at a node to the sum, the highest difference and the largest values; NaN for what is not constant."""
    for i in range(size):
        if node == 0:
            results[3 * size + i] = out[i]
        elif results[3 * size + i] != out[i]:
            results[3 * size + i] = float("nan")
        results[i] = results[i] + weight * out[i]
        results[size + i] = results[size + i] + in_difference * out[i]
        results[2 * size + i] = max(results[2 * size + i], abs(out[i]))


@kernel
def is_smooth(size: Int, results: Reals) -> Bool:
    """True if the error of the polynomial is small."""
    largest = 0.0
    for i in range(size):
        largest = max(largest, results[2 * size + i])
    for i in range(size):
        error = ERROR * abs(results[size + i])
        if not error <= SMOOTH * max(results[2 * size + i], SMALL_SHARE * largest):
            return False
    return True


@kernel
def smooth_results(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int
) -> CInt:
    """Results of the routine where it has been evaluated with this status: interpolated next to a singularity.

    An attempt without success is followed by evaluations without one, twice as many each time, if blocks are solved and
    are not singular, or always are. Newton's method then may do what it might before.
    """
    n = c.followed
    strict = m[record_end(c.base, n) - STRICT]
    if m[c.base + ACTIVE] == 0.0:
        return status
    if points(m, c.base) < 2:
        status_at_start = refuse_singular_start(c, t, y, u, p, m, out, work, status)
        set_strict(m, c.base, n, strict)
        return status_at_start
    singular = m[record_end(c.base, n) - PIVOT] < SINGULAR and m[c.base + FAILURES] < PERSISTENT
    if status == 0 and not singular and m[c.base + SKIPPED] > 0.0:
        m[c.base + SKIPPED] = m[c.base + SKIPPED] - 1.0
        return status
    solutions = tail(work, c.states + 2 * NODES * n)
    results = tail(work, c.states + 2 * (NODES + 1) * n)
    for j in range(n):
        solutions[j] = m[j]
    for i in range(c.results):
        results[i] = out[i]
    guess = m[c.base + SPACING]
    if not guess > 0.0:
        guess = t - m[c.base + TIMES + 1]
    center = find_singularity(c, t, y, u, p, m, out, work, guess)
    if center == center and interpolate(c, t, center, y, u, p, m, out, work):
        take_interpolated(c, t, center, y, m, out, work)
        return 0
    for j in range(n):
        m[j] = solutions[j]
    for i in range(c.results):
        out[i] = results[i]
    set_strict(m, c.base, n, strict)
    if status == 0:
        m[c.base + FAILURES] = min(2.0 * m[c.base + FAILURES] + 1.0, MOST_SKIPPED)
        m[c.base + SKIPPED] = m[c.base + FAILURES]
    return status


@kernel
def pivot_beside(
    c: Motion, t: Real, shift: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Real:
    """The least pivot where the states have moved, those at rest by as many units; 0 where there is no solution."""
    for i in range(c.states):
        work[i] = y[i]
    for k in range(c.moving):
        rate = y[c.rate[k]]
        work[c.position[k]] = y[c.position[k]] + shift * (rate if rate != 0.0 else 1.0)
    solutions = tail(work, c.states + 2 * NODES * c.followed)
    for j in range(c.followed):
        m[j] = solutions[j]
    failed = evaluate_moved(c, t, u, p, m, out, work, 0.0)
    return least_pivot(m, c.base, c.followed) if failed == 0 else 0.0


@kernel
def refuse_singular_start(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int
) -> CInt:
    """Not 0 where the run begins in a point in which branches cross: nothing tells the one that it is on.

    There the pivot vanishes, and on either side it grows in proportion to the distance.
    """
    solutions = tail(work, c.states + 2 * NODES * c.followed)
    for j in range(c.followed):
        solutions[j] = m[j]
    pivot_beside(c, t, FAR, y, u, p, m, out, work)
    pivot_beside(c, t, -FAR, y, u, p, m, out, work)
    shift = CLOSE
    pivot = pivot_beside(c, t, 0.0, y, u, p, m, out, work)
    near = pivot_beside(c, t, shift, y, u, p, m, out, work)
    while shift < 0.1 * FAR and near < 100.0 * pivot:
        shift = 10.0 * shift
        near = pivot_beside(c, t, shift, y, u, p, m, out, work)
    far = pivot_beside(c, t, 10.0 * shift, y, u, p, m, out, work)
    before = pivot_beside(c, t, -10.0 * shift, y, u, p, m, out, work)
    grows = far > 3.0 * near and far < 40.0 * near and before > 0.2 * far and before < 5.0 * far
    pivot_beside(c, t, 0.0, y, u, p, m, out, work)
    if pivot < SINGULAR and grows:
        m[c.base + CROSSING] = 1.0
        return status if status != 0 else 1
    return status


@kernel
def take_interpolated(c: Motion, t: Real, center: Real, y: Reals, m: Reals, out: Reals, work: Reals) -> None:
    """Interpolated results and solutions; the nodes become the last ones."""
    n = c.followed
    nodes = tail(work, c.states)
    solutions = tail(work, c.states + (2 * NODES + 1) * n)
    results = tail(work, c.states + 2 * (NODES + 1) * n + c.results)
    for i in range(NODES * n):
        nodes[NODES * n + i] = nodes[i]
    m[c.base + CENTER] = t + center
    m[c.base + WIDTH] = m[c.base + SPACING]
    m[c.base + FAILURES] = 0.0
    for j in range(n):
        m[j] = solutions[j]
    for i in range(c.results):
        out[i] = results[i]
    for k in range(c.moving):
        out[c.position[k]] = y[c.rate[k]]
    keep_pending(m, c.base, n, t)
