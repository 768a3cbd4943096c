"""State selection by dummy derivatives, from the attributes of the variables.

A derivative chosen as dummy is an unknown like any other; what remains
differentiated are the states. Of equally wanted variables
those stay states whose derivatives are hard to solve for, because their factors vary.
Where the factors vary, the choice is watched during the run and made again with other `dummies`.

    x = L*sin(phi)   ->   der(x) = L*cos(phi)*der(phi)   ->   dummy der(x), state phi
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from acausal.causalize.aliases.representative import STATE_RANK
from acausal.causalize.blocks.incidence import numbering
from acausal.causalize.blocks.tear import coefficient_class
from acausal.causalize.index.combined_derivatives import with_combinations
from acausal.causalize.index.dependency_closure import (
    DependencyClosure,
    find_dependencies,
    through_closure,
    with_dependencies,
)
from acausal.ir.dae import Choice, ReducedDae, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.walk import variables_of
from acausal.structure import dummy
from acausal.structure.state_order import ALWAYS, DEFAULT, ease_of_solving, order_by_preference, predecessors
from acausal.symbolic.differentiate import differentiate
from acausal.symbolic.linear import linear_form

STARTS = 0.25
"""Extra preference for a variable with a start value as a state: it decides between equals only."""

_WANTED = {name: ALWAYS - rank for name, rank in STATE_RANK.items()}


def select_states(reduced: ReducedDae, dummies: Sequence[Expr] = ()) -> StateSelection:
    """States and dummy derivatives of the reduced system; `dummies` are chosen before all others."""
    unknowns, index = reduced.unknowns, reduced.index
    if len(reduced.equations) == len(reduced.dae.equations):  # no equation is differentiated, hence no dummies
        return _selection(reduced, [v for v, derivative in enumerate(index.var_derivative) if derivative is not None])
    number_of = numbering(unknowns)
    dependencies = with_combinations(reduced, find_dependencies(reduced, reduced.incidence))
    incidence = with_dependencies(reduced.incidence, dependencies)
    ease = ease_of_solving(incidence, index, _solvable(reduced, number_of))
    wanted = _wanted(reduced)
    first = [number_of[d] for d in dummies]
    order = dict.fromkeys([*first, *order_by_preference(index, wanted, ease)])
    by_hand = {e: c.candidates for e, c in dependencies.items()}
    preferred = {v for v, x in enumerate(unknowns) if not x.order and wanted[v] != DEFAULT}
    chosen = dummy.select_states(incidence, index, order, by_hand, preferred)
    choices = tuple(_choices(reduced, chosen.selections, wanted, dependencies))
    return _selection(reduced, chosen.states, chosen.dummies, choices)


def _selection(
    reduced: ReducedDae, states: Sequence[int], dummies: Sequence[int] = (), choices: tuple[Choice, ...] = ()
) -> StateSelection:
    unknowns, fixed = reduced.unknowns, frozenset(states)
    return StateSelection(
        reduced,
        tuple([unknowns[s] for s in states]),
        tuple([unknowns[d] for d in dummies]),
        tuple([x for number, x in enumerate(unknowns) if number not in fixed]),
        choices,
    )


def _choices(
    reduced: ReducedDae,
    selections: Iterable[dummy.Selection],
    wanted: Sequence[float],
    dependencies: Mapping[int, DependencyClosure],
) -> Iterator[Choice]:
    """The selections that had a choice."""
    pool, unknowns = reduced.dae.pool, reduced.unknowns
    below = predecessors(reduced.index.var_derivative)
    for selection in selections:
        if len(selection.candidates) == len(selection.dummies):
            continue
        if any(e in dependencies and not dependencies[e].explicit for e in selection.eqs):
            continue
        memos: list[dict[Expr, Expr]] = [{} for _ in selection.candidates]
        place = {unknowns[c]: j for j, c in enumerate(selection.candidates)}
        rows = []
        for e in selection.eqs:
            if e in dependencies:
                rows.append(through_closure(reduced, dependencies[e], selection.candidates))
                continue
            residual = pool.sub(reduced.equations[e].left, reduced.equations[e].right)
            row = [pool.zero] * len(memos)
            for x in variables_of((residual,)):
                if x in place:
                    row[place[x]] = differentiate(pool, residual, {x: pool.one}, memos[place[x]])
            rows.append(tuple(row))
        lower = [below[c] for c in selection.candidates]
        choice = Choice(
            tuple([unknowns[c] for c in selection.candidates]),
            tuple([unknowns[d] for d in selection.dummies]),
            tuple(rows),
            tuple([wanted[v] if v is not None and v < len(wanted) else DEFAULT for v in lower]),
        )
        open_ = _without_states_for_ever(choice)
        if open_ is not None:
            yield open_


def _without_states_for_ever(choice: Choice) -> Choice | None:
    """The choice without states that are wanted always; None where then, or by preference, nothing is left to choose.

    Where there are preferences and the only dummy has a factor that does not vary, the choice stays a good one.
    """
    kept = [i for i, c in enumerate(choice.candidates) if choice.wanted[i] < ALWAYS or c in choice.dummies]
    place = {c: i for i, c in enumerate(choice.candidates)}
    preferences = any(abs(w - DEFAULT) >= 1 for w in choice.wanted)
    lasting = len(choice.matrix) == 1 and not choice.matrix[0][place[choice.dummies[0]]].varies
    if len(kept) == len(choice.dummies) or (preferences and lasting):
        return None
    return Choice(
        tuple([choice.candidates[i] for i in kept]),
        choice.dummies,
        tuple([tuple([row[i] for i in kept]) for row in choice.matrix]),
        tuple([choice.wanted[i] for i in kept]),
    )


def _wanted(reduced: ReducedDae) -> list[float]:
    """Preference of each unknown as a state.

    A derivative less than a variable that has a name, one with a start value a little more: whoever began with the
    node voltages of a network will find the equations few variables each if they stay its states.
    """
    by_name = {v.symbol.name: _WANTED[v.attributes.state] for v in reduced.dae.variables}
    given = {v.symbol for v in reduced.dae.variables if v.attributes.start is not None}
    return [
        min(by_name[x.name], DEFAULT - 0.5) if x.order else by_name[x.name] + (STARTS if x in given else 0.0)
        for x in reduced.unknowns
    ]


def _solvable(reduced: ReducedDae, number_of: dict[Expr, int]) -> dict[tuple[int, int], int]:
    """For each differentiated equation how well it can be solved for its highest derivatives."""
    pool = reduced.dae.pool
    classes: dict[tuple[int, int], int] = {}
    for e in range(reduced.index.equation_count, len(reduced.equations)):
        equation = reduced.equations[e]
        leaves = [x for x in equation.variables if x in number_of]
        highest = [x for x in leaves if x.order and pool.derivative(x) not in leaves]
        form = linear_form(pool, pool.sub(equation.left, equation.right), frozenset(highest))
        if form is not None:
            classes |= {(e, number_of[x]): coefficient_class(c) for x, c in form.coefficients.items()}
    return classes
