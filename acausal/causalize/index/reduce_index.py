"""Index reduction: differentiate the equations that Pantelides' algorithm names.

    x^2 + y^2 = L^2   ->   2*x*der(x) + 2*y*der(y) = 0   ->   2*x*der(x, 2) + ... = 0

Derivatives given by hand are taken in place of symbolic ones.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from operator import attrgetter

from acausal.base.diagnostics import Diagnostic, Label, LimitError
from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.ir.dae import Dae, ReducedDae
from acausal.ir.expr import RATE, Expr
from acausal.ir.flat import Equation
from acausal.ir.graph import Incidence, Reduction
from acausal.ir.names import Name
from acausal.ir.origin import How
from acausal.ir.pool import Pool
from acausal.ir.walk import variables_of
from acausal.structure.pantelides import Singular, pantelides
from acausal.symbolic.differentiate import Memo, total

MOST_OPERATIONS = 200_000
"""The limit where none is given."""
FOR_EACH = 20
"""Operations besides for each equation of the system, as large systems have many constraints."""


class StructuralFaultError(Exception):
    """No differentiation makes the system solvable; `unknowns` are what the numbers of `singular` mean."""

    def __init__(self, unknowns: Sequence[Expr], singular: Singular) -> None:
        super().__init__("structurally singular")
        self.unknowns = unknowns
        self.singular = singular


def reduce_index(dae: Dae, most: int = MOST_OPERATIONS, *, underdetermined: bool = False) -> ReducedDae:
    """The system with the derivatives of equations that make it solvable for its highest derivatives.

    StructuralFaultError where there are too many or, unless it may be `underdetermined`, too few equations;
    `explain` says where. LimitError L017 where the
    derivatives are more than `most` equations or operations, besides some for each equation of the system.
    """
    most += FOR_EACH * len(dae.equations)
    unknowns, incidence, derivatives = structure_of(dae)
    found = pantelides(incidence, derivatives, _by_hand(dae, unknowns), underdetermined=underdetermined)
    if isinstance(found, Singular):
        raise StructuralFaultError(unknowns, found)
    made = len(found.eq_derivative) - len(dae.equations)
    if not made:
        return ReducedDae(dae, dae.equations, tuple(unknowns), incidence, found)
    if made > most:
        raise _too_many(dae.equations[_most_differentiated(found)], found, made, most)
    every = _all_unknowns(dae.pool, unknowns, found)  # first, as sums are written in the order of creation
    equations = _with_derivatives(dae, found, most)
    rows = incidence_of(equations[-made:], numbering(every)).vars_of_eq
    return ReducedDae(dae, equations, every, Incidence(incidence.vars_of_eq + rows, len(every)), found)


def structure_of(dae: Dae) -> tuple[list[Expr], Incidence, list[int | None]]:
    """The unknowns, which equation has which of them, and which is the derivative of which."""
    unknowns = _unknowns(dae)
    number_of = numbering(unknowns)
    derivatives: list[int | None] = [None] * len(unknowns)
    for number in range(len(dae.variables), len(unknowns)):
        x = unknowns[number]
        below = number_of.get(dae.pool.variable(x.name, x.order - 1))
        if below is not None:
            derivatives[below] = number
    return unknowns, incidence_of(dae.equations, number_of), derivatives


def _by_hand(dae: Dae, unknowns: Sequence[Expr]) -> dict[int, tuple[tuple[int, ...], ...]]:
    """The unknowns of the derivatives that the authors of equations give, by the number of the equation."""
    given = [(e, equation) for e, equation in enumerate(dae.equations) if equation.derivatives]
    number_of = numbering(unknowns) if given else {}
    return {e: _rows(equation, number_of) for e, equation in given}


def _rows(equation: Equation, number_of: Mapping[Expr, int]) -> tuple[tuple[int, ...], ...]:
    """The unknowns of the derivatives that an equation's author gives."""
    given = [replace(equation, left=a, right=b) for a, b in equation.derivatives]
    return incidence_of(given, number_of).vars_of_eq


def _unknowns(dae: Dae) -> list[Expr]:
    """The variables in the order of the text, behind them their derivatives that occur or make them states."""
    bases = [v.symbol for v in dae.variables]
    known = {v.symbol.name for v in dae.inputs}
    order_of = dict.fromkeys([b.name for b in bases], 0)
    for leaf in _rates(dae.equations):
        if leaf.name not in known:
            order_of[leaf.name] = max(order_of.get(leaf.name, 0), leaf.order)
    for name in _wanted(dae, order_of):
        order_of[name] = max(order_of[name], 1)
    return bases + _derivatives(dae.pool, order_of.items())


def _rates(equations: Sequence[Equation]) -> Sequence[Expr]:
    """All derivatives in the equations, also in derivatives by hand, in the order of creation."""
    with_rates = [e for e in equations if (e.left.flags | e.right.flags) & RATE or e.derivatives]
    found = {leaf for equation in with_rates for leaf in equation.all_variables if leaf.order}
    return sorted(found, key=attrgetter("serial"))


def _wanted(dae: Dae, order_of: Mapping[Name, int]) -> list[Name]:
    """Variables to be differentiated so that they can be states.

    Those with state="always"; with "prefer" those that one equation ties to a differentiated variable alone, as a
    voltage to its charge.
    """
    stated = [v for v in dae.variables if v.attributes.state != "default" and v.type == "real"]
    preferences = [(v.symbol.name, v.attributes.state) for v in stated]
    preferred = {name for name, preference in preferences if preference == "prefer" and not order_of[name]}
    found = [name for name, preference in preferences if preference == "always"]
    for equation in dae.equations if preferred else ():
        names = list(dict.fromkeys([x.name for x in variables_of(equation.sides)]))
        mine = [n for n in names if n in preferred]
        if len(mine) == 1 and len(names) == 2 and all(order_of.get(n) for n in names if n != mine[0]):
            found.append(mine[0])
    return found


def _derivatives(pool: Pool, orders: Iterable[tuple[Name, int]]) -> list[Expr]:
    return [pool.variable(name, order) for name, highest in orders if highest for order in range(1, highest + 1)]


def _all_unknowns(pool: Pool, unknowns: list[Expr], reduction: Reduction) -> tuple[Expr, ...]:
    """The unknowns and the derivatives that the reduction added."""
    every = unknowns + [pool.time] * (len(reduction.var_derivative) - len(unknowns))
    for number, derivative in enumerate(reduction.var_derivative):
        if derivative is not None:
            every[derivative] = pool.derivative(every[number])
    return tuple(every)


def _with_derivatives(dae: Dae, reduction: Reduction, most: int) -> tuple[Equation, ...]:
    equations, before = list(dae.equations), len(dae.pool)
    source = [0] * len(reduction.eq_derivative)
    for number, derivative in enumerate(reduction.eq_derivative):
        if derivative is not None:
            source[derivative] = number
    memo: Memo = {}
    for number in range(len(dae.equations), len(reduction.eq_derivative)):
        if len(dae.pool) - before > most:
            made = len(reduction.eq_derivative) - len(dae.equations)
            raise _too_many(dae.equations[_most_differentiated(reduction)], reduction, made, most)
        equations.append(_differentiated(dae.pool, equations[source[number]], memo))
    return tuple(equations)


def _most_differentiated(reduction: Reduction) -> int:
    """The equation that is differentiated most often."""
    counts = reduction.differentiations
    return max(range(len(counts)), key=counts.__getitem__)


def _too_many(equation: Equation, reduction: Reduction, made: int, most: int) -> LimitError:
    often = max(reduction.differentiations)
    return LimitError(
        Diagnostic(
            "L017",
            f"index reduction makes {made} derivatives of equations; the limit is {most} of them and their operations",
            Label(equation.origin.span, f"to be differentiated {often} times"),
            help="prescribe a variable closer to the unknown, or raise the limit with --limit differentiated=NUMBER",
        )
    )


def _differentiated(pool: Pool, equation: Equation, memo: Memo) -> Equation:
    origin = equation.origin.become(How.DIFFERENTIATED)
    if equation.derivatives:
        (left, right), rest = equation.derivatives[0], equation.derivatives[1:]
        return replace(equation, left=left, right=right, derivatives=rest, origin=origin)
    left, right = (total(pool, side, memo) for side in (equation.left, equation.right))
    return replace(equation, left=left, right=right, origin=origin)
