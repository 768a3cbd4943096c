"""Forward dynamics with closed loops: multipliers for the constraints.

    [M  phi_q^T] [a      ]   [tau - h          ]
    [phi_q    0] [-lambda] = [-dphi_q/dt v     ]

Where constraints depend on each other the multipliers of minimum norm are found (`runtime/blocks/least_norm`).
"""

from acausal.ir.expr import Expr
from acausal.ir.least_norm import LeastNorm
from acausal.ir.plan import SolveLinear
from acausal.mechanism.functions.constraints import constraint_residuals
from acausal.mechanism.functions.function_program import origin_of
from acausal.mechanism.functions.inverse_dynamics import inverse_dynamics
from acausal.mechanism.functions.jacobians import position_derivatives, rate_of
from acausal.mechanism.functions.mass_matrix import mass_matrix
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree
from acausal.mechanism.rigid_trees.vectors import Matrix, VectorAlgebra, transpose


def constraint_jacobian(tree: RigidTree) -> Matrix:
    """phi_q(q), (m, nv): derivatives of the residuals along the velocities."""
    column = tuple([(x,) for x in constraint_residuals(tree)])
    return tuple([rows[0] for rows in position_derivatives(tree, column)])


def constrained_accelerations(tree: RigidTree) -> tuple[tuple[Expr, ...], SolveLinear]:
    """The accelerations of the joints, in terms of the linear equations for them and the multipliers."""
    algebra, pool = VectorAlgebra(tree.pool), tree.pool
    jacobian = constraint_jacobian(tree)
    size, count = len(tree.velocities), len(jacobian)
    nothing = (pool.zero,) * size
    rest = inverse_dynamics(tree, tree.velocities, nothing).efforts
    upper = [(*row, *column) for row, column in zip(mass_matrix(tree), transpose(jacobian), strict=True)]
    lower = [(*row, *(pool.zero,) * count) for row in jacobian]
    right = (
        *algebra.sub(tree.efforts, rest),
        *algebra.neg(algebra.times(rate_of(tree, jacobian), tree.velocities)),
    )
    unknowns = tuple([pool.variable(("constrained", k)) for k in range(1, size + count + 1)])
    multipliers = tuple(range(size, size + count))
    norm = LeastNorm(multipliers, multipliers)
    system = SolveLinear(unknowns, (*upper, *lower), right, size + count, (origin_of(tree.name),), norm)
    return unknowns[:size], system
