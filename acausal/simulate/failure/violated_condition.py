"""Values behind a violated `assert`: the parameters and variables of its condition, in the user's model.

assert(abs(n1^2 + n2^2 + n3^2 - 1) < 1e-6, ...)      ->      there: r.n1 = 1, r.n2 = 0, r.n3 = 1; change one of these
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.ir.names import Name, listed, show_name
from acausal.ir.origin import Origin
from acausal.ir.program.program import Program
from acausal.ir.walk import postorder
from acausal.simulate.failure.user_lines import with_user_lines

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHOWN = 6


def with_condition_values(
    found: Diagnostic, flat: FlatModel | None, origin: Origin, program: Program, p: "Array", row: "Array"
) -> Diagnostic:
    """The diagnostic at the user's line, with the scalars of the condition; `row` are the stored values there."""
    leaves = _leaves(flat, origin)
    values = _values(flat, program, p, row)
    shown = [f"{show_name(x.name)} = {values[x.name]:.6g}" for x in leaves if x.name in values]
    if shown:
        found = replace(found, notes=(*found.notes, f"there: {listed(shown, SHOWN)}"))
    if shown and found.code == "R010" and origin.path and all(x.op == "parameter" for x in leaves):
        names = [show_name(x.name) for x in leaves if x.name in values]
        found = replace(found, help=f"change {' or '.join(names[:SHOWN])}")
    if leaves and flat is not None and any(loop.path == origin.path for loop in flat.loops):
        from acausal.simulate.failure.turned_loop import half_turn_advice

        advice = half_turn_advice(flat, origin.path, values)
        found = found if advice is None else replace(found, help=f"let the joint at the closing start there: {advice}")
    return with_user_lines(found, flat, origin, "this condition")


def _leaves(flat: FlatModel | None, origin: Origin) -> list[Expr]:
    """The parameters and variables of the condition, in the order of its text."""
    for condition in flat.conditions if flat is not None else ():
        if condition.origin.span == origin.span and condition.origin.path == origin.path:
            found = [x for x in postorder([condition.condition]) if x.op in ("parameter", "variable") and not x.order]
            return list(dict.fromkeys(found))
    return []


def _values(flat: FlatModel | None, program: Program, p: "Array", row: "Array") -> Mapping[Name, float]:
    """The values of scalars by name; those of folded parameters are in the flat model."""
    fixed = {q.symbol.name: float(q.value) for q in flat.parameters if isinstance(q.value, float)} if flat else {}
    slots = {s.name: float(x) for s, x in zip(program.parameter_slots, p, strict=False)}
    stored = {
        s.symbol[0]: s.sign * float(row[s.position])
        for s in program.variable_slots
        if s.kind == "stored" and s.symbol[1] == 0
    }
    return fixed | slots | stored
