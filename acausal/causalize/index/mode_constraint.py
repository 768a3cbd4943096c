"""A constraint of states that holds in one mode of a relation only."""

from acausal.base.frozen import dataclass
from acausal.ir.expr import Expr
from acausal.ir.graph import Block


@dataclass(frozen=True, slots=True)
class ModeConstraint:
    """In the mode where the frozen `leaf` is true (or false, if not `active`), an equation is a constraint of states.

    `equation` is its number in the sorted system, `levels` are the constraint and its derivatives without unknowns,
    the last of which impulses fulfil, and `highest` the derivative that determines an unknown of the `block`. Where
    the equation measures in the other mode how far the constraint is open, `returns` is the sign by which something
    subtracted from it moves the relation away from this mode, else 0.
    """

    leaf: Expr
    active: bool
    returns: int
    equation: int
    block: Block
    levels: tuple[Expr, ...]
    highest: Expr
