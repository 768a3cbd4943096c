"""Initial conditions that the others determine already: those that hold are left out with a note.

    L1.i = 0,  L2.i = 0,  L3.i = 0,  L1.i + L2.i + L3.i = 0      three hold, two are needed

A surplus condition and the equations that it competes with are one more than their unknowns. Whether they agree is
found by the Gauss-Newton method at the values of the parameters; the parameters that they hold are folded, so that
other values are checked again.
"""

from collections.abc import Iterable, Iterator, Sequence

from acausal.base.diagnostics import Diagnostic, Label, Severity
from acausal.base.frozen import dataclass
from acausal.causalize.loops.redundant_constraints import damped
from acausal.ir.dae import Dae
from acausal.ir.expr import Expr
from acausal.ir.flat import Equation, numbers_of
from acausal.ir.names import listed
from acausal.ir.show.expressions import show_equation
from acausal.ir.walk import postorder
from acausal.structure.null_space import null_space
from acausal.symbolic.slopes import NoSlopeError, Point, Slope

MOST_EQUATIONS = 100
"""More equations are not judged: their conditions count as contradictory."""
MOST_STEPS = 30
AGREED = 1e-10
"""Residuals below this share of the unknowns and coefficients are zero."""
SHOWN = 4


@dataclass(frozen=True, slots=True)
class Redundant:
    """A condition that follows from the others at these values of the `folded` parameters."""

    condition: Equation
    others: tuple[Equation, ...]
    folded: tuple[Expr, ...]


def redundant(
    dae: Dae, equations: Sequence[Equation], conditions: Sequence[Equation], unknowns: Sequence[Expr]
) -> Redundant | None:
    """The condition that follows best from the others, if all equations and conditions hold together.

    None where they do not, or that is not known.
    """
    run, equations = len(equations), [*equations, *conditions]
    if len(equations) > MOST_EQUATIONS:
        return None
    leaves = dict.fromkeys(postorder([side for e in equations for side in (e.left, e.right)]))
    fixed = {p.symbol for p in dae.parameters if p.tunable}
    parameters = [x for x in leaves if x.op == "parameter"]
    others = [x for x in leaves if x.op in ("frozen", "time") or (x.op == "variable" and x not in unknowns)]
    if others or fixed.intersection(parameters):
        return None
    slopes = _slopes_where_all_hold(dae, equations, unknowns)
    place = {x: k for k, x in enumerate(unknowns)}
    rows = [{place[x]: s for x, s in row.items()} for row in slopes or ()]
    space = null_space(rows, len(place)) if rows else None
    factors = space.rows[0] if space is not None and space.rows else {}
    number = max((e for e in factors if e >= run), key=lambda e: abs(factors[e]), default=None)
    if number is None:
        return None
    condition = equations[number]
    already = set(dae.folded)
    rivals = tuple([e for e in equations if e is not condition])
    return Redundant(condition, rivals, tuple([p for p in parameters if p not in already]))


def _slopes_where_all_hold(dae: Dae, equations: Sequence[Equation], unknowns: Sequence[Expr]) -> list[Slope] | None:
    """The derivatives where the unknowns satisfy all equations, found from their start values by Gauss-Newton steps."""
    pool, known = dae.pool, numbers_of(dae.parameters)
    residuals = [pool.sub(e.left, e.right) for e in equations]
    starts = {v.symbol: v.attributes.start for v in dae.variables}
    values = dict.fromkeys(unknowns, 0.0)
    for x in unknowns:
        start = starts.get(x)
        if start is not None:
            values[x] = Point(pool, 1, 1.0, known).value(start)
    for _ in range(MOST_STEPS):
        point = Point(pool, 1, 1.0, known | values)
        try:
            rest = [point.value(r) for r in residuals]
            slopes = [point.slope(r, values.keys()) for r in residuals]
        except NoSlopeError:
            return None
        sizes = [1.0 + sum(abs(s) * abs(values[x]) for x, s in slope.items()) for slope in slopes]
        if all(abs(r) <= AGREED * size for r, size in zip(rest, sizes, strict=True)):
            return slopes
        matrix = [[slope.get(x, 0.0) for x in unknowns] for slope in slopes]
        for x, move in zip(unknowns, damped(matrix, rest, 0.0), strict=True):
            values[x] -= move
    return None


def notes_of(found: Iterable[Redundant], run: Sequence[Equation]) -> Iterator[Diagnostic]:
    """I013 for each condition that was left out; `run` are equations that are no conditions."""
    own = set(map(id, run))
    for item in found:
        others = [e for e in item.others if id(e) not in own]
        shown = listed(map(show_equation, others), SHOWN)
        follows = f"{shown} and the model's equations" if others else "the model's equations"
        yield Diagnostic(
            "I013",
            f"the initial condition {show_equation(item.condition)} is redundant: it follows from {follows}",
            Label(item.condition.origin.span, "redundant, removed"),
            tuple([Label(e.origin.span, show_equation(e)) for e in others[:SHOWN]]),
            severity=Severity.NOTE,
        )
