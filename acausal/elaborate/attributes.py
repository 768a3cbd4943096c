"""Attributes of declarations: `(start=1, fixed=true, unit="V", ...)`."""

from acausal.elaborate.expressions import expression
from acausal.elaborate.mistakes import did_you_mean, mistake
from acausal.elaborate.scope_protocol import Scope
from acausal.ir import ast
from acausal.ir.expr import Expr
from acausal.ir.flat import NO_ATTRIBUTES, Attributes

STATES = ("always", "prefer", "default", "avoid", "never")
KNOWN = ("start", "fixed", "unit", "min", "max", "nominal", "state", "tunable")


def attributes_of(written: tuple[ast.Argument, ...], scope: Scope) -> Attributes:
    """The attributes as written; N012 for an unknown one or a value of the wrong kind."""
    if not written:
        return NO_ATTRIBUTES
    by_name = {argument.name: argument for argument in written}
    for argument in written:
        if argument.name not in KNOWN:
            hint = did_you_mean(argument.name, KNOWN) or f"the attributes are {', '.join(KNOWN)}"
            raise mistake("N012", f"there is no attribute {argument.name}", argument.span, hint=hint)
    return Attributes(
        start=_value(by_name.get("start"), scope),
        fixed=flag(by_name.get("fixed")),
        unit=_text(by_name.get("unit")),
        minimum=_value(by_name.get("min"), scope),
        maximum=_value(by_name.get("max"), scope),
        nominal=_value(by_name.get("nominal"), scope),
        state=_state(by_name.get("state")),
        unit_at=by_name["unit"].span if "unit" in by_name else None,
    )


def flag(argument: ast.Argument | None) -> bool:
    """`true` or `false`; false where it is not written."""
    if argument is None:
        return False
    if not isinstance(argument.value, ast.Boolean):
        raise mistake(
            "N012", f"{argument.name} is true or false", argument.value.span, hint=f"write {argument.name}=true"
        )
    return argument.value.value


def _text(argument: ast.Argument | None) -> str | None:
    if argument is None:
        return None
    if not isinstance(argument.value, ast.String):
        raise mistake(
            "N012", f"{argument.name} is a text in quotes", argument.value.span, hint=f'write {argument.name}="..."'
        )
    return argument.value.value


def _state(argument: ast.Argument | None) -> str:
    state = _text(argument)
    if argument is None or state is None:
        return "default"
    if state not in STATES:
        raise mistake("N012", f"state is one of {', '.join(STATES)}", argument.value.span, hint='write state="prefer"')
    return state


def _value(argument: ast.Argument | None, scope: Scope) -> Expr | None:
    return None if argument is None else expression(argument.value, scope)
