"""Results of a routine next to a dead center, by interpolation across it: rows, events, root functions.

As `removable` does it for the derivatives, from start values of nonlinear blocks and their rates alone: rows are
evaluated behind the run, whose record is that of another time then. Results that are constant at the nodes are taken as
they are; those which jump, as conditions do, are evaluated directly, or a little later where that has no solution.
"""

from acausal.runtime.blocks.branch import ARRAYS, ROW_TIME, SPACING
from acausal.runtime.blocks.removable import (
    ERROR,
    NODES,
    SMALL_SHARE,
    SMOOTH,
    Motion,
    difference_weight,
    evaluate_moved,
    find_singularity,
    predict_solutions,
    sum_nodes,
)
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, tail

EQUAL = 1e-12
"""Direct results stay where they differ from interpolated ones by less, as a share of the largest at a node."""
LATER, TIMES_LATER = 1e-10, 8
"""So much later results are evaluated, in times between points: ten times as much where there is no solution yet."""


@kernel
def keep_start(m: Reals, n: Int, start: Reals) -> None:
    """The start values of a routine."""
    for j in range(n):
        start[j] = m[j]


@kernel
def interpolate_results(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int
) -> CInt:
    """Results of a routine that was evaluated with this status, from the start values that are kept in `work`."""
    n = c.followed
    if not m[c.base - 1] > 0.0:
        return status
    results = tail(work, c.states + 2 * (NODES + 1) * n)
    direct = tail(work, c.states + 2 * (NODES + 1) * n + 5 * c.results)
    spacing = m[c.base + SPACING]
    m[c.base + ROW_TIME] = t
    later = status
    if status != 0:
        later = evaluate_later(c, t, y, u, p, m, out, work)
    for j in range(n):
        direct[j] = m[j]
    for i in range(c.results):
        results[i] = out[i]
    center = find_singularity(c, t, y, u, p, m, out, work, m[c.base - 1])
    found = False
    if later == 0 and center == center:
        found = sum_nodes(c, t, center, y, u, p, m, out, work) and are_smooth(c, work)
    m[c.base + SPACING] = spacing
    for i in range(c.results):
        out[i] = results[i]
    if not found:
        for j in range(n):
            m[j] = direct[j]
        return status
    solutions = tail(work, c.states + (2 * NODES + 1) * n)
    for j in range(n):
        m[j] = solutions[j]
        m[c.base + ARRAYS + 2 * n + j] = m[j]
    take_smooth(c.results, out, results)
    return 0


@kernel
def evaluate_later(c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> Int:
    """Results a little later, where there is no solution at t; not 0 where there is none then."""
    shift = LATER * m[c.base - 1]
    status = 1
    for _ in range(TIMES_LATER):
        for i in range(c.states):
            work[i] = y[i]
        for k in range(c.moving):
            work[c.position[k]] = y[c.position[k]] + shift * y[c.rate[k]]
        predict_solutions(c, t + shift, m, work)
        status = evaluate_moved(c, t + shift, u, p, m, out, work, 0.0)
        if status == 0:
            return 0
        shift = 10.0 * shift
    return status


@kernel
def are_smooth(c: Motion, work: Reals) -> Bool:
    """True if the solutions at the nodes belong to one branch: their highest differences are small."""
    n = c.followed
    nodes = tail(work, c.states)
    largest = 0.0
    for i in range(NODES * n):
        largest = max(largest, abs(nodes[i]))
    for j in range(n):
        difference = 0.0
        size = SMALL_SHARE * largest
        for node in range(NODES):
            difference = difference + difference_weight(node) * nodes[node * n + j]
            size = max(size, abs(nodes[node * n + j]))
        if not is_small(difference, size):
            return False
    return True


@kernel
def take_smooth(size: Int, out: Reals, results: Reals) -> None:
    """Results that are constant at the nodes or smooth there, where the direct ones differ."""
    largest = 0.0
    for i in range(size):
        if is_small(results[2 * size + i], results[3 * size + i]):
            largest = max(largest, results[3 * size + i])
    small = SMALL_SHARE * largest
    for i in range(size):
        interpolated = results[size + i]
        most = results[3 * size + i]
        if results[4 * size + i] == results[4 * size + i]:
            out[i] = results[4 * size + i]
        elif not abs(out[i] - interpolated) <= EQUAL * most and is_small(results[2 * size + i], max(most, small)):
            out[i] = interpolated


@kernel
def is_small(difference: Real, size: Real) -> Bool:
    """True if the polynomial with this highest difference is exact enough for values of this size."""
    return ERROR * abs(difference) <= SMOOTH * size
