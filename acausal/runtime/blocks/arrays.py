"""Copies and exchange of numbers in arrays."""

from acausal.runtime.kernel.language import Int, Ints, Reals, kernel


@kernel
def copy_numbers(count: Int, source: Reals, target: Reals) -> None:
    """The first numbers of an array into another one."""
    for i in range(count):
        target[i] = source[i]


@kernel
def gather_numbers(count: Int, source: Reals, places: Ints, target: Reals) -> None:
    """The numbers at these places, one behind the other."""
    for i in range(count):
        target[i] = source[places[i]]


@kernel
def exchange_numbers(count: Int, left: Reals, right: Reals) -> None:
    """The first numbers of two arrays, each in the other one."""
    for j in range(count):
        number = left[j]
        left[j] = right[j]
        right[j] = number
