"""Pause of the garbage collector while a translation builds its data, nearly all of which it keeps.

Traversing millions of live objects again and again doubles the time and frees nothing. Afterwards the collector is as
the host program has set it up: what was made during the pause is young and goes through the generations as it would
have without the pause, and garbage of the host is found as early. Thresholds and frozen objects are not touched.

The data of a translation holds no reference cycles, so that it goes with the last reference and memory does not grow
however seldom the collector runs: references to parents are weak, and no closure holds what holds the closure.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class _Pause:
    """Counts the threads inside, so that the first one disables the collector and the last one enables it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.inside = 0
        self.is_ours = False

    def enter(self) -> None:
        with self.lock:
            if self.inside == 0:
                self.is_ours = gc.isenabled()
                if self.is_ours:
                    gc.disable()
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0 and self.is_ours:
                gc.enable()


_PAUSE = _Pause()


@contextmanager
def gc_paused() -> Iterator[None]:
    """Pause automatic garbage collection inside the block; blocks may nest and overlap in threads."""
    _PAUSE.enter()
    try:
        yield
    finally:
        _PAUSE.leave()
