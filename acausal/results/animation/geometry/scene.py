"""The data of a scene: parts fixed to moving frames, arrows, and curves, for one run or several."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from acausal.base.diagnostics import Diagnostic
from acausal.base.frozen import dataclass

if TYPE_CHECKING:
    from numpy import intp
    from numpy.typing import NDArray

    from acausal.codegen.executable import Array

Group = Literal["shape", "body", "covered", "joint", "bar", "spring"]
"""`covered` are bodies and bars on frames that bear a declared shape or a wheel: hidden unless asked for."""
Form = Literal["box", "cylinder", "sphere", "spring", "mesh"]
NO_TURN = (0.0, 0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Sources:
    """Names of the parameters that edges, the place, or the end of a bar from the origin of its track are equal to."""

    size: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    end: tuple[str, ...] = ()


NO_SOURCES = Sources()


@dataclass(frozen=True, slots=True)
class Motion:
    """Rule by which a track follows from variables and other tracks, for pages that compute runs of their own.

    frame    place and rotation row by row: 12 `names`
    between  stretches from the origin of the first of two `tracks` to that of the second
    share    at `numbers[0]` of the way between the origins of two tracks, turned as the first
    turned   a track turned by the angle `names[0]` about an axis, `numbers[:3]`, through a point, `numbers[3:]`
    """

    kind: Literal["frame", "between", "share", "turned"]
    names: tuple[str, ...] = ()
    tracks: tuple[int, ...] = ()
    numbers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A frame over time: places in m, (rows, 3), and quaternions (x, y, z, w), (rows, 4); one row where it rests.

    Of what stretches between two points, `lengths` (rows, 1) is the distance, along the first axis.
    """

    places: "Array"
    turns: "Array"
    lengths: "Array | None" = None
    motion: Motion | None = None


@dataclass(frozen=True, slots=True)
class Triangles:
    """Vertices (n, 3) in m and triangles (k, 3), counterclockwise seen from outside."""

    vertices: "Array"
    faces: "NDArray[intp]"


@dataclass(frozen=True, slots=True)
class Part:
    """A rigid part on a track.

    `place` and `turn` put it into the frame of the track. `size` is along its own axes: edges of a box, (length,
    diameter, diameter) of a cylinder or spring along the first axis, diameters of a sphere or ellipsoid, factors of a
    mesh. A track with lengths stretches its parts along the first axis: one of length 1 is as long as
    the distance. `sources` are the parameters that fields are equal to.
    `color` is red, green, blue from 0 to 1; `aspect` is the diameter of a spring divided by its first length.
    """

    name: str
    group: Group
    form: Form
    track: int
    size: tuple[float, float, float]
    color: tuple[float, float, float]
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[float, float, float, float] = NO_TURN
    mesh: Triangles | None = None
    aspect: float = 1.0
    sources: Sources = NO_SOURCES


@dataclass(frozen=True, slots=True)
class Arrow:
    """A force (N) or torque (N.m) at the origin of a track: vectors (rows, 3) in axes of the inertial frame.

    `names` are its elements in axes of the track.
    """

    name: str
    kind: Literal["force", "torque"]
    reaction: bool
    track: int
    vectors: "Array"
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Curve:
    """A variable at the instants `curve_time` of its run."""

    name: str
    unit: str
    values: "Array"


@dataclass(frozen=True, slots=True)
class Run:
    """One run: its frames are at the instants `time` (s), the points of its curves at `curve_time`."""

    name: str
    time: "Array"
    tracks: tuple[Track, ...]
    parts: tuple[Part, ...]
    arrows: tuple[Arrow, ...] = ()
    curves: tuple[Curve, ...] = ()
    curve_time: "Array | Sequence[float]" = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """Runs in one picture, which lasts `seconds`; `up` is against gravity (m/s2), `size` a typical length in m.

    `low` and `high` bound the first run in the axes of the inertial frame. `notes` say what could not be drawn.
    """

    name: str
    seconds: float
    up: tuple[float, ...]
    gravity: tuple[float, ...]
    size: float
    low: tuple[float, ...]
    high: tuple[float, ...]
    runs: tuple[Run, ...]
    notes: tuple[Diagnostic, ...] = ()
