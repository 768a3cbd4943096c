"""The largest angular velocity of sines below root functions, where formulas give it and where they do not.

An angle without formula comes through a nonlinear block, from an input, through a delay, or is too costly to
differentiate. It stands among the root functions as its remainder in turns of TURN, which never crosses zero; these are
evaluated a little later once more, at states that move by their slopes.
"""

from math import nan

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import DONE, EventContext
from acausal.runtime.events.relations.evaluate import evaluate_crossings, evaluate_rates, move_ahead
from acausal.runtime.kernel.language import Real, Reals, kernel, nearest
from acausal.runtime.limits import TURN
from acausal.runtime.phase_checks import next_check

LATER = 1e-12
"""Angles are evaluated again at least so much later, as a share of the time."""


@kernel
def next_check_at(e: EventContext, t: Real, y: Reals) -> Real:
    """The time of the next evaluation of sines, from the states `y` at t on."""
    if e.is_checking != 0 and t < e.check_due:
        return e.check_due
    return next_check(e, t, square_of_velocity(e, t, y))


@kernel
def square_of_velocity(e: EventContext, t: Real, y: Reals) -> Real:
    """The largest square of an angular velocity at t; NaN where it is not known."""
    square = 0.0
    if e.phase_place >= 0:
        if e.watched_values[e.crossing_count] == t:
            square = e.watched_values[e.phase_place]
        else:
            square = e.starts[e.phase_place] if e.starts[e.crossing_count] == t else nan
    if e.angle_count != 0:
        other = square_by_differences(e, t, y)
        if not square > other:
            square = other
    return square


@kernel
def square_by_differences(e: EventContext, t: Real, y: Reals) -> Real:
    """The same of angles without formulas; the run goes on as if nothing had been evaluated."""
    copy_numbers(e.memory_size, e.m, e.memory_aside)
    found = measure_angles(e, t, y)
    copy_numbers(e.memory_size, e.memory_aside, e.m)
    return found


@kernel
def measure_angles(e: EventContext, t: Real, y: Reals) -> Real:
    """The same; solutions of nonlinear blocks move."""
    ahead = max(e.ahead, LATER * abs(t))
    later = t + ahead
    status = evaluate_crossings(e, t, y, e.values)
    if status == DONE:
        status = evaluate_rates(e, t, y)
    if status == DONE:
        move_ahead(e, y, ahead)
        status = evaluate_crossings(e, later, e.moved, e.values_later)
    if status != DONE:
        return nan
    largest = 0.0
    for k in range(e.angle_count):
        turn = e.values_later[e.angle_place + k] - e.values[e.angle_place + k]
        turn = (turn - TURN * nearest(turn / TURN)) / (later - t)
        largest = max(largest, turn * turn)
    return largest
