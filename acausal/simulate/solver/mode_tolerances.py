"""Absolute tolerances of solvers that Python calls, by `runtime/events/mode_tolerances`."""

from typing import TYPE_CHECKING

from acausal.runtime.events.mode_tolerances import acausal_find_tolerances
from acausal.runtime.step_limits import step_tolerance
from acausal.simulate.solver.event_context import python_context
from acausal.simulate.system.settings import Settings
from acausal.simulate.system.step_limits import tolerances
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def solver_tolerances(system: System, settings: Settings, y: "Array") -> "Array":
    """The absolute tolerances of a run that begins with states y, in the order of the system."""
    import numpy as np

    share = step_tolerance(settings.tolerance)
    found = tolerances(system, share)
    if len(y) and system.program.table.crossings:
        with np.errstate(all="ignore"):
            acausal_find_tolerances(python_context(system, settings, y), settings.start, y, share, found)
    return found
