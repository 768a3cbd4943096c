"""An assertion about parameters alone that does not hold: it explains more than what follows from it.

joint without axis    ->    "the axis n1, n2, n3 of a joint is a unit vector", not "inverse of a singular matrix"
"""

import math
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.causalize.arrays.number_inverse import SingularMatrixError
from acausal.ir.evaluate import Evaluator
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel, RunCondition
from acausal.ir.flat_connections import Component
from acausal.ir.names import Name, show_name
from acausal.ir.operator import Value
from acausal.ir.walk import postorder


def broken_assertion(flat: FlatModel) -> ModelError | None:
    """R010 for the first `assert` that is false whatever the run; None if there is none."""
    values = {p.symbol: p.value for p in flat.parameters if isinstance(p.value, float | bool)}
    for condition in flat.conditions:
        if condition.kind == "assert" and Evaluator(values).value(condition.condition) is False:
            return ModelError(_diagnostic(flat, condition, values))
    return None


def at_submodel(mistake: ModelError, flat: FlatModel) -> ModelError:
    """The error, T010 of a matrix at the submodel whose class has the equation."""
    if not isinstance(mistake, SingularMatrixError):
        return mistake
    outer = _outermost(flat, mistake.path)
    (diagnostic,) = mistake.report.diagnostics
    if outer is None or diagnostic.primary is None:
        return mistake
    label = Label(outer.span, f"{show_name(outer.path)} is of class {outer.class_name}")
    return ModelError(replace(diagnostic, primary=label, secondary=(diagnostic.primary,)))


def _outermost(flat: FlatModel, path: Name) -> Component | None:
    return next((c for c in flat.components if path and c.path == path[: len(c.path)]), None)


def _diagnostic(flat: FlatModel, condition: RunCondition, values: dict[Expr, Value]) -> Diagnostic:
    path = condition.origin.path
    here = Label(condition.origin.span, "this assertion")
    outer = _outermost(flat, path)
    used = [x for x in postorder([condition.condition]) if x.op == "parameter"]
    where = f" in {show_name(path)}" if path else ""
    return Diagnostic(
        "R010",
        f"an assertion{where} is violated: {condition.text}",
        here if outer is None else Label(outer.span, f"{show_name(outer.path)} is of class {outer.class_name}"),
        () if outer is None else (here,),
        (f"here {', '.join([f'{show_name(x.name)} = {values[x]:g}' for x in used])}",) if used else (),
        _as_unit_vector(condition.condition, values) or "give the parameters values that satisfy it",
    )


def _as_unit_vector(condition: Expr, values: dict[Expr, Value]) -> str | None:
    """Hint for a condition with a sum of squares and 1: the same direction with the length 1."""
    for node in postorder([condition]):
        if node.op != "add" or node.args[-1].op != "const" or abs(node.args[-1].number) != 1.0:
            continue
        squares = [t for t in node.args[:-1] if t.op == "pow" and t.args[1].op == "const" and t.args[1].number == 2.0]
        components = {t.args[0]: values.get(t.args[0]) for t in squares}
        if len(squares) != len(node.args) - 1 or not all(isinstance(x, float) for x in components.values()):
            continue
        length = math.hypot(*[float(x) for x in components.values() if x is not None])
        if length:
            parts = [f"{x.name[-1]}={float(v or 0) / length:.6g}" for x, v in components.items()]
            return f"the unit vector in that direction is {', '.join(parts)}"
    return None
