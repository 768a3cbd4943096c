"""From scalar equations to their order, in rounds: what numbers show of them, structure did not know before.

reduce the index, prune, select states, sort; then dependent equations by their numbers, and again
"""

from typing import TYPE_CHECKING

from acausal.base.diagnostics import InternalError, ModelError
from acausal.base.timing import StageTimer
from acausal.causalize.blocks.sort import sort_run
from acausal.causalize.index.reduce_index import StructuralFaultError, reduce_index
from acausal.causalize.index.select_states import select_states
from acausal.causalize.index.state_choice import choose_at_start
from acausal.ir.dae import Dae, ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel
from acausal.symbolic.linear import linear_form

if TYPE_CHECKING:
    from acausal.causalize.index.numeric_rank import Dependence

MOST_HIDDEN = 200
"""Constraints that only numbers show, one after the other."""


def causal(
    flat: FlatModel, dae: Dae, outputs: tuple[Expr, ...], clock: StageTimer, most: int
) -> tuple[Dae, StateSelection, SortedSystem]:
    """States and order of the equations; again, where their numbers show a constraint that structure did not.

    Index reduction may make `most` operations.
    """
    relieved = any(e.derivatives for e in dae.equations)
    if relieved:
        dae = clock.measured("redundancy", _relieved(flat, dae, most)) or dae
    for left in reversed(range(MOST_HIDDEN)):
        try:
            reduced = clock.measured("reduce index", reduce_index(dae, most))
        except StructuralFaultError as fault:
            less = None if relieved else _relieved(flat, dae, most)
            if less is None:
                raise _explained(flat, dae, fault) from None
            dae, relieved = less, True
            continue
        if not relieved and _has_varying_constraints(reduced):
            relieved = True
            less = clock.measured("redundancy", _relieved(flat, dae, most))
            if less is not None:
                dae = less
                continue
        needed = clock.measured("prune", _pruned(reduced, outputs)) if outputs else dae
        if needed is not dae:
            dae = needed
            reduced = clock.measured("reduce index", reduce_index(dae, most))
        selection = clock.measured("select states", choose_at_start(select_states(reduced)))
        run = clock.measured("sort", sort_run(selection))
        simpler = clock.measured("modes", _with_mode_constraint(selection, run)) if left else None
        simpler = simpler or clock.measured("rank", _without_dependence(flat, reduced, run, most, last=not left))
        if simpler is None:
            selection = clock.measured("modes", _with_redundancies(flat, selection, run))
            return selection.reduced.dae, selection, run
        dae = simpler
    raise InternalError("rank", "index reduction does not terminate")


def _with_mode_constraint(selection: StateSelection, run: SortedSystem) -> Dae | None:
    """Loaded only for a model with relations and branches."""
    dae = selection.reduced.dae
    if not dae.events.held or not dae.pool.has_operations("if"):
        return None
    from acausal.causalize.index.mode_dependent_index import change_index

    return change_index(selection, run)


def _with_redundancies(flat: FlatModel, selection: StateSelection, run: SortedSystem) -> StateSelection:
    """Loaded only for a model with relations and branches."""
    dae = selection.reduced.dae
    if not dae.events.held or not dae.pool.has_operations("if"):
        return selection
    from acausal.causalize.loops.redundant_modes import find_redundant_modes

    found = list(find_redundant_modes(flat, dae, run))
    return selection.with_redundancies([r for r, _ in found], [n for _, n in found]) if found else selection


def _relieved(flat: FlatModel, dae: Dae, most: int) -> Dae | None:
    """The system without redundant constraints; loaded only for a model with constraints, or with a fault."""
    from acausal.causalize.loops.relieve import relieve

    return relieve(flat, dae, most)


def _has_varying_constraints(reduced: ReducedDae) -> bool:
    """True if an equation was differentiated whose coefficients vary: at made-up points such look independent."""
    dae = reduced.dae
    for number, equation in enumerate(dae.equations):
        if reduced.index.eq_derivative[number] is not None:
            form = linear_form(dae.pool, dae.pool.sub(equation.left, equation.right), set(equation.variables))
            if form is None or any(c.varies for c in form.coefficients.values()):
                return True
    return False


def _pruned(reduced: ReducedDae, outputs: tuple[Expr, ...]) -> Dae:
    """Loaded only for outputs."""
    from acausal.causalize.index.dead_equations import prune

    return prune(reduced, outputs)


def _without_dependence(
    flat: FlatModel, reduced: ReducedDae, run: SortedSystem, most: int, *, last: bool
) -> Dae | None:
    """None where all equations are independent; the system with a hidden constraint; else ModelError."""
    if all(len(block.eqs) == 1 for block in run.blocks):
        return None
    from acausal.causalize.index.numeric_rank import find_dependence

    found = find_dependence(run, reduced.dae.parameters)
    if found is None:
        return None
    from acausal.causalize.explain.dependent_equations import explain_rank

    if last:
        raise explain_rank(flat, reduced.dae, run, found)
    return _with_hidden_constraint(flat, reduced, run, found, most)


def _with_hidden_constraint(
    flat: FlatModel, reduced: ReducedDae, run: SortedSystem, found: "Dependence", most: int
) -> Dae:
    """The system with a hidden constraint in place of one of the dependent equations; ModelError where there is none.

    Loaded only for a model with dependent equations.
    """
    from acausal.causalize.explain.dependent_equations import explain_rank
    from acausal.causalize.index.augment_system import augment
    from acausal.causalize.index.hidden_constraints import Verdict, candidate_of, combine

    candidate = candidate_of(reduced, run, found)
    combined = combine(reduced, candidate)
    if combined is Verdict.UNKNOWN:
        combined = augment(reduced, candidate) or combined
    if combined is Verdict.REPEAT:
        combined = _relieved(flat, reduced.dae, most) or combined
    if isinstance(combined, Verdict):
        raise explain_rank(flat, reduced.dae, run, found, combined)
    return combined


def _explained(flat: FlatModel, dae: Dae, fault: StructuralFaultError) -> ModelError:
    """Loaded only for a model with such a fault."""
    from acausal.causalize.explain.known_unknown import with_roles
    from acausal.causalize.explain.singular_structure import explain

    return with_roles(explain(flat, dae, fault), flat, dae, fault)
