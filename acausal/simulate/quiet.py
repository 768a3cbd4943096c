"""Keeps the messages of SUNDIALS, which scikit-sundae prints, from mixing with results on standard output.

What they say reaches the user as a diagnostic. Several threads may run at once: the first
that enters changes `sys.stdout`, the last that leaves restores it.
"""

import io
import sys
import threading
from types import TracebackType
from typing import TextIO


class Quiet:
    """`with QUIET:` nothing printed is seen."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._outer: TextIO | None = None

    def __enter__(self) -> None:
        with self._lock:
            if self._inside == 0:
                self._outer, sys.stdout = sys.stdout, io.StringIO()
            self._inside += 1

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._inside -= 1
            if self._inside == 0 and self._outer is not None:
                sys.stdout = self._outer


QUIET = Quiet()
