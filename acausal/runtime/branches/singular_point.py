"""Where the pivot of a block vanishes, and a routine at the nodes around that place.

Solutions at the nodes continue the branch, node by node. The last nodes of a run serve again as long as they lie around
the singularity: all routines, evaluated at one time and a little later, have the same nodes then, and results differ by
no more than those of Newton's method, which begins with its last solutions.
"""

from acausal.runtime.branches.branch_points import extrapolate, set_factors
from acausal.runtime.branches.branch_record import BranchRecord, least_pivot, points, tangents_at
from acausal.runtime.branches.moved_routine import (
    Motion,
    center_at,
    evaluate,
    interpolated_at,
    last_nodes_at,
    move,
    nodes_at,
    results_at,
    start_at,
    time_from_center,
)
from acausal.runtime.branches.polynomial import (
    HALF,
    NODES,
    SMALL_SHARE,
    add_results,
    combine_nodes,
    is_small,
    is_smooth,
    node_weight,
    offset_of,
    rates_of_nodes,
    seventh_weight,
    sixth_weight,
)
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

DISTANCE = 0.04
"""Change of the pivot from node to node."""
LEAST, MOST, AIM = 0.01, 0.1, 0.06
"""Pivots at a point from which the place of the singularity is found."""
OFFSET = 0.05
"""The largest pivot that is expected where the results are wanted."""
TRIES, TRIES_OF_ROW = 8, 32
MIDDLE = 0.5
"""So far from their middle, in distances of nodes, the last nodes serve again."""
NEAREST, FARTHEST = 0.25 * DISTANCE, DISTANCE
"""Pivots at the nodes beside the singularity: from half to twice what they are where pivots vanish along a line.

Others belong to a Jacobian that is small, as it was large before, and not singular: 1 + 3 q^2 at 0.
"""


@kernel
def interpolate(
    c: Motion, t: Real, guess: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Bool:
    """True if the routine is smooth around the singularity; interpolated results and solutions are in `work`."""
    record = overlay(BranchRecord, m, c.base)
    if are_around(c, t, y, m, work):
        record.spacing = record.width
        if are_nodes_smooth(c, t, -time_from_center(c, t, y, m, work), True, y, u, p, m, out, work):
            return True
    center = find_singularity(c, t, y, u, p, m, out, work, guess)
    return center == center and are_nodes_smooth(c, t, center, False, y, u, p, m, out, work)


@kernel
def are_around(c: Motion, t: Real, y: Reals, m: Reals, work: Reals) -> Bool:
    """True if the last nodes may serve again."""
    width = overlay(BranchRecord, m, c.base).width
    return c.in_run != 0 and width > 0.0 and abs(time_from_center(c, t, y, m, work)) <= MIDDLE * width


@kernel
def predict_solutions(c: Motion, t: Real, shift: Real, y: Reals, m: Reals, work: Reals) -> None:
    """Start values where the states have moved for a time.

    They follow from the solutions at the last nodes where these are near, else from those at the points of the run.
    """
    n = c.followed
    record = overlay(BranchRecord, m, c.base)
    if c.is_row != 0:
        start = tail(work, start_at(c))
        for j in range(n):
            m[j] = start[j] + (t + shift - record.row_time) * m[c.base - 1 - n + j]
        return
    at = float("inf")
    if record.width > 0.0:
        at = (time_from_center(c, t, y, m, work) + shift) / record.width
    if abs(at) < float(NODES):
        combine_nodes(n, NODES, at, tail(work, last_nodes_at(c)), m)
        return
    count = points(m, c.base)
    record.is_predicted = 0.0
    set_factors(m, c.base, count, t + shift)
    extrapolate(m, c.base, n, count, m)


@kernel
def find_singularity(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, guess: Real
) -> Real:
    """The time until the pivot vanishes, by the line through two points before; SPACING is the time between nodes.

    NaN if there is no such line.
    """
    record = overlay(BranchRecord, m, c.base)
    back = guess
    for _ in range(TRIES_OF_ROW if c.is_row != 0 else TRIES):
        predict_solutions(c, t, -back, y, m, work)
        failed = evaluate(c, t, -back, y, u, p, m, out, work)
        near = least_pivot(m, c.base, c.followed)
        if failed != 0:
            back = 0.6 * back
        elif near < LEAST:
            back = 4.0 * back
        elif near > MOST:
            back = back * (AIM / near)
        else:
            predict_solutions(c, t, -2.0 * back, y, m, work)
            if evaluate(c, t, -2.0 * back, y, u, p, m, out, work) != 0:
                return float("nan")
            change = least_pivot(m, c.base, c.followed) - near
            if not abs(near - change) < OFFSET or not change > 0.0:
                return float("nan")
            record.spacing = back * (DISTANCE / change)
            return back * (near / change) - back
    return float("nan")


@kernel
def are_nodes_smooth(
    c: Motion, t: Real, center: Real, again: Bool, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Bool:
    """True if what is smooth at the nodes that has to be: all derivatives, or the branch on which results are."""
    if not sum_nodes(c, t, center, again, y, u, p, m, out, work):
        return False
    if (c.is_row != 0 or c.is_timed != 0) and not are_smooth(c, work):
        return False
    if c.is_row == 0 and not is_smooth(c.results, tail(work, results_at(c))):
        return False
    if c.in_run != 0:
        keep_nodes(c, t, center, y, m, work)
    return True


@kernel
def sum_nodes(
    c: Motion, t: Real, center: Real, again: Bool, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals
) -> Bool:
    """True if nonlinear blocks are solved at all nodes, if `again` the last ones; values of the polynomials."""
    n = c.followed
    record = overlay(BranchRecord, m, c.base)
    nodes = tail(work, nodes_at(c))
    last_nodes = tail(work, last_nodes_at(c))
    results = tail(work, results_at(c))
    at = -center / record.spacing
    for node in range(NODES):
        shift = center + offset_of(node) * record.spacing
        if again:
            for j in range(n):
                m[j] = last_nodes[node * n + j]
        elif node == 0:
            predict_solutions(c, t, shift, y, m, work)
        else:
            start_beside(c, t, center, node, y, m, work)
        if evaluate(c, t, shift, y, u, p, m, out, work) != 0:
            return False
        pivot = least_pivot(m, c.base, n)
        if (node == 0 or node == HALF) and (pivot < NEAREST or (pivot > FARTHEST and not again)):
            return False
        for j in range(n):
            nodes[node * n + j] = m[j]
        add_results(c.results, node, out, node_weight(node, NODES, at), results)
    combine_nodes(n, NODES, at, nodes, tail(work, interpolated_at(c)))
    return True


@kernel
def start_beside(c: Motion, t: Real, center: Real, node: Int, y: Reals, m: Reals, work: Reals) -> None:
    """Start values at a node by the nodes before it; at the second one by the change that is predicted."""
    n = c.followed
    record = overlay(BranchRecord, m, c.base)
    nodes = tail(work, nodes_at(c))
    if node > 1:
        combine_nodes(n, node, offset_of(node), nodes, m)
        return
    change = tail(work, interpolated_at(c))
    predict_solutions(c, t, center + offset_of(0) * record.spacing, y, m, work)
    for j in range(n):
        change[j] = nodes[j] - m[j]
    predict_solutions(c, t, center + offset_of(1) * record.spacing, y, m, work)
    for j in range(n):
        m[j] = m[j] + change[j]


@kernel
def keep_nodes(c: Motion, t: Real, center: Real, y: Reals, m: Reals, work: Reals) -> None:
    """The nodes become the last ones, and tell the rates from which rows at t begin."""
    record = overlay(BranchRecord, m, c.base)
    nodes = tail(work, nodes_at(c))
    last_nodes = tail(work, last_nodes_at(c))
    for i in range(NODES * c.followed):
        last_nodes[i] = nodes[i]
    move(c, center, y, m, tail(work, center_at(c)))
    record.center = t + center
    record.width = record.spacing
    # Where time moves blocks, nodes may be those of another branch (`are_known`).
    record.has_tangents = 1.0 if c.is_timed == 0 else 0.0
    record.tangent_time = t
    tangents = tail(m, tangents_at(c.base, c.followed))
    rates_of_nodes(c.followed, -center / record.width, record.width, last_nodes, tangents)


@kernel
def are_smooth(c: Motion, work: Reals) -> Bool:
    """True if the solutions at the nodes belong to one branch: their highest differences are small."""
    n = c.followed
    nodes = tail(work, nodes_at(c))
    largest = 0.0
    for i in range(NODES * n):
        largest = max(largest, abs(nodes[i]))
    for j in range(n):
        sixth = 0.0
        seventh = 0.0
        size = SMALL_SHARE * largest
        for node in range(NODES):
            sixth = sixth + sixth_weight(node) * nodes[node * n + j]
            seventh = seventh + seventh_weight(node) * nodes[node * n + j]
            size = max(size, abs(nodes[node * n + j]))
        if not is_small(sixth, seventh, size):
            return False
    return True
