"""Values that follow from known ones: each equation with one unknown left gives its value.

phi = 0.3, x = L*cos(phi), x^2 + y = 1      phi known: x, then y
"""

from collections.abc import Mapping
from math import isfinite, nan

from acausal.ir.dae import ReducedDae
from acausal.ir.evaluate import evaluated
from acausal.ir.expr import Expr
from acausal.ir.operator import Value
from acausal.ir.walk import variables_of
from acausal.symbolic.isolate import isolate


def propagate(reduced: ReducedDae, known: Mapping[Expr, Value]) -> dict[Expr, Value]:
    """The known values and all that follow from them by formulas of single equations, breadth first."""
    values = dict(known)
    pool, equations = reduced.dae.pool, reduced.equations
    of_equation = [variables_of([e.left, e.right]) for e in equations]
    left = [sum(x not in values for x in variables) for variables in of_equation]
    equations_of: dict[Expr, list[int]] = {}
    for number, variables in enumerate(of_equation):
        for x in variables:
            equations_of.setdefault(x, []).append(number)
    ready = [number for number, count in enumerate(left) if count == 1]
    for number in ready:
        unknown = next((x for x in of_equation[number] if x not in values), None)
        if unknown is None:
            continue
        formula = isolate(pool, equations[number].left, equations[number].right, unknown)
        value = nan if formula is None else evaluated(formula, values)
        if not isfinite(value):
            continue
        values[unknown] = value
        for other in equations_of[unknown]:
            left[other] -= 1
            if left[other] == 1:
                ready.append(other)
    return values
