"""Facts about values of kernels: intervals and tables of integers, structures, routines; arithmetic on them."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

MOST_VALUES = 8
"""A value that is one of more numbers is only known to lie between them."""


class Interval(NamedTuple):
    """Integers from `low` to `high`."""

    low: float
    high: float


ANY = Interval(-inf, inf)


class Structure(NamedTuple):
    """The structure of this name in a model's memory."""

    name: str


class Routine(NamedTuple):
    """A function with so many operations at most; one that `succeeds` has the status 0."""

    operations: float
    succeeds: bool = False


class Bound(NamedTuple):
    """A kernel called by its address."""

    kernel: str


class Table(NamedTuple):
    """A constant array, or a value that is one of these."""

    numbers: tuple[int, ...]


Known = Interval | Structure | Routine | Bound | Table | bool | None


Values = dict[str, Known]


def plus(first: float, second: float) -> float:
    """A sum, where -inf stands for a way that there is not."""
    return -inf if -inf in (first, second) else first + second


def times(turns: float, operations: float) -> float:
    """Operations of so many turns; 0 of none."""
    return 0.0 if operations == 0.0 or turns <= 0.0 else turns * operations


def either(first: Known, second: Known) -> Known:
    """The value where it is one of these."""
    if type(first) is type(second) and first == second:
        return first
    numbers, others = few_numbers(first), few_numbers(second)
    if numbers and others and len({*numbers, *others}) <= MOST_VALUES:
        return Table(tuple(sorted({*numbers, *others})))
    if isinstance(first, Interval | Table) and isinstance(second, Interval | Table):
        a, b = bounds(first), bounds(second)
        return Interval(min(a.low, b.low), max(a.high, b.high))
    return None


def any_of(values: Sequence[Known]) -> Known:
    """A value that is one of these, as far as it is known."""
    found = values[0] if values else None
    for value in values[1:]:
        found = either(found, value)
    return found


def bounds(known: Interval | Table) -> Interval:
    """The interval of a value."""
    return Interval(min(known.numbers), max(known.numbers)) if isinstance(known, Table) else known


def few_numbers(known: Known) -> tuple[int, ...]:
    """The few numbers that a value may be; empty for others."""
    if isinstance(known, Interval) and known.low == known.high and abs(known.low) < inf:
        return (int(known.low),)
    return known.numbers if isinstance(known, Table) else ()


def combined(op: str, a: Interval, b: Interval) -> Known:
    """Sum, difference or product of integers that are not negative."""
    if op == "+":
        return Interval(a.low + b.low, a.high + b.high)
    if op == "-":
        return Interval(a.low - b.high, a.high - b.low)
    if op == "*" and a.low >= 0 and b.low >= 0:
        return Interval(times(a.low, b.low), times(a.high, b.high))
    return ANY


def compared(op: str, a: Interval, b: Interval) -> bool | None:
    """Outcome of a comparison; None where it is not known."""
    is_one = a.low == a.high == b.low == b.high
    is_apart = a.high < b.low or b.high < a.low
    outcomes: dict[str, tuple[bool, bool]] = {
        "<": (a.high < b.low, a.low >= b.high),
        "<=": (a.high <= b.low, a.low > b.high),
        ">": (a.low > b.high, a.high <= b.low),
        ">=": (a.low >= b.high, a.high < b.low),
        "==": (is_one, is_apart),
        "!=": (is_apart, is_one),
    }
    yes, no = outcomes[op]
    return True if yes else False if no else None
