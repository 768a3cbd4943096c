"""A robot as data: links, joints and what is to be drawn. Lengths in m, angles in rad, masses in kg."""

from acausal.base.frozen import dataclass
from acausal.base.source import Span

Vector = tuple[float, float, float]
ZERO: Vector = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Origin:
    """Place and roll, pitch, yaw of a frame in another."""

    xyz: Vector = ZERO
    rpy: Vector = ZERO


@dataclass(frozen=True, slots=True)
class Inertial:
    """Mass, and inertia (xx, yy, zz, xy, xz, yz) about the center of mass in the axes of `origin`."""

    span: Span
    origin: Origin
    mass: float
    inertia: tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class Geometry:
    """A form: `kind` is box, cylinder, sphere or mesh, `size` its edges, diameter and length, or diameter.

    Of a mesh `file` is the name as written, `size` the scale.
    """

    span: Span
    kind: str
    size: Vector
    origin: Origin
    file: str = ""
    color: Vector | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A body: inertia and drawings; `collisions` replace drawings in formats that are not read."""

    name: str
    span: Span
    inertial: Inertial | None
    visuals: tuple[Geometry, ...]
    collisions: tuple[Geometry, ...]


@dataclass(frozen=True, slots=True)
class Limit:
    """Range of a joint (None: unlimited), largest speed and effort."""

    lower: float | None
    upper: float | None
    velocity: float | None
    effort: float | None


@dataclass(frozen=True, slots=True)
class Mimic:
    """A joint that follows another: q = multiplier*q of `joint` + offset."""

    span: Span
    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint from `parent` to `child`, about or along the unit vector `axis`, with its frame at `origin`."""

    name: str
    span: Span
    kind: str
    parent: str
    child: str
    origin: Origin
    axis: Vector
    limit: Limit | None
    damping: float
    friction: float
    mimic: Mimic | None

    @property
    def turns(self) -> bool:
        """True if its coordinate is an angle."""
        return self.kind in ("revolute", "continuous")

    @property
    def has_axis(self) -> bool:
        """True if it has one coordinate."""
        return self.turns or self.kind == "prismatic"


@dataclass(frozen=True, slots=True)
class Robot:
    """Links and joints in the order of the file; `root` is the link that is no child."""

    name: str
    span: Span
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    root: str
