"""Forward dynamics with closed loops: multipliers for the constraints.

    [M  phi_q^T] [a      ]   [tau - h          ]
    [phi_q    0] [-lambda] = [-dphi_q/dt v     ]

Where constraints depend on each other the multipliers of minimum norm are found (`runtime/blocks/least_norm`).
"""

from acausal.ir.graph import LeastNorm
from acausal.ir.plan import SolveLinear
from acausal.mechanism.functions.constraints import constraint_residuals
from acausal.mechanism.functions.function_program import origin_of
from acausal.mechanism.functions.inverse_dynamics import inverse_dynamics
from acausal.mechanism.functions.jacobians import position_derivatives, rate_of
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector, VectorAlgebra, transpose


def constraint_jacobian(tree: RigidTree) -> Matrix:
    """phi_q(q), (m, nv): derivatives of the residuals along the velocities."""
    column = tuple([(x,) for x in constraint_residuals(tree)])
    return tuple([rows[0] for rows in position_derivatives(tree, column)])


def constrained_accelerations(tree: RigidTree) -> tuple[Vector, SolveLinear]:
    """The accelerations of the joints, in terms of the linear equations for them and the multipliers."""
    nothing = (tree.pool.zero,) * len(tree.velocities)
    return by_multipliers(tree, mass_matrix(tree), inverse_dynamics(tree, tree.velocities, nothing).efforts)


def by_multipliers(tree: RigidTree, mass: Matrix, rest: Vector) -> tuple[Vector, SolveLinear]:
    """The same with a mass matrix and nonlinear effects h of the tree."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    jacobian = constraint_jacobian(tree)
    size, count = len(tree.velocities), len(jacobian)
    upper = [(*row, *column) for row, column in zip(mass, transpose(jacobian), strict=True)]
    lower = [(*row, *(pool.zero,) * count) for row in jacobian]
    right = (*algebra.sub(tree.efforts, rest), *algebra.neg(drift(tree, jacobian)))
    unknowns = tuple([pool.variable(("constrained", k)) for k in range(1, size + count + 1)])
    multipliers = tuple(range(size, size + count))
    norm = LeastNorm(multipliers, multipliers)
    system = SolveLinear(unknowns, (*upper, *lower), right, size + count, (origin_of(tree.name),), norm)
    return unknowns[:size], system


def drift(tree: RigidTree, jacobian: Matrix) -> Vector:
    """d2phi/dt2 = dphi_q/dt v without accelerations."""
    return VectorAlgebra(tree.pool).times(rate_of(tree, jacobian), tree.velocities)
