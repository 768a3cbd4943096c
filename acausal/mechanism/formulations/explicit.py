"""Explicit equations of motion from the energies, by Lagrange's equations.

M = d2T/dv2, h = d/dt(dT/dv) - dT/dq + dV/dq with constant velocities. The angular velocity w of a ball joint is no rate
of a coordinate: with the momentum p = dT/dw the term w x p is added (Poincare, Comptes rendus 132 (1901) 369-371).
"""

from acausal.mechanism.functions.energies import kinetic_energy, potential_energy
from acausal.mechanism.functions.jacobians import position_derivatives, rate_of, velocity_derivatives
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, mirrored


def lagrange_equations(tree: RigidTree) -> tuple[Matrix, Vector]:
    """M(q) and h(q, v) of M a + h = tau."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    kinetic, potential = kinetic_energy(tree), potential_energy(tree)
    (momenta,) = velocity_derivatives(tree, (kinetic,))
    by_velocities = velocity_derivatives(tree, momenta)
    mass = mirrored([by_velocities[i][: i + 1] for i in range(len(momenta))])
    changing = rate_of(tree, (momenta,))[0]
    slopes = position_derivatives(tree, ((pool.sub(kinetic, potential),),))[0][0]
    h = list(algebra.sub(changing, slopes))
    for joint, first in zip(tree.joints, tree.first_velocity, strict=True):
        if joint.kind == "spherical":
            places = slice(first, first + 3)
            turning = algebra.cross(joint.velocities, momenta[places])
            h[places] = algebra.add(tuple(h[places]), turning)
    return mass, tuple(h)
