"""Expressions: interned nodes, so that equal expressions are one object.

A `Pool` (`ir/pool`) makes all expressions of one translation. Nodes carry no place in the text: one node stands in
many places.
"""

from operator import attrgetter
from typing import TYPE_CHECKING

from acausal.ir.kinds import ExprOp
from acausal.ir.names import Name
from acausal.ir.operator import Event
from acausal.ir.ops import OPS

Shape = tuple[int, ...]
Payload = object

VARIES = 1  # contains a variable, time, or what changes at events
ARRAY = 2  # contains an array node
EVENT = 4  # contains a relation, a function with kinks or jumps, or what only events know
MOVES = 8  # contains a variable or time: changes between events
DELAYED = 16  # contains what was some time ago
FROZEN = 32  # contains a frozen value
UNIT = 64  # contains a functional mock-up unit
RATE = 128  # contains a derivative of a variable

_LEAF_FLAGS = {
    "variable": VARIES | MOVES,
    "time": VARIES | MOVES,
    "frozen": VARIES | FROZEN,
    "unit": VARIES | MOVES | UNIT,
}
_EVENT_FLAGS = {
    "sample": VARIES | EVENT,
    "initial": VARIES | EVENT,
    "new": VARIES | EVENT,
    "delay": VARIES | MOVES | DELAYED,
}

FLAGS = {op: EVENT for op, row in OPS.items() if row.event is not Event.NONE} | _LEAF_FLAGS | _EVENT_FLAGS
"""Flags that the operator itself adds to those of its arguments."""

creation = attrgetter("serial")
"""Key that sorts nodes in the order of their making."""


class Expr:
    """One node; made only by a `Pool`, compared by identity.

    `op` is a key of `OPS`, of `ARRAY_OPS` or a leaf (`const`, `boolean`, `string`,
    `parameter`, `variable`, `time`, `frozen`, `unit`); `value` is the leaf's value: a number or a name. `order` is the
    order of derivative of a variable: 0 for the variable itself. A `frozen` leaf changes at events only.
    """

    __slots__ = ("args", "flags", "op", "order", "serial", "shape", "value")

    if TYPE_CHECKING:
        number: float
        """The value of a constant."""
        name: Name
        """The name of a parameter or variable."""

    def __init__(
        self, op: ExprOp, args: "tuple[Expr, ...]", value: Payload, order: int, shape: Shape, serial: int, flags: int
    ) -> None:
        self.op = op
        self.args = args
        self.value = value
        self.order = order
        self.shape = shape
        self.serial = serial
        self.flags = flags

    @property
    def varies(self) -> bool:
        """True if it contains a variable or time."""
        return bool(self.flags & VARIES)


for _meaning in ("number", "name"):  # other names of the same slot: a property would be a call
    setattr(Expr, _meaning, vars(Expr)["value"])
