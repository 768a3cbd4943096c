"""A mechanism as data: frames, links, bodies, closures of loops and forces, with the places in the text they are from.

Units are SI: m, kg, kg.m2, rad. Numbers are the values of the parameters at translation; a parameter's name is the
`path` of the instance followed by its name in the class, as `parameter_name` makes it.
"""

from typing import Literal

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir.names import Name, show_name

Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]
"""Row by row."""

JointKind = Literal["revolute", "prismatic", "screw", "spherical", "general"]
"""`general` is a class of the user that inherits JointQ or Frame and gives its own motion."""

CutJointKind = Literal["rigid", "spherical", "rod", "revolute", "planar", "parallel", "universal", "prismatic"]
RollingKind = Literal["knife edge", "rolling wheel", "level wheel", "rolling sphere"]
ClosureKind = CutJointKind | RollingKind

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True, slots=True)
class Instance:
    """Place of an element in the text: its path, its class, and where it is declared."""

    path: Name
    class_name: str
    span: Span

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return show_name(self.path)

    def parameter_name(self, name: str) -> Name:
        """Full name of a parameter or variable of the instance."""
        return (*self.path, name)


@dataclass(frozen=True, slots=True)
class Frame:
    """A coordinate frame: an Inertial (`link` is None), or the frame B of the link with that number.

    `cuts` are the cuts that are connected there, each the path of its instance and its name.
    """

    instance: Instance
    link: int | None
    cuts: tuple[Name, ...]

    @property
    def name(self) -> str:
        """The path of the instance whose frame it is."""
        return self.instance.name


@dataclass(frozen=True, slots=True)
class Joint:
    """A joint from frame `reference` to frame `frame` (numbers).

    Its place is `placement` [m] in the reference frame; `axis` is a unit vector (zero for `spherical`, `general`) and
    `pitch` [m/rad] belongs to a screw. `coordinates` are q [rad or m] or the four elements of a quaternion, scalar
    first; `rates` are its relative velocities (w; for `spherical` the angular velocity in axes of the moved frame),
    `efforts` the forces or torques that drive it, each as names of variables. `compound` is the submodel (Universal,
    Cylindrical, Planar, Free, ...) that it is a part of. `locked` says that it is locked from the start to the end.
    """

    instance: Instance
    kind: JointKind
    reference: int
    frame: int
    placement: Vector
    axis: Vector
    pitch: float
    degrees_of_freedom: int
    coordinates: tuple[Name, ...]
    rates: tuple[Name, ...]
    efforts: tuple[Name, ...]
    lockable: bool = False
    locked: bool = False
    compound: Name | None = None

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return self.instance.name


@dataclass(frozen=True, slots=True)
class RigidLink:
    """A frame at a constant place: `placement` [m] in frame `reference`; `rotation` takes components to those there."""

    instance: Instance
    reference: int
    frame: int
    placement: Vector
    rotation: Matrix

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return self.instance.name


Link = Joint | RigidLink


@dataclass(frozen=True, slots=True)
class MassElement:
    """A Body: mass [kg], center of mass [m], inertia [kg.m2] about the center of mass, in axes of its frame."""

    instance: Instance
    frame: int
    mass: float
    center: Vector
    inertia: Matrix

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return self.instance.name


@dataclass(frozen=True, slots=True)
class Body:
    """A rigid body: the numbers of the frames fixed to each other, and of the mass elements at them.

    The first frame is the body's own; `placements` and `rotations` are those of the frames in it, None where a closed
    loop holds the frame. Body 0 is the ground.
    """

    name: str
    frames: tuple[int, ...]
    placements: tuple[Vector | None, ...]
    rotations: tuple[Matrix | None, ...]
    elements: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Closure:
    """Constraint that closes a loop between the frames `first` (A) and `second` (B), or holds B to the ground A.

    `rigid` is the closing class RigidLoop at the connect statement `span`, and `around` are the paths of the links of
    the loop that it closes; other kinds are cut joints. `axis` and `second_axis` are unit vectors in A and in B (knife
    edge and wheels: `axis` in B), `size` [m] is the length of a rod or the radius of a wheel or sphere. `reactions` are
    the names of the variables with its cut forces.
    """

    instance: Instance
    kind: ClosureKind
    first: int
    second: int
    axis: Vector = ZERO
    second_axis: Vector = ZERO
    size: float = 0.0
    around: tuple[Name, ...] = ()
    reactions: tuple[Name, ...] = ()

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return self.instance.name


@dataclass(frozen=True, slots=True)
class ForceElement:
    """Element that acts on one frame (a Load) or between two (a Force).

    `library_class` is the class of the library that it is or inherits.
    """

    instance: Instance
    library_class: str
    frames: tuple[int, ...]

    @property
    def name(self) -> str:
        """The path as a user writes it."""
        return self.instance.name


@dataclass(frozen=True, slots=True)
class Mechanism:
    """Joints, bodies, loops and forces of a model; `gravity` [m/s2] is the acceleration of a free body.

    `links` are ordered from the inertial frame outward: the reference frame of each comes before its own.
    """

    model: str
    library: str
    gravity: Vector
    frames: tuple[Frame, ...]
    links: tuple[Link, ...]
    elements: tuple[MassElement, ...]
    bodies: tuple[Body, ...]
    closures: tuple[Closure, ...]
    forces: tuple[ForceElement, ...]

    @property
    def joints(self) -> tuple[Joint, ...]:
        """The links that are joints."""
        return tuple([link for link in self.links if isinstance(link, Joint)])

    @property
    def body_of(self) -> tuple[int, ...]:
        """The number of the body of each frame."""
        found = [0] * len(self.frames)
        for number, body in enumerate(self.bodies):
            for frame in body.frames:
                found[frame] = number
        return tuple(found)

    def body_name(self, frame: int) -> str:
        """The name of the body of a frame."""
        return next(body.name for body in self.bodies if frame in body.frames)
