"""The time that stages take."""

from collections.abc import Callable
from time import perf_counter
from typing import ClassVar, TypeVar

T = TypeVar("T")


class StageTimer:
    """Seconds by stage: the time since the stage before.

    `verify` is called with the name and the result of every pass: None but in tests, which check all stages.
    """

    verify: ClassVar[Callable[[str, object], None] | None] = None

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = perf_counter()

    def measured(self, stage: str, made: T) -> T:
        """Return the argument unchanged."""
        now = perf_counter()
        self.seconds[stage], self._last = self.seconds.get(stage, 0.0) + now - self._last, now
        if StageTimer.verify is not None:
            StageTimer.verify(stage, made)
        return made
