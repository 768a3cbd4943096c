"""Owner of what a process keeps between translations: every cache is registered here, and `clear` empties all.

    _JUDGED: Memo[Form, bool] = Memo(10_000)        values by key, emptied when it is full
    @memoized(32)                                   results of a function by its arguments, least recently used go
    @once                                           what is made once for the process: addresses of code, tables

Threads share all of it. Reading takes no lock; whatever is added is added under one, and a value that two threads make
at the same time is the same for both from then on. Emptying is safe at any time: values are made again. What `once`
has made is no cache: machine code may be running, so `clear` leaves it.
"""

import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import ParamSpec, Protocol, TypeVar, cast

K = TypeVar("K")
V = TypeVar("V")
P = ParamSpec("P")
T = TypeVar("T")

LOCK = threading.RLock()
"""Held while something is added to a cache or all are emptied."""


class Cache(Protocol):
    """Something that can be emptied."""

    def clear(self) -> None:
        """Forget everything."""


_CACHES: list[Cache] = []


def register(cache: Cache) -> None:
    """Have `clear` empty a cache."""
    with LOCK:
        _CACHES.append(cache)


def clear() -> None:
    """Empty all caches: the memory goes back, and the next translation reads and works out everything again."""
    with LOCK:
        for cache in _CACHES:
            cache.clear()


class Memo(dict[K, V]):
    """Values by key, at most `most` of them: a dictionary to read, `keep` to add."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most
        register(self)

    def keep(self, key: K, value: V) -> V:
        """Add a value; the one that is there already, if another thread was faster."""
        with LOCK:
            if len(self) >= self.most:
                self.clear()
            return self.setdefault(key, value)

    def __hash__(self) -> int:  # type: ignore[override]  # one cache is not another
        return id(self)


class _Memoized:
    def __init__(self, clear: Callable[[], None]) -> None:
        self.clear = clear


def memoized(most: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A function whose last `most` results are kept; its arguments are hashable."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        kept = lru_cache(maxsize=most)(function)
        register(_Memoized(kept.cache_clear))
        return cast("Callable[P, T]", kept)

    return decorate


def once(function: Callable[P, T]) -> Callable[P, T]:
    """A function whose result is made once for the process and each arguments, whatever the number of threads."""
    made: dict[tuple[object, ...], T] = {}
    lock = threading.RLock()

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> T:
        key = (*args, *named.items())
        try:
            return made[key]
        except KeyError:
            pass
        with lock:
            if key not in made:
                made[key] = function(*args, **named)
            return made[key]

    return call
