"""Checks at consistent points: incorrect derivatives given by hand, and linearly dependent equations.

The points lie on a run of the model, at times drawn by a seeded generator, so that all constraints hold there. Where
a derivative by hand holds, the total derivative of the equation before it must vanish, led through the equations
that determine its variables. An overconstrained loop looks regular off its constraints; on them it is singular.
"""

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from acausal.base.diagnostics import Diagnostic, Label
from acausal.causalize.blocks.incidence import incidence_of, numbering
from acausal.causalize.blocks.sort import sort_run
from acausal.causalize.explain.dependent_equations import explain_rank
from acausal.causalize.index.dependency_closure import DependencyClosure, along, find_dependencies
from acausal.causalize.index.hidden_constraints import Verdict
from acausal.causalize.index.numeric_rank import dependence_at
from acausal.causalize.index.state_choice import choose_at
from acausal.ir.dae import ReducedDae, SortedSystem, StateSelection
from acausal.ir.expr import Expr
from acausal.ir.flat import FlatModel, numbers_of
from acausal.ir.names import show_derivative
from acausal.ir.show.expressions import show_equation
from acausal.symbolic.slopes import Point

POINTS = 5
TOLERANCE = 1e-5
"""A derivative larger than this share of what it is made of counts."""


def numeric_faults(
    flat: FlatModel, selection: StateSelection, run: SortedSystem, column: Mapping[str, Sequence[float]]
) -> tuple[Diagnostic, ...]:
    """S008 for derivatives given by hand that are none, then S003 or S006; `column` has a run by name.

    The rank is that with states which are good at one of the points, as the run chooses them: with others, equations
    may be singular at every consistent point.
    """
    reduced = selection.reduced
    values = list(_points(reduced, column))
    points = [Point(reduced.dae.pool, number, 1.0, known) for number, known in enumerate(values)]
    wrong = list(_wrong_derivatives(reduced, points))
    chosen = choose_at(selection, values[0]) if values else selection
    run = run if chosen is selection else sort_run(chosen)
    found = dependence_at(run, points)
    if found is None:
        return tuple(wrong)
    return (*wrong, *explain_rank(flat, reduced.dae, run, found, Verdict.REPEAT).report.diagnostics)


def _points(reduced: ReducedDae, column: Mapping[str, Sequence[float]]) -> Iterator[dict[Expr, float]]:
    pool, dae = reduced.dae.pool, reduced.dae
    fixed = numbers_of(dae.parameters)
    leaves = [(x, show_derivative(x.name, x.order)) for x in (*reduced.unknowns, *(v.symbol for v in dae.inputs))]
    times = column["time"]
    for row in sorted(Random(0).sample(range(len(times)), min(POINTS, len(times)))):
        values = {x: float(column[name][row]) for x, name in leaves if name in column}
        yield fixed | values | {pool.time: float(times[row])}


def _wrong_derivatives(reduced: ReducedDae, points: Sequence[Point]) -> Iterator[Diagnostic]:
    incidence = incidence_of(reduced.equations, numbering(reduced.unknowns))
    reported = set()
    for after, closure in find_dependencies(reduced, incidence).items():
        equation = reduced.equations[closure.before]
        span = equation.origin.span
        if not closure.explicit or span in reported:
            continue
        worst = max((_size(reduced, closure, p) for p in points), default=0.0)
        if worst > TOLERANCE:
            reported.add(span)
            yield Diagnostic(
                "S008",
                f"the derivative given by hand is not the derivative of {show_equation(equation)}",
                Label(
                    span,
                    f"the residual of the derivative is {worst:.3g} where {show_equation(reduced.equations[after])}",
                ),
                help="correct the derivative, or omit it: the equation is then differentiated symbolically",
            )


def _size(reduced: ReducedDae, closure: DependencyClosure, point: Point) -> float:
    """The derivative along the run, in shares of the rates that it is made of."""
    derivative, rates = along(reduced, closure)
    return abs(point.value(derivative)) / (1.0 + max((abs(point.value(r)) for r in rates), default=0.0))
