"""Initial conditions that cannot all hold, in the user's words."""

from collections.abc import Sequence

from acausal.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.flat import Equation
from acausal.ir.names import show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show import show_equation
from acausal.structure.matching import Conflict

MOST = 4
"""How many conditions a message shows."""


def too_many_conditions(equations: Sequence[Equation], run: int, found: Conflict) -> ModelError:
    """Initial conditions that compete for the same unknowns; `run` is the number of equations of the run."""
    rivals = [equations[e] for e in found.eqs if e >= run]
    if not rivals:
        rivals = [equations[e] for e in found.eqs]
    first, *rest = rivals
    open_ = next((e.origin for e in map(equations.__getitem__, found.eqs) if e.origin.how is How.UNCONNECTED), None)
    why = "" if open_ is None else f", as {_cut(open_)} is connected to nothing"
    return ModelError(
        Diagnostic(
            "I002",
            f"too many initial conditions: {show_equation(first)} cannot be met besides the others{why}",
            Label(first.origin.span, "one condition too many"),
            tuple(Label(e.origin.span, show_equation(e)) for e in rest[:MOST]),
            help="remove one of these conditions, or drop fixed=true so that the value is only a guess",
        )
    )


def _cut(origin: Origin) -> str:
    """The name of a cut whose declaration is the origin of an equation."""
    words = origin.span.file.text[origin.span.start :].split("(")[0].split()
    return f"{show_name(origin.path)}:{words[0]}" if words else show_name(origin.path)
