"""Places in the user's own text for what a library says: the submodel that holds an equation, the loop it closes.

RigidLoop, line 96 of mbsdir.lib     ->     the connect statement that closes the loop
q of Revolute, start=near            ->     submodel (Revolute) j2, and the advice j2(near=...)
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label
from acausal.base.source import Span
from acausal.ir.names import Name, show_name
from acausal.ir.origin import Origin

if TYPE_CHECKING:
    from acausal.ir.flat import FlatModel


def user_span(flat: "FlatModel | None", path: Name) -> Span | None:
    """Place of the instance at a path in the user's text: a submodel, or the statement that closes a loop."""
    if flat is None:
        return None
    for loop in flat.loops:
        if path[: len(loop.path)] == loop.path:
            return loop.origin.span
    for component in flat.components:
        if path and path[: len(component.path)] == component.path:
            return component.span
    return None


def located(flat: "FlatModel | None", origin: Origin, text: str) -> Label:
    """A label in the user's file for what has this origin."""
    span = user_span(flat, origin.path)
    if span is None or span.file is origin.span.file:
        return Label(origin.span, text)
    return Label(span, text)


def with_user_lines(
    found: Diagnostic, flat: "FlatModel | None", origin: Origin, what: str = "this equation"
) -> Diagnostic:
    """The diagnostic with its first label, of an equation with this origin, in the user's file; then the equation."""
    if found.primary is None:
        return found
    primary = located(flat, origin, found.primary.text)
    if primary.span == found.primary.span:
        return found
    equation = Label(found.primary.span, f"{what} of {show_name(origin.path)}")
    spans = {primary.span, equation.span}
    others = [label for label in found.secondary if label.span not in spans]
    return replace(found, primary=primary, secondary=(equation, *others))


def start_advice(flat: "FlatModel | None", name: Name, value: str) -> str | None:
    """Text that changes the start of a variable of a submodel: `j2(near=1)`; None if there is none."""
    variable = next((v for v in (flat.variables if flat is not None else ()) if v.symbol.name == name), None)
    start = variable.attributes.start if variable is not None else None
    if variable is None or not variable.origin.path or start is None or start.op != "parameter":
        return None
    *path, parameter = start.name
    return f"{show_name(tuple(path))}({parameter}={value})" if path else f"{parameter}={value}"
