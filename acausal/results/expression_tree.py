"""Expressions over a result as syntax trees: parts in order of evaluation, variables that they name."""

from collections.abc import Iterator
from itertools import chain

from acausal.base.diagnostics import Diagnostic, Label, UsageError
from acausal.base.source import SourceFile, Span
from acausal.ir import ast
from acausal.syntax.parser import parse_expression


def parsed(text: str) -> ast.Expression:
    """The tree of an expression."""
    return parse_expression(SourceFile("input", text))


def postorder(tree: ast.Expression) -> Iterator[tuple[ast.Expression, int]]:
    """The nodes, operands first, each with the number of its operands."""
    order: list[tuple[ast.Expression, int]] = []
    stack: list[ast.Expression] = [tree]
    while stack:
        node = stack.pop()
        children = () if is_derivative(node) else _children(node)
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


def is_derivative(node: ast.Expression) -> bool:
    """True for der(x)."""
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
    raise meaningless(
        node.span,
        "this cannot be evaluated over a result",
        "use numbers, names of variables, and functions",
    )


def reference_name(node: ast.Expression) -> str:
    """Text of a node without blanks: the name of a variable."""
    return "".join(node.span.text.split())


def derivative_name(node: ast.Call) -> str:
    """The name of a derivative as results have it: `der(x)`, `der(x, 2)`."""
    return f"der({', '.join([reference_name(a) for a in node.arguments])})"


def meaningless(span: Span, message: str, hint: str | None) -> UsageError:
    """UsageError F010 for a part that has no value."""
    return UsageError(Diagnostic("F010", message, Label(span), help=hint))
