"""Absolute tolerances with which relations can be seen in all modes.

i = if s < 0 then Goff*s else s      with Goff = 1e-9 an error of 1e-7 A is one of 100 V in s, which hides all voltages

Such relations, whose errors differ by orders of magnitude between modes, are found by evaluating the root functions in
some modes with and without errors of the solver. The states that cause the largest ones have smaller tolerances.
"""

from math import inf

from acausal.runtime.blocks.arrays import copy_numbers
from acausal.runtime.context import RELATION, EventContext
from acausal.runtime.kernel.language import Bool, Int, Real, Reals, floor, kernel
from acausal.runtime.step_limits import absolute_tolerance

RATIO = 1e6
"""Errors in two modes that differ by less are those of the solver."""
RESOLVED = 1e-3
"""So large errors of a relation do no harm where they are much smaller in another mode."""
MOST_FLIPPED = 8
"""So many relations are changed one by one."""


@kernel
def acausal_find_tolerances(e: EventContext, t: Real, y: Reals, share: Real, out: Reals) -> None:
    """Absolute tolerances of the states for this share of nominal values; a run begins with states y at t.

    Frozen values and memory are left as they were.
    """
    for k in range(e.states):
        out[k] = absolute_tolerance(e.p, e.nominal_at[k], share)
    if e.states == 0 or e.crossing_count == 0:
        return
    copy_numbers(e.frozen_count, e.frozen, e.fresh)
    copy_numbers(e.memory_size, e.m, e.memory_aside)
    if set_mode(e, 3):
        for k in range(e.states):
            part = 0.6180339887498949 * float(k)
            e.taken[k] = y[k] + out[k] * (0.5 + (part - floor(part)))
        if find_least_errors(e, t, y):
            number = 0
            while set_mode(e, number):
                tighten(e, t, y, share, out)
                number += 1
    copy_numbers(e.frozen_count, e.fresh, e.frozen)
    copy_numbers(e.memory_size, e.memory_aside, e.m)


@kernel
def set_mode(e: EventContext, number: Int) -> Bool:
    """Frozen values as they are, all relations false, all true, and each of some the other way; False behind these."""
    copy_numbers(e.frozen_count, e.fresh, e.frozen)
    if number == 0:
        return True
    count = 0
    for i in range(e.frozen_count):
        if e.kind[i] == RELATION and e.crossing[i] >= 0:
            if number <= 2:
                e.frozen[i] = float(number - 1)
            elif count == number - 3:
                e.frozen[i] = 1.0 - e.frozen[i]
                return count < MOST_FLIPPED
            count += 1
    return number <= 2


@kernel
def find_least_errors(e: EventContext, t: Real, y: Reals) -> Bool:
    """The least error of each root function in any mode, into `values_later`; True if one is large in some mode."""
    for i in range(e.crossing_count):
        e.values_later[i] = inf
    is_large = False
    number = 0
    while set_mode(e, number):
        if evaluate_errors(e, t, y):
            for i in range(e.crossing_count):
                error = e.values_last[i]
                is_large = is_large or error > RESOLVED
                if error > 0.0:
                    e.values_later[i] = min(e.values_later[i], error)
        number += 1
    return is_large


@kernel
def evaluate_errors(e: EventContext, t: Real, y: Reals) -> Bool:
    """Changes of the root functions by errors of all states, into `values_last`; False where they are not known.

    `values` are the root functions without errors.
    """
    if e.crossings(t, y, e.u, e.p, e.m, e.values) != 0:
        return False
    if e.crossings(t, e.taken, e.u, e.p, e.m, e.values_last) != 0:
        return False
    for i in range(e.crossing_count):
        error = abs(e.values_last[i] - e.values[i])
        e.values_last[i] = error if error < inf else 0.0
    return True


@kernel
def tighten(e: EventContext, t: Real, y: Reals, share: Real, out: Reals) -> None:
    """Smaller tolerances of states whose errors alone move what is moved much less in another mode."""
    if not evaluate_errors(e, t, y):
        return
    is_wrong = False
    for i in range(e.crossing_count):
        error = e.values_last[i]
        if error > RATIO * e.values_later[i] and error > RESOLVED:
            is_wrong = True
            e.values_later[i] = -abs(e.values_later[i])
    if not is_wrong:
        return
    copy_numbers(e.states, y, e.moved)
    for k in range(e.states):
        e.moved[k] = y[k] + absolute_tolerance(e.p, e.nominal_at[k], share)
        if e.crossings(t, e.moved, e.u, e.p, e.m, e.values_last) == 0:
            largest = 0.0
            for i in range(e.crossing_count):
                error = abs(e.values_last[i] - e.values[i])
                if e.values_later[i] < 0.0 and error < inf:
                    largest = max(largest, error)
            if largest > RESOLVED:
                out[k] = min(out[k], absolute_tolerance(e.p, e.nominal_at[k], share) * (RESOLVED / largest))
        e.moved[k] = y[k]
    for i in range(e.crossing_count):
        e.values_later[i] = abs(e.values_later[i])
