"""Positions of rest: g(q) = tau, by a trust region from a start, in steps along the velocities."""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.rigid_trees.configurations import integrate
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

BALANCED = 1e-9
"""Efforts that are left, as a share of the largest at the start, at least of 1 N.m or N."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Positions `q` of rest: `residual` [N.m, N] is the largest effort that is left, tiny where it is `found`.

    It is `stable` if the potential energy has a minimum there: gravity and constant efforts alone are considered.
    """

    q: "Array"
    found: bool
    stable: bool
    residual: float


def equilibrium(
    tree: RigidTree, gravity: TreeFunction, derivatives: TreeFunction, start: "Array", efforts: "Array"
) -> Equilibrium:
    """The position of rest near `start` under constant efforts of the joints."""
    import numpy as np
    from scipy.optimize import least_squares

    nothing = np.zeros(len(tree.velocities))

    def rest(step: "Array") -> "Array":
        return gravity(integrate(tree, start, step)) - efforts

    size = max(1.0, float(np.abs(rest(nothing)).max(initial=0.0)))
    solved = least_squares(rest, nothing, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    q = integrate(tree, start, solved.x)
    residual = float(np.abs(gravity(q) - efforts).max(initial=0.0))
    stiffness = derivatives(q, nothing, nothing)[0]
    values = np.linalg.eigvalsh((stiffness + stiffness.T) / 2)
    return Equilibrium(q, residual < BALANCED * size, bool(np.all(values > 0)), residual)
