"""Operations up to where a block of a kernel is left, and variables that decide how often loops turn."""

from collections.abc import Sequence
from math import inf
from typing import NamedTuple

from acausal.runtime.kernel.known_values import (
    plus,
)
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


def decides(name: str, body: Sequence[Statement]) -> bool:
    """True if the variable of a loop decides how often loops in it turn, or is handed on."""
    inner = [s for s in statements(body) if isinstance(s, For)]
    limits = [value for loop in inner for value in (loop.first, loop.end)]
    handed = [a for v in all_expressions(body) if isinstance(v, Call) for a in v.arguments if a.type is Scalar.INT]
    return any(_reads(name, value) for value in [*limits, *handed])


def _reads(name: str, value: Expression) -> bool:
    return (isinstance(value, Local) and value.name == name) or any(_reads(name, part) for part in operands(value))
