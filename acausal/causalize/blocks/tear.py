"""Tearing of one block: how well each equation can be solved for each unknown, then the heuristics."""

from collections.abc import Mapping, Sequence

from acausal.ir.expr import Expr
from acausal.ir.graph import Incidence
from acausal.structure.breadth_first import order_breadth_first
from acausal.structure.exchange_tears import exchange_tears
from acausal.structure.tear_reduction import reduce_tears
from acausal.structure.tearing import SOLVABLE, SOLVABLE_WITH_CARE, Tearing, tear

Solvability = Mapping[tuple[int, int], int]


def coefficient_class(coefficient: Expr) -> int:
    """SOLVABLE where it cannot be zero (a product of numbers, parameters and reciprocals), else SOLVABLE_WITH_CARE."""
    factors = coefficient.args if coefficient.op == "mul" else (coefficient,)
    return SOLVABLE if all(map(_never_zero, factors)) else SOLVABLE_WITH_CARE


def _never_zero(factor: Expr) -> bool:
    if factor.op == "pow" and factor.args[1].op == "const" and factor.args[1].number < 0:
        return True
    base = factor.args[0] if factor.op in ("pow", "neg") else factor
    return base.op in ("const", "parameter")


def tear_block(rows: Sequence[Sequence[int]], solvable: Solvability) -> Tearing:
    """Tear a square block whose equations and unknowns are numbered from 0.

    Only pivots that cannot vanish during the run are used.
    """
    incidence = Incidence(tuple(map(tuple, rows)), len(rows))
    return tear(range(len(rows)), range(len(rows)), incidence, solvable, SOLVABLE)


def tear_linear_block(rows: Sequence[Sequence[int]], solvable: Solvability) -> Tearing:
    """The same with as few tearing variables as may be: what is left is a dense system of their number.

    (Newton's method, in nonlinear blocks, is better off with more of them than with long chains.)
    """
    incidence = Incidence(tuple(map(tuple, rows)), len(rows))
    fewer = reduce_tears(tear_block(rows, solvable), incidence, solvable, SOLVABLE)
    fewest = exchange_tears(fewer, incidence, solvable, SOLVABLE)
    return order_breadth_first(fewest, incidence, solvable, SOLVABLE)
