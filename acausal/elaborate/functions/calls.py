"""Calls: functions of the language by one table, the user's by putting their text in place."""

from collections.abc import Callable, Sequence

from acausal.base.diagnostics import ModelError
from acausal.base.near_names import did_you_mean
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.foreign_habits import FUNCTIONS
from acausal.elaborate.functions.array_functions import ARRAY_FUNCTIONS
from acausal.elaborate.functions.derivatives import der
from acausal.elaborate.functions.event_functions import EVENT_FUNCTIONS
from acausal.elaborate.functions.inline_functions import Translate, inline
from acausal.elaborate.functions.scalar_functions import SCALAR_FUNCTIONS, scalar_function
from acausal.elaborate.functions.unit_functions import unit, unit_value
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.expr import Expr

LATER = {
    "pre": "the value before an event is the variable itself, the value after it new(k)",
}
"""Functions of the language that no stage can translate, and why."""

Function = Callable[[ast.Call, Sequence[Expr], Scope], Expr]


def _of_points(node: ast.Call, arguments: Sequence[Expr], scope: Scope) -> Expr:
    """`interp`, `table`, `interp2` and `table2`, loaded where they are used."""
    from acausal.elaborate.functions.tables import TABLE_FUNCTIONS

    return TABLE_FUNCTIONS[node.name](node, arguments, scope)


_FUNCTIONS: dict[str, Function] = {
    **ARRAY_FUNCTIONS,
    **EVENT_FUNCTIONS,
    "interp": _of_points,
    "table": _of_points,
    "interp2": _of_points,
    "table2": _of_points,
    "der": der,
}
_OF_UNITS = {"$file": unit, "$value": unit_value}
"""Functions of classes that are made for functional mock-up units; no text can name them."""
BUILT_IN = (*SCALAR_FUNCTIONS, *_FUNCTIONS)
"""All functions of the language."""
KNOWN = (*BUILT_IN, *LATER)


def call(node: ast.Call, arguments: Sequence[Expr], scope: Scope, translate: Translate) -> Expr:
    """The value of a call; `translate` makes expressions of a function's text."""
    name = node.name
    if name in _FUNCTIONS:
        return _FUNCTIONS[name](node, arguments, scope)
    if name in _OF_UNITS:
        return _OF_UNITS[name](node, arguments, scope)
    if name in SCALAR_FUNCTIONS:
        return scalar_function(node, arguments, scope)
    function = scope.function(name)
    if function is not None:
        return inline(function, node, arguments, scope, translate)
    need_known(node, scope)
    raise mistake("T008", f"{name} cannot be used here", node.span, hint=LATER[name])


def need_known(node: ast.Call, scope: Scope) -> None:
    """T004 for a function that is neither one of the language nor declared."""
    name = node.name
    if name in KNOWN or name in _OF_UNITS or scope.function(name) is not None:
        return
    raise mistake(
        "T004",
        f"unknown function {name}",
        node.span,
        hint=_called_value(node, scope)
        or FUNCTIONS.get(name)
        or did_you_mean(name, KNOWN)
        or f"declare it: function {name}(x) = ...",
    )


def _called_value(node: ast.Call, scope: Scope) -> str | None:
    """A hint where what is called is a variable: `x(t)`, `x(0)`, `x(2)`."""
    try:
        found = scope.lookup(ast.Reference(node.span, (ast.Part(node.span, node.name),)))
    except ModelError:
        return None
    written = [argument.span.text for argument in node.arguments]
    if written in (["t"], ["time"]):
        return f"write {node.name}: variables depend on time implicitly"
    if written == ["0"] and not found.shape:
        return f"write the value at the start as `initial {node.name} = ...`"
    return f"{node.name} is a variable: an index is written in square brackets, {node.name}[{', '.join(written)}]"
