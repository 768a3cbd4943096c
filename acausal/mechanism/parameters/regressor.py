"""Regressors: inverse dynamics and base reactions as matrices that multiply the standard parameters.

tau = Y(q, v, a) pi. Column by column: the inertial wrench of a body with one parameter 1 and the others 0, transmitted
to all joints before it. Atkeson, An, Hollerbach, Estimation of inertial parameters of manipulator loads and links, Int.
J. Robotics Research 5 (1986) 101-119.
"""

from collections.abc import Sequence

from acausal.ir.expr import Expr
from acausal.mechanism.functions.inverse_dynamics import body_motions, inertial_wrench
from acausal.mechanism.parameters.standard import unit_bodies
from acausal.mechanism.rigid_trees.joint_motion import directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import Placement, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose


def effort_regressor(tree: RigidTree) -> Matrix:
    """Y(q, v, a), (nv, 10 n): efforts for each of the standard parameters of the n bodies."""
    return transpose(tuple([efforts for efforts, _ in _columns(tree)]))


def base_regressor(tree: RigidTree) -> Matrix:
    """(6, 10 n): force and torque of the base on the tree, about the origin, for each of the standard parameters."""
    return transpose(tuple([(*force, *torque) for _, (torque, force) in _columns(tree)]))


def _columns(tree: RigidTree) -> list[tuple[Vector, tuple[Vector, Vector]]]:
    """For each standard parameter the efforts of all joints, and torque and force at the base."""
    algebra = VectorAlgebra(tree.pool)
    places = [placement_of(algebra, joint) for joint in tree.joints]
    motions = body_motions(algebra, tree, places, tree.velocities, tree.accelerations, tree.gravity)
    units = unit_bodies(algebra)
    found = []
    for i, motion in enumerate(motions):
        for body in units:
            found.append(_transmitted(algebra, tree, places, i, inertial_wrench(algebra, body, motion)))
    return found


def _transmitted(
    algebra: VectorAlgebra,
    tree: RigidTree,
    places: Sequence[Placement],
    body: int,
    wrench: tuple[Vector, Vector],
) -> tuple[Vector, tuple[Vector, Vector]]:
    """The efforts of the joints before a body, and torque and force at the base, for those on the body."""
    torque, force = wrench
    efforts: list[Expr] = [tree.pool.zero] * len(tree.velocities)
    for i in tree.path(body):
        for k, direction in enumerate(directions_of(algebra, tree.joints[i]), tree.first_velocity[i]):
            efforts[k] = tree.pool.add(algebra.dot(direction.angular, torque), algebra.dot(direction.linear, force))
        force = algebra.times(places[i].rotation, force)
        torque = algebra.add(algebra.times(places[i].rotation, torque), algebra.cross(places[i].origin, force))
    return tuple(efforts), (torque, force)
