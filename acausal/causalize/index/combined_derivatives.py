"""Derivatives given by hand that are combinations of the derivatives of the equations before.

    x = cos(phi), y = sin(phi)                                       [x - cos(phi), y - sin(phi)] = 0
    derivative [der(y) - ..., der(x) + ...] = 0                      element 1 is the derivative of element 2

The elements of an array equation together constrain velocities as those before constrain places, but each by itself
speaks of others. Then each is judged by its own factors: accelerations by those of the equation of velocities, as
always, and equations of velocities by the same, not by those of the places before.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from acausal.causalize.index.consistent_point import consistent_point
from acausal.causalize.index.dependency_closure import DependencyClosure, through_closure
from acausal.causalize.index.generic_point import GenericPoint, evaluate
from acausal.ir.dae import ReducedDae
from acausal.ir.walk import variables_of
from acausal.structure.state_order import predecessors

ZERO = 1e-6
"""Factors that are not larger are zero."""

Dependencies = Mapping[int, DependencyClosure]


def with_combinations(reduced: ReducedDae, dependencies: Dependencies) -> Dependencies:
    """The closures, where those of combined derivatives have all their candidates, by their own factors.

    Factors stay left out that are zero at any point, or where the constraints hold: as of velocities turned into axes
    that a loop keeps parallel to others.
    """
    groups = [g for g in _groups(reduced, dependencies) if _suspects(reduced, dependencies, g)]
    if groups:
        generic = GenericPoint(reduced)
        groups = [g for g in groups if _combined(reduced, dependencies, g, generic)]
    point = consistent_point(reduced, dependencies) if groups else None
    if point is None:
        return dependencies
    changed = dict(dependencies)
    for group in groups:
        if _combined(reduced, dependencies, group, point):
            changed |= _by_own_factors(reduced, dependencies, group)
    return changed


def _groups(reduced: ReducedDae, dependencies: Dependencies) -> Iterable[list[int]]:
    """The derivatives of the elements of each array equation, all levels together."""
    groups: dict[object, list[int]] = {}
    for after in dependencies:
        origin = reduced.equations[after].origin
        groups.setdefault((origin.span, origin.path), []).append(after)
    return groups.values()


def _suspects(reduced: ReducedDae, dependencies: Dependencies, group: Sequence[int]) -> dict[int, list[int]]:
    """Candidates left out of an element's closure whose variables other elements have: a combination, if not zero."""
    below = predecessors(reduced.index.var_derivative)
    begins = {v for after in group for v in dependencies[after].begins}
    found = {after: [c for c in dependencies[after].left_out if below[c] in begins] for after in group}
    return {after: left_out for after, left_out in found.items() if left_out}


def _combined(reduced: ReducedDae, dependencies: Dependencies, group: Sequence[int], point: GenericPoint) -> bool:
    """True if a suspect has a factor that is not zero at this point."""
    for after, left_out in _suspects(reduced, dependencies, group).items():
        factors = through_closure(reduced, _whole(dependencies[after]), left_out)
        values = evaluate(factors, point.with_values(variables_of(factors)))
        if values is not None and any(abs(values[f]) > ZERO for f in factors):
            return True
    return False


def _by_own_factors(reduced: ReducedDae, dependencies: Dependencies, group: Sequence[int]) -> Dependencies:
    """The closures of a group: that of an equation with a derivative by hand is led from this equation itself.

    Places that are no integrals of velocities have no factors there: then the equations of velocities stay with those
    of the places before, which are right for all elements together.
    """
    below, derivative = predecessors(reduced.index.var_derivative), reduced.index.eq_derivative
    whole = {after: _whole(dependencies[after]) for after in group}
    changed = dict(whole)
    for after in group:
        above = derivative[after]
        if above in whole and all(reduced.index.var_derivative[c] is not None for c in whole[after].candidates):
            lower = [b for b in (below[c] for c in whole[above].candidates) if b is not None and below[b] is not None]
            changed[after] = replace(whole[above], candidates=tuple(lower), own=True)
    return changed


def _whole(closure: DependencyClosure) -> DependencyClosure:
    """The closure with the candidates that were left out."""
    return replace(closure, candidates=tuple(dict.fromkeys((*closure.candidates, *closure.left_out))), left_out=())
