"""Interfaces of an FMU, and the source files that are compiled."""

from acausal.base.frozen import record


@record(frozen=True, slots=True)
class Interfaces:
    """Model Exchange, Co-Simulation or both; `sources` are the files to compile."""

    model_exchange: bool
    co_simulation: bool
    sources: tuple[str, ...]
