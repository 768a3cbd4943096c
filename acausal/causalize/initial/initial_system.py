"""The first instant: a system of its own, in which the states are unknowns too.

To the equations of the run come, in this order, those that must hold (`initial`
equations, start values with `fixed`), for a steady state that the derivatives of states are zero, then as
many start values as are needed to determine every unknown: of states that carry one, of other differentiated
variables that carry one, last of states without (zero).
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.diagnostics import Diagnostic, Label, ModelError
from acausal.base.frozen import dataclass
from acausal.base.lazy import lazy
from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.causalize.blocks.sort import sort
from acausal.causalize.explain.initial_conditions import cannot_rest, left_moving, taken_by_default, too_many_conditions
from acausal.causalize.initial.steady_state import rest_conditions, resting_equations
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.experiment import AS_MODELED, Start
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, Variable
from acausal.ir.graph import Incidence, Matching
from acausal.ir.names import show_derivative
from acausal.ir.origin import How
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of
from acausal.structure.matching import Completion, complete, conflict

if TYPE_CHECKING:
    from acausal.causalize.initial.given_values import given_conditions, without_replaced
    from acausal.causalize.initial.redundant_conditions import Redundant
else:
    given_conditions = lazy("causalize.initial.given_values", "given_conditions")
    without_replaced = lazy("causalize.initial.given_values", "without_replaced")


MOST_EXCHANGES = 10
"""Start values that are exchanged one after the other."""


@dataclass(frozen=True, slots=True)
class InitialSystem:
    """The sorted system of the first instant; `notes` list which states take their start values.

    It holds for these values of the `folded` parameters.
    """

    system: SortedSystem
    notes: tuple[Diagnostic, ...]
    folded: tuple[Expr, ...] = ()


def initial_system(selection: StateSelection, start: Start = AS_MODELED) -> InitialSystem:
    """The system that determines all unknowns, states included, at the start; I002, I003, I012 where it cannot.

    If `start` or the model's experiment says so, the derivatives of states are zero as far as the conditions of the
    model leave them open.
    """
    return _initial_system(selection, start, ())


def _initial_system(selection: StateSelection, start: Start, left: "tuple[Redundant, ...]") -> InitialSystem:
    """The same without conditions that are `left` out, as they are redundant."""
    reduced = selection.reduced
    dae, pool = reduced.dae, reduced.dae.pool
    steady = start.steady or dae.experiment.steady
    number_of = numbering(reduced.unknowns)
    _check_leaves(dae, number_of)
    conditions = [] if start.free else [*dae.initial_equations, *_fixed(pool, dae.variables)]
    if start.initial:
        given = given_conditions(reduced, start)
        conditions = [*given, *without_replaced(conditions, given)]
    starts = [_start(pool, v, x) for v, x in _candidates(selection)]
    at_rest = resting_equations(reduced) if steady else None
    if at_rest is not None:
        found = _completed(reduced, [*at_rest, *conditions], starts)
        if found is not None:
            return found
    conditions = [c for c in conditions if not any(c == r.condition for r in left)]
    mandatory = [*reduced.equations, *conditions]
    rest = rest_conditions(selection, conditions) if steady else []
    more = incidence_of([*conditions, *rest, *starts], number_of).vars_of_eq
    equations = [*mandatory, *rest, *starts]
    incidence = Incidence(reduced.incidence.vars_of_eq + more, len(number_of))
    completion = complete(incidence, len(mandatory), start=reduced.index.matching)
    surplus = [e for e in range(len(mandatory)) if completion.matching.var_of_eq[e] is None]
    if surplus:
        return _initial_system(
            selection, start, (*left, *_redundant(reduced, mandatory, incidence, completion.matching, surplus))
        )
    behind = len(mandatory) + len(rest)
    completion, system = _without_dependent_starts(selection, equations, incidence, completion, behind)
    run = len(reduced.equations)
    left_out = []
    for e in completion.rejected:
        if e < behind:
            rivals = [equations[r] for r in conflict(incidence, completion.matching, e).eqs if r >= run and r != e]
            left_out.append((equations[e], rivals))
    if rest and len(left_out) == len(rest) and not any(rivals for _, rivals in left_out):
        raise cannot_rest(rest[0])
    starts = [equations[e] for e in completion.chosen if e >= behind]
    notes = (*left_moving(left_out), *taken_by_default(starts))
    folded: tuple[Expr, ...] = ()
    if left:
        from acausal.causalize.initial.redundant_conditions import notes_of

        notes = (*notes_of(left, reduced.equations), *notes)
        folded = tuple(dict.fromkeys(p for found in left for p in found.folded))
    return InitialSystem(system, notes, folded)


def _sorted(
    reduced: ReducedDae, equations: Sequence[Equation], incidence: Incidence, completion: Completion
) -> SortedSystem:
    """The system of the equations that must hold and those that are chosen."""
    numbers = [*range(_mandatory(equations, completion)), *completion.chosen]
    square = Incidence(tuple([incidence.vars_of_eq[e] for e in numbers]), incidence.variable_count)
    matching = completion.matching
    if None in matching.eq_of_var:
        return sort(reduced.dae.pool, tuple([equations[e] for e in numbers]), reduced.unknowns, square)
    var_of_eq = tuple([matching.var_of_eq[e] for e in numbers])
    eq_of_var: list[int | None] = [None] * len(matching.eq_of_var)
    for e, v in enumerate(var_of_eq):
        if v is not None:
            eq_of_var[v] = e
    known = Matching(tuple(eq_of_var), var_of_eq)
    return sort(reduced.dae.pool, tuple([equations[e] for e in numbers]), reduced.unknowns, square, known)


def _without_dependent_starts(
    selection: StateSelection, equations: Sequence[Equation], incidence: Incidence, completion: Completion, behind: int
) -> tuple[Completion, SortedSystem]:
    """Other start values, where some follow from the conditions by their numbers, and the sorted system."""
    mandatory = _mandatory(equations, completion)
    system = _sorted(selection.reduced, equations, incidence, completion)
    order = list(range(mandatory, len(equations)))
    for _ in range(MOST_EXCHANGES):
        chosen = [equations[e] for e in completion.chosen if e >= behind]
        others = [equations[e] for e in completion.rejected if e >= behind]
        if not chosen or not others:
            break
        from acausal.causalize.initial.dependent_starts import dependent_start

        found = dependent_start(selection.reduced.dae, system, chosen, others)
        if found is None:
            break
        dependent, open_ = equations.index(found.dependent), equations.index(found.open)
        left = [e for e in order if e not in (dependent, open_)]
        first = sum([e < behind for e in left])
        order = [*left[:first], open_, *left[first:], dependent]
        completion = complete(incidence, mandatory, order, selection.reduced.index.matching)
        system = _sorted(selection.reduced, equations, incidence, completion)
    return completion, system


def _mandatory(equations: Sequence[Equation], completion: Completion) -> int:
    """The number of equations that must hold, which are the first ones."""
    return len(equations) - len(completion.chosen) - len(completion.rejected)


def _redundant(
    reduced: ReducedDae, equations: Sequence[Equation], incidence: Incidence, matching: Matching, surplus: Sequence[int]
) -> "tuple[Redundant, ...]":
    """The surplus conditions, which the others determine already; I002 for all that do not hold besides them."""
    from acausal.causalize.initial.redundant_conditions import redundant

    run = len(reduced.equations)
    found: list[Redundant] = []
    wrong: list[Diagnostic] = []
    for e in surplus:
        rivals = conflict(incidence, matching, e)
        inside = [reduced.unknowns[v] for v in rivals.vars]
        own = [equations[r] for r in rivals.eqs if r >= run]
        known = redundant(reduced.dae, [equations[r] for r in rivals.eqs if r < run], own, inside)
        if known is not None:
            found.append(known)
        else:
            wrong += too_many_conditions(equations, run, rivals).report.diagnostics
    if wrong:
        raise ModelError(*wrong)
    return tuple(found)


def _completed(reduced: ReducedDae, mandatory: list[Equation], starts: list[Equation]) -> InitialSystem | None:
    """The system of these equations and the start values it needs; None where there are too many or too few."""
    equations = [*mandatory, *starts]
    completion = complete(incidence_of(equations, numbering(reduced.unknowns)), len(mandatory))
    if None in completion.matching.var_of_eq[: len(mandatory)] or None in completion.matching.eq_of_var:
        return None
    chosen = [equations[e] for e in completion.chosen]
    system = sort(reduced.dae.pool, (*mandatory, *chosen), reduced.unknowns)
    return InitialSystem(system, tuple(taken_by_default(chosen)))


def _fixed(pool: Pool, variables: Iterable[Variable]) -> Iterator[Equation]:
    for v in variables:
        if v.attributes.fixed:
            yield _start(pool, v, v.symbol)


def _start(pool: Pool, variable: Variable, leaf: Expr) -> Equation:
    """leaf = its start value; derivatives start from zero."""
    start = variable.attributes.start if leaf.order == 0 else None
    origin, at = variable.origin.become(How.START), variable.attributes.start_at
    return Equation(leaf, pool.zero if start is None else start, origin if at is None else replace(origin, span=at))


def _candidates(selection: StateSelection) -> list[tuple[Variable, Expr]]:
    """The variables whose start values may be used, preferred ones first."""
    variable_of = {v.symbol.name: v for v in selection.reduced.dae.variables}
    states = [(variable_of[x.name], x) for x in selection.states]
    fixed = set(selection.states)
    index, unknowns = selection.reduced.index, selection.reduced.unknowns
    others = [
        (variable_of[x.name], x)
        for x, derivative in zip(unknowns, index.var_derivative, strict=True)
        if derivative is not None and x not in fixed and x.order == 0
    ]

    def carries(item: tuple[Variable, Expr]) -> bool:
        variable, leaf = item
        return variable.attributes.start is not None and not variable.attributes.fixed and leaf.order == 0

    free = [s for s in states if not (s[0].attributes.fixed and s[1].order == 0)]
    with_start = [s for s in free if carries(s)]
    return with_start + [o for o in others if carries(o)] + [s for s in free if not carries(s)]


def _check_leaves(dae: Dae, number_of: dict[Expr, int]) -> None:
    """An initial equation may only speak of variables and derivatives that the model has."""
    known = {v.symbol.name for v in dae.inputs}
    for equation in dae.initial_equations:
        for leaf in variables_of((equation.left, equation.right)):
            if leaf not in number_of and leaf.name not in known:
                name = show_derivative(leaf.name, leaf.order)
                raise ModelError(
                    Diagnostic(
                        "I003",
                        f"{name} does not occur in the model's equations",
                        Label(equation.origin.span, "used in this initial equation"),
                        help="write the condition with variables whose equations are differentiated to this order",
                    )
                )
