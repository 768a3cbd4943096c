"""The null space of the constraints of a tree, assembled joint by joint.

The velocities of all bodies are V = H2 v, where H2 has for each body the columns of the joints before it: those of its
parent, taken to its frame, and its own. With the constraints phi_q V = 0 of the joints phi_q H2 = 0, and the equations
of motion are M22 a + N22 = tau with M22 = H2^T M H2 and N22 = H2^T (M dH2/dt v + b). Six-vectors have the linear part
first, in axes of the body's frame. Thompson, Multibody dynamics by the null space matrix (2011).
"""

from acausal.base.frozen import record
from acausal.mechanism.functions.energies import body_velocities
from acausal.mechanism.functions.forward_dynamics import spatial_inertia, to_child
from acausal.mechanism.functions.jacobians import rate_of
from acausal.mechanism.functions.kinematics import body_placements
from acausal.mechanism.rigid_trees.across import directions_across
from acausal.mechanism.rigid_trees.joint_motion import directions_of, placement_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose

SIX = 6


@record(frozen=True, slots=True)
class NullSpace:
    """Null space `basis` H2 (6 n, nv) of the `constraints` phi_q (m, 6 n), its `rate`, M22 (nv, nv) and N22 (nv,)."""

    constraints: Matrix
    basis: Matrix
    rate: Matrix
    mass: Matrix
    rest: Vector


def null_space(tree: RigidTree) -> NullSpace:
    """All matrices for positions q and velocities v of the tree."""
    algebra = VectorAlgebra(tree.pool)
    transforms = [to_child(algebra, placement_of(algebra, joint)) for joint in tree.joints]
    basis = _basis(algebra, tree, transforms)
    rate = rate_of(tree, basis)
    mass, forces = [], []
    inertias = [spatial_inertia(algebra, tree, i) for i in range(len(tree.joints))]
    bias = _gyroscopic_and_weight(algebra, tree)
    for i, inertia in enumerate(inertias):
        rows = slice(SIX * i, SIX * (i + 1))
        columns = transpose(basis[rows])
        mass.append(algebra.congruent(columns, inertia))
        moved = algebra.times(inertia, algebra.times(rate[rows], tree.velocities))
        forces.append(algebra.times(columns, algebra.add(moved, bias[i])))
    constraints = _constraints(algebra, tree, transforms)
    return NullSpace(
        _linear_first(constraints, columns=True),
        _linear_first(basis, columns=False),
        _linear_first(rate, columns=False),
        algebra.add_matrices(*mass),
        algebra.add(*forces),
    )


def _basis(algebra: VectorAlgebra, tree: RigidTree, transforms: list[Matrix]) -> Matrix:
    """H2, angular parts first."""
    zero, size = tree.pool.zero, len(tree.velocities)
    found: list[Matrix] = []
    for i, joint in enumerate(tree.joints):
        rows = [list(row) for row in ((zero,) * size,) * SIX]
        if joint.parent != BASE:
            rows = [list(row) for row in algebra.product(transforms[i], found[joint.parent])]
        for k, direction in enumerate(directions_of(algebra, joint), tree.first_velocity[i]):
            for row, x in zip(rows, (*direction.angular, *direction.linear), strict=True):
                row[k] = tree.pool.add(row[k], x)
        found.append(tuple([tuple(row) for row in rows]))
    return tuple([row for matrix in found for row in matrix])


def _constraints(algebra: VectorAlgebra, tree: RigidTree, transforms: list[Matrix]) -> Matrix:
    """phi_q, angular parts first: N^T (V - X V_parent) for each joint."""
    zero, size = tree.pool.zero, SIX * len(tree.joints)
    found = []
    for i, joint in enumerate(tree.joints):
        across = directions_across(algebra, joint)
        before = algebra.scale_matrix(tree.pool.const(-1.0), algebra.product(across, transforms[i]))
        for own, other in zip(across, before, strict=True):
            row = [zero] * size
            row[SIX * i : SIX * (i + 1)] = own
            if joint.parent != BASE:
                row[SIX * joint.parent : SIX * (joint.parent + 1)] = other
            found.append(tuple(row))
    return tuple(found)


def _gyroscopic_and_weight(algebra: VectorAlgebra, tree: RigidTree) -> list[Vector]:
    """Torque and force that each body needs at constant components of its velocity in its own axes, less gravity."""
    found = []
    for joint, velocity, place in zip(tree.joints, body_velocities(tree), body_placements(tree), strict=True):
        body, turned = joint.body, velocity.angular
        momentum = algebra.add(algebra.scale(body.mass, velocity.linear), algebra.cross(turned, body.moment))
        about = algebra.add(algebra.times(body.inertia, turned), algebra.cross(body.moment, velocity.linear))
        pull = algebra.times(transpose(place.rotation), tree.gravity)
        force = algebra.sub(algebra.cross(turned, momentum), algebra.scale(body.mass, pull))
        torque = algebra.add(algebra.cross(turned, about), algebra.cross(velocity.linear, momentum))
        found.append((*algebra.sub(torque, algebra.cross(body.moment, pull)), *force))
    return found


def _linear_first(matrix: Matrix, *, columns: bool) -> Matrix:
    """The matrix with rows, or columns, of linear parts before angular ones."""
    rows = transpose(matrix) if columns else matrix
    found = []
    for first in range(0, len(rows), SIX):
        found += [*rows[first + 3 : first + SIX], *rows[first : first + 3]]
    return transpose(tuple(found)) if columns else tuple(found)
