"""The garbage collector at rest while a translation builds its data, nearly all of which it keeps."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 1_000_000
"""Objects that are set aside without having been looked at."""


class _SetAside:
    """How many objects were made while the collector was at rest, since it last looked at all."""

    def __init__(self) -> None:
        self.count = 0

    def look(self) -> None:
        """Collect, where it has become time."""
        if self.count > MOST:
            self.count = 0
            gc.collect()

    def add(self) -> None:
        """What is there counts as old, or the next collection of the young would go through all of it."""
        if gc.get_freeze_count():
            return
        self.count += gc.get_count()[0]
        gc.freeze()
        gc.unfreeze()


_SET_ASIDE = _SetAside()


def collect_what_was_left() -> None:
    """Before something new is made: garbage of what was made before, once there may be much of it."""
    if gc.isenabled():
        _SET_ASIDE.look()


@contextmanager
def without_collection() -> Iterator[None]:
    """No garbage collection inside: with millions of live objects it doubles the time and frees nothing."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            _SET_ASIDE.add()
            gc.enable()
