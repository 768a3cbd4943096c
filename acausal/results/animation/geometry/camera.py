"""A camera that sees a whole scene, with the ground below it and light from above."""

from typing import TYPE_CHECKING

from acausal.base.frozen import dataclass
from acausal.results.animation.geometry.scene import Scene

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

OPENING = 35.0
"""Angle of view from top to bottom, in degrees."""
MARGIN = 1.08


@dataclass(frozen=True, slots=True)
class Camera:
    """A place and axes as rows: to the right, up, toward the eye; `focal` is the focal length in heights.

    `ground` is the height of the ground along `up`, `light` the direction toward the light.
    """

    place: "Array"
    axes: "Array"
    focal: float
    up: "Array"
    ground: float
    light: "Array"

    def seen(self, points: "Array", width: int, height: int) -> "tuple[Array, Array]":
        """Pixels (..., 2) and distances (...) of points (..., 3)."""
        import numpy as np

        x, y, z = np.moveaxis((points - self.place) @ self.axes.T, -1, 0)
        scale = self.focal * height / np.maximum(-z, 1e-12)
        return np.stack([width / 2 + scale * x, height / 2 - scale * y], -1), -z


def camera_of(scene: Scene, ratio: float) -> Camera:
    """An oblique view of the larger side, so near that the scene fills a picture with this ratio of width to height."""
    import numpy as np

    up = np.array(scene.up) / np.linalg.norm(scene.up)
    low, high = np.array(scene.low), np.array(scene.high)
    front = _front(up, high - low)
    right = np.cross(up, front)
    toward = front + 0.45 * right + 0.4 * up
    toward /= np.linalg.norm(toward)
    side = np.cross(up, toward)
    side /= np.linalg.norm(side)
    axes = np.array([side, np.cross(toward, side), toward])
    middle = (low + high) / 2
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    x, y, z = ((corners - middle) @ axes.T).T
    radius = np.linalg.norm(high - low) / 2
    steep = np.tan(np.radians(OPENING) / 2)
    distance = (z + MARGIN * np.maximum(np.maximum(abs(y), abs(x) / ratio), 0.1 * radius) / steep).max()
    light = 0.7 * front - 0.5 * right + 1.4 * up
    ground = float((corners @ up).min())
    place = middle + distance * toward
    return Camera(place, axes, 0.5 / steep, up, ground, light / np.linalg.norm(light))


def _front(up: "Array", sizes: "Array") -> "Array":
    """The horizontal direction along which the scene is thinnest, toward the viewer."""
    import numpy as np

    level = [axis - up * (axis @ up) for axis in np.eye(3)]
    flat = [axis / np.linalg.norm(axis) for axis in level if np.linalg.norm(axis) > 0.5]
    front = flat[0]
    for axis in flat[1:]:
        if abs(axis) @ sizes < 0.999 * (abs(front) @ sizes):
            front = axis
    return np.asarray(-front if front[2] < 0 or (front[2] == 0 and front[1] > 0) else front)
