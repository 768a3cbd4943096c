"""Input signals from expressions in time: `1 - exp(-time/T)`, parameters as numbers."""

from collections.abc import Callable, Mapping
from math import nan

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.causalize.arrays.expand import Expansion
from acausal.elaborate.error_helpers import did_you_mean
from acausal.elaborate.expressions.event_functions import EVENT_FUNCTIONS
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.expressions.postfix import postfix
from acausal.elaborate.expressions.types import type_of
from acausal.ir import ast
from acausal.ir.expr import Expr, Pool
from acausal.ir.ops import OPS, Value
from acausal.ir.walk import postorder
from acausal.symbolic.differentiate import total
from acausal.syntax.parser import parse_expression


def formula_signals(name: str, text: str, orders: int, values: Mapping[str, float]) -> list[Callable[[float], float]]:
    """The expression and its derivatives up to the order, as functions of time; UsageError R006 or one of the text."""
    source = SourceFile(f"--input {name}", text)
    scope = _TimeScope(values)
    node = parse_expression(source)
    _need_no_events(node)
    expr = expression(node, scope)
    if expr.shape or type_of(expr, scope) != "number":
        found = "an array" if expr.shape else f"a {type_of(expr, scope)}"
        raise _unusable(f"the input {name} takes a number, not {found}", node.span, "write an expression in time")
    if any(n.op == "inverse" and n.args[0].varies for n in postorder([expr])):
        raise _unusable("the inverse of a matrix that changes cannot be an input", node.span, "give it as a table")
    (item,) = Expansion(scope.pool, {}).items(expr)
    exprs = [item]
    for _ in range(orders):
        exprs.append(total(scope.pool, exprs[-1]))
    return [_function(e) for e in exprs]


def _need_no_events(node: ast.Expression) -> None:
    """R006 for functions that need the past or the events of a run."""
    for part, _ in postfix(node):
        if isinstance(part, ast.Call) and part.name in EVENT_FUNCTIONS:
            hint = "write an expression in time, or put the function into the model: y = delay(u, 1)"
            raise _unusable(f"{part.name} cannot be used in the value of an input", part.span, hint)


def _unusable(message: str, span: Span, hint: str) -> UsageError:
    return UsageError(Diagnostic("R006", message, Label(span), help=hint))


class _TimeScope:
    """Knows time, which the language knows itself, and the parameters of the model as numbers."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self.pool = Pool()
        self.limits = Limits()
        self.types: Mapping[Expr, str] = {}
        self._values = values

    def lookup(self, reference: ast.Reference) -> Expr:
        """The value of a parameter."""
        name = reference.span.text
        value = self._values.get(name)
        if value is not None:
            return self.pool.boolean(value) if isinstance(value, bool) else self.pool.const(value)
        hint = did_you_mean(name, ("time", *self._values)) or "an input is an expression in time and parameters"
        raise UsageError(Diagnostic("R006", f"there is no parameter {name}", Label(reference.span), help=hint))

    def function(self, name: str) -> ast.Function | None:  # noqa: ARG002 - as the Protocol has it
        """None: functions of the model are not known here."""
        return None

    def structural(self, parameter: Expr) -> float:
        """Never asked: parameters are numbers here."""
        return parameter.number


def _function(expr: Expr) -> Callable[[float], float]:
    """A closure that evaluates the nodes in order; where a value does not exist it gives NaN."""
    nodes = list(postorder([expr]))
    position = {node: i for i, node in enumerate(nodes)}
    values: list[Value] = []
    steps: list[tuple[int, Callable[..., Value], tuple[int, ...]]] = []
    times: list[int] = []
    for i, node in enumerate(nodes):
        values.append(node.number if node.op == "const" else node.op == "boolean" and node.value is True)
        if node.op == "time":
            times.append(i)
        elif node.args:
            steps.append((i, OPS[node.op].evaluate, tuple([position[a] for a in node.args])))
    if not steps and not times:
        number = float(values[-1])
        return lambda _: number

    def at(t: float) -> float:
        now = list(values)
        for i in times:
            now[i] = t
        try:
            for i, evaluate, args in steps:
                now[i] = evaluate(*[now[a] for a in args])
            return float(now[-1])
        except (ArithmeticError, ValueError, TypeError):  # the last: roots of negative numbers are complex
            return nan

    return at
