"""Wrenches of closures on bodies: derivatives of the constraints along the motion of each body by itself."""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.ir.names import Name
from acausal.ir.pool import Pool
from acausal.mechanism.functions.constraints import closure_residuals
from acausal.mechanism.functions.kinematics import body_placements
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Placement, RigidTree, TreeClosure
from acausal.mechanism.rigid_trees.vectors import Matrix, VectorAlgebra, transpose
from acausal.symbolic.differentiate import differentiate
from acausal.symbolic.substitute import substitute


def closure_wrenches(tree: RigidTree, closure: TreeClosure) -> dict[int, Matrix]:
    """For each body (number of its joint) of a closure W, (rows, 6), with d phi/dt = sum of W V.

    V are the velocities of the bodies, angular part first, in axes of their frames. Places of bodies are symbols while
    the constraints are differentiated.
    """
    algebra, actual = VectorAlgebra(tree.pool), body_placements(tree)
    numbers = [frame.body for frame in (closure.first, closure.second) if frame.body != BASE]
    symbols = {k: _symbols(tree.pool, ("body", k)) for k in dict.fromkeys(numbers)}
    places = [symbols.get(k, place) for k, place in enumerate(actual)]
    residuals = closure_residuals(tree, places, closure)
    values: dict[Expr, Expr] = {}
    for k, place in symbols.items():
        values.update(zip(_elements(place), _elements(actual[k]), strict=True))
    found = {}
    for k, place in symbols.items():
        columns = []
        for slopes in _twists(algebra, place):
            rates = dict(zip(_elements(place), slopes, strict=True))
            derivatives = [differentiate(tree.pool, x, rates, {}) for x in residuals]
            columns.append(tuple([substitute(tree.pool, x, values) for x in derivatives]))
        found[k] = transpose(tuple(columns))
    return found


def _twists(algebra: VectorAlgebra, place: Placement) -> list[Sequence[Expr]]:
    """Rates of rotation and origin for unit velocities in axes of the frame: three angular ones, three linear ones."""
    still = ((algebra.pool.zero,) * 3,) * 3
    turning = [algebra.product(place.rotation, algebra.skew(axis)) for axis in algebra.identity]
    turns = [_elements(Placement(rate, algebra.zeros)) for rate in turning]
    slides = [_elements(Placement(still, algebra.times(place.rotation, axis))) for axis in algebra.identity]
    return [*turns, *slides]


def _symbols(pool: Pool, name: Name) -> Placement:
    rows = [tuple([pool.variable((*name, "R", i, j)) for j in (1, 2, 3)]) for i in (1, 2, 3)]
    return Placement(tuple(rows), tuple([pool.variable((*name, "r", i)) for i in (1, 2, 3)]))


def _elements(place: Placement) -> tuple[Expr, ...]:
    return (*[x for row in place.rotation for x in row], *place.origin)
