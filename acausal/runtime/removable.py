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

from acausal.runtime.branch import (
    ACTIVE,
    ARRAYS,
    FAILURES,
    IS_PREDICTED,
    SKIPPED,
    SPACING,
    TIMES,
    end_slope,
    extrapolate,
    least_pivot,
    points,
    set_factors,
    set_strict,
    watch_pivots,
)
from acausal.runtime.context import ModelRoutine
from acausal.runtime.language import Bool, CInt, Int, Ints, Real, Reals, Struct, kernel

NODES = 8
HALF = 4
NEAR = 0.01
DISTANCE = 0.04
"""Change of the pivot from node to node."""
LEAST, MOST, AIM = 0.01, 0.1, 0.06
"""Pivots at a point from which the place of the singularity is found."""
OFFSET = 0.05
"""The largest pivot that is expected where the derivatives are wanted."""
TRIES = 8
ERROR = 2e-3
"""Of the polynomial, as a share of its highest difference."""
SMOOTH = 1e-7
SMALL_SHARE = 1e-3
"""Errors that are accepted, as a share of the largest value of a derivative, of which all others have this share."""
MOST_SKIPPED = 1e6


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


def workspace_size(followed: int, states: int, results: int) -> int:
    """Numbers for the moved states, then for solutions (at the nodes, direct, sum) and results (see `interpolate`)."""
    return states + (NODES + 2) * followed + 4 * results


@kernel
def offset_of(node: Int) -> Real:
    """Places of the nodes around the singularity: back from it, then on."""
    if node < HALF:
        return -0.5 - float(node)
    return float(node - HALF) + 0.5


@kernel
def difference_weight(node: Int) -> Real:
    """What multiplies the value at a node in the highest difference."""
    weight = 35.0
    for i in range(node if node < HALF else node - HALF):
        weight = -weight * float(3 - i) / float(5 + i)
    return weight if node < HALF else -weight


@kernel
def node_weight(node: Int, count: Int, at: Real) -> Real:
    """What multiplies the value at a node in the polynomial through the first `count` ones."""
    weight = 1.0
    for i in range(count):
        if i != node:
            weight = weight * ((at - offset_of(i)) / (offset_of(node) - offset_of(i)))
    return weight


@kernel
def evaluate(c: Motion, t: Real, shift: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, moved: Reals) -> Int:
    """Results of the routine where the states have moved for a time; not 0 where the start values in m lead to none."""
    for i in range(c.states):
        moved[i] = y[i]
    for k in range(c.moving):
        moved[c.position[k]] = y[c.position[k]] + shift * y[c.rate[k]]
    watch_pivots(m, c.base, c.followed)
    set_strict(m, c.base, c.followed, 1.0)
    status = c.routine(t + shift, moved, u, p, m, out)
    set_strict(m, c.base, c.followed, 0.0)
    return status


@kernel
def start_from_record(c: Motion, t: Real, m: Reals) -> None:
    """Start values by the solutions at earlier points."""
    count = points(m, c.base)
    m[c.base + IS_PREDICTED] = 0.0
    set_factors(m, c.base, count, t)
    extrapolate(m, c.base, c.followed, count, 0)


@kernel
def find_singularity(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, moved: Reals, guess: Real
) -> Real:
    """The time until the pivot vanishes, by the line through two points before; SPACING is the time between nodes.

    NaN if there is no such line.
    """
    back = guess
    for _ in range(TRIES):
        start_from_record(c, t - back, m)
        failed = evaluate(c, t, -back, y, u, p, m, out, moved)
        near = least_pivot(m, c.base, c.followed)
        if failed != 0:
            back = 0.6 * back
        elif near < LEAST:
            back = 4.0 * back
        elif near > MOST:
            back = back * (AIM / near)
        else:
            start_from_record(c, t - 2.0 * back, m)
            if evaluate(c, t, -2.0 * back, y, u, p, m, out, moved) != 0:
                return float("nan")
            change = least_pivot(m, c.base, c.followed) - near
            if not abs(near - change) < OFFSET or not change > 0.0:
                return float("nan")
            m[c.base + SPACING] = back * (DISTANCE / change)
            return back * (near / change) - back
    return float("nan")


@kernel
def start_from_nodes(c: Motion, t: Real, node: Int, m: Reals, store: Reals) -> None:
    """Start values at a node by the polynomial through the nodes before; at the first two by the record."""
    n = c.followed
    if node < 2:
        start_from_record(c, t, m)
    if node == 1:
        before = c.base + ARRAYS + n
        set_factors(m, c.base, points(m, c.base), t + m[c.base + SPACING])
        extrapolate(m, c.base, n, points(m, c.base), before)
        for j in range(n):
            m[j] = m[j] + store[j] - m[before + j]
    if node > 1:
        for j in range(n):
            m[j] = 0.0
        for i in range(node):
            weight = node_weight(i, node, offset_of(node))
            for j in range(n):
                m[j] = m[j] + weight * store[i * n + j]


@kernel
def interpolate(
    c: Motion,
    t: Real,
    center: Real,
    y: Reals,
    u: Reals,
    p: Reals,
    m: Reals,
    out: Reals,
    moved: Reals,
    store: Reals,
) -> Bool:
    """Whether the routine is smooth around the singularity; its results, and the solutions of nonlinear blocks.

    `store` has solutions at the nodes, their sum, and direct ones; then of results the sum, the highest difference,
    the largest values, and direct ones.
    """
    n = c.followed
    sums = (NODES + 2) * n
    for i in range(n):
        store[NODES * n + i] = 0.0
    for i in range(3 * c.results):
        store[sums + i] = 0.0
    at = -center / m[c.base + SPACING]
    for node in range(NODES):
        shift = center + offset_of(node) * m[c.base + SPACING]
        start_from_nodes(c, t + shift, node, m, store)
        if evaluate(c, t, shift, y, u, p, m, out, moved) != 0:
            return False
        weight = node_weight(node, NODES, at)
        for j in range(n):
            store[node * n + j] = m[j]
            store[NODES * n + j] = store[NODES * n + j] + weight * m[j]
        add_results(c.results, out, weight, difference_weight(node), store, sums)
    return is_smooth(c.results, store, sums)


@kernel
def add_results(size: Int, out: Reals, weight: Real, in_difference: Real, store: Reals, sums: Int) -> None:
    """Results at a node to the sum, the highest difference and the largest values."""
    for i in range(size):
        store[sums + i] = store[sums + i] + weight * out[i]
        store[sums + size + i] = store[sums + size + i] + in_difference * out[i]
        store[sums + 2 * size + i] = max(store[sums + 2 * size + i], abs(out[i]))


@kernel
def is_smooth(size: Int, store: Reals, sums: Int) -> Bool:
    """Whether the error of the polynomial is small."""
    largest = 0.0
    for i in range(size):
        largest = max(largest, store[sums + 2 * size + i])
    for i in range(size):
        error = ERROR * abs(store[sums + size + i])
        if not error <= SMOOTH * max(store[sums + 2 * size + i], SMALL_SHARE * largest):
            return False
    return True


@kernel
def smooth_results(
    c: Motion,
    t: Real,
    y: Reals,
    u: Reals,
    p: Reals,
    m: Reals,
    out: Reals,
    moved: Reals,
    store: Reals,
    status: Int,
) -> CInt:
    """Results of the routine where it has been evaluated with this status: interpolated next to a singularity.

    An attempt without success is followed by evaluations without one, twice as many each time.
    """
    n = c.followed
    if m[c.base + ACTIVE] == 0.0 or points(m, c.base) < 2:
        return status
    if m[c.base + SKIPPED] > 0.0:
        m[c.base + SKIPPED] = m[c.base + SKIPPED] - 1.0
        return status
    sums = (NODES + 2) * n
    direct = sums + 3 * c.results
    for j in range(n):
        store[sums - n + j] = m[j]
    for i in range(c.results):
        store[direct + i] = out[i]
    guess = m[c.base + SPACING]
    if not guess > 0.0:
        guess = t - m[c.base + TIMES + 1]
    center = find_singularity(c, t, y, u, p, m, out, moved, guess)
    if center == center and interpolate(c, t, center, y, u, p, m, out, moved, store):
        for j in range(n):
            m[j] = store[sums - 2 * n + j]
        for i in range(c.results):
            out[i] = store[sums + i]
        m[c.base + FAILURES] = 0.0
        end_slope(m, c.base, n, t)
        return 0
    for j in range(n):
        m[j] = store[sums - n + j]
    for i in range(c.results):
        out[i] = store[direct + i]
    m[c.base + FAILURES] = min(2.0 * m[c.base + FAILURES] + 1.0, MOST_SKIPPED)
    m[c.base + SKIPPED] = m[c.base + FAILURES]
    return status
