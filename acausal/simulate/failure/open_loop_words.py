"""Messages about linkages that cannot be assembled.

connect rocker:B at c:B      no position found that closes the loop: a gap of 3.394 m remains
"""

from collections.abc import Mapping

from acausal.base.diagnostics import Diagnostic, Label
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.names import listed, show_derivative, show_name
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.open_loop import Gap, OpenLoop
from acausal.simulate.failure.user_lines import start_advice, user_span
from acausal.units.check.check_units import check_units
from acausal.units.check.infer import Forms
from acausal.units.check.open_units import Form
from acausal.units.dimension import Dimension
from acausal.units.name_unit import name_unit

SHOWN = 6
NO_LENGTHS = (
    "change the lengths, places or axes of its parts: whatever values the joint coordinates have, the gap stays"
)


def open_loop_failure(equations: Equations, found: OpenLoop, when: str, *, first: bool) -> Diagnostic:
    """R001 or R003: the gap at the line of the user, the coordinates there, and what closes it."""
    flat, origin = equations.flat, found.gap.origin
    loop = next((x for x in (flat.loops if flat is not None else ()) if origin.path[: len(x.path)] == x.path), None)
    span = user_span(flat, origin.path) or origin.span
    what = "the loop" if loop is not None else show_name(origin.path)
    parts = (f"the loop: {' - '.join(map(show_name, loop.around))}",) if loop is not None else ()
    if found.closes and not found.released:
        message, label = f"{when}: the search for a position that closes {what} failed", "closed here"
    else:
        remains = f"{found.gap.size:.4g}{_unit(flat, found.gap)}"
        message, label = f"{when}: no position found that closes {what}", f"a gap of {remains} remains"
    place = {} if found.closes else found.place
    notes = [f"the gap is smallest at {_values(place)}"] if place else []
    if found.given:
        notes.append(f"given: {_values(found.given)}")
    return Diagnostic(
        "R001" if first else "R003", message, Label(span, label), notes=(*parts, *notes), help=_advice(flat, found)
    )


def _values(values: Mapping[Expr, float]) -> str:
    return listed([f"{show_derivative(x.name, x.order)} = {value:.6g}" for x, value in values.items()], SHOWN)


def _unit(flat: FlatModel | None, gap: Gap) -> str:
    """The unit of the constraint, behind a blank; empty for a dimensionless one."""
    if flat is None:
        return ""
    for equation in flat.equations:
        if equation.origin.span == gap.origin.span and equation.origin.path == gap.origin.path:
            form = _form(flat, equation)
            name = name_unit(form) if isinstance(form, Dimension) else "1"
            return "" if name == "1" else f" {name}"
    return ""


def _form(flat: FlatModel, equation: Equation) -> Form:
    dimensions = check_units(flat).dimensions
    return Forms(lambda leaf: dimensions.get(leaf.name), {}).of(equation.left, equation.origin)


def _advice(flat: FlatModel | None, found: OpenLoop) -> str:
    if not found.closes:
        return NO_LENGTHS
    if found.released:
        return f"the given values forbid it: it closes with {_values({x: found.place[x] for x in found.released})}"
    starts = [(start_advice(flat, x.name, f"{v:.4g}"), x, v) for x, v in found.place.items()]
    texts = [advice or f"{show_derivative(x.name, x.order)}={v:.4g}" for advice, x, v in starts]
    return f"start the search at a position that closes it: {listed(texts, SHOWN)}"
