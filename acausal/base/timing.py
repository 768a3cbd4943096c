"""The time that stages take."""

from time import perf_counter
from typing import TypeVar

T = TypeVar("T")


class StageTimer:
    """Seconds by stage: the time since the stage before."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def measured(self, stage: str, made: T) -> T:
        """Return the argument unchanged."""
        now = perf_counter()
        self.seconds[stage], self._last = self.seconds.get(stage, 0.0) + now - self._last, now
        return made
