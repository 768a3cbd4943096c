"""Pause of the garbage collector while a translation builds its data, nearly all of which it keeps.

Traversing millions of live objects again and again doubles the time and frees nothing; even in a translation of 20 ms
traversals of what it has made take a quarter. So the young objects of the host program are collected first, as they
would be soon anyway; what is made during the pause counts as old, if it is much. The host program finds its thresholds
and its frozen objects as they were, and its garbage is found as early as without us: the moved objects make CPython
forget how much it has not examined, so the pause counts what the host has made and collects all when it is time.

The data of a translation holds no reference cycles, so that it goes with the last reference and memory does not grow
however seldom the collector runs: references to parents are weak, and no closure holds what holds the closure.
"""

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

MANY = 5_600
"""New objects that are worth being spared the traversals of two generations: eight thresholds of the youngest."""
PLENTY = 70_000
"""New objects after which CPython examines all, unless they are less than a quarter of all."""
HARMLESS = 16
"""Objects made in pauses that count as one: they hold no cycles, only other threads may have made garbage."""
IMMORTAL = 1000
"""More objects than CPython from 3.12 on moves to the frozen ones by itself, as they are immortal: some 400."""
SELDOM, MOST = 50_000, 1_000_000
"""Threshold of the youngest generation at which a process, such as that of our command, wants few collections; new
objects after which all are examined then."""
YOUNG = 1
"""The oldest generation that is young."""
OLDEST = 2


class _Unexamined:
    """Estimate of the objects that no full collection has examined, as CPython has it without pauses."""

    def __init__(self) -> None:
        self.count = 0
        self.most = PLENTY
        self.full = 0
        self.is_first = True

    def add_host(self) -> None:
        """Count what was made since the last pause, by the collections of CPython since then.

        A generation is collected when its count exceeds the threshold: the youngest by the next object, the middle one
        in place of the collection of the youngest that would come next.
        """
        first, second, _ = gc.get_threshold()
        young, middle, old = gc.get_count()
        self.count += young + (first + 1) * (middle + (second + 2) * old)
        full = gc.get_stats()[OLDEST]["collections"]
        if full != self.full:
            self.count, self.most, self.full = 0, PLENTY, full
        if self.is_first:  # imports make many objects that go at once
            self.is_first = False
            if self.count > PLENTY and gc.get_threshold()[0] < SELDOM:
                self.count = min(self.count, len(gc.get_objects()))

    def collect(self) -> None:
        """Collect young objects, all if it is time; a process that wants few collections has none of young ones."""
        is_seldom = gc.get_threshold()[0] >= SELDOM
        if self.count > (MOST if is_seldom else self.most):
            self.most = max(PLENTY, len(gc.get_objects(generation=OLDEST)) // 4)
        if self.count > (MOST if is_seldom else self.most):
            gc.collect(OLDEST)
        elif not is_seldom:
            gc.collect(YOUNG)
        self.set_aside(0)

    def set_aside(self, made: int) -> None:
        """Move all objects into the oldest generation without a traversal; CPython counts from zero then."""
        if gc.get_freeze_count() < IMMORTAL:
            self.count += made // HARMLESS
            gc.freeze()
            gc.unfreeze()


class _Pause:
    """Counts the threads inside, so that the first one disables the collector and the last one enables it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.unexamined = _Unexamined()
        self.inside = 0
        self.is_ours = False

    def enter(self) -> None:
        with self.lock:
            if self.inside == 0:
                self.is_ours = gc.isenabled()
                if self.is_ours:
                    self.unexamined.add_host()
                    self.unexamined.collect()
                    gc.disable()
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if self.inside == 0 and self.is_ours:
                made = gc.get_count()[0]
                if made > MANY:
                    self.unexamined.set_aside(made)
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
