"""Tracks of frames: each frame once, however many instances have it."""

from typing import TYPE_CHECKING

from acausal.results.animation.geometry.rotations import combined, quaternions, rotated, steady_signs, toward
from acausal.results.animation.geometry.scene import Motion, Track
from acausal.results.animation.instances import Instance
from acausal.results.animation.kinds import FrameNames

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Vector = tuple[float, float, float]
ORIGIN = (0.0, 0.0, 0.0)


class Tracks:
    """The tracks of one run at the chosen rows of its result."""

    def __init__(self, rows: "Array") -> None:
        self._rows = rows
        self._found: dict[tuple[object, ...], int] = {}
        self._tracks: list[Track] = []

    def frame(self, instance: Instance, frame: FrameNames) -> int:
        """Number of the track of an instance's frame; equal variables are the same track."""
        columns = [instance.result.column(f"{instance.name}.{x}") for x in frame.elements]
        key = tuple([(c.position, c.sign, c.value, c.is_time) for c in columns])
        if key not in self._found:
            values = instance.rows(frame.elements)[self._rows]
            motion = Motion("frame", tuple([f"{instance.name}.{x}" for x in frame.elements]))
            self._found[key] = self._add(motion, values[:, :3], quaternions(values[:, 3:].reshape(-1, 3, 3)))
        return self._found[key]

    def between(self, first: int, second: int) -> int:
        """Number of a track that stretches from the origin of a track to that of another one."""
        import numpy as np

        begin = self.points(first, ORIGIN)
        way = self.points(second, ORIGIN) - begin
        motion = Motion("between", tracks=(first, second))
        return self._add(motion, begin, toward(way), np.linalg.norm(way, axis=1, keepdims=True))

    def share(self, first: int, second: int, share: float) -> int:
        """Number of a track at a share of the way from the origin of a track to that of another one."""
        places = (1 - share) * self.points(first, ORIGIN) + share * self.points(second, ORIGIN)
        return self._broadcast(Motion("share", (), (first, second), (share,)), places, self._tracks[first].turns)

    def turned(self, track: int, angle: tuple[str, "Array"], axis: Vector, center: Vector) -> int:
        """Number of a track turned from another by an angle (a variable, its values) about an axis through a point."""
        import numpy as np

        name, values = angle
        half = values / 2
        turns = combined(self._tracks[track].turns, np.hstack([np.sin(half) * np.array(axis), np.cos(half)]))
        motion = Motion("turned", (name,), (track,), (*axis, *center))
        return self._broadcast(motion, self.points(track, center), steady_signs(turns))

    def _broadcast(self, motion: Motion, places: "Array", turns: "Array") -> int:
        """Number of a new track; one row of either serves all."""
        import numpy as np

        rows = len(self._rows)
        return self._add(motion, np.broadcast_to(places, (rows, 3)), np.broadcast_to(turns, (rows, 4)))

    def points(self, track: int, place: tuple[float, float, float]) -> "Array":
        """Places of a point of a frame, (rows, 3)."""
        import numpy as np

        found = self._tracks[track]
        points = found.places + rotated(found.turns, np.array([place]))
        return np.broadcast_to(points, (len(self._rows), 3))

    def in_world(self, track: int, vectors: "Array") -> "Array":
        """Vectors (rows, 3) of a frame in the axes of the inertial frame."""
        return rotated(self._tracks[track].turns, vectors)

    def in_frame(self, track: int, points: "Array") -> "Array":
        """Points (rows, 3) seen from a frame."""
        import numpy as np

        found = self._tracks[track]
        return rotated(found.turns * np.array([-1.0, -1.0, -1.0, 1.0]), points - found.places)

    @property
    def tracks(self) -> tuple[Track, ...]:
        """All tracks by number."""
        return tuple(self._tracks)

    def _add(self, motion: Motion, places: "Array", turns: "Array", lengths: "Array | None" = None) -> int:
        parts = [x for x in (places, turns, lengths) if x is not None]
        if all((x == x[0]).all() for x in parts):
            places, turns, lengths = places[:1], turns[:1], None if lengths is None else lengths[:1]
        self._tracks.append(Track(places, turns, lengths, motion))
        return len(self._tracks) - 1
