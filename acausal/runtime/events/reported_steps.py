"""The history of delays where another program integrates: it reports its steps, but not what is between them.

States between the points that are reported are Hermite polynomials through the values and rates of up to four of them,
inputs are Lagrange polynomials through their values. What is delayed is computed from these at the nodes of a piece
(`runtime/delays`). Polynomials do not go beyond events. No step needs values of a piece that is not complete, as an
event comes a delay behind each event at the latest; where an integrator looks beyond, it finds the values before the
event continued.

The difference from the polynomial through one point less estimates the error. It decides how long an importer may go on
without a report: some report at their output times only, whatever their steps are.
(E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.6 and II.17.)
"""

from math import inf

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, LEFT
from acausal.runtime.delays import NODES, end_piece, node_time, store_node
from acausal.runtime.events.exported_run import make_room
from acausal.runtime.events.reported_polynomials import (
    ReportedSteps,
    choose_points,
    expected_error,
    farthest,
    find_delayed,
)
from acausal.runtime.inputs import evaluate_inputs
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, kernel

MIDDLE = 2
"""The node in the middle of a piece."""
POINTS = 4
"""Points that are known at a time, the latest ones."""


FIRST_SHARE, LEAST_SHARE, MOST_SHARE = 0.125, 0.001, 0.25
"""Shares of the shortest delay after which a report is wanted: at first, at least, and at most."""
MUCH, LITTLE = 1.0, 0.01
"""Errors in tolerances from which on reports are wanted twice as often, and below which half as often."""
GAIN = 0.25
"""Where twice as many reports do not reduce the error so far, it is that of the integrator: more do not help."""
SHARE_OF_ROOM = 0.25
"""Steps within the longest delay are at most so many as this share of the room for pieces; shorter ones are joined."""
NO_ROOM, NEW_DELAY = -40, -41
"""Status where the history is full, and where the time of a delay has changed."""


@kernel
def begin_reports(r: ReportedSteps) -> None:
    """Steps are reported from the first instant on, which has been solved."""
    h = r.loop.inputs.history
    h.reported = 1
    r.points = 0
    r.error = 0.0
    r.error_before = 0.0
    r.longest = inf
    for k in range(h.count):
        r.longest = min(r.longest, FIRST_SHARE * h.times[k])
        r.largest[k] = abs(h.before[k])


@kernel
def begin_segment(r: ReportedSteps, t: Real) -> Int:
    """Polynomials begin again behind the event at t; DONE, LEFT or NEW_DELAY."""
    e = r.loop
    h = e.inputs.history
    shortest = inf
    for k in range(h.count):
        shortest = min(shortest, h.times[k])
    if r.error > MUCH:
        if r.error_before <= MUCH or r.error < GAIN * r.error_before:
            r.longest = max(0.5 * r.longest, LEAST_SHARE * shortest)
    elif r.error < LITTLE and r.points == POINTS:
        r.longest = min(2.0 * r.longest, MOST_SHARE * shortest)
    r.error_before = r.error
    r.error = 0.0
    r.points = 0
    copy_numbers(e.memory, e.m, e.delay_memory)
    status = evaluate_inputs(e.inputs, t)
    if status == 0:
        status = e.inputs.delayed(t, e.y, e.frozen, e.p, e.delay_memory, e.delayed_results)
    for k in range(h.count):
        if status == 0 and e.delayed_results[2 * k + 1] != h.times[k]:
            return NEW_DELAY
    return DONE if status == 0 else LEFT


@kernel
def report_point(r: ReportedSteps, t: Real, rates: Reals, tolerance: Real, is_event: Int) -> Int:
    """The states of the loop at t have been reached, with these rates; DONE, LEFT, NO_ROOM or NEW_DELAY."""
    if r.points == 0 or t > r.times[r.points - 1]:
        if is_event == 0 and is_short(r, t):
            return DONE
        add_reported_point(r, t, rates)
    return complete_pieces(r, POINTS - 2, tolerance) if r.points == POINTS else DONE


@kernel
def complete_pieces(r: ReportedSteps, count: Int, tolerance: Real) -> Int:
    """Pieces between the first points, up to so many, that have none yet; status as before."""
    h = r.loop.inputs.history
    for i in range(min(count, r.points - 1)):
        if r.times[i] >= h.ends[h.pieces]:
            status = add_piece(r, i, tolerance)
            if status != DONE:
                return status
    return DONE


@kernel
def is_short(r: ReportedSteps, t: Real) -> Bool:
    """True if the step to t may be joined with the next one."""
    if r.points == 0:
        return False
    h = r.loop.inputs.history
    longest = 0.0
    for k in range(h.count):
        longest = max(longest, h.times[k])
    return t - r.times[r.points - 1] < longest / (SHARE_OF_ROOM * float(h.piece_room))


@kernel
def add_reported_point(r: ReportedSteps, t: Real, rates: Reals) -> None:
    """One more point; without room the first one is forgotten."""
    e = r.loop
    n = e.states
    inputs = e.inputs.count
    if r.points == POINTS:
        for i in range(POINTS - 1):
            r.times[i] = r.times[i + 1]
        for i in range((POINTS - 1) * n):
            r.states[i] = r.states[i + n]
            r.rates[i] = r.rates[i + n]
        for i in range((POINTS - 1) * inputs):
            r.inputs[i] = r.inputs[i + inputs]
        r.points = POINTS - 1
    at = r.points
    h = e.inputs.history
    r.times[at] = h.ends[h.pieces] if at == 0 else t
    for i in range(n):
        r.states[at * n + i] = e.y[i]
        r.rates[at * n + i] = rates[i]
    for i in range(inputs):
        r.inputs[at * inputs + i] = e.inputs.constant[i]
    r.points = at + 1


@kernel
def add_piece(r: ReportedSteps, i: Int, tolerance: Real) -> Int:
    """The piece from point i to the next one."""
    e = r.loop
    h = e.inputs.history
    e.reached[0] = r.times[i + 1]
    if not make_room(e):
        return NO_ROOM
    choose_points(r, i)
    end = r.times[i + 1]
    middle = node_time(h, MIDDLE, end)
    copy_numbers(e.memory, e.m, e.delay_memory)
    left_out = farthest(r, i, middle)
    if left_out >= 0:
        r.used[left_out] = 0
        if find_delayed(r, middle) != DONE:
            return LEFT
        for k in range(h.count):
            r.middle[k] = e.delayed_results[2 * k]
        r.used[left_out] = 1
    for node in range(NODES):
        if find_delayed(r, node_time(h, node, end)) != DONE:
            return LEFT
        store_node(h, node, e.delayed_results)
        for k in range(h.count):
            if e.delayed_results[2 * k + 1] != h.times[k]:
                return NEW_DELAY
            r.largest[k] = max(r.largest[k], abs(e.delayed_results[2 * k]))
            if node == MIDDLE and left_out >= 0 and r.largest[k] > 0.0:
                error = abs(e.delayed_results[2 * k] - r.middle[k]) / r.largest[k]
                r.error = max(r.error, expected_error(r, error) / tolerance)
    end_piece(h, end)
    return DONE
