"""Operations up to where a block of a kernel is left, and variables that decide how often loops turn."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import NamedTuple

from acausal.runtime.kernel.known_values import plus, times
from acausal.runtime.kernel.tree import (
    Call,
    Expression,
    For,
    Local,
    Statement,
)
from acausal.runtime.kernel.types import Scalar
from acausal.runtime.kernel.walk import all_expressions, operands, statements


class Flow(NamedTuple):
    """Operations up to the end of a block, or to where it leaves a turn, a loop, the kernel; -inf: it does not."""

    through: float = 0
    turned: float = -inf
    broken: float = -inf
    returned: float = -inf

    def after(self, count: float) -> "Flow":
        """The same behind so many operations."""
        return Flow(*[plus(count, part) for part in self])


class Limits(NamedTuple):
    """Limits of loops and calls, where integers that are known give none.

    `turns` has those of the `while` loops of kernels by name, and of `for` loops as "kernel.variable". `apart` has
    loops and kernels with a kernel around them: in one call of it so many turns or calls at most are more than nothing.
    """

    turns: Mapping[str, float]
    apart: Mapping[str, tuple[str, float]] = {}

    def with_limited(self, kernel: str, count: float, apart: dict[str, float]) -> float:
        """Operations of a kernel with those that it limits, which are `apart` and are taken from there."""
        for name, (around, most) in self.apart.items():
            if around == kernel:
                count = plus(count, times(most, apart.pop(name, 0.0)))
        return count


def longest_part(numbers: Sequence[int]) -> int:
    """The largest difference of numbers that follow each other, where parts of a table begin."""
    return max([b - a for a, b in pairwise(numbers)], default=0)


def turned(flows: Sequence[Flow], turns: float) -> Flow:
    """A loop with these turns; one that stands for all is repeated."""
    whole = [max(flow.through, flow.turned, 0.0) for flow in flows]
    most = [max(flow) for flow in flows]
    before = sum(whole) - min(whole, default=0.0) if len(flows) == turns else times(turns - 1, whole[0])
    total = sum(whole) if len(flows) == turns else times(turns, whole[0])
    if turns <= 0 or max(most) == 0.0:
        return Flow()
    broken, returned = (max([f[place] for f in flows]) for place in (2, 3))
    return Flow(max(total, plus(before, broken)), returned=plus(before, returned))


def decides(name: str, body: Sequence[Statement]) -> bool:
    """True if the variable of a loop decides how often loops in it turn, or is handed on."""
    inner = [s for s in statements(body) if isinstance(s, For)]
    limits = [value for loop in inner for value in (loop.first, loop.end)]
    handed = [a for v in all_expressions(body) if isinstance(v, Call) for a in v.arguments if a.type is Scalar.INT]
    return any(_reads(name, value) for value in [*limits, *handed])


def _reads(name: str, value: Expression) -> bool:
    return (isinstance(value, Local) and value.name == name) or any(_reads(name, part) for part in operands(value))
