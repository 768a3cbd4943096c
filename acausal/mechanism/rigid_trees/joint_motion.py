"""Relative motion of joints: rotation, place, and the directions that velocities multiply."""

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.mechanism.rigid_trees.rigid_tree import Placement, TreeJoint
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra


@record(frozen=True, slots=True)
class Direction:
    """Angular and linear velocity of a joint's frame, in its axes, for a unit of one velocity of the joint."""

    angular: Vector
    linear: Vector


def placement_of(algebra: VectorAlgebra, joint: TreeJoint) -> Placement:
    """The frame of the joint in that of its parent, for its positions."""
    pool = algebra.pool
    fixed = joint.placement
    if joint.kind == "spherical":
        turned = rotation_of_quaternion(algebra, joint.positions)
        return Placement(algebra.product(fixed.rotation, turned), fixed.origin)
    q, origin, rotation = joint.positions[0], fixed.origin, fixed.rotation
    if joint.kind != "revolute":
        way = q if joint.pitch is None else pool.mul(joint.pitch, q)
        origin = algebra.add(origin, algebra.scale(way, algebra.times(rotation, joint.axis)))
    if joint.kind != "prismatic":
        turned = algebra.rotation(joint.axis, pool.call("sin", q), pool.call("cos", q))
        rotation = algebra.product(rotation, turned)
    return Placement(rotation, origin)


def directions_of(algebra: VectorAlgebra, joint: TreeJoint) -> tuple[Direction, ...]:
    """The directions of the velocities of a joint; they are constant in its frame."""
    if joint.kind == "spherical":
        return tuple([Direction(axis, algebra.zeros) for axis in algebra.identity])
    if joint.kind == "revolute":
        return (Direction(joint.axis, algebra.zeros),)
    if joint.kind == "prismatic":
        return (Direction(algebra.zeros, joint.axis),)
    assert joint.pitch is not None
    return (Direction(joint.axis, algebra.scale(joint.pitch, joint.axis)),)


def combined(algebra: VectorAlgebra, directions: tuple[Direction, ...], factors: tuple[Expr, ...]) -> Direction:
    """The directions, each times its factor, summed."""
    pairs = list(zip(factors, directions, strict=True))
    return Direction(
        algebra.add(*[algebra.scale(x, d.angular) for x, d in pairs]),
        algebra.add(*[algebra.scale(x, d.linear) for x, d in pairs]),
    )


def rotation_of_quaternion(algebra: VectorAlgebra, quaternion: tuple[Expr, ...]) -> Matrix:
    """The rotation of a unit quaternion (x, y, z, w)."""
    pool = algebra.pool
    w, vector, two = quaternion[3], quaternion[:3], pool.const(2.0)
    squares = [pool.mul(two, x, x) for x in vector]
    crossed = algebra.skew(algebra.scale(pool.mul(two, w), vector))
    rows = []
    for i in range(3):
        row = []
        for j in range(3):
            if i == j:
                others = [square for k, square in enumerate(squares) if k != i]
                row.append(pool.sub(pool.one, pool.add(*others)))
            else:
                row.append(pool.add(pool.mul(two, vector[i], vector[j]), crossed[i][j]))
        rows.append(tuple(row))
    return tuple(rows)


def position_rates(algebra: VectorAlgebra, joint: TreeJoint, velocities: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The rates of the positions for these velocities: themselves, of a quaternion Q half of Q times (velocity, 0)."""
    if joint.kind != "spherical":
        return velocities
    pool, half = algebra.pool, algebra.pool.const(0.5)
    w, vector = joint.positions[3], joint.positions[:3]
    rates = algebra.add(algebra.scale(w, velocities), algebra.cross(vector, velocities))
    return (*algebra.scale(half, rates), pool.mul(pool.const(-0.5), algebra.dot(vector, velocities)))
