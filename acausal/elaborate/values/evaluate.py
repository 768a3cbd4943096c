"""The value of an expression in parameters, as plain numbers."""

from collections.abc import Mapping
from math import isfinite, prod
from operator import mul

from acausal.base.diagnostics import InternalError, ModelError
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.ir.evaluate import operate
from acausal.ir.expr import Expr
from acausal.ir.kinds import ExprOp
from acausal.ir.operator import Value
from acausal.ir.ops import OPS
from acausal.ir.show.expressions import show_expr
from acausal.symbolic.elements import elements

Item = Value | str

_CHOICES = frozenset(("if", "array_if"))
_LITERALS = frozenset(("const", "boolean", "string"))


class _Numbers:
    """The algebra of plain numbers."""

    zero: Item = 0.0
    one: Item = 1.0

    def add(self, *terms: Item) -> Item:
        return self.call("add", *terms)

    def mul(self, *factors: Item) -> Item:
        return self.call("mul", *factors)

    def neg(self, a: Item) -> Item:
        return self.call("neg", a)

    def call(self, op: ExprOp, *args: Item) -> Item:
        value = operate(op, args)  # type: ignore[arg-type]  # texts are compared as well
        if value is None:
            raise ValueError(f"{op} has no real value for these numbers")
        return value if isinstance(value, bool | str) else float(value)


_NUMBERS = _Numbers()


def evaluate(expr: Expr, values: Mapping[Expr, ParameterValue], span: Span) -> ParameterValue:
    """The value where leaves have these values: a number, truth value or string, an array row by row.

    T010 where it has none (division by zero, outside of a function's domain), shown at `span`.
    InternalError for a leaf without value. Values of arrays are those of an earlier `evaluate`.
    """
    if expr.op == "const":
        return expr.number
    done: dict[Expr, tuple[Item, ...]] = {}
    if _is_leaf(expr):
        done[expr] = _leaf(expr, values, span)
    stack = [expr]
    while stack:
        node = stack[-1]
        if node in done:
            stack.pop()
            continue
        missing = []
        for arg in node.args if node.op not in _CHOICES else _needed(node, done, values, span):
            if arg not in done:
                if _is_leaf(arg):
                    done[arg] = _leaf(arg, values, span)
                else:
                    missing.append(arg)
        if missing:
            stack.extend(reversed(missing))
            continue
        stack.pop()
        try:
            done[node] = _node(node, done)
        except (ArithmeticError, ValueError) as fault:
            raise _no_value(node, done, span) from fault
        for x in done[node]:
            if isinstance(x, float) and not isfinite(x):
                raise _no_value(node, done, span)
    result = done[expr]
    return result if expr.shape else result[0]


def array_of_numbers(value: ParameterValue) -> tuple[float, ...] | None:
    """The elements of an array of numbers, row by row; None for anything else."""
    if not isinstance(value, tuple):
        return None
    numbers = tuple([x for x in value if not isinstance(x, str | bool)])
    return numbers if len(numbers) == len(value) else None


def _is_leaf(node: Expr) -> bool:
    return not node.args and node.op != "array" and node.op != "stack"


def _needed(
    node: Expr, done: dict[Expr, tuple[Item, ...]], values: Mapping[Expr, ParameterValue], span: Span
) -> tuple[Expr, ...]:
    """The argument to be known next for the value of an `if`: the condition, then the branch taken."""
    test = node.args[0]
    if test not in done and _is_leaf(test):
        done[test] = _leaf(test, values, span)
    known = done.get(test)
    return (test,) if known is None else (node.args[1 if known[0] else 2],)


def _node(node: Expr, done: dict[Expr, tuple[Item, ...]]) -> tuple[Item, ...]:
    op = node.op
    if op in _CHOICES:
        return done[node.args[1 if done[node.args[0]][0] else 2]]
    args = [done[a] for a in node.args]
    if op in OPS:
        return (_NUMBERS.call(op, *[a[0] for a in args]),)
    if op == "inverse":
        return invert(args[0], node.shape[0])
    if op == "matmul":
        return _product(args[0], args[1], node)
    return elements(_NUMBERS, node, args)


def _product(left: tuple[Item, ...], right: tuple[Item, ...], node: Expr) -> tuple[Item, ...]:
    """A product of matrices or vectors, row by row."""
    inner = node.args[1].shape[0]
    width = len(right) // inner if inner else prod(node.shape)
    columns = [right[k::width] for k in range(width)]
    count = len(left) // inner if inner else prod(node.shape) // max(width, 1)
    rows = [left[i * inner : (i + 1) * inner] for i in range(count)]
    return tuple([float(sum(map(mul, row, column))) for row in rows for column in columns])


def _leaf(node: Expr, values: Mapping[Expr, ParameterValue], span: Span) -> tuple[Item, ...]:
    found = node.value if node.op in _LITERALS else values.get(node)
    if found is None:
        raise InternalError("evaluate", f"{show_expr(node)} cannot be evaluated")
    if isinstance(found, float) and not isfinite(found):  # arrays were checked by the `evaluate` that gave them
        raise _no_value(node, {}, span)
    items: tuple[Item, ...] = found if isinstance(found, tuple) else (found,)
    return items


def _no_value(node: Expr, done: dict[Expr, tuple[Item, ...]], span: Span) -> ModelError:
    shown = ", ".join(str(done[a][0] if len(done[a]) == 1 else list(done[a])) for a in node.args)
    operator = "1/x" if node.op == "pow" and node.args[1].op == "const" and node.args[1].number == -1 else node.op
    what = "division by zero" if operator == "1/x" else f"{operator} is not defined for {shown}"
    return mistake("T010", f"this cannot be evaluated: {what}", span, hint=f"the failing part is {show_expr(node)}")


def invert(items: tuple[Item, ...], n: int) -> tuple[Item, ...]:
    """The inverse matrix by Gauss and Jordan with pivots; ZeroDivisionError if it is singular."""
    rows = [
        [float(x) for x in items[i * n : (i + 1) * n]] + [1.0 if i == j else 0.0 for j in range(n)] for i in range(n)
    ]
    for column in range(n):
        best = max(range(column, n), key=lambda i: abs(rows[i][column]))
        rows[column], rows[best] = rows[best], rows[column]
        pivot = rows[column][column]
        rows[column] = [x / pivot for x in rows[column]]
        for i in range(n):
            factor = rows[i][column]
            if i != column and factor != 0.0:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column], strict=True)]
    return tuple([x for row in rows for x in row[n:]])
