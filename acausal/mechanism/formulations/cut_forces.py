"""Closed loops with articulated bodies: multipliers of the cuts as unknowns, as tearing leaves them of mbsdir.lib.

Accelerations of the tree are affine in the efforts, and so in the multipliers lambda of the cut closures, whose forces
are phi_q^T lambda. Joints (s) with no mass behind them are in no balance of inertial forces: their accelerations are
unknown, too, and their efforts are zero with the forces of the cuts.

    phi_q a(lambda) + phi_s a_s = -(d2phi/dt2 without accelerations)        phi_s^T lambda = -tau_s
"""

from collections.abc import Iterator
from dataclasses import replace

from acausal.ir.expr import Expr
from acausal.ir.graph import LeastNorm
from acausal.ir.plan import SolveLinear
from acausal.mechanism.functions.constrained_dynamics import constraint_jacobian, drift
from acausal.mechanism.functions.forward_dynamics import forward_dynamics
from acausal.mechanism.functions.function_program import affine_form, origin_of
from acausal.mechanism.parameters.standard import elements_of
from acausal.mechanism.rigid_trees.rigid_tree import BASE, RigidTree
from acausal.mechanism.rigid_trees.vectors import Vector, VectorAlgebra, transpose


def by_cut_forces(tree: RigidTree) -> tuple[Vector, SolveLinear]:
    """The accelerations of the joints in terms of the unknowns, and the linear equations for these."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    heavy = _with_mass(tree)
    moved = tuple([heavy[i] for i, joint in enumerate(tree.joints) for _ in joint.velocities])
    jacobian = constraint_jacobian(tree)
    count, size = len(jacobian), len(jacobian) + moved.count(False)
    unknowns = tuple([pool.variable(("cut", k)) for k in range(1, size + 1)])
    multipliers, others = unknowns[:count], iter(unknowns[count:])
    forces = algebra.times(transpose(jacobian), multipliers)
    driven = _accelerations(tree, heavy, algebra.add(tree.efforts, forces))
    found = tuple([next(driven) if m else next(others) for m in moved])
    free = _accelerations(tree, heavy, tree.efforts)
    at_rest = tuple([next(free) if m else pool.zero for m in moved])
    idle = [x for x, m in zip(forces, moved, strict=True) if not m]
    rows, _ = affine_form(pool, (*algebra.times(jacobian, found), *idle), unknowns)
    right = algebra.neg(algebra.add(algebra.times(jacobian, at_rest), drift(tree, jacobian)))
    rest = [pool.neg(x) for x, m in zip(tree.efforts, moved, strict=True) if not m]
    places = tuple(range(count))
    origins, norm = (origin_of(tree.name),), LeastNorm(places, places)
    return found, SolveLinear(unknowns, rows, (*right, *rest), size, origins, norm)


def _accelerations(tree: RigidTree, heavy: list[bool], efforts: Vector) -> Iterator[Expr]:
    """Accelerations of the joints with masses behind them: the tree without the others."""
    kept = [i for i, is_heavy in enumerate(heavy) if is_heavy]
    number = {BASE: BASE, **{i: k for k, i in enumerate(kept)}}
    joints = [replace(tree.joints[i], parent=number[tree.joints[i].parent]) for i in kept]
    places = [k for i in kept for k in range(tree.first_velocity[i], tree.first_velocity[i] + _size(tree, i))]
    part = replace(tree, joints=tuple(joints))
    return iter(forward_dynamics(part, part.velocities, tuple([efforts[k] for k in places])))


def _with_mass(tree: RigidTree) -> list[bool]:
    """For each joint whether a body behind it has mass or inertia."""
    zero = tree.pool.zero
    found = [any(x is not zero for x in elements_of(joint.body)) for joint in tree.joints]
    for i in reversed(range(len(tree.joints))):
        parent = tree.joints[i].parent
        if found[i] and parent != BASE:
            found[parent] = True
    return found


def _size(tree: RigidTree, joint: int) -> int:
    return len(tree.joints[joint].velocities)
