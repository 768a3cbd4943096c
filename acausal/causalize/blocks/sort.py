"""Sorting: which equation determines which unknown, and in which order (BLT form)."""

from collections.abc import Sequence

from acausal.base.diagnostics import InternalError
from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.ir.dae import SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Incidence, Matching
from acausal.ir.pool import Pool
from acausal.structure.blt import sort_blocks
from acausal.structure.matching import match


def sort(
    pool: Pool,
    equations: tuple[Equation, ...],
    unknowns: tuple[Expr, ...],
    incidence: Incidence | None = None,
    known: Matching | None = None,
) -> SortedSystem:
    """The blocks of a system with as many equations as unknowns, in solvable order; `incidence` where it is known.

    The system must be structurally regular: the passes before have seen to that. A perfect matching that is `known` is
    taken where there is no other, as in systems without loops.
    """
    if incidence is None:
        incidence = incidence_of(equations, numbering(unknowns))
    if known is not None:
        blocks = sort_blocks(incidence, known)
        if len(blocks) == len(equations):
            return SortedSystem(pool, equations, unknowns, blocks)
    return _sorted(pool, equations, unknowns, incidence, match(incidence))


def sort_run(selection: StateSelection) -> SortedSystem:
    """The blocks of the run; where no equation is differentiated, index reduction has matched all of them already."""
    reduced, states = selection.reduced, frozenset(selection.states)
    kept = [v for v, x in enumerate(reduced.unknowns) if x not in states]
    incidence = reduced.incidence.select(range(len(reduced.equations)), kept)
    differentiated = len(reduced.equations) > len(reduced.dae.equations)
    matching = match(incidence) if differentiated else _selected(reduced.index.matching, kept)
    return _sorted(reduced.dae.pool, reduced.equations, selection.unknowns, incidence, matching)


def _selected(matching: Matching, variables: Sequence[int]) -> Matching:
    """The matching of these variables, which are all it matches, renumbered."""
    eq_of_var = tuple([matching.eq_of_var[v] for v in variables])
    var_of_eq: list[int | None] = [None] * len(matching.var_of_eq)
    for var, eq in enumerate(eq_of_var):
        if eq is not None:
            var_of_eq[eq] = var
    return Matching(eq_of_var, tuple(var_of_eq))


def _sorted(
    pool: Pool,
    equations: tuple[Equation, ...],
    unknowns: tuple[Expr, ...],
    incidence: Incidence,
    matching: Matching,
) -> SortedSystem:
    if not matching.is_perfect:
        raise InternalError("sort", f"{len(matching.unmatched_vars)} unknowns have no equation")
    return SortedSystem(pool, equations, unknowns, sort_blocks(incidence, matching))
