"""States that start again by `init`, and the other states made to agree.

A state takes its value at once. A variable that is no state is reached by the least change of the states, found by
Newton's method with difference quotients; positions stay where rates suffice. Values that depend on each other, as
velocities in a loop after an impact, are reached if they agree.
"""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from acausal.ir.slots import RestartSlot

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

    Values = Callable[[Array, Sequence[RestartSlot]], Array]
    """Variables that start again, at these states."""

STEP = 1e-7
MOST_ITERATIONS = 25
REACHED = 1e-10
NOISE = 1e-6
"""Of difference quotients: what is smaller against the largest one is no dependence."""


class UnreachableError(Exception):
    """No states have all values that are given."""


def restart_states(
    fired: Sequence[RestartSlot],
    results: Sequence[float],
    y: "Array",
    positions: Collection[int],
    values: "Values",
) -> "Array":
    """The states after these restarts, by `results` of `events`; UnreachableError where they cannot all be reached.

    `positions` are the states whose rate is another state.
    """
    after = y.copy()
    taken: dict[int, float] = {}
    for slot in fired:
        if slot.state is not None:
            value = slot.sign * float(results[slot.position + 1])
            if taken.setdefault(slot.state, value) != value:
                raise UnreachableError(f"{slot.text} is given two values")
            after[slot.state] = value
    others = [slot for slot in fired if slot.state is None]
    if not others:
        return after
    wanted = [float(results[slot.position + 1]) for slot in others]
    all_free = [i for i in range(len(y)) if i not in taken]
    for free in ([i for i in all_free if i not in positions], all_free):
        found = least_change(lambda states: values(states, others), after, wanted, free)
        if found is not None:
            return found
    raise UnreachableError(f"{', '.join(slot.text for slot in others)} cannot take the value given")


def least_change(
    values: "Callable[[Array], Array]", y: "Array", wanted: Sequence[float], free: Sequence[int]
) -> "Array | None":
    """States that differ least in those that are free and give the wanted values; None where there are none."""
    import numpy as np

    if not free:
        return None
    target = np.array(wanted)
    y = y.copy()
    for _ in range(MOST_ITERATIONS):
        now = values(y)
        if np.all(np.abs(now - target) <= REACHED * (1.0 + np.abs(target))):
            return y
        jacobian = np.empty((len(target), len(free)))
        for column, i in enumerate(free):
            kept = y[i]
            step = STEP * (1.0 + abs(kept))
            y[i] = kept + step
            jacobian[:, column] = (values(y) - now) / step
            y[i] = kept
        if not np.isfinite(jacobian).all():
            return None
        change = np.linalg.lstsq(jacobian, target - now, rcond=NOISE)[0]
        y[free] += change
        if np.all(np.abs(change) <= REACHED * np.abs(y[free])):
            return None
    return None
