"""Kinds of instances that can be drawn, recognized by the variables that their class declares.

A result has variables but no classes. The superclasses of the multibody libraries (Inertial, Link, Body, Force, Load,
stdlib/mbs*.lib) give their cuts the same variables in every library, so that a class of the user that inherits
from one of them is drawn, too:

    Link    Tr, rr (frame A), T, r (frame B), f (wrench on B), n (degrees of freedom)
    Body    T, r, m, r1 ... (center of mass), I11 ...
    Force   Ta, ra, Tb, rb, fa, fb           Load   Ta, ra, fa           Inertial   T, r, g, ng1 ...

`Shape` and `Mesh` say by the constant `drawn` what they are.
"""

from acausal.base.frozen import dataclass

AXES = (1, 2, 3)
INERTIA = ("I11", "I22", "I33", "I21", "I31", "I32")
COLOR = ("red", "green", "blue")


def vector(name: str, size: int = 3) -> tuple[str, ...]:
    """Names of the elements of a vector."""
    return tuple([f"{name}[{i}]" for i in range(1, size + 1)])


def matrix(name: str) -> tuple[str, ...]:
    """Names of the elements of a 3 x 3 matrix, row by row."""
    return tuple([f"{name}[{i},{j}]" for i in AXES for j in AXES])


@dataclass(frozen=True, slots=True)
class FrameNames:
    """Names of a frame's rotation matrix and place."""

    rotation: str
    place: str

    @property
    def elements(self) -> tuple[str, ...]:
        """The place, then the rotation row by row."""
        return (*vector(self.place), *matrix(self.rotation))


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of instance: its frames, the wrenches (name, number of its frame) on them, and what else it must have.

    A wrench is a torque and a force in the axes of its frame. `further` are variables that it may have.
    """

    name: str
    frames: tuple[FrameNames, ...]
    required: tuple[str, ...] = ()
    wrenches: tuple[tuple[str, int], ...] = ()
    further: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        """All that changes over time."""
        return (
            *[x for frame in self.frames for x in frame.elements],
            *[x for name, _ in self.wrenches for x in vector(name, 6)],
            *self.further,
        )


_A, _B = FrameNames("Ta", "ra"), FrameNames("Tb", "rb")
_LINK = FrameNames("Tr", "rr"), FrameNames("T", "r")
_PHI = tuple([f"Phi[{i},1]" for i in range(1, 7)])
_MASS = ("m", "r1", "r2", "r3", *INERTIA)

SHAPE = Kind("shape", (FrameNames("R", "s"),), ("drawn", *COLOR), further=_A.elements)
"""Frame A tells which bodies the shape replaces."""
INERTIAL = Kind("inertial", (FrameNames("T", "r"),), ("g", "ng1", "ng2", "ng3"))
REGROUPED_LINK = Kind("link", _LINK, ("n", "mk"), (), _PHI)
"""Of the libraries with regrouped parameters: the wrench in its cut is not that of the joint."""
LINK = Kind("link", _LINK, ("n",), (("f", 1),), _PHI)
BODY = Kind("body", (FrameNames("T", "r"),), _MASS)
REGROUPED_BODY = Kind("body", (_A,), _MASS)
_FORMS = ("along[1]", "s[1]", "touch[1]", "angle", "am[1]", "sd[1]", "f[1]")
"""Variables that tell lines, rods, wheels, torsional springs, masses, slides and cut joints from other forces."""
FORCE = Kind("force", (_A, _B), (), (("fa", 0), ("fb", 1)), _FORMS)
LOAD = Kind("load", (_A,), (), (("fa", 0),), ("phi",))
"""A rotor has the angle phi."""
KINDS = (SHAPE, INERTIAL, REGROUPED_LINK, LINK, BODY, REGROUPED_BODY, FORCE, LOAD)
"""In this order: a Shape is also a Load."""
