"""From equations to integers: which unknowns occur in which equation."""

from collections.abc import Iterable, Mapping, Sequence

from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Incidence


def numbering(unknowns: Iterable[Expr]) -> dict[Expr, int]:
    """The number of each unknown."""
    return {unknown: number for number, unknown in enumerate(unknowns)}


def incidence_of(equations: Sequence[Equation], number_of: Mapping[Expr, int]) -> Incidence:
    """The incidence of the equations over the numbered unknowns; other leaves count as known."""
    rows = []
    for equation in equations:
        rows.append(tuple([number_of[leaf] for leaf in equation.variables if leaf in number_of]))
    return Incidence(tuple(rows), len(number_of))
