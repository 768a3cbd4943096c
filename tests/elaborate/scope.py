"""A scope for tests: leaves of given shapes, parameters with values, functions from text."""

from collections.abc import Mapping
from copy import copy

from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.scope_protocol import ParameterValue
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.pool import Pool
from acausal.syntax.parser import parse, parse_expression


class TextScope:
    """Variables `x`, `A` ... by shape; parameters by value."""

    def __init__(
        self,
        shapes: Mapping[str, Shape] | None = None,
        values: Mapping[str, ParameterValue] | None = None,
        functions: str = "",
    ) -> None:
        self.pool = Pool()
        self.limits = Limits()
        self.types: dict[Expr, str] = {}
        self.rounds: list[int] | None = None
        self.names = {name: self.pool.variable((name,), 0, shape) for name, shape in (shapes or {}).items()}
        self.values: dict[Expr, ParameterValue] = {}
        self.asked: list[Expr] = []
        for name, value in (values or {}).items():
            leaf = self.pool.parameter((name,), (len(value),) if isinstance(value, tuple) else ())
            self.names[name] = leaf
            self.values[leaf] = value
            if isinstance(value, bool | str):
                self.types[leaf] = "boolean" if isinstance(value, bool) else "string"
        units = parse(SourceFile("functions", functions)).file.units if functions else ()
        self.functions = {unit.name: unit for unit in units if isinstance(unit, ast.Function)}

    def with_loop(self, variable: str, number: int, rounds: list[int]) -> "TextScope":
        inner = copy(self)
        inner.names, inner.rounds = {**self.names, variable: self.pool.const(number)}, rounds
        return inner

    def lookup(self, reference: ast.Reference) -> Expr:
        if reference.parts[0].name not in self.names:
            raise mistake("N001", f"unknown {reference.parts[0].name}", reference.span)
        return self.names[reference.parts[0].name]

    def function(self, name: str) -> ast.Function | None:
        return self.functions.get(name)

    def structural(self, parameter: Expr) -> ParameterValue:
        self.asked.append(parameter)
        return self.values[parameter]

    def __call__(self, text: str) -> Expr:
        return expression(written(text), self)


def written(text: str) -> ast.Expression:
    """The syntax tree of an expression."""
    return parse_expression(SourceFile("text", text))
