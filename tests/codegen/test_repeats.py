"""Runs that follow each other several times, against a search that tries every length."""

from random import Random

import numpy as np
import pytest

from acausal.codegen.optimize.tandem_repeats import Repeat
from acausal.codegen.optimize.tandem_repeats import repeats as repeats_of_array


def repeats(signs: list[int], saving: int, least: int) -> list[Repeat]:
    """Of a list."""
    return repeats_of_array(np.array(signs, np.int64), saving, least)


def test_example() -> None:
    signs = [9, 9, 7, *[1, 2, 3, 4, 5] * 6, 8]
    assert repeats(signs, saving=10, least=3) == [Repeat(3, 5, 6)]


def test_a_run_is_taken_whole_not_twice_half() -> None:
    signs = [0, 0, 1, 0, 0, 2] * 20
    assert repeats(signs, saving=10, least=3) == [Repeat(0, 6, 20)]


def test_one_sign_alone() -> None:
    assert repeats([4] * 50, saving=10, least=3) == [Repeat(0, 1, 50)]


@pytest.mark.parametrize("signs", [[], [1], list(range(100)), [1, 2] * 3])
def test_nothing_to_spare(signs: list[int]) -> None:
    assert repeats(signs, saving=10, least=3) == []


def stands(signs: list[int], start: int, length: int) -> int:
    """How often a run stands there, compared sign by sign."""
    times = 1
    while signs[start + times * length : start + (times + 1) * length] == signs[start : start + length]:
        times += 1
    return times


@pytest.mark.parametrize("seed", range(20))
def test_random_sequences(seed: int) -> None:
    chance = Random(seed)
    signs: list[int] = []
    planted = 0
    while len(signs) < 3000:
        signs += [chance.randrange(1000, 10**6) for _ in range(chance.randrange(40))]
        body = [chance.randrange(3) for _ in range(chance.randrange(8, 60))]
        times = chance.randrange(1, 15)
        signs += body * times
        planted += (times - 1) * len(body) if times >= 3 and (times - 1) * len(body) >= 30 else 0
    found = repeats(signs, saving=30, least=3)
    end = 0
    for start, length, times in found:
        assert start >= end
        end = start + length * times
        assert end <= len(signs)
        assert times >= 3
        assert (times - 1) * length >= 30
        assert stands(signs, start, length) == times
    assert sum((r.times - 1) * r.length for r in found) >= 0.95 * planted
