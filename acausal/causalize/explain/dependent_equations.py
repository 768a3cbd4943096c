"""Equations that depend on each other by their numbers, in the user's words."""

from collections.abc import Sequence
from dataclasses import replace

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.causalize.explain.describe import MOST, distinct, equations_of, joined, made, names_of
from acausal.causalize.explain.floating_part import floating_part
from acausal.causalize.explain.singular_structure import Explanation, as_text
from acausal.causalize.index.hidden_constraints import Verdict
from acausal.causalize.index.numeric_rank import Dependence
from acausal.ir.dae import Dae, SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, FlatModel
from acausal.ir.names import listed
from acausal.ir.origin import How
from acausal.ir.show.expressions import show_equation
from acausal.structure.dulmage import Part
from acausal.structure.pantelides import Singular

SAME = 1e-9


def explain_rank(
    flat: FlatModel, dae: Dae, system: SortedSystem, found: Dependence, verdict: Verdict = Verdict.UNKNOWN
) -> ModelError:
    """S003 for a part without ground, else S006."""
    over = Part(tuple(found.equations), tuple(found.unknowns))
    bases: list[Expr] = [dae.pool.variable(x.name) for x in system.unknowns]
    explanation = Explanation(
        flat, replace(dae, equations=system.equations), bases, Singular((over,), (over,), ()), written=False
    )
    under = explanation.variables(over)
    if verdict is Verdict.REPEAT and explanation.is_floating(over, under):
        return ModelError(explanation.no_ground(under, over))
    floating = floating_part(as_text(flat)) if found.always else None
    return ModelError(floating or _dependent(explanation, over, system, found, verdict))


def _dependent(
    explanation: Explanation, over: Part, system: SortedSystem, found: Dependence, verdict: Verdict
) -> Diagnostic:
    equations = [system.equations[e] for e in over.eqs]
    count = equations_of(e.origin for e in equations if made(e.origin) is not How.LADDER)
    paths = sorted(count, key=lambda path: -count[path])[:MOST]
    own = [e for e in equations if not e.origin.path and made(e.origin) is How.WRITTEN]
    which = f"the equations of {joined(paths)}" if paths else f"these {len(equations)} equations"
    labels = [Label(e.origin.span, show_equation(e)) for e in reversed(own[-MOST:])]
    labels += [x for x in map(explanation.declaration_of, paths) if x is not None]
    labels += explanation.statements(equations)
    labels = distinct(labels or [Label(e.origin.span, show_equation(e)) for e in equations[:1]])
    open_ = listed(names_of(explanation.variables(over)), MOST)
    when = "for all values of the parameters" if found.always else "for these values of the parameters"
    notes = [_what_follows(verdict, open_, when)]
    if verdict is Verdict.UNKNOWN:
        notes.append(f"the combination is {_combination(equations, tuple(found.equations.values()))}")
        hint = "replace one of the equations by the constraint that the combination states"
    else:
        hint = f"replace one of them by an equation that determines {open_}"
    if verdict is Verdict.REPEAT and len(over.vars) > 1 and all(abs(x - 1) < SAME for x in found.unknowns.values()):
        notes.append("they are determined only up to a common constant: if they are potentials, a ground is missing")
    return Diagnostic("S006", f"{which} {_MESSAGES[verdict]}", labels[0], tuple(labels[1:4]), tuple(notes), hint)


_MESSAGES = {
    Verdict.REPEAT: "are redundant: one follows from the others",
    Verdict.CONTRADICT: "are inconsistent: no values satisfy all of them",
    Verdict.UNKNOWN: "imply a hidden constraint: a combination of them contains none of their unknowns",
}


def _what_follows(verdict: Verdict, open_: str, when: str) -> str:
    if verdict is Verdict.UNKNOWN:
        return f"the Jacobian with respect to {open_} is singular, {when}"
    return f"{open_}: one equation is missing, {when}"


def _combination(equations: Sequence[Equation], factors: Sequence[float]) -> str:
    """The sum of the first equations with their factors."""
    terms = [f"{factor:.6g}*({show_equation(e)})" for e, factor in zip(equations, factors, strict=True)]
    more = f" + {len(terms) - MOST} more" if len(terms) > MOST else ""
    return " + ".join(terms[:MOST]) + more
