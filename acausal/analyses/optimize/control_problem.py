"""The request of an optimal control: the grid of its unknowns, its objective and constraints."""

from typing import TYPE_CHECKING

from acausal.analyses.optimize.functionals import Constraint, Functional
from acausal.base.frozen import dataclass
from acausal.ir.expr import Expr
from acausal.ir.pool import Pool

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Equal intervals and what is unknown on them.

    `duration` are its least and greatest value, `controls` (controls, 2) bounds, `states` (states, 2) bounds.
    """

    start: "Array"
    intervals: int
    is_linear: bool
    controls: "Array"
    states: "Array"
    duration: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Objective, constraints and functionals: `leaves` of these by number, `paths` in the order of the node's rows."""

    pool: Pool
    objective: Expr
    constraints: tuple[Constraint, ...]
    paths: tuple[Constraint, ...]
    leaves: tuple[Expr, ...]
    functionals: tuple[Functional, ...]
    rows: tuple[int, ...]
    """The row of a node that each functional is made of."""
