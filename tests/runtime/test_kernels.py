"""Every kernel gives the same bits in Python, through LLVM, and through C, in recorded and in random states."""

from collections import Counter

import pytest

from tests.runtime.machine import addresses, compilers, kernels
from tests.runtime.repetition import play, repeat, vary
from tests.runtime.scenarios import SCENARIOS, recorded

OF_EACH = 3
"""So many recorded calls of each kernel are varied in each scenario."""


def test_a_compiler_is_there() -> None:
    assert compilers(), "a C compiler is needed: gcc, clang, or the package ziglang"


def test_every_kernel_is_recorded() -> None:
    """A new kernel needs a scenario in which Python calls it: `tests/runtime/scenarios`."""
    seen = {call.function.name for name in SCENARIOS for call in recorded(name)}
    assert sorted(set(kernels()) - seen) == []


@pytest.mark.parametrize("name", SCENARIOS)
def test_recorded_states(name: str) -> None:
    calls = recorded(name)
    assert calls
    for number, call in enumerate(calls):
        wrong = play(call, addresses(call.function.name))
        assert not wrong, f"{call.function.name}, call {number}: {wrong}"


@pytest.mark.parametrize("name", SCENARIOS)
def test_random_states(name: str) -> None:
    calls = recorded(name)
    taken, done = Counter[str](), 0
    for number, call in enumerate(calls):
        kernel = call.function.name
        taken[kernel] += 1
        varied = vary(call, kernels()[kernel], f"{name} {number}") if taken[kernel] <= OF_EACH else None
        if varied is not None:
            done += 1
            wrong = repeat(varied, addresses(kernel))
            assert not wrong, f"{kernel}, call {number}: {wrong}"
    assert done > len(taken)
