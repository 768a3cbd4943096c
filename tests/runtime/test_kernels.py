"""Every kernel gives the same bits in Python, through LLVM, and through C, in recorded and in random states.

One test for all scenarios: to compile all kernels and to record the calls of a scenario takes longer than to compare,
and processes that share the tests would each do both.
"""

from collections import Counter
from collections.abc import Iterator

from tests.runtime.machine import addresses, compilers, kernels
from tests.runtime.recorder import Recorded
from tests.runtime.repetition import play, repeat, vary
from tests.runtime.scenarios import SCENARIOS, recorded

OF_EACH = 2
"""So many recorded calls of each kernel are varied in each scenario."""


def test_a_compiler_is_there() -> None:
    assert compilers(), "a C compiler is needed: gcc, clang, or the package ziglang"


def test_executions_agree() -> None:
    """A new kernel needs a scenario in which Python calls it: `tests/runtime/scenarios`."""
    seen: set[str] = set()
    wrong: list[str] = []
    for name in SCENARIOS:
        calls = recorded(name)
        seen |= {call.function.name for call in calls}
        wrong += [f"{name}: {found}" for found in (*in_recorded_states(calls), *in_random_states(name, calls))]
    assert wrong == []
    assert sorted(set(kernels()) - seen) == []


def in_recorded_states(calls: tuple[Recorded, ...]) -> Iterator[str]:
    """Differences, each with its kernel and call."""
    if not calls:
        yield "no kernel was called"
    for number, call in enumerate(calls):
        wrong = play(call, addresses(call.function.name))
        if wrong:
            yield f"{call.function.name}, call {number}: {wrong}"


def in_random_states(name: str, calls: tuple[Recorded, ...]) -> Iterator[str]:
    """The same where the arguments of some calls are varied."""
    taken, done = Counter[str](), 0
    for number, call in enumerate(calls):
        kernel = call.function.name
        taken[kernel] += 1
        varied = vary(call, kernels()[kernel], f"{name} {number}") if taken[kernel] <= OF_EACH else None
        if varied is None:
            continue
        done += 1
        wrong = repeat(varied, addresses(kernel))
        if wrong:
            yield f"{kernel}, varied call {number}: {wrong}"
    if done <= len(taken):
        yield f"only {done} calls of {len(taken)} kernels were varied"
