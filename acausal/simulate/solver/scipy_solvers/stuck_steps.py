"""Failed steps of SciPy's solvers, and restarts of solvers that are stuck, for runs and for Python modules."""

from math import inf
from typing import TYPE_CHECKING, Protocol

from acausal.simulate.system.finite import all_finite

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_RESTARTS = 20
"""Restarts of stuck solvers in a run; also attempts of one solver, for any reason, until it has come over an event."""
PROGRESS = 1e-4
"""A share of the whole time: a solver that gets stuck again within it is stuck."""


class OdeSolver(Protocol):
    """A solver of `scipy.integrate`."""

    status: str
    y: "Array"

    def step(self) -> str | None:
        """One step; a message where it fails."""
        ...


class StuckSteps:
    """Where the solvers of a run over `span` were stuck last, and how often they were."""

    def __init__(self, span: float) -> None:
        self._least = PROGRESS * span
        self._last, self._count = -inf, 0

    def has_advanced(self, t: float) -> bool:
        """True if a solver stuck at t may begin again, knowing nothing of what was before: the run has advanced."""
        is_far = t - self._last > self._least
        self._last = t
        self._count += 1
        return is_far and self._count <= MOST_RESTARTS


def failed_step(solver: OdeSolver, no_solution: str) -> str:
    """One step of a solver; why it failed, which is `no_solution` without derivatives, else empty.

    LSODA warns where the others return a status, and accepts states that are not finite.
    """
    try:
        message = solver.step()
    except ValueError:  # BDF and Radau factor a matrix of NaN where the derivatives cannot be computed
        return no_solution
    if solver.status == "failed":
        return (message or "the solver failed").rstrip(".")
    return "" if all_finite(solver.y) else no_solution
