"""Runs of a sequence that follow each other several times: 3 1 2 1 2 1 2 5  ->  (1, 2, 3): from 1 on, 2 long, 3 times.

Linear: equal windows suggest periods, hashes of prefixes compare whole periods at once.
"""

from collections.abc import Sequence
from typing import NamedTuple

WINDOW = 8
"""Signs that must agree before a period is examined."""
TRIES = 6
"""Periods that are examined from one place, the shortest ones."""
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
    """True if it is so, not only its hashes."""
    start, length, times = repeat
    return list(signs[start : start + length]) * times == list(signs[start : start + length * times])


def _next_windows(signs: Sequence[int]) -> list[int]:
    """Next position of each window; 0 without one."""
    found = [0] * len(signs)
    last: dict[tuple[int, ...], int] = {}
    windows = list(zip(*[signs[k:] for k in range(WINDOW)], strict=False))
    for i in reversed(range(len(windows))):
        window = windows[i]
        found[i] = last.get(window, 0)
        last[window] = i
    return found


class _Prefixes:
    """Compares parts of a sequence by their hashes."""

    def __init__(self, signs: Sequence[int]) -> None:
        hash_, power = 0, 1
        self._hashes, self._powers = [hash_], [power]
        for sign in signs:
            hash_ = (hash_ * _BASE + sign + 1) % _PRIME
            power = power * _BASE % _PRIME
            self._hashes.append(hash_)
            self._powers.append(power)

    def count(self, start: int, length: int) -> int:
        """Trip count: the number of consecutive repetitions of a part."""
        hashes, power = self._hashes, self._powers[length]
        at, end = start + length, len(hashes) - length
        first = (hashes[at] - hashes[start] * power) % _PRIME
        while at < end and (hashes[at + length] - hashes[at] * power) % _PRIME == first:
            at += length
        return (at - start) // length
