"""Why a run cannot go on: derivatives that cannot be computed, else what the solver says."""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.simulate.failure.checked import at_crossing, explain, explain_nearly_singular, rates_by_homotopy
from acausal.simulate.failure.messages import not_finite, solver_failed
from acausal.simulate.solver.integrator import StuckError
from acausal.simulate.solver.short_time_constant import with_time_constant
from acausal.simulate.system.finite import all_finite
from acausal.simulate.system.system import System

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

AHEAD = (1.0, 1e2, 1e4, 1e6, 1e8)
LEAST = 1e-12
"""Distances beyond the point where a block fails: multiples of the way there, or of that share of the time."""


NEAR = 1e-9
"""As a share of the whole time, how near a solver is to a jump that it gets stuck at."""


def explain_stuck(system: System, stuck: StuckError, span: float) -> Diagnostic | None:
    """A block or derivative that fails where the solver is stuck, or a jump there, else what the solver says."""
    import numpy as np

    with np.errstate(all="ignore"):
        return _explained(system, stuck, span)


def _explained(system: System, stuck: StuckError, span: float) -> Diagnostic | None:
    import numpy as np

    from acausal.simulate.solver.chattering import sliding

    failed = system.failed_block
    wrong = wrong_slope(system, stuck.t, stuck.y)
    if wrong is None and failed is not None and failed[1] >= stuck.t:
        wrong = _beyond(system, stuck, *failed)
    if wrong is not None:
        return wrong
    chattering = sliding(system, stuck.t, stuck.y, NEAR * span)
    if chattering is not None:
        return chattering
    nearly = explain_nearly_singular(system, stuck.t, stuck.y)
    if nearly is not None:
        return nearly
    slope = np.empty_like(stuck.y)
    system.slope(stuck.t, stuck.y, slope)
    found = solver_failed(system.program, stuck.t, stuck.y, slope, stuck.why)
    return with_time_constant(found, system, stuck.t, stuck.y, span)


def _beyond(system: System, stuck: StuckError, block: int, t: float) -> Diagnostic | None:
    """Diagnostic of a block that fails behind the point where the solver is stuck.

    At that point itself its solution may be as good as ever: one looks further ahead until it has none or another one.
    """
    system.branches.predict(stuck.t)
    slope, before = rates_by_homotopy(system, stuck.t, stuck.y)
    for ahead in AHEAD:
        far = ahead * max(t - stuck.t, LEAST * max(1.0, abs(stuck.t)))
        y = stuck.y + far * slope
        system.memory[:] = before
        found = explain(system, "derivatives", block, stuck.t + far, y)
        if found is not None:
            return found
    return None


def wrong_slope(system: System, t: float, y: "Array") -> Diagnostic | None:
    """Diagnostic of the derivatives at a point, None without a fault."""
    slope = y.copy()
    status = system.slope(t, y, slope) if len(y) or system.branches.count else 0
    if status and system.crosses:
        return at_crossing(system, t)
    if status:
        return explain(system, "derivatives", status, t, y)
    if all_finite(slope):
        return None
    import numpy as np

    wrong = int(np.isfinite(slope).argmin())
    return explain(system, "derivatives", 0, t, y) or not_finite(system.program, t, y, wrong)
