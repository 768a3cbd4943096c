"""Warnings of solver libraries kept from the user: what they say reaches him as a diagnostic.

`warnings.catch_warnings` exchanges the filters of the whole process: two threads inside leave those of one another
behind. So one filter for these libraries is added by the first thread that enters and taken back by the last.
"""

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

_LIBRARIES = r"scipy\.integrate|scipy\.optimize"
"""Modules that emit the warnings; those of Cython code come from its caller."""


class _Filter:
    """Counts the threads inside."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.inside = 0
        self.entry: Any = None

    def enter(self) -> None:
        with self.lock:
            if self.inside == 0:
                warnings.filterwarnings("ignore", module=_LIBRARIES)
                self.entry = warnings.filters[0]
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0:
                with suppress(ValueError):  # the host has filters of its own by now
                    warnings.filters.remove(self.entry)  # type: ignore[attr-defined]  # a list


_FILTER = _Filter()


@contextmanager
def without_foreign_warnings() -> Iterator[None]:
    """Ignore the warnings of solver libraries inside the block."""
    _FILTER.enter()
    try:
        yield
    finally:
        _FILTER.leave()
