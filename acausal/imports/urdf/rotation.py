"""Rotations by roll, pitch and yaw: matrices, axis and angle, inertia in other axes."""

import math
from collections.abc import Sequence

from acausal.imports.urdf.robot import Vector

Matrix = tuple[Vector, Vector, Vector]


def matrix(rpy: Vector) -> Matrix:
    """Rz(yaw)*Ry(pitch)*Rx(roll): its columns are the axes of the frame in its parent."""
    (sr, cr), (sp, cp), (sy, cy) = [(math.sin(x), math.cos(x)) for x in rpy]
    return (
        (cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr),
        (sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr),
        (-sp, cp * sr, cp * cr),
    )


def column(rotation: Matrix, number: int) -> Vector:
    """A column: an axis of the frame."""
    return rotation[0][number], rotation[1][number], rotation[2][number]


def axis_angle(rpy: Vector) -> tuple[Vector, float]:
    """Unit axis and angle of the rotation; the angle itself where only one of the three is not zero.

    From the quaternion, which is accurate for every angle.
    """
    turned = [(k, x) for k, x in enumerate(rpy) if x != 0.0]
    if len(turned) == 1:
        ((k, x),) = turned
        return (float(k == 0), float(k == 1), float(k == 2)), x
    (sr, cr), (sp, cp), (sy, cy) = [(math.sin(x / 2), math.cos(x / 2)) for x in rpy]
    w = cr * cp * cy + sr * sp * sy
    x = sr * cp * cy - cr * sp * sy
    y = cr * sp * cy + sr * cp * sy
    z = cr * cp * sy - sr * sp * cy
    length = math.hypot(x, y, z)
    if length == 0.0:
        return (0.0, 0.0, 1.0), 0.0
    return (x / length, y / length, z / length), 2 * math.atan2(length, w)


def turned_inertia(inertia: Sequence[float], rpy: Vector) -> tuple[float, ...]:
    """R*J*transpose(R) as (xx, yy, zz, xy, xz, yz)."""
    if rpy == (0.0, 0.0, 0.0):
        return tuple(inertia)
    xx, yy, zz, xy, xz, yz = inertia
    rotation, tensor = matrix(rpy), ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))

    def element(i: int, j: int) -> float:
        return sum(rotation[i][k] * tensor[k][n] * rotation[j][n] for k in range(3) for n in range(3))

    return tuple([element(i, j) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


def across(axis: Vector) -> Vector:
    """A unit vector across another: along the frame's axis that is least along it."""
    smallest = min(range(3), key=lambda k: abs(axis[k]))
    x = [float(k == smallest) - axis[smallest] * axis[k] for k in range(3)]
    length = math.hypot(*x)
    return x[0] / length, x[1] / length, x[2] / length
