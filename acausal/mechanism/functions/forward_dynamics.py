"""Forward dynamics by the articulated-body algorithm, in axes of the bodies, or by the mass matrix.

Which needs fewer operations depends on the tree: for chains of hinges the mass matrix does up to about 14 of them.

Featherstone, Robot Dynamics Algorithms (1987), chapter 6; Brandl, Johanni, Otter, A very efficient algorithm for the
simulation of robots and similar multibody systems without inversion of the mass matrix (1986).
"""

from collections.abc import Sequence

from acausal.base.frozen import record
from acausal.ir.expr import Expr
from acausal.ir.walk import postorder
from acausal.mechanism.functions.inverse_dynamics import body_motions, inertial_wrench, inverse_dynamics
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.functions.symmetric_solve import symmetric_inverse, symmetric_solution
from acausal.mechanism.rigid_trees.joint_motion import directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, Placement, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose

MOST = 250
"""Pairs of joints on one way to the base, for which the mass matrix is tried: a chain of 21."""


@record(frozen=True, slots=True)
class _Joint:
    """The way outward needs of a joint: columns of Phi and of U = I Phi, inverse of Phi^T U, rest of efforts."""

    columns: Matrix
    loads: Matrix
    inverse: Matrix
    rest: Vector


def forward_dynamics(
    tree: RigidTree, velocities: Sequence[Expr], efforts: Sequence[Expr], gravity: Vector | None = None
) -> tuple[Expr, ...]:
    """The accelerations for velocities and efforts of the joints; `gravity` in the place of that of the tree.

    Six-vectors have the angular part first.
    """
    algebra = VectorAlgebra(tree.pool)
    places = [placement_of(algebra, joint) for joint in tree.joints]
    nothing = (tree.pool.zero,) * len(tree.velocities)
    motions = body_motions(algebra, tree, places, velocities, nothing, gravity or tree.gravity)
    inertias = [spatial_inertia(algebra, tree, i) for i in range(len(tree.joints))]
    wrenches: list[Vector] = []
    for joint, motion in zip(tree.joints, motions, strict=True):
        torque, force = inertial_wrench(algebra, joint.body, motion)
        wrenches.append((*torque, *force))
    joints = _inward(algebra, tree, places, inertias, wrenches, efforts)
    return _outward(algebra, tree, places, joints)


def shortest_dynamics(tree: RigidTree) -> tuple[Expr, ...]:
    """The accelerations by the algorithm that needs fewer operations."""
    articulated = forward_dynamics(tree, tree.velocities, tree.efforts)
    if sum([len(tree.path(body)) for body in range(len(tree.joints))]) > MOST:
        return articulated
    return min(articulated, by_mass_matrix(tree), key=_operations)


def by_mass_matrix(tree: RigidTree) -> tuple[Expr, ...]:
    """The accelerations as the solution of M a = tau - h."""
    algebra, nothing = VectorAlgebra(tree.pool), (tree.pool.zero,) * len(tree.velocities)
    rest = inverse_dynamics(tree, tree.velocities, nothing).efforts
    return symmetric_solution(algebra, mass_matrix(tree), algebra.sub(tree.efforts, rest))


def _operations(expressions: Sequence[Expr]) -> int:
    """Count those that vary, each part of the expressions once."""
    return sum([len(e.args) - 1 for e in postorder(expressions) if e.varies and len(e.args) > 1])


def spatial_inertia(algebra: VectorAlgebra, tree: RigidTree, index: int) -> Matrix:
    """The inertia of a body in its frame, 6 by 6: [I, skew(h); -skew(h), m E]."""
    body = tree.joints[index].body
    moment, mass = algebra.skew(body.moment), algebra.diagonal((body.mass,) * 3)
    upper = [(*row, *right) for row, right in zip(body.inertia, moment, strict=True)]
    lower = [(*row, *right) for row, right in zip(transpose(moment), mass, strict=True)]
    return (*upper, *lower)


def to_child(algebra: VectorAlgebra, place: Placement) -> Matrix:
    """The matrix that takes motion of the parent, in its axes, to that of a frame fixed to it, in axes of the frame."""
    back, zero = transpose(place.rotation), algebra.zeros
    shifted = algebra.product(back, transpose(algebra.skew(place.origin)))
    return (*[(*row, *zero) for row in back], *[(*a, *b) for a, b in zip(shifted, back, strict=True)])


def _inward(
    algebra: VectorAlgebra,
    tree: RigidTree,
    places: Sequence[Placement],
    inertias: list[Matrix],
    wrenches: list[Vector],
    efforts: Sequence[Expr],
) -> list[_Joint]:
    """From the tips inward: what each joint carries with all joints behind it free to move."""
    found: list[_Joint] = []
    for i in reversed(range(len(tree.joints))):
        joint, first = tree.joints[i], tree.first_velocity[i]
        columns = tuple([(*d.angular, *d.linear) for d in directions_of(algebra, joint)])
        loads = tuple([algebra.times(inertias[i], column) for column in columns])
        inverse = symmetric_inverse(algebra, algebra.product(columns, transpose(loads)))
        given = tuple(efforts[first : first + len(columns)])
        rest = algebra.sub(given, algebra.times(columns, wrenches[i]))
        found.append(_Joint(columns, loads, inverse, rest))
        if joint.parent == BASE:
            continue
        shares = algebra.congruent(transpose(loads), inverse)
        inertia = algebra.add_matrices(inertias[i], algebra.scale_matrix(tree.pool.const(-1.0), shares))
        wrench = algebra.add(wrenches[i], algebra.times(transpose(loads), algebra.times(inverse, rest)))
        there = transpose(to_child(algebra, places[i]))
        inertias[joint.parent] = algebra.add_matrices(inertias[joint.parent], algebra.congruent(there, inertia))
        wrenches[joint.parent] = algebra.add(wrenches[joint.parent], algebra.times(there, wrench))
    found.reverse()
    return found


def _outward(
    algebra: VectorAlgebra, tree: RigidTree, places: Sequence[Placement], joints: Sequence[_Joint]
) -> tuple[Expr, ...]:
    """The accelerations from the base outward; those of bodies are against a motion without joint accelerations."""
    moved: list[Vector] = []
    found: list[Expr] = []
    for i, (joint, solved) in enumerate(zip(tree.joints, joints, strict=True)):
        parent = algebra.zeros * 2 if joint.parent == BASE else moved[joint.parent]
        carried = algebra.times(to_child(algebra, places[i]), parent)
        rest = algebra.sub(solved.rest, algebra.times(solved.loads, carried))
        accelerations = algebra.times(solved.inverse, rest)
        moved.append(algebra.add(carried, algebra.times(transpose(solved.columns), accelerations)))
        found += accelerations
    return tuple(found)
