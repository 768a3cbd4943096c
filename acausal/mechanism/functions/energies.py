"""Energies, momentum and center of mass of a tree."""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.mechanism.functions.kinematics import body_placements
from acausal.mechanism.rigid_trees.joint_motion import combined, directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, RigidTree
from acausal.mechanism.rigid_trees.vectors import Vector, VectorAlgebra, transpose


@record(frozen=True, slots=True)
class Velocity:
    """Velocity of a frame in its own axes: angular, and of its origin."""

    angular: Vector
    linear: Vector


def body_velocities(tree: RigidTree) -> list[Velocity]:
    """The velocity of the frame of every joint."""
    algebra = VectorAlgebra(tree.pool)
    found: list[Velocity] = []
    for joint in tree.joints:
        place = placement_of(algebra, joint)
        parent = Velocity(algebra.zeros, algebra.zeros) if joint.parent == BASE else found[joint.parent]
        rate = combined(algebra, directions_of(algebra, joint), joint.velocities)
        back = transpose(place.rotation)
        linear = algebra.add(parent.linear, algebra.cross(parent.angular, place.origin))
        found.append(
            Velocity(
                algebra.add(algebra.times(back, parent.angular), rate.angular),
                algebra.add(algebra.times(back, linear), rate.linear),
            )
        )
    return found


def body_momenta(tree: RigidTree, velocities: Sequence[Velocity]) -> list[tuple[Vector, Vector]]:
    """Linear momentum, and angular momentum about the origin of its frame, of every body in its own axes."""
    algebra = VectorAlgebra(tree.pool)
    found = []
    for joint, velocity in zip(tree.joints, velocities, strict=True):
        body = joint.body
        linear = algebra.add(algebra.scale(body.mass, velocity.linear), algebra.cross(velocity.angular, body.moment))
        angular = algebra.add(
            algebra.times(body.inertia, velocity.angular), algebra.cross(body.moment, velocity.linear)
        )
        found.append((linear, angular))
    return found


def kinetic_energy(tree: RigidTree) -> Expr:
    """v^T M v / 2 [J], body by body."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    velocities = body_velocities(tree)
    terms = [pool.zero]
    for velocity, (linear, angular) in zip(velocities, body_momenta(tree, velocities), strict=True):
        terms += [algebra.dot(velocity.linear, linear), algebra.dot(velocity.angular, angular)]
    return pool.mul(pool.const(0.5), pool.add(*terms))


def potential_energy(tree: RigidTree) -> Expr:
    """-m g . r summed over the bodies [J]: zero with all masses at the origin."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    moments = [m for m, _ in _first_moments(tree)]
    return pool.neg(pool.add(pool.zero, *[algebra.dot(tree.gravity, moment) for moment in moments]))


def total_mass(tree: RigidTree) -> Expr:
    """The mass of all bodies [kg]."""
    return tree.pool.add(tree.pool.zero, *[joint.body.mass for joint in tree.joints])


def center_of_mass(tree: RigidTree) -> Vector:
    """The center of mass in the inertial frame [m]."""
    algebra = VectorAlgebra(tree.pool)
    total = algebra.add(algebra.zeros, *[moment for moment, _ in _first_moments(tree)])
    return algebra.scale(tree.pool.div(tree.pool.one, total_mass(tree)), total)


def momentum(tree: RigidTree, about_center: bool) -> Vector:
    """Linear momentum [N.s] and angular momentum [N.m.s] in inertial axes: about the origin, or the center of mass."""
    algebra = VectorAlgebra(tree.pool)
    bodies = body_placements(tree)
    linear, angular = algebra.zeros, algebra.zeros
    for place, (p, h) in zip(bodies, body_momenta(tree, body_velocities(tree)), strict=True):
        turned = algebra.times(place.rotation, p)
        linear = algebra.add(linear, turned)
        angular = algebra.add(angular, algebra.times(place.rotation, h), algebra.cross(place.origin, turned))
    if about_center:
        angular = algebra.sub(angular, algebra.cross(center_of_mass(tree), linear))
    return (*linear, *angular)


def _first_moments(tree: RigidTree) -> list[tuple[Vector, Expr]]:
    """First moment of every body about the origin of the inertial frame, and its mass."""
    algebra = VectorAlgebra(tree.pool)
    return [
        (
            algebra.add(algebra.scale(joint.body.mass, place.origin), algebra.times(place.rotation, joint.body.moment)),
            joint.body.mass,
        )
        for joint, place in zip(tree.joints, body_placements(tree), strict=True)
    ]
