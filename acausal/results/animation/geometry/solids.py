"""Triangles of the forms of parts, of size 1 around the origin, their axis along the first one."""

from typing import TYPE_CHECKING

from acausal.base.caches import memoized
from acausal.results.animation.geometry.scene import Form, Part, Triangles

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

ROUND, RINGS = 32, 12
COILS, ALONG, WIRE = 8, 160, 6
WIRE_RADIUS = 0.06
ENDS = 0.08
"""Part of a spring's length at each end where its wire comes from the axis."""


def triangles_of(part: Part) -> Triangles:
    """The triangles of a part before its size."""
    if part.mesh is not None:
        return part.mesh
    return _tube(_helix(), part.aspect) if part.form == "spring" else solid(part.form)


@memoized(8)
def solid(form: Form) -> Triangles:
    """The triangles of a form."""
    import numpy as np

    if form == "sphere":
        angles = np.linspace(-np.pi / 2, np.pi / 2, RINGS + 1)
        return _lathe(np.sin(angles) / 2, np.cos(angles) / 2, ROUND)
    if form == "spring":
        return _tube(_helix(), 1.0)
    if form == "cylinder":
        return _lathe(np.array([-0.5, -0.5, 0.5, 0.5]), np.array([0.0, 0.5, 0.5, 0.0]), ROUND)
    corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    return Triangles(corners, np.array([[a, b, c] for s in sides for a, b, c in (s[:3], [s[0], s[2], s[3]])]))


def _lathe(along: "Array", radii: "Array", around: int) -> Triangles:
    """A solid of revolution about the first axis; triangles without area, at its ends, are left out."""
    import numpy as np

    angles = 2 * np.pi * np.arange(around) / around
    rings = [
        np.column_stack([0 * angles + x, r * np.cos(angles), r * np.sin(angles)])
        for x, r in zip(along, radii, strict=True)
    ]
    return _without_slivers(np.concatenate(rings), _mantle(len(along), around))


def _mantle(rings: int, around: int) -> "NDArray[intp]":
    """Triangles between rings of points, counterclockwise seen from outside."""
    import numpy as np

    ring, k = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    a, b = ring * around + k, ring * around + (k + 1) % around
    first, second = np.stack([a, b, b + around], -1), np.stack([a, b + around, a + around], -1)
    return np.stack([first, second], -2).reshape(-1, 3)


def _without_slivers(points: "Array", faces: "NDArray[intp]") -> Triangles:
    import numpy as np

    a, b, c = (points[faces[:, i]] for i in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return Triangles(points, faces[area > 1e-12])


def _helix() -> "Array":
    """The middle of a spring's wire."""
    import numpy as np

    s = np.linspace(0, 1, ALONG + 1)
    radius = 0.42 * np.minimum(1, np.minimum(s, 1 - s) / ENDS)
    angle = 2 * np.pi * COILS * np.clip((s - ENDS) / (1 - 2 * ENDS), 0, 1)
    return np.column_stack([s - 0.5, radius * np.cos(angle), radius * np.sin(angle)])


def _tube(middle: "Array", aspect: float) -> Triangles:
    """A tube around a curve that goes around the first axis; along it the tube is thinner by `aspect`."""
    import numpy as np

    way = np.gradient(middle, axis=0)
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    outward = np.column_stack([0 * middle[:, 0], middle[:, 1:]])
    outward[np.linalg.norm(outward, axis=1) < 1e-9] = 0.0, 1.0, 0.0
    outward -= way * (outward * way).sum(axis=1, keepdims=True)
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    across = np.cross(way, outward)
    angles = 2 * np.pi * np.arange(WIRE) / WIRE
    around = np.cos(angles)[None, :, None] * outward[:, None] + np.sin(angles)[None, :, None] * across[:, None]
    points = middle[:, None] + WIRE_RADIUS * np.array([aspect, 1.0, 1.0]) * around
    return Triangles(points.reshape(-1, 3), _mantle(len(middle), WIRE))
