"""The longest step and the error of a step that a solver may make in a system."""

from math import inf
from typing import TYPE_CHECKING

from acausal.runtime.limits import SMALL
from acausal.simulate.system.source_periods import next_change, periods_at
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

STEPS_IN_PERIOD = 16
"""A solver makes at least so many: it could not see what it steps over."""


def longest_step(system: System, t: float) -> float:
    """A sixteenth of the shortest period of the sines of time at t, at most the shortest delay; else infinite."""
    shortest = system.delays.shortest
    if not system.program.waves:
        return shortest
    period = min(periods_at(system.program, system.arrays[1], t), default=inf)
    return min(shortest, period / STEPS_IN_PERIOD)


def longest_step_until(system: System, t: float) -> float:
    """The time after t from which on `longest_step` may be another one; infinite if there is none."""
    return next_change(system.program, system.arrays[1], t) if system.program.waves else inf


def tolerances(system: System, tolerance: float) -> "Array":
    """Absolute tolerances: `tolerance` times the nominal values of the states, `SMALL` where none is given."""
    import numpy as np

    p = system.arrays[1]
    nominals = [None if s.nominal is None else abs(p[s.nominal]) for s in system.program.state_slots]
    return tolerance * np.array([n or SMALL for n in nominals])
