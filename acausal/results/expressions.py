"""Expressions over a result: `max(r1.q)`, `r1.q + 2*r2.q`, `der(x)`.

Parsed by the language's own parser and computed with NumPy, row by row of the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from math import pi
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import did_you_mean
from acausal.base.source import SourceFile, Span
from acausal.ir import ast
from acausal.ir.ops import OPS
from acausal.syntax.parser import parse_expression

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


def parsed(text: str) -> ast.Expression:
    """The tree of an expression."""
    return parse_expression(SourceFile("input", text))


def postorder(tree: ast.Expression) -> Iterator[tuple[ast.Expression, int]]:
    """The nodes, operands first, each with the number of its operands."""
    order: list[tuple[ast.Expression, int]] = []
    stack: list[ast.Expression] = [tree]
    while stack:
        node = stack.pop()
        children = () if _is_derivative(node) else _children(node)
        order.append((node, len(children)))
        stack.extend(children)
    return reversed(order)


def variables_in(tree: ast.Expression) -> tuple[str, ...]:
    """The names of the variables of an expression, each once."""
    found: dict[str, None] = {}
    for node, _ in postorder(tree):
        if isinstance(node, ast.Reference) and reference_name(node) != "pi":
            found[reference_name(node)] = None
        elif isinstance(node, ast.Call) and node.name == "der":
            found[derivative_name(node)] = None
    return tuple(found)


def _is_derivative(node: ast.Expression) -> bool:
    return isinstance(node, ast.Call) and node.name == "der"


def _children(node: ast.Expression) -> tuple[ast.Expression, ...]:
    match node:
        case ast.Number() | ast.Boolean() | ast.Reference():
            return ()
        case ast.Call(arguments=arguments):
            return arguments
        case ast.Unary(operand=operand):
            return (operand,)
        case ast.Sum(operands=operands) | ast.Product(operands=operands) | ast.Logic(operands=operands):
            return operands
        case ast.Power(base=base, exponent=exponent):
            return base, exponent
        case ast.Compare(left=left, right=right):
            return left, right
        case ast.IfExpression(branches=branches, otherwise=otherwise):
            return (*chain.from_iterable(branches), otherwise)
    raise _meaningless(
        node.span,
        "this cannot be evaluated over a result",
        "use numbers, names of variables, and functions",
    )


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
        case ast.Unary(operator=operator):
            return (
                np.logical_not(operands[0])
                if operator == "not"
                else np.negative(operands[0])
                if operator == "-"
                else operands[0]
            )
        case ast.Sum(operators=operators) | ast.Product(operators=operators):
            return _folded(operators, operands)
        case ast.Power():
            return np.power(operands[0], operands[1])
        case ast.Compare(operator=operator):
            return _BINARY[operator](operands[0], operands[1])
        case ast.Logic(operator=operator):
            combine = np.logical_and if operator == "and" else np.logical_or
            return combine.reduce(np.broadcast_arrays(*operands))
        case _:
            chosen: Any = operands[-1]
            for condition, then in zip(operands[-3::-2], operands[-2::-2], strict=True):
                chosen = np.where(condition, then, chosen)
            return chosen


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    ".*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "<>": lambda x, y: x != y,
}


def _folded(operators: Sequence[str], operands: "Sequence[Values]") -> object:
    value: Any = operands[0]
    for operator, operand in zip(operators, operands[1:], strict=True):
        value = _BINARY[operator](value, operand)
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


def reference_name(node: ast.Expression) -> str:
    """Text of a node without blanks: the name of a variable."""
    return "".join(node.span.text.split())


def derivative_name(node: ast.Call) -> str:
    """The name of a derivative as results have it: `der(x)`, `der(x, 2)`."""
    return f"der({', '.join([reference_name(a) for a in node.arguments])})"


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
        raise _meaningless(node.span, f"unknown function {name}", hint)
    arity = 1 if name in OVER_TIME else OPS[name].arity
    if count != arity:
        raise _meaningless(node.span, f"{name} takes {arity} argument{'s' if arity != 1 else ''}, not {count}", None)
    return getattr(np, OPS[name].numpy)(*operands)


def _over_time(node: ast.Call, value: "Values", variables: Variables) -> object:
    import numpy as np

    name = node.name
    if isinstance(variables, _Instant):
        raise _meaningless(node.span, f"{name} is over the whole run, at concerns an instant", f"write {name} alone")
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
        raise _meaningless(node.span, "at takes an expression and a time", "for example at(x, 0.5)")
    if isinstance(variables, _Instant):
        raise _meaningless(node.span, "at cannot stand within at", None)
    if not isinstance(variables, Interpolated):
        raise _meaningless(node.span, "at has no meaning here", "it is for values in the interactive session")
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


def _meaningless(span: Span, message: str, hint: str | None) -> UsageError:
    return UsageError(Diagnostic("F010", message, Label(span), help=hint))
