"""Expressions over a result: `max(r1.q)`, `r1.q + 2*r2.q`, `der(x)`.

Parsed by the language's own parser and computed with NumPy, row by row of the result.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from math import pi
from typing import TYPE_CHECKING, Any, Protocol, get_args, runtime_checkable

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import did_you_mean
from acausal.ir import ast
from acausal.ir.kinds import RelationOp
from acausal.ir.ops import OPS
from acausal.results.expression_tree import derivative_name, meaningless, parsed, postorder, reference_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64 | np.bool_]

OVER_TIME = ("max", "min", "mean", "first", "final", "integral")
"""Functions that make one number of a variable; max and min of several are taken row by row."""

FUNCTIONS = (*OVER_TIME, "der", "at", *(n for n, row in OPS.items() if n.isidentifier() and row.numpy.isidentifier()))


class Variables(Protocol):
    """Values by name at `time`."""

    @property
    def time(self) -> "NDArray[np.float64]":
        """The instants."""
        ...

    def __getitem__(self, name: str) -> "Values":
        """The values of a variable."""
        ...


@runtime_checkable
class Interpolated(Variables, Protocol):
    """Values by name, also between the rows."""

    def at(self, t: float) -> Mapping[str, float]:
        """All values at one instant."""
        ...


def evaluate(text: str, variables: Variables) -> "Values":
    """The value of an expression: a number (no dimension) or one for each instant.

    ModelError of the parser, UsageError F005 for unknown names, F010 for what has no meaning here.
    """
    return _tree_value(parsed(text), variables)


def _tree_value(tree: ast.Expression, variables: Variables) -> "Values":
    import numpy as np

    values: list[Values] = []
    with np.errstate(all="ignore"):
        for node, count in postorder(tree):
            operands = values[len(values) - count :]
            del values[len(values) - count :]
            values.append(np.asarray(_value(node, operands, variables)))
    return values[0]


def _value(node: ast.Expression, operands: "Sequence[Values]", variables: Variables) -> object:
    import numpy as np

    match node:
        case ast.Number(text=number):
            return float(number)
        case ast.Boolean(value=value):
            return value
        case ast.Reference():
            return _reference(node, variables)
        case ast.Call():
            return _call(node, operands, variables)
        case ast.Unary(operator=sign):
            return (
                np.logical_not(operands[0])
                if sign == "not"
                else np.negative(operands[0])
                if sign == "-"
                else operands[0]
            )
        case ast.Sum(operators=operators) | ast.Product(operators=operators):
            return _folded(operators, operands)
        case ast.Power():
            return np.power(operands[0], operands[1])
        case ast.Compare(operator=sign):
            return _BINARY[sign](operands[0], operands[1])
        case ast.Logic(operator=sign):
            combine = np.logical_and if sign == "and" else np.logical_or
            return combine.reduce(np.broadcast_arrays(*operands))
        case _:
            chosen: Any = operands[-1]
            for condition, then in zip(operands[-3::-2], operands[-2::-2], strict=True):
                chosen = np.where(condition, then, chosen)
            return chosen


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    ".*": operator.mul,
    "/": operator.truediv,
    **{sign: OPS[sign].evaluate for sign in get_args(RelationOp)},
}


def _folded(operators: Sequence[str], operands: "Sequence[Values]") -> object:
    value: Any = operands[0]
    for sign, operand in zip(operators, operands[1:], strict=True):
        value = _BINARY[sign](value, operand)
    return value


def _reference(node: ast.Reference, variables: Variables) -> object:
    name = reference_name(node)
    try:
        return variables[name]
    except UsageError as error:
        if name == "pi":
            return pi
        found = error.report.diagnostics[0]
        raise UsageError(Diagnostic(found.code, found.message, Label(node.span), help=found.help)) from None


def _call(node: ast.Call, operands: "Sequence[Values]", variables: Variables) -> object:
    import numpy as np

    name, count = node.name, len(operands)
    if name == "der":
        return variables[derivative_name(node)]
    if name == "at":
        return _at(node, operands, variables)
    if name in OVER_TIME and count == 1:
        return _over_time(node, operands[0], variables)
    if name in ("max", "min") and count > 1:
        return (np.maximum if name == "max" else np.minimum).reduce(np.broadcast_arrays(*operands))
    if name not in FUNCTIONS:
        hint = did_you_mean(name, FUNCTIONS) or f"the functions are {', '.join(FUNCTIONS)}"
        raise meaningless(node.span, f"unknown function {name}", hint)
    arity = 1 if name in OVER_TIME else OPS[name].arity
    if count != arity:
        raise meaningless(node.span, f"{name} takes {arity} argument{'s' if arity != 1 else ''}, not {count}", None)
    return getattr(np, OPS[name].numpy)(*operands)


def _over_time(node: ast.Call, value: "Values", variables: Variables) -> object:
    import numpy as np

    name = node.name
    if isinstance(variables, _Instant):
        raise meaningless(node.span, f"{name} is over the whole run, at concerns an instant", f"write {name} alone")
    if not np.ndim(value):
        return value
    match name:
        case "max" | "min" | "mean":
            return getattr(np, name)(value)
        case "first" | "final":
            return value[0 if name == "first" else -1]
        case _:
            return np.sum(np.diff(variables.time) * (value[1:] + value[:-1])) / 2


def _at(node: ast.Call, operands: "Sequence[Values]", variables: Variables) -> object:
    """`at(expression, t)`: the expression with the values of the instant t."""
    if len(operands) != 2 or operands[1].ndim:
        raise meaningless(node.span, "at takes an expression and a time", "for example at(x, 0.5)")
    if isinstance(variables, _Instant):
        raise meaningless(node.span, "at cannot stand within at", None)
    if not isinstance(variables, Interpolated):
        raise meaningless(node.span, "at has no meaning here", "it is for values in the interactive session")
    return _tree_value(node.arguments[0], _Instant(float(operands[1]), variables))


class _Instant:
    """Values at one instant; linear between rows where only the rows are known."""

    def __init__(self, t: float, variables: Interpolated) -> None:
        import numpy as np

        self.time = np.array([t])
        self._values = {**variables.at(t), "time": t}
        self._variables = variables

    def __getitem__(self, name: str) -> "Values":
        import numpy as np

        if name in self._values:
            return np.asarray(self._values[name])
        rows = self._variables[name]
        return np.asarray(np.interp(self.time[0], self._variables.time, rows)) if rows.ndim else rows

    def at(self, t: float) -> Mapping[str, float]:
        """The values, and another time."""
        return {**self._values, "time": t}
