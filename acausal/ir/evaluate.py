"""The numeric evaluator of expressions: one walk, arguments first.

Uses differ in what a leaf without value or an undefined operation counts as (`missing`), and in who decides which
branch is taken (`special`).
"""

from collections.abc import Mapping, Sequence
from math import isfinite, nan
from typing import ClassVar

from acausal.ir.expr import Expr
from acausal.ir.operator import Value
from acausal.ir.ops import OPS
from acausal.ir.walk import postorder


def operate(op: str, given: Sequence[Value]) -> Value | None:
    """The value of a scalar operator; None where it has none among the real numbers, and for other operators."""
    row = OPS.get(op)
    if row is None:
        return None
    try:
        value = row.evaluate(*given)
    except (ArithmeticError, ValueError):
        return None
    return None if isinstance(value, complex) else value


class Evaluator:
    """`values` are those known so far; `value` adds all nodes below an expression."""

    SPECIAL: ClassVar[frozenset[str]] = frozenset()
    """Operators whose value `special` gives."""
    FINITE: ClassVar[bool] = False
    """True if values that are not finite count as missing."""

    def __init__(self, values: Mapping[Expr, Value]) -> None:
        self.values = dict(values)

    def value(self, root: Expr, nodes: Sequence[Expr] | None = None) -> Value | None:
        """The value of an expression; None where a part has none.

        `nodes` are those without values below it, arguments first, where they are known.
        """
        values, special, finite = self.values, self.SPECIAL, self.FINITE
        for node in postorder([root], values.__contains__) if nodes is None else nodes:
            found: Value | None
            if not node.args:
                number = node.value
                found = number if isinstance(number, float | bool) else None
            elif node.op in special:
                found = self.special(node)
            else:
                found = operate(node.op, [values[a] for a in node.args])
            if found is None or (finite and not isfinite(found)):
                found = self.missing(node)
                if found is None:
                    return None
            values[node] = found
        return values[root]

    def special(self, node: Expr) -> Value | None:
        """The value of a node whose operator is in `SPECIAL`, from those of its arguments."""
        raise NotImplementedError(node.op)

    def missing(self, node: Expr) -> Value | None:  # noqa: ARG002  (others use it)
        """The value of a leaf or operation that has none; None ends the evaluation."""
        return None


class _OrNan(Evaluator):
    def missing(self, node: Expr) -> Value:  # noqa: ARG002
        return nan


def evaluated(root: Expr, known: Mapping[Expr, Value]) -> float:
    """The value; NaN where it has none or a leaf is not known. Of `if`, only the chosen branch needs a value."""
    value = _OrNan(known).value(root)
    return nan if value is None else float(value)
