"""Absolute tolerances with which relations can be seen in all modes.

i = if s < 0 then Goff*s else s      with Goff = 1e-9 an error of 1e-7 A is one of 100 V in s, which hides all voltages

Such relations, whose errors differ by orders of magnitude between modes, are found by evaluating the root functions in
some modes with and without errors of the solver. The states that cause the largest ones have smaller tolerances.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

RATIO = 1e6
"""Errors in two modes that differ by less are those of the solver."""
RESOLVED = 1e-3
"""So large errors of a relation do no harm where they are much smaller in another mode."""
MOST_FLIPPED = 8
"""So many relations are changed one by one."""


def solver_tolerances(system: System, tolerance: float, t: float) -> "Array":
    """The absolute tolerances of the states for this relative one; t is a time at which inputs are known."""
    import numpy as np

    absolute = tolerances(system, tolerance)
    table = system.program.table
    relations = [i for i, slot in enumerate(table.frozen) if slot.kind == "relation" and slot.crossing is not None]
    if not relations or not len(absolute) or system.program.delays:
        return absolute
    (u, _, m), y = system.arrays, system.states
    kept = [array.copy() for array in (u, m, y)]
    pattern = absolute * (0.5 + np.modf(0.6180339887498949 * np.arange(len(absolute)))[0])
    with np.errstate(all="ignore"):
        modes = list(_modes(system.frozen, relations))
        errors = np.array([_errors(system, t, mode, kept[2], pattern) for mode in modes])
        least = np.where(errors > 0.0, errors, np.inf).min(axis=0)
        wrong = (errors > RATIO * least) & (errors > RESOLVED)
        for number in np.flatnonzero(wrong.any(axis=1)).tolist():
            for k in range(len(absolute)):
                alone = np.where(np.arange(len(absolute)) == k, absolute, 0.0)
                found = _errors(system, t, modes[number], kept[2], alone)
                largest = float(found[wrong[number]].max())
                if largest > RESOLVED:
                    absolute[k] *= RESOLVED / largest
    for array, before in zip((u, m, y), kept, strict=True):
        array[:] = before
    return absolute


def _modes(frozen: "Array", relations: list[int]) -> "Iterator[Array]":
    """Frozen values: those that there are, all relations true, all false, and each of some the other way."""
    yield frozen.copy()
    for value in (0.0, 1.0):
        mode = frozen.copy()
        mode[relations] = value
        yield mode
    for i in relations[:MOST_FLIPPED]:
        mode = frozen.copy()
        mode[i] = 1.0 - mode[i]
        yield mode


def _errors(system: System, t: float, mode: "Array", y: "Array", errors: "Array") -> "Array":
    """Changes of the root functions by these errors of the states; 0 where that is not known."""
    import numpy as np

    system.frozen[:] = mode
    here, there = np.zeros(system.program.table.crossings), np.zeros(system.program.table.crossings)
    system.root_functions(t, y, here)
    system.root_functions(t, y + errors, there)
    return np.nan_to_num(np.abs(there - here), nan=0.0, posinf=0.0)
