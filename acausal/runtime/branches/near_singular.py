"""Results of a routine next to a dead center, by interpolation across it: rows, events, root functions.

As `removable` does it for the derivatives, from start values of nonlinear blocks and their rates alone: rows are
evaluated behind the run, whose record is that of another time then. Results that are constant at the nodes are taken as
they are; those which jump, as conditions do, are evaluated directly, or a little later where that has no solution.
Where direct results are exact, those stay that change between two nodes.
"""

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.blocks.newton import FREE, HOLD
from acausal.runtime.branches.branch_record import BranchRecord, expected_at, set_strict
from acausal.runtime.branches.branch_slopes import ROUGH
from acausal.runtime.branches.moved_routine import (
    Motion,
    direct_at,
    evaluate_moved,
    interpolated_at,
    move,
    nodes_at,
    results_at,
    start_at,
)
from acausal.runtime.branches.polynomial import DIRECT, NODES, take_smooth
from acausal.runtime.branches.singular_point import interpolate, predict_solutions
from acausal.runtime.kernel.language import Bool, CInt, Int, Real, Reals, kernel, tail
from acausal.runtime.kernel.overlay import overlay

LATER, TIMES_LATER = 1e-10, 8
"""So much later results are evaluated, in times between points: ten times as much where there is no solution yet."""

EXACT = 1e-3
"""From this pivot on direct results are exact enough for conditions: velocities to 1e-10, accelerations to 1e-7."""

KNOWN = 1e-8
"""Interpolated solutions of a row differ by less from those of the run, as a share of the largest one."""


@kernel
def interpolate_results(
    c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals, status: Int, pivot: Real
) -> CInt:
    """Results of a routine that was evaluated with this status and least pivot, from start values kept in `work`."""
    n = c.followed
    if not m[c.base - 1] > 0.0:
        return status
    results = tail(work, results_at(c))
    direct = tail(work, direct_at(c))
    record = overlay(BranchRecord, m, c.base)
    spacing = record.spacing
    record.row_time = t
    later = status
    if status != 0:
        later = evaluate_later(c, t, y, u, p, m, out, work)
    for j in range(n):
        direct[j] = m[j]
    for i in range(c.results):
        results[DIRECT * c.results + i] = out[i]
    found = later == 0 and interpolate(c, t, m[c.base - 1], y, u, p, m, out, work)
    found = found and (c.is_timed == 0 or c.in_run != 0 or are_known(c, m, work))
    record.spacing = spacing
    if not found:
        record.has_tangents = 0.0
        for i in range(c.results):
            out[i] = results[DIRECT * c.results + i]
        for j in range(n):
            m[j] = direct[j]
        return status
    hold_solutions(c, t, y, u, p, m, out, work)
    copy_numbers(n, m, tail(m, expected_at(c.base, n)))
    take_smooth(c.results, size_of_motion(c, y, work), status == 0 and pivot >= EXACT, out, results)
    return 0


@kernel
def are_known(c: Motion, m: Reals, work: Reals) -> Bool:
    """True if interpolated solutions are those from which the routine began, or no farther from them than direct ones.

    Without states rows are points of the run, else predictions by them, which may be off by a small part of the way in
    a step: in a center direct solutions are anywhere near. Beside a center in which a crank turns back, and does not
    pass it, nodes behind the center belong to another branch.
    """
    start = tail(work, start_at(c))
    direct = tail(work, direct_at(c))
    solutions = tail(work, interpolated_at(c))
    largest = 0.0
    way = 0.0
    for j in range(c.followed):
        largest = max(largest, abs(start[j]))
        way = max(way, abs(direct[j] - start[j]))
    for j in range(c.followed):
        passed = ROUGH * abs(m[c.base - 1 - c.followed + j]) * m[c.base - 1]
        if not abs(solutions[j] - start[j]) <= KNOWN * largest + (max(way, passed) if c.states > 0 else 0.0):
            return False
    return True


@kernel
def hold_solutions(c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> None:
    """Direct results by the interpolated solutions, if there are any: with a jump or a kink nothing else is right."""
    solutions = tail(work, interpolated_at(c))
    results = tail(work, results_at(c))
    for j in range(c.followed):
        m[j] = solutions[j]
    set_strict(m, c.base, c.followed, HOLD)
    status = c.routine(t, y, u, p, m, out)
    set_strict(m, c.base, c.followed, FREE)
    for i in range(c.results):
        if status == 0:
            results[DIRECT * c.results + i] = out[i]
        else:
            out[i] = results[DIRECT * c.results + i]
    for j in range(c.followed):
        m[j] = solutions[j]


@kernel
def evaluate_later(c: Motion, t: Real, y: Reals, u: Reals, p: Reals, m: Reals, out: Reals, work: Reals) -> Int:
    """Results a little later, where there is no solution at t; not 0 where there is none then."""
    shift = LATER * m[c.base - 1]
    status = 1
    for _ in range(TIMES_LATER):
        move(c, shift, y, m, work)
        predict_solutions(c, t, shift, y, m, work)
        status = evaluate_moved(c, t, shift, u, p, m, out, work, 0.0)
        if status == 0:
            return 0
        shift = 10.0 * shift
    return status


@kernel
def size_of_motion(c: Motion, y: Reals, work: Reals) -> Real:
    """The largest state or solution at a node."""
    nodes = tail(work, nodes_at(c))
    largest = 0.0
    for i in range(c.states):
        largest = max(largest, abs(y[i]))
    for i in range(NODES * c.followed):
        largest = max(largest, abs(nodes[i]))
    return largest
