"""Attributes of declarations: `(start=1, fixed=true, unit="V", ...)`."""

from dataclasses import replace

from acausal.base.diagnostics import ModelError
from acausal.base.near_names import did_you_mean
from acausal.base.source import Span
from acausal.elaborate.broadcast import count
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.expressions.expressions import expression
from acausal.elaborate.expressions.quantities import implied_unit
from acausal.elaborate.foreign_habits import ATTRIBUTES
from acausal.elaborate.scope_protocol import Scope, ValueScope
from acausal.elaborate.values.types import need_declared
from acausal.ir import ast
from acausal.ir.expr import Expr, Shape
from acausal.ir.flat import NO_ATTRIBUTES, Attributes
from acausal.ir.show.expressions import show_expr
from acausal.ir.walk import postorder

STATES = ("always", "prefer", "default", "avoid", "never")
KNOWN = ("start", "fixed", "unit", "min", "max", "nominal", "state", "tunable")


def attributes_of(written: tuple[ast.Argument, ...], scope: ValueScope, shape: Shape, type_: str) -> Attributes:
    """The attributes of a variable of this shape and type; N012, T001 and T014 for those that do not fit."""
    if not written:
        return NO_ATTRIBUTES
    by_name = {argument.name: argument for argument in written}
    unit = unit_of(written)
    for argument in written:
        if argument.name not in KNOWN:
            hint = ATTRIBUTES.get(argument.name) or did_you_mean(argument.name, KNOWN)
            hint = hint or f"the attributes are {', '.join(KNOWN)}"
            raise mistake("N012", f"unknown attribute {argument.name}", argument.span, hint=hint)
    found = Attributes(
        start=_value(by_name.get("start"), scope, shape, type_, unit),
        fixed=flag(by_name.get("fixed")),
        unit=_text(by_name.get("unit")),
        minimum=_value(by_name.get("min"), scope, shape, "real", unit),
        maximum=_value(by_name.get("max"), scope, shape, "real", unit),
        nominal=_value(by_name.get("nominal"), scope, shape, "real", unit),
        state=_state(by_name.get("state")),
        unit_at=by_name["unit"].span if "unit" in by_name else None,
    )
    start = by_name.get("start")
    return found if start is None or unit is not None else with_unit_of(found, start.value, start.span)


def with_unit_of(attributes: Attributes, node: ast.Expression, span: Span) -> Attributes:
    """Attributes without unit, with that of the quantity in a value that is given there, if there is one."""
    unit = None if isinstance(node, ast.Number) else implied_unit(node)
    return attributes if unit is None else replace(attributes, unit=_text(unit), unit_at=span)


def written_attributes(written: tuple[ast.Argument, ...]) -> Attributes | None:
    """The attributes where they are texts or flags, which mean the same in all scopes; None where there are others."""
    if not all(a.name in ("unit", "fixed", "state", "tunable") for a in written):
        return None
    by_name = {argument.name: argument for argument in written}
    try:
        return Attributes(
            fixed=flag(by_name.get("fixed")),
            unit=_text(by_name.get("unit")),
            state=_state(by_name.get("state")),
            unit_at=by_name["unit"].span if "unit" in by_name else None,
        )
    except ModelError:  # reported where the variable is declared
        return None


def is_tunable(written: tuple[ast.Argument, ...]) -> bool:
    """True if a parameter can be changed during a run: `(tunable=true)`."""
    for argument in written:
        if argument.name == "tunable":
            return flag(argument)
    return False


def flag(argument: ast.Argument | None) -> bool:
    """`true` or `false`; false where it is not written."""
    if argument is None:
        return False
    if not isinstance(argument.value, ast.Boolean):
        raise mistake(
            "N012", f"{argument.name} must be true or false", argument.value.span, hint=f"write {argument.name}=true"
        )
    return argument.value.value


def _text(argument: ast.Argument | None) -> str | None:
    if argument is None:
        return None
    if not isinstance(argument.value, ast.String):
        raise mistake(
            "N012",
            f"{argument.name} must be a string in quotes",
            argument.value.span,
            hint=f'write {argument.name}="..."',
        )
    return argument.value.value


def _state(argument: ast.Argument | None) -> str:
    state = _text(argument)
    if argument is None or state is None:
        return "default"
    if state not in STATES:
        raise mistake(
            "N012", f"state must be one of {', '.join(STATES)}", argument.value.span, hint='write state="prefer"'
        )
    return state


def unit_of(written: tuple[ast.Argument, ...]) -> str | None:
    """The unit among the attributes of a declaration."""
    return next((_text(argument) for argument in written if argument.name == "unit"), None)


def _value(argument: ast.Argument | None, scope: ValueScope, shape: Shape, type_: str, unit: str | None) -> Expr | None:
    if argument is None:
        return None
    scope = scope.for_value(argument.value, unit)
    return fitting(known_value(expression(argument.value, scope), argument, scope, type_), argument, shape)


def known_value(value: Expr, argument: ast.Argument, scope: Scope, type_: str) -> Expr:
    """The value of an attribute or start; N012 where it is known only during a run, T014 for one of another type."""
    need_declared(argument.name, type_, value, argument.value.span, scope)
    if value.varies:
        on = next((show_expr(n) for n in postorder([value]) if n.varies and not n.args), "this")
        message = f"{argument.name} must be known before the run, but {on} changes during it"
        hint = "use numbers, constants and parameters; `initial x = ...` takes variables"
        raise mistake("N012", message, argument.value.span, hint=hint)
    return value


def fitting(value: Expr, argument: ast.Argument, shape: Shape) -> Expr:
    """The value of an attribute or start, which is one number for all elements or has one for each; else T001."""
    if count(value.shape) == 1 or value.shape == shape or (count(value.shape) == count(shape) and shape):
        return value
    have, want = (f"[{', '.join(map(str, s))}]" if s else "a scalar" for s in (value.shape, shape))
    hint = "give one number, or one for each element"
    message = f"{argument.name} is {have}, what it belongs to {want}"
    raise mistake("T001", message, argument.value.span, "of another shape", hint=hint)
