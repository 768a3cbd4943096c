"""Inverse dynamics by the recursive Newton-Euler algorithm, in axes of the bodies.

Luh, Walker, Paul, On-line computational scheme for mechanical manipulators, J. Dynamic Systems, Measurement and
Control 102 (1980) 69-76. Gravity is an acceleration of the base against it.
"""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.joint_motion import Direction, combined, directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Inertia, Placement, RigidTree
from acausal.mechanism.rigid_trees.vectors import Vector, VectorAlgebra, transpose


@record(frozen=True, slots=True)
class BodyMotion:
    """Motion of a frame in its own axes: angular velocity and acceleration, acceleration of its origin less gravity."""

    velocity: Vector
    angular: Vector
    linear: Vector


@record(frozen=True, slots=True)
class TreeForces:
    """`efforts` of the joints, and the `base` reaction (torque, force) of the base on the tree, in inertial axes."""

    efforts: tuple[Expr, ...]
    base: tuple[Vector, Vector]


def inverse_dynamics(
    tree: RigidTree, velocities: Sequence[Expr], accelerations: Sequence[Expr], gravity: Vector | None = None
) -> TreeForces:
    """The efforts for a motion; `gravity` in the place of that of the tree."""
    algebra = VectorAlgebra(tree.pool)
    places = [placement_of(algebra, joint) for joint in tree.joints]
    motions = body_motions(algebra, tree, places, velocities, accelerations, gravity or tree.gravity)
    wrenches = [
        inertial_wrench(algebra, joint.body, motion) for joint, motion in zip(tree.joints, motions, strict=True)
    ]
    return transmitted(algebra, tree, places, wrenches)


def body_motions(
    algebra: VectorAlgebra,
    tree: RigidTree,
    places: Sequence[Placement],
    velocities: Sequence[Expr],
    accelerations: Sequence[Expr],
    gravity: Vector,
) -> list[BodyMotion]:
    """The motion of every body, from the base outward."""
    base = BodyMotion(algebra.zeros, algebra.zeros, algebra.neg(gravity))
    found: list[BodyMotion] = []
    for joint, place, first in zip(tree.joints, places, tree.first_velocity, strict=True):
        last = first + len(joint.velocities)
        directions = directions_of(algebra, joint)
        rate = combined(algebra, directions, tuple(velocities[first:last]))
        change = combined(algebra, directions, tuple(accelerations[first:last]))
        parent = base if joint.parent == BASE else found[joint.parent]
        found.append(_moved(algebra, place, parent, rate, change))
    return found


def _moved(
    algebra: VectorAlgebra, place: Placement, parent: BodyMotion, rate: Direction, change: Direction
) -> BodyMotion:
    """The motion of a frame in another, with its relative velocity and acceleration."""
    back = transpose(place.rotation)
    way = place.origin
    carried = algebra.times(back, parent.velocity)
    linear = algebra.add(parent.linear, lever_acceleration(algebra, parent.angular, parent.velocity, way))
    two = algebra.pool.const(2.0)
    return BodyMotion(
        algebra.add(carried, rate.angular),
        algebra.add(algebra.times(back, parent.angular), algebra.cross(carried, rate.angular), change.angular),
        algebra.add(
            algebra.times(back, linear), algebra.scale(two, algebra.cross(carried, rate.linear)), change.linear
        ),
    )


def lever_acceleration(algebra: VectorAlgebra, angular: Vector, velocity: Vector, way: Vector) -> Vector:
    """The acceleration at the end of `way` against its beginning: w' x s + w x (w x s)."""
    return algebra.add(algebra.cross(angular, way), algebra.cross(velocity, algebra.cross(velocity, way)))


def inertial_wrench(algebra: VectorAlgebra, body: Inertia, motion: BodyMotion) -> tuple[Vector, Vector]:
    """Torque about the origin of its frame and force that a body needs for its motion."""
    force = algebra.add(
        algebra.scale(body.mass, motion.linear),
        lever_acceleration(algebra, motion.angular, motion.velocity, body.moment),
    )
    gyroscopic = algebra.cross(motion.velocity, algebra.times(body.inertia, motion.velocity))
    torque = algebra.add(
        algebra.times(body.inertia, motion.angular), gyroscopic, algebra.cross(body.moment, motion.linear)
    )
    return torque, force


def transmitted(
    algebra: VectorAlgebra, tree: RigidTree, places: Sequence[Placement], wrenches: Sequence[tuple[Vector, Vector]]
) -> TreeForces:
    """The efforts that balance a torque and a force on every body, from the tips inward."""
    total = list(wrenches)
    base = algebra.zeros, algebra.zeros
    efforts: list[tuple[Expr, ...]] = []
    for i in reversed(range(len(tree.joints))):
        joint, place = tree.joints[i], places[i]
        torque, force = total[i]
        directions = directions_of(algebra, joint)
        efforts.append(
            tuple([tree.pool.add(algebra.dot(d.angular, torque), algebra.dot(d.linear, force)) for d in directions])
        )
        there = algebra.times(place.rotation, force)
        turned = algebra.add(algebra.times(place.rotation, torque), algebra.cross(place.origin, there))
        before = base if joint.parent == BASE else total[joint.parent]
        after = algebra.add(before[0], turned), algebra.add(before[1], there)
        if joint.parent == BASE:
            base = after
        else:
            total[joint.parent] = after
    efforts.reverse()
    return TreeForces(tuple([x for part in efforts for x in part]), base)
