"""Runs of a sequence that follow each other several times: 3 1 2 1 2 1 2 5  ->  (1, 2, 3): from 1 on, 2 long, 3 times.

Linear: equal windows suggest periods, hashes of prefixes compare whole periods at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

WINDOW = 8
"""Signs that must agree before a period is looked at."""
TRIES = 6
"""Periods that are looked at from one place, the shortest ones."""
_PRIME, _BASE = 2**61 - 1, 1_000_003


class Repeat(NamedTuple):
    """`length` signs from `start` on stand there `times` times, one after the other."""

    start: int
    length: int
    times: int


def repeats(signs: Sequence[int], saving: int, least: int) -> list[Repeat]:
    """From left to right, those that spare at least `saving` signs if written once, `least` times there or more."""
    following = _next_windows(signs)
    prefix = _Prefixes(signs)
    found: list[Repeat] = []
    at = 0
    while at < len(signs):
        best: Repeat | None = None
        other, tries = following[at], 0
        while other and tries < TRIES:
            length = other - at
            count = prefix.count(at, length)
            if count >= least and (best is None or (count - 1) * length > (best.times - 1) * best.length):
                best = Repeat(at, length, count)
            other, tries = following[other], tries + 1
        if best is not None and (best.times - 1) * best.length >= saving and _stands(signs, best):
            found.append(best)
            at += best.length * best.times
        else:
            at += 1
    return found


def _stands(signs: Sequence[int], repeat: Repeat) -> bool:
    """Whether it is so, not only its hashes."""
    start, length, times = repeat
    return list(signs[start : start + length]) * times == list(signs[start : start + length * times])


def _next_windows(signs: Sequence[int]) -> list[int]:
    """Where each window stands next; 0 where it does not."""
    found = [0] * len(signs)
    last: dict[tuple[int, ...], int] = {}
    for i in reversed(range(len(signs) - WINDOW + 1)):
        window = tuple(signs[i : i + WINDOW])
        found[i] = last.get(window, 0)
        last[window] = i
    return found


class _Prefixes:
    """Compares parts of a sequence by their hashes."""

    def __init__(self, signs: Sequence[int]) -> None:
        self._hashes, self._powers = [0], [1]
        for sign in signs:
            self._hashes.append((self._hashes[-1] * _BASE + sign + 1) % _PRIME)
            self._powers.append(self._powers[-1] * _BASE % _PRIME)

    def _part(self, start: int, length: int) -> int:
        return (self._hashes[start + length] - self._hashes[start] * self._powers[length]) % _PRIME

    def count(self, start: int, length: int) -> int:
        """How often a part stands there, one after the other."""
        first, count, end = self._part(start, length), 1, len(self._hashes) - 1
        while start + (count + 1) * length <= end and self._part(start + count * length, length) == first:
            count += 1
        return count
