"""Jacobians of frames, and their rates.

Rows are those of Pinocchio: linear velocity first, then angular velocity. `local` resolves both in the frame, `world`
gives the velocity of the point of the body that is at the origin of the inertial frame, `local_world_aligned` that of
the frame's origin in inertial axes.
"""

from collections.abc import Mapping
from typing import Literal

from acausal.ir.expr import Expr
from acausal.mechanism.functions.kinematics import body_placements, frame_placement
from acausal.mechanism.rigid_trees.joint_motion import directions_of, position_rates
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree, TreeFrame
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose
from acausal.symbolic.differentiate import differentiate

Reference = Literal["local", "world", "local_world_aligned"]


def frame_jacobian(tree: RigidTree, frame: TreeFrame, reference: Reference) -> Matrix:
    """The Jacobian (6, nv) of a frame: its velocity for unit velocities of the joints."""
    algebra = VectorAlgebra(tree.pool)
    bodies = body_placements(tree)
    place = frame_placement(tree, bodies, frame)
    origin = algebra.zeros if reference == "world" else place.origin
    columns: list[Vector] = [algebra.zeros * 2] * len(tree.velocities)
    for i in tree.path(frame.body):
        body, joint = bodies[i], tree.joints[i]
        way = algebra.sub(origin, body.origin)
        for k, direction in enumerate(directions_of(algebra, joint), tree.first_velocity[i]):
            angular = algebra.times(body.rotation, direction.angular)
            linear = algebra.add(algebra.times(body.rotation, direction.linear), algebra.cross(angular, way))
            if reference == "local":
                back = transpose(place.rotation)
                angular, linear = algebra.times(back, angular), algebra.times(back, linear)
            columns[k] = (*linear, *angular)
    return transpose(tuple(columns)) if columns else ((),) * 6


def rate_of(tree: RigidTree, matrix: Matrix) -> Matrix:
    """The derivative by time of what depends on positions, for the velocities of the tree."""
    slopes = dict(zip(tree.positions, rates(tree, tree.velocities), strict=True))
    return _differentiated(tree, matrix, slopes)


def rates(tree: RigidTree, velocities: tuple[Expr, ...]) -> tuple[Expr, ...]:
    """The rates of all positions for given velocities."""
    algebra = VectorAlgebra(tree.pool)
    found: list[Expr] = []
    for joint, first in zip(tree.joints, tree.first_velocity, strict=True):
        found += position_rates(algebra, joint, velocities[first : first + len(joint.velocities)])
    return tuple(found)


def position_slopes(tree: RigidTree) -> list[dict[Expr, Expr]]:
    """For each velocity the slopes of the positions along it: derivatives are by changes of the configuration."""
    pool, found = tree.pool, []
    for k in range(len(tree.velocities)):
        unit = tuple([pool.one if i == k else pool.zero for i in range(len(tree.velocities))])
        slopes = zip(tree.positions, rates(tree, unit), strict=True)
        found.append({leaf: slope for leaf, slope in slopes if slope is not pool.zero})
    return found


def position_derivatives(tree: RigidTree, matrix: Matrix) -> tuple[Matrix, ...]:
    """The derivatives of the elements of a matrix along each velocity, (rows, columns, nv)."""
    slices = [_differentiated(tree, matrix, slopes) for slopes in position_slopes(tree)]
    return tuple([tuple([tuple([s[i][j] for s in slices]) for j in range(len(row))]) for i, row in enumerate(matrix)])


def velocity_derivatives(tree: RigidTree, vector: Vector) -> Matrix:
    """The derivatives of the elements of a vector by the velocities, (rows, nv)."""
    slopes = [{leaf: tree.pool.one} for leaf in tree.velocities]
    return transpose(tuple([_differentiated(tree, (vector,), slope)[0] for slope in slopes]))


def _differentiated(tree: RigidTree, matrix: Matrix, slopes: Mapping[Expr, Expr]) -> Matrix:
    memo: dict[Expr, Expr] = {}
    return tuple([tuple([differentiate(tree.pool, x, slopes, memo) for x in row]) for row in matrix])
