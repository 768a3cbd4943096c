"""Size and bounds of a scene."""

from typing import TYPE_CHECKING

from acausal.results.animation.geometry.rotations import combined, rotated
from acausal.results.animation.geometry.scene import Part, Run, Track
from acausal.results.animation.instances import Instance
from acausal.results.animation.kinds import vector

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SHARE = 0.25
"""Of the size of the largest body or shape: joints are not too small beside it."""
SIZES = ("length", "width", "height", "a1", "a2", "a3", "radius")


def size_of(instances: tuple[Instance, ...], rows: "Array") -> float:
    """A typical length in m: how far frames and centers are apart in the first row; part of the largest body at least.

    Where all are points at one place, it is how far they travel; 1 where they rest there.
    """
    import numpy as np

    first: list[Array] = []
    places: list[Array] = []
    largest = 0.0
    for instance in instances:
        for frame in instance.kind.frames:
            values = instance.rows(vector(frame.place))[rows]
            places.append(values)
            first.append(values[0])
            if instance.kind.name == "body":
                rotation = instance.rows(frame.elements[3:])[rows[0]].reshape(3, 3)
                first.append(values[0] + rotation @ instance.numbers(("r1", "r2", "r3")))
        if instance.kind.name in ("shape", "body"):
            largest = max([largest, *instance.numbers([x for x in SIZES if instance.has(x)])])
    apart = float(np.ptp(np.array(first), axis=0).max())
    return max(apart, SHARE * largest) or float(np.ptp(np.concatenate(places), axis=0).max()) or 1.0


def bounds(run: Run) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The corners of a box that holds all parts in all frames."""
    import numpy as np

    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for part in run.parts:
        track = run.tracks[part.track]
        points, reach = _reach(part, track)
        low, high = np.minimum(low, (points - reach).min(axis=0)), np.maximum(high, (points + reach).max(axis=0))
    return tuple(low.tolist()), tuple(high.tolist())


def _reach(part: Part, track: Track) -> "tuple[Array, Array]":
    """Middles of a part in all frames, and how far it goes from there along each axis of the inertial frame."""
    import numpy as np

    if track.lengths is not None:
        middles = track.places + rotated(
            track.turns, np.hstack([track.lengths / 2, 0 * track.lengths, 0 * track.lengths])
        )
        half = abs(middles - track.places) + part.size[1] / 2
        return middles, half
    turns, half_size = combined(track.turns, np.array([part.turn])), np.array(part.size) / 2
    if part.mesh is not None:
        half_size = abs(part.mesh.vertices * part.size).max(axis=0)
    edges = np.array([abs(rotated(turns, np.eye(3)[[i]] * half_size[i])) for i in range(3)])
    return centers(part, track), np.sqrt((edges**2).sum(axis=0)) if part.form == "sphere" else edges.sum(axis=0)


def centers(part: Part, track: Track) -> "Array":
    """Places of a part's own origin, (rows, 3)."""
    import numpy as np

    return np.asarray(track.places + rotated(track.turns, np.array([part.place])))
