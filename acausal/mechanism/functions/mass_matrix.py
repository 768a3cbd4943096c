"""The mass matrix by the composite rigid body algorithm.

Walker, Orin, Efficient dynamic computer simulation of robotic mechanisms, J. Dynamic Systems, Measurement and Control
104 (1982) 205-211.
"""

from collections.abc import Sequence

from acausal.mechanism.rigid_trees.joint_motion import directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Inertia, Placement, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, VectorAlgebra, mirrored


def mass_matrix(tree: RigidTree) -> Matrix:
    """M(q) with kinetic energy v^T M v / 2: symmetric, elements across the diagonal are one expression."""
    algebra = VectorAlgebra(tree.pool)
    places = [placement_of(algebra, joint) for joint in tree.joints]
    bodies = composite_bodies(algebra, tree, places)
    first, size = tree.first_velocity, len(tree.velocities)
    lower = [[tree.pool.zero] * (row + 1) for row in range(size)]
    for i, joint in enumerate(tree.joints):
        body = bodies[i]
        for k, direction in enumerate(directions_of(algebra, joint)):
            force = algebra.add(
                algebra.scale(body.mass, direction.linear), algebra.cross(direction.angular, body.moment)
            )
            torque = algebra.add(
                algebra.times(body.inertia, direction.angular), algebra.cross(body.moment, direction.linear)
            )
            for j in tree.path(i):
                for column, other in enumerate(directions_of(algebra, tree.joints[j]), first[j]):
                    if column <= first[i] + k:
                        lower[first[i] + k][column] = tree.pool.add(
                            algebra.dot(other.angular, torque), algebra.dot(other.linear, force)
                        )
                force = algebra.times(places[j].rotation, force)
                torque = algebra.add(algebra.times(places[j].rotation, torque), algebra.cross(places[j].origin, force))
    return mirrored(lower)


def composite_bodies(algebra: VectorAlgebra, tree: RigidTree, places: Sequence[Placement]) -> list[Inertia]:
    """For each joint all that it carries as one body, in its frame."""
    found = [joint.body for joint in tree.joints]
    for i in reversed(range(len(found))):
        parent = tree.joints[i].parent
        if parent != BASE:
            found[parent] = joined(algebra, found[parent], carried_body(algebra, places[i], found[i]))
    return found


def carried_body(algebra: VectorAlgebra, place: Placement, body: Inertia) -> Inertia:
    """A body that is given in a frame, in the frame where that one is placed."""
    moment = algebra.times(place.rotation, body.moment)
    turned = algebra.congruent(place.rotation, body.inertia)
    inertia = algebra.shifted_inertia(turned, body.mass, moment, place.origin)
    return Inertia(body.mass, algebra.add(moment, algebra.scale(body.mass, place.origin)), inertia)


def joined(algebra: VectorAlgebra, a: Inertia, b: Inertia) -> Inertia:
    """Two bodies in one frame as one."""
    return Inertia(
        algebra.pool.add(a.mass, b.mass),
        algebra.add(a.moment, b.moment),
        algebra.add_matrices(a.inertia, b.inertia),
    )
