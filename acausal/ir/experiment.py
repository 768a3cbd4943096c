"""Defaults of simulations, which a model states for itself."""

from acausal.base.frozen import record
from acausal.ir.names import Name


@record(frozen=True, slots=True)
class Experiment:
    """Defaults of simulate; with `steady` runs start where nothing changes."""

    start: float = 0.0
    stop: float | None = None
    interval: float | None = None
    tolerance: float | None = None
    plot: tuple[Name, ...] = ()
    steady: bool = False
