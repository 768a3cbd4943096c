"""Sorting: which equation determines which unknown, and in which order (BLT form)."""

from acausal.causalize.incidence import incidence_of, numbering
from acausal.diagnostics import InternalError
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr, Pool
from acausal.ir.flat import Equation
from acausal.structure.blt import sort_blocks
from acausal.structure.matching import match


def sort(pool: Pool, equations: tuple[Equation, ...], unknowns: tuple[Expr, ...]) -> SortedSystem:
    """The blocks of a system with as many equations as unknowns, in solvable order.

    The system must be structurally regular: the passes before have seen to that.
    """
    incidence = incidence_of(equations, numbering(unknowns))
    matching = match(incidence)
    if not matching.is_perfect:
        raise InternalError("sort", f"{len(matching.unmatched_vars)} unknowns have no equation")
    return SortedSystem(pool, equations, unknowns, sort_blocks(incidence, matching))
