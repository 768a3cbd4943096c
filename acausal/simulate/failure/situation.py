"""A failed evaluation and what its equations knew then: the sorted system, the block of an unknown, known values."""

from math import isfinite
from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Block
from acausal.ir.origin import How
from acausal.ir.program.program import Program
from acausal.simulate.failure.equations_behind import Equations
from acausal.simulate.failure.interpreter import Interpretation
from acausal.simulate.failure.singular_block import block_of
from acausal.simulate.failure.sorted_equations import Values, known_values, sorted_system

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True)
class Failure:
    """A routine that found no solution, or numbers that are not finite, at time t: arrays and what `interpret` saw."""

    program: Program
    routine: str
    t: float
    y: "Array"
    u: "Array"
    p: "Array"
    interpreted: Interpretation


def situation(failure: Failure, equations: Equations, unknown: Expr) -> tuple[SortedSystem, Block | None, Values]:
    """The system that the routine solves, the block of an unknown (None if it is known), and known values."""
    system = sorted_system(equations, failure.program, failure.routine)
    return system, block_of(system, unknown), known_of(failure, equations)


def known_of(failure: Failure, equations: Equations) -> Values:
    """Leaves and their values, as far as these are finite numbers."""
    values = {s: x for s, x in failure.interpreted.values.items() if isfinite(x)}
    y = [] if failure.routine == "initial" else failure.y.tolist()
    return known_values(equations, failure.program, failure.t, y, failure.u.tolist(), failure.p.tolist(), values)


def is_condition(equation: Equation) -> bool:
    """True if the equation holds at the first instant only."""
    made = equation.origin.how in (How.START, How.STEADY)
    return made or equation.origin.span.text.startswith("initial")
