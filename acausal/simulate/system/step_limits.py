"""The longest step and the error of a step that a solver may make in a system."""

from math import inf
from typing import TYPE_CHECKING

from acausal.ir.program.program import Program
from acausal.runtime.limits import FIRST_STEP
from acausal.runtime.step_limits import absolute_tolerance, longest_step_of
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.source_periods import next_change, velocities_at
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def longest_step(system: System, t: float) -> float:
    """A sixteenth of the shortest period of the sines of time at t, at most the shortest delay; else infinite."""
    shortest = system.delays.shortest
    return min(shortest, _of_sines(system, t)[0]) if system.program.waves else shortest


def longest_step_until(system: System, t: float) -> float:
    """The time after t from which on `longest_step` may be another one; infinite if there is none."""
    return _of_sines(system, t)[1] if system.program.waves else inf


def _of_sines(system: System, t: float) -> tuple[float, float]:
    """The longest step at t by the sines of time, and until when it holds; the system keeps the last answer."""
    p = system.arrays[1]
    asked = p.tobytes(), t
    last = system.sine_limits
    if last is None or last[0] != asked:
        program = system.program
        longest = longest_step_of(max(velocities_at(program, p, t), default=0.0))
        last = system.sine_limits = asked, (longest, next_change(program, p, t))
    return last[1]


def usual_first(program: Program, settings: Settings) -> float:
    """The first step where blocks may move faster than states; else 0, which leaves it to the solver."""
    return FIRST_STEP * (settings.stop - settings.start) if program.is_judged else 0.0


def tolerances(system: System, tolerance: float) -> "Array":
    """Absolute tolerances: `tolerance` times the nominal values of the states, `SMALL` where none is given."""
    import numpy as np

    p = system.arrays[1]
    places = [-1 if slot.nominal is None else slot.nominal for slot in system.program.state_slots]
    return np.array([absolute_tolerance(p, at, tolerance) for at in places])
