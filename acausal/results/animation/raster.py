"""Pictures of a scene by a depth buffer, in NumPy alone: for videos, where there is no browser."""

from functools import cached_property
from typing import TYPE_CHECKING

from acausal.results.animation.geometry.camera import Camera, camera_of
from acausal.results.animation.geometry.rotations import rotated
from acausal.results.animation.geometry.scene import Part, Run, Scene
from acausal.results.animation.geometry.solids import triangles_of

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

FINER = 2
"""Pixels of the depth buffer along each side of a pixel of the picture."""
BACK, GRID, SHADE = 0.957, 0.86, 0.78
"""Brightness of the background, of the lines on the ground and of shadows."""
AMBIENT, DIRECT = 0.55, 0.5
GLASS = 0.55
"""Part of the background in the colors of overlaid runs."""
SQUARES = 10
LINE_POINTS = 1500


class Raster:
    """Draws a scene at its rows; camera, solids and ground are the same in all pictures."""

    def __init__(self, scene: Scene, width: int, height: int) -> None:
        self._scene = scene
        self._width, self._height = FINER * width, FINER * height
        self._camera: Camera = camera_of(scene, width / height)
        self._solids = [[_sized(part) for part in run.parts] for run in scene.runs]

    def picture(self, t: float) -> "Array":
        """The picture at a time: (height, width, 3) from 0 to 255; each run shows its last row at or before it."""
        import numpy as np

        depth, colors = (x.copy() for x in self._empty)
        for number, run in enumerate(self._scene.runs):
            row = max(int(np.searchsorted(run.time, t, side="right")) - 1, 0)
            corners, tints = self._triangles(run, number, row)
            if number == 0:
                self._fill(depth, colors, self._shadows(corners), np.full((len(corners), 3), SHADE))
            self._fill(depth, colors, corners, self._lit(corners, tints))
        fine = colors.reshape(self._height // FINER, FINER, self._width // FINER, FINER, 3).mean(axis=(1, 3))
        return np.asarray((255 * np.clip(fine, 0, 1)).round().astype(np.uint8))

    @cached_property
    def _empty(self) -> "tuple[Array, Array]":
        """Depth buffer and colors with the lines on the ground."""
        import numpy as np

        depth = np.full(self._width * self._height, np.inf)
        colors = np.full((len(depth), 3), BACK)
        pixels, distances = self._camera.seen(self._lines(), self._width, self._height)
        x, y = pixels.astype(int).T
        shown = (x >= 0) & (x < self._width) & (y >= 0) & (y < self._height) & (distances > 0)
        at = y[shown] * self._width + x[shown]
        colors[at] = GRID
        return depth, colors

    def _lines(self) -> "Array":
        """Points of a square grid on the ground."""
        import numpy as np

        c, low, high = self._camera, np.array(self._scene.low), np.array(self._scene.high)
        radius = np.linalg.norm(high - low) / 2
        first = np.cross(c.up, c.axes[2])
        first /= np.linalg.norm(first)
        second = np.cross(c.up, first)
        middle = (low + high) / 2
        middle = middle + c.up * (c.ground - middle @ c.up)
        reach = 2.5 * radius
        along, across = np.meshgrid(np.linspace(-reach, reach, LINE_POINTS), np.linspace(-reach, reach, SQUARES + 1))
        a, b = along.reshape(-1, 1), across.reshape(-1, 1)
        return np.concatenate([middle + a * first + b * second, middle + b * first + a * second])

    def _triangles(self, run: Run, number: int, row: int) -> "tuple[Array, Array]":
        """Corners (n, 3, 3) and colors (n, 3) of all parts in a row."""
        import numpy as np

        corners, tints = [], []
        for part, local in zip(run.parts, self._solids[number], strict=True):
            if part.group == "covered":
                continue
            track = run.tracks[part.track]
            at = row if len(track.places) > 1 else 0
            place, turn = track.places[at], track.turns[[at]]
            stretch = np.array([1.0 if track.lengths is None else track.lengths[at, 0], 1.0, 1.0])
            points = place + rotated(turn, local * stretch)
            found = points[triangles_of(part).faces]
            corners.append(found)
            color = np.array(part.color) if number == 0 else (1 - GLASS) * np.array(part.color) + GLASS * BACK
            tints.append(np.broadcast_to(color, (len(found), 3)))
        return np.concatenate(corners), np.concatenate(tints)

    def _lit(self, corners: "Array", tints: "Array") -> "Array":
        """Colors of triangles by their inclination to the light and to the eye; both sides are drawn."""
        import numpy as np

        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        to_eye = ((self._camera.place - corners[:, 0]) * normals).sum(axis=1)
        normals[to_eye < 0] *= -1
        direct = np.maximum(normals @ self._camera.light, 0) * DIRECT
        lamp = 0.15 * np.maximum(normals @ self._camera.axes[2], 0)
        return np.asarray(tints * (AMBIENT + direct + lamp)[:, None])

    def _shadows(self, corners: "Array") -> "Array":
        """The triangles, projected to the ground along the light."""
        import numpy as np

        c = self._camera
        above = corners @ c.up - c.ground
        return np.asarray(corners - (above / (c.light @ c.up))[..., None] * c.light)

    def _fill(self, depth: "Array", colors: "Array", corners: "Array", tints: "Array") -> None:
        """Draw triangles into the buffers, line by line of each triangle, all of them at once."""
        import numpy as np

        pixels, distances = self._camera.seen(corners, self._width, self._height)
        good = (distances > 0).all(axis=1)
        pixels, near, tints = pixels[good], 1 / distances[good], tints[good]  # 1/distance is linear in the picture
        of, y, left, right = self._spans(pixels)
        counts = right - left
        line = np.repeat(np.arange(len(of)), counts)
        x = left[line] + np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
        planes = _planes(pixels, near)[of[line]]
        reached = 1 / (planes[:, 0] * (x + 0.5) + planes[:, 1] * (y[line] + 0.5) + planes[:, 2])
        at = y[line] * self._width + x
        np.minimum.at(depth, at, reached)
        first = reached == depth[at]
        colors[at[first]] = tints[of[line[first]]]

    def _spans(self, pixels: "Array") -> "tuple[NDArray[intp], NDArray[intp], NDArray[intp], NDArray[intp]]":
        """Lines of pixels inside triangles: number of the triangle, row, first column and the one behind the last."""
        import numpy as np

        low = np.clip(np.ceil(pixels[:, :, 1].min(axis=1) - 0.5), 0, self._height).astype(np.intp)
        high = np.clip(np.ceil(pixels[:, :, 1].max(axis=1) - 0.5), 0, self._height).astype(np.intp)
        counts = high - low
        of = np.repeat(np.arange(len(pixels)), counts)
        y = low[of] + np.arange(len(of)) - np.repeat(np.cumsum(counts) - counts, counts)
        first, last = np.full(len(of), np.inf), np.full(len(of), -np.inf)
        for k in range(3):
            a, b = pixels[of, k], pixels[of, (k + 1) % 3]
            rise = b[:, 1] - a[:, 1]
            part = (y + 0.5 - a[:, 1]) / np.where(rise == 0, np.inf, rise)
            crossed = (rise != 0) & (part >= 0) & (part <= 1)
            x = np.where(crossed, a[:, 0] + part * (b[:, 0] - a[:, 0]), np.nan)
            first, last = np.fmin(first, x), np.fmax(last, x)
        left, right = self._columns(first), self._columns(last)
        return of, y, left, np.maximum(left, right)

    def _columns(self, x: "Array") -> "NDArray[intp]":
        """Columns of pixels whose middle is at x or the next behind it; without x the first."""
        import numpy as np

        return np.clip(np.ceil(np.nan_to_num(x, posinf=0, neginf=0) - 0.5), 0, self._width).astype(np.intp)


def _planes(pixels: "Array", values: "Array") -> "Array":
    """Coefficients (n, 3) of the linear functions of x and y that have values (n, 3) at the corners of triangles."""
    import numpy as np

    a, b, c = (pixels[:, k] for k in range(3))
    area = _cross(b - a, c - a)
    area[area == 0] = np.inf
    first, second = values[:, 1] - values[:, 0], values[:, 2] - values[:, 0]
    dx = (first * (c - a)[:, 1] - second * (b - a)[:, 1]) / area
    dy = (second * (b - a)[:, 0] - first * (c - a)[:, 0]) / area
    return np.stack([dx, dy, values[:, 0] - dx * a[:, 0] - dy * a[:, 1]], -1)


def _sized(part: Part) -> "Array":
    """Vertices of a part in the frame of its track."""
    import numpy as np

    vertices = triangles_of(part).vertices * np.array(part.size)
    return np.array(part.place) + rotated(np.array([part.turn]), vertices)


def _cross(a: "Array", b: "Array") -> "Array":
    import numpy as np

    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
