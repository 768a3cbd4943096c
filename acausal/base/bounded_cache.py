"""Objects that are kept for the next time they are asked for, up to a number of them."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """Objects by key, at most `most` of them, made once; the oldest go. Serves several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.RLock()
        self._found: dict[object, V] = {}

    def get(self, key: object, make: Callable[[], V]) -> V:
        """The object of a key."""
        with self._lock:
            found = self._found.get(key)
            if found is None:
                found = make()
                while len(self._found) >= self._most:
                    del self._found[next(iter(self._found))]
                self._found[key] = found
            return found
