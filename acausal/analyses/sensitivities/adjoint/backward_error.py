"""Where the adjoint equations do not serve."""

from acausal.base.diagnostics import SimulationError


class BackwardError(SimulationError):
    """The adjoint equations of a run have no solution, or are not available for what happens in it."""
