"""Inputs as expressions in time and parameters: `1 - exp(-time/T)`."""

from collections.abc import Mapping
from copy import copy

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.near_names import did_you_mean
from acausal.base.options import Limits
from acausal.base.source import SourceFile, Span
from acausal.causalize.arrays.expand import Expansion
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.expressions.postfix import all_parts
from acausal.elaborate.functions.event_functions import EVENT_FUNCTIONS
from acausal.elaborate.values.types import type_of
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.names import with_article
from acausal.ir.pool import Pool
from acausal.ir.walk import postorder
from acausal.symbolic.differentiate import total
from acausal.syntax.parser import parse_expression


class InputExpressions:
    """All expressions of the inputs of one run, in one pool; `values` are those of the parameters."""

    def __init__(self, values: Mapping[str, float]) -> None:
        self._scope = _TimeScope(values)
        self.pool = self._scope.pool
        self._has_numbers = False

    @property
    def places(self) -> dict[Expr, int]:
        """The positions in p of the parameters that they name."""
        return self._scope.places

    @property
    def holds_for_other_values(self) -> bool:
        """True if no value of a parameter has become part of an expression."""
        return not (self._has_numbers or self._scope.has_decided)

    def add(self, name: str, text: str, orders: int) -> list[Expr]:
        """An expression and its derivatives up to the order; UsageError R006 or one of the text."""
        node = parse_expression(SourceFile(f"--input {name}", text))
        _need_no_events(node)
        expr = _expression(name, node, self._scope)
        if any(n.op == "inverse" for n in postorder([expr])):
            self._has_numbers = True
            expr = _expression(name, node, self._scope.with_numbers())
        (item,) = Expansion(self.pool, {}).items(expr)
        exprs = [item]
        for _ in range(orders):
            exprs.append(total(self.pool, exprs[-1]))
        return exprs


def _expression(name: str, node: ast.Expression, scope: "_TimeScope") -> Expr:
    """The value of an input; UsageError R006 where it is no number at each time."""
    expr = expression(node, scope)
    if expr.shape or type_of(expr, scope) != "number":
        found = "an array" if expr.shape else with_article(type_of(expr, scope))
        raise _unusable(f"the input {name} must be a number, not {found}", node.span, "write an expression in time")
    if any(n.op == "inverse" and n.args[0].varies for n in postorder([expr])):
        raise _unusable("an input cannot contain the inverse of a varying matrix", node.span, "give it as a table")
    return expr


def _need_no_events(node: ast.Expression) -> None:
    """R006 for functions that need the history or the events of a run."""
    for part in all_parts(node):
        if isinstance(part, ast.Call) and part.name in EVENT_FUNCTIONS:
            hint = "write an expression in time, or use the function in the model: y = delay(u, 1)"
            raise _unusable(f"{part.name} cannot be used in the value of an input", part.span, hint)


def _unusable(message: str, span: Span, hint: str) -> UsageError:
    return UsageError(Diagnostic("R006", message, Label(span), help=hint))


class _TimeScope:
    """Knows time, which the language knows itself, and the parameters of the model; truth values are substituted."""

    def __init__(self, values: Mapping[str, float], pool: Pool | None = None) -> None:
        self.pool = pool or Pool()
        self.places: dict[Expr, int] = {}
        self._numbers = {name: i for i, name in enumerate(values)}
        self._known: dict[Expr, float] = {}
        self._is_numeric = pool is not None
        self.limits = Limits()
        self.types: Mapping[Expr, str] = {}
        self._values = values
        self.has_decided = False
        """True once the value of a parameter has become part of an expression."""
        self.loops: dict[str, int] = {}
        self.rounds: list[int] | None = None
        self.unit: str | None = None

    def with_numbers(self) -> "_TimeScope":
        """The same with numbers for all parameters."""
        return _TimeScope(self._values, self.pool)

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> "_TimeScope":
        """The scope inside of a comprehension."""
        self.has_decided = True  # what the items decide is not seen here
        inner = copy(self)
        inner.loops, inner.rounds = {**self.loops, variable: number}, rounds
        return inner

    def lookup(self, reference: ast.Reference) -> Expr:
        """A parameter, or a loop variable."""
        name = reference.span.text
        if name in self.loops:
            return self.pool.const(self.loops[name])
        value = self._values.get(name)
        if isinstance(value, bool):
            self.has_decided = True
            return self.pool.boolean(value)
        if value is not None and self._is_numeric:
            return self.pool.const(value)
        if value is not None:
            found = self.pool.parameter((name,))
            self.places[found], self._known[found] = self._numbers[name], value
            return found
        hint = did_you_mean(name, ("time", *self._values)) or "an input is an expression in time and parameters"
        raise UsageError(Diagnostic("R006", f"unknown parameter {name}", Label(reference.span), help=hint))

    def function(self, name: str) -> ast.Function | None:  # noqa: ARG002 - as the Protocol has it
        """None: functions of the model are not known here."""
        return None

    def structural(self, parameter: Expr) -> float:
        """The value of a parameter that decides about the form of the expression."""
        self.has_decided = True
        return self._known[parameter]
