"""Constraints of closed loops: residuals of positions, as the closing classes of `stdlib/mbs_cuts.inc` have them.

The place s and the rotation R of the second frame are seen from the first. Constraints may depend on each other, as
those of a plane loop that is closed rigidly.
"""

from collections.abc import Sequence

from acausal.base.diagnostics import Diagnostic, UsageError
from acausal.mechanism.functions.kinematics import body_placements, frame_placement
from acausal.mechanism.rigid_trees.across import perpendicular
from acausal.mechanism.rigid_trees.rigid_tree import Placement, RigidTree, TreeClosure
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose


def constraint_residuals(tree: RigidTree) -> Vector:
    """phi(q): lengths [m], and differences of directions; zero where all loops are closed.

    UsageError F006 without closed loops, and for closures that constrain velocities, as wheels do.
    """
    if not tree.closures:
        hint = "forward_dynamics has the accelerations of trees"
        raise UsageError(Diagnostic("F006", f"{tree.name} has no closed loops", help=hint))
    bodies = body_placements(tree)
    return tuple([x for closure in tree.closures for x in closure_residuals(tree, bodies, closure)])


def closure_residuals(tree: RigidTree, bodies: Sequence[Placement], closure: TreeClosure) -> Vector:
    """The residuals of one closure, for the places of all bodies."""
    algebra = VectorAlgebra(tree.pool)
    first, second = [frame_placement(tree, bodies, frame) for frame in (closure.first, closure.second)]
    back = transpose(first.rotation)
    way = algebra.times(back, algebra.sub(second.origin, first.origin))
    return _residuals(algebra, closure, way, algebra.product(back, second.rotation))


def _residuals(algebra: VectorAlgebra, closure: TreeClosure, way: Vector, turned: Matrix) -> Vector:
    """The residuals for the place and the rotation of the second frame in the first."""
    pool, kind = algebra.pool, closure.kind
    if kind == "rigid":
        return (*way, *_vector_of(algebra, turned))
    if kind == "spherical":
        return way
    if kind == "rod":
        return (pool.sub(algebra.dot(way, way), pool.mul(closure.size, closure.size)),)
    if kind == "universal":
        angle = algebra.dot(closure.axis, algebra.times(turned, closure.second_axis))
        return (*way, pool.sub(angle, algebra.dot(closure.axis, closure.second_axis)))
    if kind not in ("revolute", "planar", "prismatic", "parallel"):
        message = f"{closure.name} ({kind}) constrains velocities, not positions"
        raise UsageError(Diagnostic("F006", message, help="constraints are those of loops of joints"))
    across = perpendicular(algebra, closure.axis)
    leaning = [algebra.dot(a, algebra.times(turned, closure.axis)) for a in across]
    if kind in ("revolute", "parallel"):
        return (*way, *leaning) if kind == "revolute" else tuple(leaning)
    sideways = tuple([algebra.dot(a, way) for a in across])
    return sideways if kind == "planar" else (*sideways, *_vector_of(algebra, turned))


def _vector_of(algebra: VectorAlgebra, turned: Matrix) -> Vector:
    """Half the axis of a rotation times the sine of its angle, doubled: zero without rotation."""
    sub = algebra.pool.sub
    return (
        sub(turned[2][1], turned[1][2]),
        sub(turned[0][2], turned[2][0]),
        sub(turned[1][0], turned[0][1]),
    )
