"""Runs of a sequence that follow each other several times: 3 1 2 1 2 1 2 5  ->  (1, 2, 3): from 1 on, 2 long, 3 times.

Linear but for sorting: equal windows suggest periods, hashes of prefixes compare whole periods at once.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

WINDOW = 8
"""Signs that must agree before a period is examined."""
TRIES = 6
"""Periods that are examined from one place, the shortest ones."""
_BASE = 6_364_136_223_846_793_005
"""Base of the hashes modulo 2^64: the multiplier of Knuth's MMIX."""

_ALL = 2**64 - 1

Signs = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]


class Repeat(NamedTuple):
    """`length` signs from `start` on stand there `times` times, one after the other."""

    start: int
    length: int
    times: int


def repeats(signs: Signs, saving: int, least: int) -> list[Repeat]:
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
            count = prefix.count(at, length) if prefix.repeats(at, length, least) else 1
            if count >= least and (best is None or (count - 1) * length > (best.times - 1) * best.length):
                best = Repeat(at, length, count)
            other, tries = following[other], tries + 1
        if best is not None and (best.times - 1) * best.length >= saving and _stands(signs, best):
            found.append(best)
            at += best.length * best.times
        else:
            at += 1
    return found


def _stands(signs: Signs, repeat: Repeat) -> bool:
    """True if it is so, not only its hashes."""
    start, length, times = repeat
    stop = start + length * times
    return bool((signs[start : stop - length] == signs[start + length : stop]).all())


def _next_windows(signs: Signs) -> list[int]:
    """Next position of each window by its hash; 0 without one."""
    found = np.zeros(len(signs), np.int64)
    count = len(signs) - WINDOW + 1
    if count < 1:
        return found.tolist()
    mixed = _mixed(signs)
    windows = mixed[:count].copy()
    for place in range(1, WINDOW):
        windows *= np.uint64(_BASE)
        windows += mixed[place : place + count]
    order = np.argsort(windows, kind="stable")
    same = windows[order[:-1]] == windows[order[1:]]
    found[order[:-1][same]] = order[1:][same]
    return found.tolist()


def _mixed(signs: Signs) -> Hashes:
    """Signs for hashes, or else powers of 2 in sums of products could cancel."""
    mixed = (signs.astype(np.uint64) + np.uint64(1)) * np.uint64(_BASE)
    mixed ^= mixed >> np.uint64(29)
    return mixed


class _Prefixes:
    """Compares parts of a sequence by their hashes, modulo 2^64."""

    def __init__(self, signs: Signs) -> None:
        mixed = _mixed(signs)
        powers = np.full(len(signs) + 1, _BASE, np.uint64)
        powers[0] = 1
        self._powers: Hashes = np.multiply.accumulate(powers)
        self._hashes: Hashes = np.zeros(len(signs) + 1, np.uint64)
        np.cumsum(mixed * self._powers[:-1], out=self._hashes[1:])
        self._hash, self._power = self._hashes.tolist(), self._powers.tolist()

    def repeats(self, start: int, length: int, times: int) -> bool:
        """True if a part is repeated so often: most that are examined are not, and few numbers tell."""
        if start + length * times >= len(self._hash):
            return False
        hashes, power = self._hash, self._power[length]
        part = hashes[start + length] - hashes[start]
        for end in range(start + 2 * length, start + length * times + 1, length):
            following = hashes[end] - hashes[end - length]
            if (following - part * power) & _ALL:
                return False
            part = following
        return True

    def count(self, start: int, length: int) -> int:
        """Trip count: the number of consecutive repetitions of a part."""
        power, known, several = self._powers[length : length + 1], 1, 8
        most = (len(self._hashes) - 1 - start) // length
        while known < most:
            ends = self._hashes[start + (known - 1) * length : start + (known + several) * length + 1 : length]
            parts = ends[1:] - ends[:-1]  # hashes, each times the power of its position
            differ = np.flatnonzero(parts[1:] != parts[:-1] * power)
            if len(differ):
                return known + int(differ[0])
            known, several = known + len(parts) - 1, 4 * several
        return known
