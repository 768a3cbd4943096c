"""Equations that depend on each other by their numbers, in the user's words."""

from dataclasses import replace

from acausal.causalize.explain import MOST, Explanation, distinct, equations_of, joined, made, names_of
from acausal.causalize.rank import Dependence
from acausal.diagnostics import Diagnostic, Label, ModelError
from acausal.ir.dae import Dae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.ir.names import listed
from acausal.ir.origin import How
from acausal.ir.show import show_equation
from acausal.structure.dulmage import Part
from acausal.structure.pantelides import Singular

SAME = 1e-9


def explain_rank(flat: FlatModel, dae: Dae, system: SortedSystem, found: Dependence) -> ModelError:
    """S003 for a part without ground, else S006."""
    over = Part(tuple(found.equations), tuple(found.unknowns))
    bases: list[Expr] = [dae.pool.variable(x.name) for x in system.unknowns]
    explanation = Explanation(
        flat, replace(dae, equations=system.equations), bases, Singular((over,), (over,), ()), written=False
    )
    under = explanation.variables(over)
    if not found.rest and explanation.is_floating(over, under):
        return ModelError(explanation.no_ground(under, over))
    return ModelError(_dependent(explanation, over, system, found))


def _dependent(explanation: Explanation, over: Part, system: SortedSystem, found: Dependence) -> Diagnostic:
    equations = [system.equations[e] for e in over.eqs]
    count = equations_of(e.origin for e in equations if made(e.origin) is not How.LADDER)
    paths = sorted(count, key=lambda path: -count[path])[:MOST]
    own = [e for e in equations if not e.origin.path and made(e.origin) is How.WRITTEN]
    if paths:
        message = f"{joined(paths)} {'contradict each other' if found.rest else 'say the same thing twice'}"
    else:
        message = f"these {len(equations)} equations {'contradict' if found.rest else 'repeat'} each other"
    labels = [Label(e.origin.span, show_equation(e)) for e in reversed(own[-MOST:])]
    labels += [x for x in map(explanation.declaration_of, paths) if x is not None]
    labels += explanation.statements(equations)
    labels = distinct(labels or [Label(e.origin.span, show_equation(e)) for e in equations[:1]])
    open_ = listed(names_of(explanation.variables(over)), MOST)
    when = "whatever the parameters are" if found.always else "with these values of the parameters"
    notes = [f"all that holds {open_} is one equation short, {when}"]
    hint = f"change one of them so that it says something new of {open_}"
    if not found.rest and len(over.vars) > 1 and all(abs(x - 1) < SAME for x in found.unknowns.values()):
        notes.append("they can all change by the same amount: if they are potentials, a ground is missing")
    return Diagnostic("S006", message, labels[0], tuple(labels[1:4]), tuple(notes), hint)
