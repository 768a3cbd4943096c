"""Bounds of operations of kernels, beside numbers that are counted by hand."""

from math import inf

from acausal.runtime.blocks.linear import solve_linear
from acausal.runtime.kernel.check import typed_kernels
from acausal.runtime.kernel.known_values import Interval, Known, Routine, Structure
from acausal.runtime.kernel.language import Int, Real, Reals, Struct, kernel
from acausal.runtime.kernel.operation_flow import Limits
from acausal.runtime.kernel.operations import Operations
from acausal.runtime.kernel.routines import ModelRoutine


class Sizes(Struct):
    """Sizes of a model, and a routine."""

    count: Int
    flag: Int
    found: Int
    routine: ModelRoutine


@kernel
def triangle(n: Int, a: Reals) -> Real:
    """n*(n - 1)/2 products and sums."""
    total = 0.0
    for i in range(n):
        for j in range(i + 1, n):
            total += a[i] * a[j]
    return total


@kernel
def decided(c: Sizes, a: Reals) -> Real:
    """One division, or a loop of sums."""
    if c.flag == 0:
        return a[0] / a[1]
    total = 0.0
    for i in range(c.count):
        total += a[i]
    return total


@kernel
def evaluated(c: Sizes, a: Reals) -> Real:
    """A routine whose failure would be followed by two operations, and a search, a comparison in each turn."""
    status = c.routine(0.0, a, a, a, a, a)
    if status != 0:
        return -a[0] * a[1]
    i = 0
    while a[i] < 1.0:
        i += 1
    return a[i]


@kernel
def costly(a: Reals, i: Int) -> Real:
    """Five products, but nothing behind the second call."""
    return a[i] * a[i] * a[i] * a[i] * a[i] * a[i] if i < 2 else 0.0


@kernel
def repeated(n: Int, a: Reals) -> Real:
    """A sum of them in each turn, in which an inner loop turns so often only in some turns."""
    total = 0.0
    for i in range(n):
        total += costly(a, i)
        for k in range(i):
            total -= a[k]
    return total


FIELDS: dict[str, Known] = {"count": Interval(7, 7), "flag": Interval(1, 1), "routine": Routine(100, succeeds=True)}
FUNCTIONS = typed_kernels((triangle, decided, evaluated, solve_linear, costly, repeated))


def operations(
    turns: dict[str, float] | None = None, apart: dict[str, tuple[str, float]] | None = None, **others: Known
) -> Operations:
    limits = Limits(turns or {}, apart or {})
    return Operations(FUNCTIONS, lambda _, name: {**FIELDS, **others}.get(name), limits, {})


def test_loops_count_as_often_as_they_turn() -> None:
    assert operations().of("triangle", Interval(6, 6)) == 6 * 5
    assert operations().of("triangle", Interval(0, 6)) == 6 * 5
    assert operations().of("triangle", None) == inf


def test_integers_that_are_known_decide() -> None:
    sizes = Structure("sizes")
    assert operations().of("decided", sizes) == 7
    assert operations(flag=Interval(0, 0)).of("decided", sizes) == 1
    assert operations(flag=None).of("decided", sizes) == 7
    assert operations(flag=None, count=Interval(0, 0)).of("decided", sizes) == 1


def test_routines_and_searches() -> None:
    """100 operations, and a comparison more than the search turns; a routine that may fail takes two others then."""
    sizes = Structure("sizes")
    assert operations({"evaluated": 3}).of("evaluated", sizes) == 104
    assert operations({"evaluated": 0}).of("evaluated", sizes) == 101
    assert operations({"evaluated": 0}, routine=Routine(100)).of("evaluated", sizes) == 102
    assert operations().of("evaluated", sizes) == inf


def test_elimination_takes_a_third_of_the_cube() -> None:
    """2/3 n^3 operations lead (G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed., 2013, section 3.2)."""
    found = operations().of("solve_linear", Interval(200, 200))
    assert 2 / 3 * 200**3 < found < 0.72 * 200**3


def test_calls_and_turns_within_limits() -> None:
    """10 sums, and 45 differences in all; calls that cost nothing beyond a number count no more often."""
    n = Interval(10, 10)
    assert operations().of("repeated", n) == 10 + 2 * 5 + 45
    assert operations(apart={"costly": ("repeated", 2)}).of("repeated", n) == 10 + 2 * 5 + 45
    assert operations(apart={"repeated.k": ("repeated", 4)}).of("repeated", n) == 10 + 2 * 5 + 4
    assert operations({"repeated.i": 3}).of("repeated", n) == 3 * (1 + 5 + 9)
    assert operations(apart={"costly": ("repeated", 2)}).of("costly", None, n) == inf
