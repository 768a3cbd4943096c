"""Consistent states at the first instant."""

from typing import TYPE_CHECKING

from acausal.runtime.inputs import MOST_PASSES
from acausal.simulate.failure.checked import checked, delayed_values
from acausal.simulate.failure.messages import no_past
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def initial_states(system: System, t: float) -> "Array":
    """Consistent states; SimulationError R001 names the equations that have no solution, R009 a delay without one."""
    found, count = system.results("initial"), len(system.states)
    for _ in range(MOST_PASSES):
        status = system.evaluate("initial", t)
        if status or not all_finite(found):
            checked(system, "initial", status, t)
        y = found[:count].copy()
        if not system.program.delays or system.delays.begin(delayed_values(system, t, y)):
            system.start_choices = found[count:].copy()
            return y
    raise no_past(system.program, t)
