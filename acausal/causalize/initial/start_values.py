"""Guesses for places that follow from coordinates, which are what a model gives start values of.

    r = q + 0.3, where a loop determines r and then q = r - 0.3          guess of r: start of q + 0.3

Newton's method then begins where the mechanism is as it was drawn, not at the origin.
"""

from collections.abc import Mapping
from dataclasses import replace

from acausal.ir.dae import SortedSystem
from acausal.ir.expr import Expr
from acausal.ir.flat import NO_ATTRIBUTES, Attributes
from acausal.ir.walk import variables_of
from acausal.symbolic.isolate import isolate
from acausal.symbolic.substitute import substitute


def with_guesses(
    system: SortedSystem, attributes: Mapping[Expr, Attributes], moving: frozenset[Expr]
) -> Mapping[Expr, Attributes]:
    """The attributes with start values for variables that have none and alone determine one that has derivatives."""
    coordinates = {v for v, x in enumerate(system.unknowns) if x in moving and not x.order}
    if not coordinates:
        return attributes
    found = dict(attributes)
    for block in system.blocks:
        if len(block.vars) > 1 or block.vars[0] not in coordinates:
            continue
        unknown = system.unknowns[block.vars[0]]
        equation = system.equations[block.eqs[0]]
        others = [x for x in variables_of((equation.left, equation.right)) if x is not unknown]
        if len(others) != 1 or others[0].order:
            continue
        value = isolate(system.pool, equation.left, equation.right, others[0])
        given = found.get(others[0], NO_ATTRIBUTES)
        if value is None or given.start is not None:
            continue
        start = found.get(unknown, NO_ATTRIBUTES).start or system.pool.zero
        guess = substitute(system.pool, value, {unknown: start})
        if not guess.varies:
            found[others[0]] = replace(given, start=guess)
    return found
