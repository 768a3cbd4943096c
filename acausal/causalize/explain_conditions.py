"""Initial conditions that cannot all hold, in the user's words."""

from collections.abc import Sequence

from acausal.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.flat import Equation
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
    return ModelError(
        Diagnostic(
            "I002",
            f"too many initial conditions: {show_equation(first)} cannot be met besides the others",
            Label(first.origin.span, "one condition too many"),
            tuple(Label(e.origin.span, show_equation(e)) for e in rest[:MOST]),
            help="remove one of these conditions, or drop fixed=true so that the value is only a guess",
        )
    )
