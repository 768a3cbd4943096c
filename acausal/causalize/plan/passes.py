"""The passes of causalization, in their order: each takes and returns the state of a round."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from acausal.base.lazy import lazy
from acausal.causalize.blocks.sort import sort_run
from acausal.causalize.index.reduce_index import StructuralFaultError, reduce_index
from acausal.causalize.index.select_states import select_states
from acausal.causalize.index.state_choice import choose_at_start
from acausal.causalize.plan.rounds import Round
from acausal.ir.dae import Dae, ReducedDae
from acausal.symbolic.linear import linear_form

if TYPE_CHECKING:
    from acausal.causalize.explain.dependent_equations import explain_rank
    from acausal.causalize.explain.known_unknown import with_roles
    from acausal.causalize.explain.singular_structure import explain
    from acausal.causalize.index.dead_equations import prune
    from acausal.causalize.index.mode_dependent_index import change_index
    from acausal.causalize.index.numeric_rank import find_dependence
    from acausal.causalize.loops.held_shafts import find_held_shafts
    from acausal.causalize.loops.redundant_modes import find_redundant_modes
    from acausal.causalize.loops.relieve import relieve
    from acausal.causalize.plan.hidden import constrained
else:  # only some models need them
    explain_rank = lazy("causalize.explain.dependent_equations", "explain_rank")
    with_roles = lazy("causalize.explain.known_unknown", "with_roles")
    explain = lazy("causalize.explain.singular_structure", "explain")
    prune = lazy("causalize.index.dead_equations", "prune")
    change_index = lazy("causalize.index.mode_dependent_index", "change_index")
    find_dependence = lazy("causalize.index.numeric_rank", "find_dependence")
    find_held_shafts = lazy("causalize.loops.held_shafts", "find_held_shafts")
    find_redundant_modes = lazy("causalize.loops.redundant_modes", "find_redundant_modes")
    relieve = lazy("causalize.loops.relieve", "relieve")
    constrained = lazy("causalize.plan.hidden", "constrained")


def drop_redundancy_by_hand(state: Round) -> Round:
    """Redundant constraints, where derivatives are given by hand: before the index is reduced."""
    if state.relieved or not [e for e in state.dae.equations if e.derivatives]:
        return state
    found = relieve(state.flat, state.dae, state.most)
    return replace(state, dae=found or state.dae, relieved=True)


def reduce(state: Round) -> Round:
    """Index reduction; a singular structure may be due to redundant constraints."""
    try:
        return state.with_reduced(reduce_index(state.dae, state.most))
    except StructuralFaultError as fault:
        surplus = fault.singular.over and not state.dae.undetermined
        found = relieve(state.flat, state.dae, state.most, singular=True) if surplus else None
        if found is None:
            explained = explain(state.flat, state.dae, fault)
            raise with_roles(explained, state.flat, state.dae, fault) from None
        return replace(state, dae=found, relieved=True, changed=True)


def drop_redundancy(state: Round) -> Round:
    """Redundant constraints whose coefficients vary: structure and generic points do not show them."""
    if state.relieved or not _has_varying_constraints(state.reduced):
        return state
    return replace(state, relieved=True).change(relieve(state.flat, state.dae, state.most))


def drop_dead_equations(state: Round) -> Round:
    """Equations that the outputs do not need."""
    needed = prune(state.reduced, state.outputs) if state.outputs else state.dae
    return state if needed is state.dae else state.with_reduced(reduce_index(needed, state.most))


def select(state: Round) -> Round:
    """The selection of states."""
    return state.with_selection(choose_at_start(select_states(state.reduced)))


def sort(state: Round) -> Round:
    """Blocks in the order of their solution."""
    return state.with_run(sort_run(state.selection))


def constrain_modes(state: Round) -> Round:
    """Constraints that hold in one mode of a relation."""
    if state.last or not _has_branches(state.dae):
        return state
    return state.change(change_index(state.selection, state.run))


def constrain_dependent(state: Round) -> Round:
    """Hidden constraints: combinations of equations that depend on each other by their numbers."""
    if all(len(block.eqs) == 1 for block in state.run.blocks):
        return state
    found = find_dependence(state.run, state.dae.parameters)
    if found is None:
        return state
    if state.last:
        raise explain_rank(state.flat, state.dae, state.run, found)
    return state.change(constrained(state, found))


def record_redundant_modes(state: Round) -> Round:
    """Constraints that are redundant in one mode only: their reactions have minimum norm there."""
    if not _has_branches(state.dae):
        return state
    given = state.flat, state.dae, state.run
    found = [*find_redundant_modes(*given), *find_held_shafts(*given)]
    if not found:
        return state
    return state.with_selection(state.selection.with_redundancies([r for r, _ in found], [n for _, n in found]))


PASSES: tuple[tuple[str, Callable[[Round], Round]], ...] = (
    ("redundancy", drop_redundancy_by_hand),
    ("reduce index", reduce),
    ("redundancy", drop_redundancy),
    ("prune", drop_dead_equations),
    ("select states", select),
    ("sort", sort),
    ("modes", constrain_modes),
    ("rank", constrain_dependent),
    ("modes", record_redundant_modes),
)
"""Stage, as the statistics name it, and pass."""


def _has_branches(dae: Dae) -> bool:
    return bool(dae.events.frozen) and dae.pool.has_operations("if")


def _has_varying_constraints(reduced: ReducedDae) -> bool:
    """True if an equation was differentiated whose coefficients vary: at generic points such look independent."""
    dae = reduced.dae
    for number, equation in enumerate(dae.equations):
        if reduced.index.eq_derivative[number] is not None:
            form = linear_form(dae.pool, dae.pool.sub(equation.left, equation.right), set(equation.variables))
            if form is None or any(c.varies for c in form.coefficients.values()):
                return True
    return False
