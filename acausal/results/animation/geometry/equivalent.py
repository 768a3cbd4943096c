"""Boxes that stand for bodies: those of the same mass and the same moments of inertia."""

from typing import TYPE_CHECKING

from acausal.results.animation.geometry.rotations import quaternions

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

STEEL = 7700.0
"""Density, kg/m3, which gives the edges that the inertia leaves open."""
Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]


def equivalent_box(mass: float, inertia: "Array", center: Vector) -> tuple[Vector, Turn] | None:
    """Edges and rotation of a homogeneous box with this inertia tensor about its center; None for a point mass.

    With the principal moments J1, J2, J3 the edges are a1^2 = 6*(J2 + J3 - J1)/m, and so on. Where only one moment is
    given, as in a plane, the body is a rod across it along the way from the frame to its center. An edge that the
    moments leave at zero is that of a body of steel.
    """
    import numpy as np

    if mass <= 0 or not np.any(inertia):
        return None
    diagonal = np.diag(inertia)
    across = np.array(center)
    given = np.flatnonzero(diagonal)
    if len(given) == 1 and np.count_nonzero(inertia) == 1:
        axis = np.zeros(3)
        axis[given[0]] = 1.0
        along = across - axis * (axis @ across)
        if not np.any(along):
            return None
        along /= np.linalg.norm(along)
        moments, axes = (
            np.array([0.0, diagonal[given[0]], diagonal[given[0]]]),
            np.array([along, np.cross(axis, along), axis]).T,
        )
    else:
        moments, axes = np.linalg.eigh(inertia)
        axes = _nearest_order(axes)
        moments = np.einsum("ki,kl,li->i", axes, inertia, axes)
    squares = 6 * (moments.sum() - 2 * moments) / mass
    least = 1e-9 * max(squares.max(), 0.0)
    if squares.max() <= 0:
        return None
    edges = np.where(squares > least, np.sqrt(np.maximum(squares, 0.0)), 0.0)
    open_ = edges == 0
    if open_.any():
        edges[open_] = (mass / STEEL / np.prod(edges[~open_])) ** (1 / open_.sum())
    turn = quaternions(axes[None])[0]
    a, b, c = edges.tolist()
    x, y, z, w = turn.tolist()
    return (a, b, c), (x, y, z, w)


def steel_diameter(mass: float) -> float:
    """Diameter of a ball of steel."""
    import numpy as np

    return float(np.cbrt(6 * abs(mass) / np.pi / STEEL))


def _nearest_order(axes: "Array") -> "Array":
    """Columns in the order and with the signs nearest to the axes of the frame, right-handed."""
    import numpy as np

    left, order = [0, 1, 2], []
    for row in range(3):
        best = max(left, key=lambda column: abs(axes[row, column]))
        left.remove(best)
        order.append(best)
    found = axes[:, order]
    found = found * np.where(np.diagonal(found) < 0, -1.0, 1.0)
    if np.linalg.det(found) < 0:
        found[:, 2] = -found[:, 2]
    return np.asarray(found)
