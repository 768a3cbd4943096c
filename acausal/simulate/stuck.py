"""Why a run cannot go on: derivatives that cannot be computed, else what the solver says."""

from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic
from acausal.simulate.failures import not_finite, solver_failed
from acausal.simulate.integrator import StuckError
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def explain_stuck(system: System, stuck: StuckError) -> Diagnostic | None:
    """A block or derivative that fails where the solver is stuck, else what the solver says."""
    import numpy as np

    failed = system.failed_block
    wrong = wrong_slope(system, stuck.t, stuck.y)
    if wrong is not None:
        return wrong
    if failed is not None and failed[1] > stuck.t:
        return system.explain("derivatives", failed[0], failed[1], stuck.y)
    nearly = system.nearly_singular(stuck.t, stuck.y)
    if nearly is not None:
        return nearly
    slope = np.empty_like(stuck.y)
    system.slope(stuck.t, stuck.y, slope)
    return solver_failed(system.program, stuck.t, stuck.y, slope, stuck.why)


def wrong_slope(system: System, t: float, y: "Array") -> Diagnostic | None:
    """What is wrong with the derivatives at a point, None if nothing."""
    import numpy as np

    if not len(y):
        return None
    slope = np.empty_like(y)
    status = system.slope(t, y, slope)
    if status:
        return system.explain("derivatives", status, t, y)
    finite = np.isfinite(slope)
    if finite.all():
        return None
    return system.explain("derivatives", 0, t, y) or not_finite(system.program, t, y, int(finite.argmin()))
