"""Reductions of the grammar's expression rules -> syntax tree.

Each method has the name of a rule or alias of the grammar and gets its children,
and the offsets where the phrase begins and ends.
"""

from collections.abc import Sequence
from typing import Any

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.source import SourceFile, Span
from acausal.ir import ast
from acausal.syntax.automaton.quantity import parts_of_quantity

# what a child is depends on the rule; the grammar is their type
Children = Sequence[Any]


class ExpressionBuilder:
    """Builds expressions of one source file."""

    __slots__ = ("source",)

    def __init__(self, source: SourceFile) -> None:
        self.source = source

    def name(self, children: Children, start: int, end: int) -> ast.Part:
        return ast.Part(Span(self.source, start, end), children[0])

    def number(self, children: Children, start: int, end: int) -> ast.Number:
        node = ast.Number(Span(self.source, start, end), children[0])
        _need_finite(children[0], node.span)
        return node

    def quantity(self, children: Children, start: int, end: int) -> ast.Quantity:
        number, prefix, unit = parts_of_quantity(children[0])
        span = Span(self.source, start, end)
        _need_finite(number, span)
        return ast.Quantity(span, children[0], number, prefix, unit)

    def string(self, children: Children, start: int, end: int) -> ast.String:
        return ast.String(Span(self.source, start, end), unquote(children[0]))

    def true(self, children: Children, start: int, end: int) -> ast.Boolean:
        return ast.Boolean(Span(self.source, start, end), value=True)

    def false(self, children: Children, start: int, end: int) -> ast.Boolean:
        return ast.Boolean(Span(self.source, start, end), value=False)

    def reference(self, children: Children, start: int, end: int) -> ast.Reference:
        span = children[0].span if len(children) == 1 else Span(self.source, start, end)
        return ast.Reference(span, tuple(children))

    def indexed_value(self, children: Children, start: int, end: int) -> ast.Part:
        return ast.Part(Span(self.source, start, end), children[0].name, tuple(children[1:]))

    def whole(self, children: Children, start: int, end: int) -> ast.Slice:
        return ast.Slice(Span(self.source, start, end), None, None)

    def range(self, children: Children, start: int, end: int) -> ast.Slice:
        return ast.Slice(Span(self.source, start, end), children[0], children[1])

    def call(self, children: Children, start: int, end: int) -> ast.Call:
        return ast.Call(Span(self.source, start, end), children[0].name, tuple(children[1:]))

    def initial_call(self, children: Children, start: int, end: int) -> ast.Call:
        return ast.Call(Span(self.source, start, end), "initial", ())

    def array(self, children: Children, start: int, end: int) -> ast.ArrayLiteral:
        return ast.ArrayLiteral(Span(self.source, start, end), tuple(children))

    def comprehension(self, children: Children, start: int, end: int) -> ast.Comprehension:
        item, name, first, last = children
        return ast.Comprehension(Span(self.source, start, end), item, name.name, first, last)

    def indexed(self, children: Children, start: int, end: int) -> ast.Indexed:
        return ast.Indexed(Span(self.source, start, end), children[0], tuple(children[1:]))

    def row(self, children: Children, start: int, end: int) -> tuple[ast.Expression, ...]:
        return tuple(children)

    def raised(self, children: Children, start: int, end: int) -> ast.Power:
        return ast.Power(Span(self.source, start, end), children[0], children[1])

    def sign(self, children: Children, start: int, end: int) -> ast.Unary | ast.Quantity:
        sign, operand = children
        span = Span(self.source, start, end)
        if isinstance(operand, ast.Quantity) and operand.number[0] not in "+-":  # -5 degC is 5 degrees below zero
            return ast.Quantity(span, sign + operand.text, sign + operand.number, operand.prefix, operand.unit)
        return ast.Unary(Span(self.source, start, end), children[0], children[1])

    def not_(self, children: Children, start: int, end: int) -> ast.Unary:
        return ast.Unary(Span(self.source, start, end), "not", children[0])

    def product(self, children: Children, start: int, end: int) -> ast.Product:
        return ast.Product(Span(self.source, start, end), tuple(children[::2]), tuple(children[1::2]))

    def sum(self, children: Children, start: int, end: int) -> ast.Sum:
        return ast.Sum(Span(self.source, start, end), tuple(children[::2]), tuple(children[1::2]))

    def compare(self, children: Children, start: int, end: int) -> ast.Compare:
        return ast.Compare(Span(self.source, start, end), children[1], children[0], children[2])

    def conjunction(self, children: Children, start: int, end: int) -> ast.Logic:
        return ast.Logic(Span(self.source, start, end), "and", tuple(children))

    def disjunction(self, children: Children, start: int, end: int) -> ast.Logic:
        return ast.Logic(Span(self.source, start, end), "or", tuple(children))

    def if_expression(self, children: Children, start: int, end: int) -> ast.IfExpression:
        branches = ((children[0], children[1]), *children[2:-1])
        return ast.IfExpression(Span(self.source, start, end), branches, children[-1])

    def alternative(self, children: Children, start: int, end: int) -> tuple[ast.Expression, ast.Expression]:
        return children[0], children[1]


def _need_finite(number: str, span: Span) -> None:
    if float(number) == float("inf"):
        message = f"the number {number} is too large"
        raise ModelError(Diagnostic("P016", message, Label(span), help="the largest number is about 1.8e308"))


def unquote(text: str) -> str:
    """The characters a string literal stands for."""
    inner = text[1:-1]
    return inner if "\\" not in inner else inner.replace('\\"', '"').replace("\\\\", "\\")
