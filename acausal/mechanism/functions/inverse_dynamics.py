"""Inverse dynamics by the recursive Newton-Euler algorithm, in axes of the bodies.

Luh, Walker, Paul, On-line computational scheme for mechanical manipulators, J. Dynamic Systems, Measurement and
Control 102 (1980) 69-76. Gravity is an acceleration of the base against it.
"""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.joint_motion import Direction, combined, directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Inertia, Placement, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose


@record(frozen=True, slots=True)
class BodyMotion:
    """Motion of a frame in its own axes: angular velocity and acceleration, acceleration of its origin less gravity.

    `levers` is U = skew(w') + skew(w) skew(w): points at s have the acceleration U s against the origin.
    """

    velocity: Vector
    angular: Vector
    linear: Vector
    levers: Matrix


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
    base = BodyMotion(algebra.zeros, algebra.zeros, algebra.neg(gravity), (algebra.zeros,) * 3)
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
    carried = algebra.times(back, parent.velocity)
    velocity = algebra.add(carried, rate.angular)
    angular = algebra.add(algebra.times(back, parent.angular), algebra.cross(carried, rate.angular), change.angular)
    linear = algebra.add(parent.linear, algebra.times(parent.levers, place.origin))
    turned, two = algebra.times(back, linear), algebra.pool.const(2.0)
    linear = algebra.add(turned, algebra.scale(two, algebra.cross(carried, rate.linear)), change.linear)
    return BodyMotion(velocity, angular, linear, _levers(algebra, velocity, angular))


def _levers(algebra: VectorAlgebra, w: Vector, angular: Vector) -> Matrix:
    """skew(w') + skew(w) skew(w)."""
    pool = algebra.pool
    products = [[pool.mul(a, b) for b in w] for a in w]
    rows = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        row = {
            i: pool.neg(pool.add(products[j][j], products[k][k])),
            j: pool.sub(products[i][j], angular[k]),
            k: pool.add(products[i][k], angular[j]),
        }
        rows.append((row[0], row[1], row[2]))
    return tuple(rows)


def inertial_wrench(algebra: VectorAlgebra, body: Inertia, motion: BodyMotion) -> tuple[Vector, Vector]:
    """Torque about the origin of its frame and force that a body needs for its motion."""
    force = algebra.add(algebra.scale(body.mass, motion.linear), algebra.times(motion.levers, body.moment))
    torque = algebra.add(_about_origin(algebra, body.inertia, motion), algebra.cross(body.moment, motion.linear))
    return torque, force


def _about_origin(algebra: VectorAlgebra, inertia: Matrix, motion: BodyMotion) -> Vector:
    """I w' + w x (I w), whose products of w and sums with w' are those of the levers.

    I11 w1' + (I33 - I22) w2 w3 - I21 U31 + I31 U21 + I32 (w2^2 - w3^2) about the axis 1, and so on around.
    """
    pool, w, levers = algebra.pool, motion.velocity, motion.levers
    found = []
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        squares = pool.sub(pool.mul(w[j], w[j]), pool.mul(w[k], w[k]))
        found.append(
            pool.add(
                pool.mul(inertia[i][i], motion.angular[i]),
                pool.mul(pool.sub(inertia[k][k], inertia[j][j]), pool.mul(w[j], w[k])),
                pool.neg(pool.mul(inertia[i][j], levers[k][i])),
                pool.mul(inertia[i][k], levers[j][i]),
                pool.mul(inertia[j][k], squares),
            )
        )
    return tuple(found)


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
