"""Structural faults in the user's words: components, variables and equations by name."""

from collections.abc import Iterable, Sequence

from acausal.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.names import show_name
from acausal.ir.origin import How, Origin
from acausal.ir.show import show_equation
from acausal.structure.dulmage import Part
from acausal.structure.matching import Conflict
from acausal.structure.pantelides import Singular

MOST = 4
"""How many variables, equations or components a message names."""


def structural_fault(dae: Dae, unknowns: Sequence[Expr], singular: Singular) -> ModelError:
    """What is wrong with a structurally singular system: one error for the first fault.

    Parts with too many equations come first, as they are usually nearer to the mistake.
    """
    variable_of = {v.symbol: v for v in dae.variables}
    under = [_variables(part, unknowns, variable_of) for part in singular.under]
    if under and singular.over and _is_floating(dae, singular.over[0], under[0]):
        return ModelError(_no_ground(dae, under[0], singular.over[0]))
    if singular.over:
        return ModelError(_too_many(dae, singular.over[0], unknowns, variable_of, under))
    return ModelError(_too_few(dae, under[0], singular.under[0]))


def _variables(part: Part, unknowns: Sequence[Expr], variable_of: dict[Expr, Variable]) -> list[Variable]:
    return [variable_of[unknowns[v]] for v in part.vars if unknowns[v] in variable_of]


def _is_floating(dae: Dae, over: Part, under: list[Variable]) -> bool:
    """A surplus balance and undetermined across variables: nothing fixes the level of a part."""
    return any(dae.equations[e].origin.how is How.FLOW_SUM for e in over.eqs) and any(v.kind == "cut" for v in under)


def _components(origins: Iterable[Origin]) -> list[str]:
    return list(dict.fromkeys(show_name(o.path) for o in origins if o.path))


def _listed(items: Sequence[str]) -> str:
    shown = ", ".join(items[:MOST])
    return shown if len(items) <= MOST else f"{shown} and {len(items) - MOST} more"


def _label(origin: Origin, text: str = "") -> Label:
    return Label(origin.span, text)


def _no_ground(dae: Dae, under: list[Variable], over: Part) -> Diagnostic:
    parts = _components(v.origin for v in under)
    statements = [s for e in over.eqs for s in dae.equations[e].origin.of]
    return Diagnostic(
        "S003",
        f"the part made of {_listed(parts)} has no ground",
        _label((statements or [under[0].origin])[0], "connected here"),
        notes=(f"nothing fixes the level of {_listed([show_name(v.symbol.name) for v in under])}",),
        help="connect one of its cuts to a ground",
    )


def _too_many(
    dae: Dae, over: Part, unknowns: Sequence[Expr], variable_of: dict[Expr, Variable], under: list[list[Variable]]
) -> Diagnostic:
    equations = [dae.equations[e] for e in over.eqs]
    names = [show_name(v.symbol.name) for v in _variables(over, unknowns, variable_of)]
    written = sorted(equations, key=lambda e: e.origin.how is not How.WRITTEN)
    notes = [f"in {show_name(e.origin.path) or dae.name}: {show_equation(e)}" for e in equations[:MOST]]
    if under:
        notes.append(f"no equation is left for {_listed([show_name(v.symbol.name) for v in under[0]])}")
    if names:
        message = f"{len(equations)} equations determine only {len(names)} unknowns: {_listed(names)}"
    else:
        message = "this equation holds no unknown: it repeats or contradicts the others"
    return Diagnostic(
        "S001",
        message,
        _label(written[0].origin, "this equation is one too many"),
        tuple(
            _label(e.origin, "together with this one") for e in written[1:3] if e.origin.span != written[0].origin.span
        ),
        tuple(notes),
        help=_over_hint(equations),
    )


def _over_hint(equations: Sequence[Equation]) -> str:
    parts = _components(e.origin for e in equations)
    if len(parts) > 1:
        return f"look at how {_listed(parts)} are connected: two of them may fix the same thing"
    return "remove one of the equations"


def _too_few(dae: Dae, under: list[Variable], part: Part) -> Diagnostic:
    names = [show_name(v.symbol.name) for v in under]
    have = f"{len(part.eqs)} equations for {len(part.vars)} unknowns" if part.eqs else "no equation"
    return Diagnostic(
        "S002",
        f"there is {have}: {_listed(names)}" if not part.eqs else f"there are only {have}: {_listed(names)}",
        _label(under[0].origin, "cannot be determined"),
        notes=tuple(show_equation(dae.equations[e]) for e in part.eqs[:MOST]),
        help="add an equation or a connection for it, or make it known with --known",
    )


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
            _label(first.origin, "one condition too many"),
            tuple(_label(e.origin, show_equation(e)) for e in rest[:MOST]),
            help="remove one of these conditions, or drop fixed=true so that the value is only a guess",
        )
    )
