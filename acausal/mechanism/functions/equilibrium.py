"""Positions of rest: g(q) = tau, by a trust region from a start, in steps along the velocities.

With closed loops g(q) - phi_q^T lambda = tau, phi(q) = 0: reactions lambda keep the loops closed.
"""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.rigid_trees.configurations import integrate
from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from collections.abc import Callable

    from acausal.codegen.executable import Array

    Function = Callable[[Array], Array]

BALANCED = 1e-9
"""Efforts that are left, as a share of the largest at the start, at least of 1 N.m or N; gaps of loops [m, 1]."""
STEP = 1e-6
"""For differences of the forces that keep loops closed [rad, m]."""
SMALLEST = 1e-6
"""Singular values of phi_q below this share of the largest are zero."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """Positions `q` of rest: `residual` [N.m, N] is the largest effort that is left, tiny where it is `found`.

    It is `stable` if the potential energy has a minimum there, among poses with closed loops: gravity and constant
    efforts alone are considered.
    """

    q: "Array"
    found: bool
    stable: bool
    residual: float


def equilibrium(
    tree: RigidTree,
    gravity: TreeFunction,
    derivatives: TreeFunction,
    loops: tuple[TreeFunction, TreeFunction] | None,
    start: "Array",
    efforts: "Array",
) -> Equilibrium:
    """The position of rest near `start` under constant efforts of the joints; `loops` are phi and phi_q."""
    import numpy as np
    from scipy.optimize import least_squares

    nothing = np.zeros(len(tree.velocities))
    gaps, jacobian = _without_loops(len(nothing)) if loops is None else loops

    def rest(x: "Array") -> "Array":
        q = integrate(tree, start, x[: len(nothing)])
        return np.concatenate([gravity(q) - efforts - jacobian(q).T @ x[len(nothing) :], gaps(q)])

    held = np.linalg.lstsq(jacobian(start).T, gravity(start) - efforts, rcond=SMALLEST)[0]
    first = np.concatenate([nothing, held])
    size = max(1.0, float(np.abs(gravity(start) - efforts).max(initial=0.0)))
    x = least_squares(rest, first, xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    q, multipliers = integrate(tree, start, x[: len(nothing)]), x[len(nothing) :]
    residual = float(np.abs(rest(x)[: len(nothing)]).max(initial=0.0))
    closed = float(np.abs(gaps(q)).max(initial=0.0)) < BALANCED
    stiffness = derivatives(q, nothing, nothing)[0] - _turning(tree, jacobian, q, multipliers)
    ways = _ways(jacobian(q))
    values = np.linalg.eigvalsh(ways.T @ (stiffness + stiffness.T) @ ways / 2)
    return Equilibrium(q, closed and residual < BALANCED * size, bool(np.all(values > 0)), residual)


def _without_loops(size: int) -> "tuple[Function, Function]":
    import numpy as np

    return lambda _: np.zeros(0), lambda _: np.zeros((0, size))


def _turning(tree: RigidTree, jacobian: "Function", q: "Array", multipliers: "Array") -> "Array":
    """d(phi_q^T lambda)/dq along the velocities, by differences."""
    import numpy as np

    size = len(tree.velocities)
    found = np.zeros((size, size))
    for k, way in enumerate(np.eye(size) if len(multipliers) else ()):
        ahead, back = [jacobian(integrate(tree, q, side * STEP * way)).T @ multipliers for side in (1, -1)]
        found[:, k] = (ahead - back) / (2 * STEP)
    return found


def _ways(jacobian: "Array") -> "Array":
    """A basis of the velocities that keep loops closed, (nv, d)."""
    import numpy as np

    _, values, rows = np.linalg.svd(jacobian)
    return np.asarray(rows[int(np.count_nonzero(values > SMALLEST * values.max(initial=0.0))) :].T)
