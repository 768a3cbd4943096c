"""Numbers, conditions and strings: which of them an expression is."""

from collections.abc import Sequence

from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scope_protocol import Scope
from acausal.elaborate.shape_errors import wrong_type
from acausal.ir.ast import Expression
from acausal.ir.expr import Expr
from acausal.ir.ops import OPS
from acausal.ir.show.expressions import show_number

_FIXED = {name: "boolean" for name, op in OPS.items() if op.boolean} | {
    "boolean": "boolean",
    "string": "string",
    "sample": "boolean",
    "initial": "boolean",
}
_HANDED_ON = {"if": -1, "array_if": -1, "noevent": 0, "index": 0, "array": 0, "stack": 0, "new": 0}
"""Operators whose type is that of one of their arguments."""

SUSPECT = frozenset(_FIXED) | frozenset(_HANDED_ON)
"""Operators whose result may be something else than a number."""

_DECLARED = {"real": "number", "integer": "number", "boolean": "boolean", "string": "string"}
_HINTS = {
    "real": "write a number, without quotes; convert a condition by `if c then 1 else 0`",
    "integer": "write an integer, or declare it without `integer`",
    "boolean": "write true, false or a condition",
    "string": 'write a string in quotes: "..."',
}
_WORDS = {"number": "a number", "boolean": "a condition", "string": "a string"}


def type_of(expr: Expr, scope: Scope) -> str:
    """`number`, `boolean` or `string`."""
    while expr.op in _HANDED_ON and expr.args:
        expr = expr.args[_HANDED_ON[expr.op]]
    fixed = _FIXED.get(expr.op)
    return fixed if fixed is not None else scope.types.get(expr, "number")


def need(wanted: str, name: str, expr: Expr, span: Span, scope: Scope) -> None:
    """T002 unless the expression, an operand of `name`, has the type wanted."""
    found = type_of(expr, scope)
    if found != wanted:
        raise wrong_type(name, _WORDS[wanted], _WORDS[found], span)


def need_declared(name: str, type_: str, value: Expr, span: Span, scope: Scope) -> None:
    """T014 unless the value of `name`, which is declared with this type, has it."""
    found = type_of(value, scope)
    if found != _DECLARED[type_]:
        message = f"{name} is declared {type_}, its value is {_WORDS[found]}"
        raise mistake("T014", message, span, _WORDS[found], hint=_HINTS[type_])
    if type_ == "integer" and value.op == "const" and not value.number.is_integer():
        message = f"{name} is declared integer, its value is {show_number(value.number)}"
        raise mistake("T014", message, span, "not an integer", hint=_HINTS[type_])


def need_numbers(name: str, nodes: Sequence[Expression], exprs: Sequence[Expr], scope: Scope) -> None:
    """T002 unless all operands of `name` are numbers."""
    types = scope.types
    for expr in exprs:
        if expr.op in SUSPECT or expr in types:
            break
    else:
        return
    for node, expr in zip(nodes, exprs, strict=True):
        need("number", name, expr, node.span, scope)
