"""Why a run cannot go on: derivatives that cannot be computed, else what the solver says."""

from typing import TYPE_CHECKING

from acausal.diagnostics import Diagnostic
from acausal.simulate.failures import not_finite, solver_failed
from acausal.simulate.finite import all_finite
from acausal.simulate.integrator import StuckError
from acausal.simulate.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


NEAR = 1e-9
"""As a share of the whole time, how near a solver is to a jump that it gets stuck at."""


def explain_stuck(system: System, stuck: StuckError, span: float) -> Diagnostic | None:
    """A block or derivative that fails where the solver is stuck, or a jump there, else what the solver says."""
    import numpy as np

    from acausal.simulate.sliding import sliding

    failed = system.failed_block
    wrong = wrong_slope(system, stuck.t, stuck.y)
    if wrong is not None:
        return wrong
    if failed is not None and failed[1] > stuck.t:
        return system.explain("derivatives", failed[0], failed[1], stuck.y)
    chattering = sliding(system, stuck.t, stuck.y, NEAR * span)
    if chattering is not None:
        return chattering
    nearly = system.nearly_singular(stuck.t, stuck.y)
    if nearly is not None:
        return nearly
    slope = np.empty_like(stuck.y)
    system.slope(stuck.t, stuck.y, slope)
    return solver_failed(system.program, stuck.t, stuck.y, slope, stuck.why)


def wrong_slope(system: System, t: float, y: "Array") -> Diagnostic | None:
    """What is wrong with the derivatives at a point, None if nothing."""
    slope = y.copy()
    status = system.slope(t, y, slope) if len(y) else 0
    if status:
        return system.explain("derivatives", status, t, y)
    if all_finite(slope):
        return None
    import numpy as np

    wrong = int(np.isfinite(slope).argmin())
    return system.explain("derivatives", 0, t, y) or not_finite(system.program, t, y, wrong)
