"""Text of flat models, in the notation of the language."""

from collections.abc import Iterator

from acausal.ir.events import Action, When
from acausal.ir.expr import Expr
from acausal.ir.flat import Attributes, FlatModel
from acausal.ir.show.expressions import show_expr, show_string
from acausal.ir.show.shared_parts import written


def show_flat(model: FlatModel) -> str:
    """The flat model as text: parameters, variables, equations, events and conditions."""
    lines = [f"model {model.name}"]
    for p in model.parameters:
        kind = "constant" if p.constant else "parameter"
        lines += written([p.binding], f"  {kind} {_declared(p.type, p.symbol, p.attributes, p.tunable)} = {{}}")
    for v in model.variables:
        lines.append(f"  {v.kind} {_declared(v.type, v.symbol, v.attributes)}")
    for e in model.initial_equations:
        lines += written([e.left, e.right], "  initial {} = {}")
    for e in model.equations:
        lines += written([e.left, e.right], "  {} = {}")
    for when in model.whens:
        lines += _when(when)
    for c in model.conditions:
        lines += written([c.condition], f"  {c.kind}({{}}, {_braced(show_string(c.text))})")
    return "\n".join([*lines, "end", ""])


def _declared(type_: str, symbol: Expr, attributes: Attributes, tunable: bool = False) -> str:
    """Type, name, shape and attributes; what is not given is left out."""
    shape = f"[{','.join(map(str, symbol.shape))}]" if symbol.shape else ""
    given = ", ".join([*_attributes(attributes), *(["tunable=true"] if tunable else [])])
    return ("" if type_ == "real" else f"{type_} ") + show_expr(symbol) + shape + (f" ({given})" if given else "")


def _attributes(attributes: Attributes) -> Iterator[str]:
    limits = {"min": attributes.minimum, "max": attributes.maximum, "nominal": attributes.nominal}
    if attributes.start is not None:
        yield f"start={show_expr(attributes.start)}"
    if attributes.fixed:
        yield "fixed=true"
    if attributes.unit is not None:
        yield f"unit={show_string(attributes.unit)}"
    yield from (f"{name}={show_expr(value)}" for name, value in limits.items() if value is not None)
    if attributes.state != "default":
        yield f"state={show_string(attributes.state)}"


def _when(when: When) -> Iterator[str]:
    if when.branches[0].condition is None:  # at every event
        for action in when.branches[0].actions:
            yield from _action(action, "  ")
        return
    for number, branch in enumerate(when.branches):
        assert branch.condition is not None
        yield from written([branch.condition], f"  {'elsewhen' if number else 'when'} {{}} then")
        for action in branch.actions:
            yield from _action(action, "    ")
    yield "  endwhen"


def _action(action: Action, indent: str) -> list[str]:
    if action.target is None:
        return written([action.value], f"{indent}{action.kind}({{}}, {_braced(show_string(action.text))})")
    return written([action.target, action.value], f"{indent}{action.kind}({{}}) = {{}}")


def _braced(text: str) -> str:
    """For `str.format`."""
    return text.replace("{", "{{").replace("}", "}}")
