"""Pause of the garbage collector while a translation builds its data, nearly all of which it keeps.

Traversing millions of live objects again and again doubles the time and frees nothing. So the young objects of the host
program are collected first, as they would be soon anyway; what is made during the pause counts as old, if it is much.
The host program finds its thresholds and its frozen objects as they were, and its garbage is found as early as without
us.

The data of a translation holds no reference cycles, so that it goes with the last reference and memory does not grow
however seldom the collector runs: references to parents are weak, and no closure holds what holds the closure.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 50_000
"""New objects that are worth being spared the traversals of two generations."""
IMMORTAL = 1000
"""More objects than CPython from 3.12 on moves to the frozen ones by itself, as they are immortal: some 400."""
YOUNG = 1
"""The oldest generation that is young."""


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
                    gc.collect(YOUNG)
                    gc.disable()
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0 and self.is_ours:
                if gc.get_count()[0] > MANY and gc.get_freeze_count() < IMMORTAL:
                    gc.freeze()
                    gc.unfreeze()  # into the oldest generation
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
