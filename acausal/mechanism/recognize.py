"""Kinds of instances by the classes of the multibody libraries that theirs inherit."""

from pathlib import PurePath

from acausal.ir.flat_connections import Component
from acausal.mechanism.model import ClosureKind, JointKind

CLOSURES: dict[str, ClosureKind] = {
    "RigidLoop": "rigid",
    "CutSpherical": "spherical",
    "RodForce": "rod",
    "CutRevolute": "revolute",
    "PinForce": "planar",
    "ParallelTorque": "parallel",
    "CutUniversal": "universal",
    "CutPrismatic": "prismatic",
    "KnifeEdge": "knife edge",
    "RollingWheel": "rolling wheel",
    "LevelWheel": "level wheel",
    "RollingSphere": "rolling sphere",
}
"""Also those whose coordinates the loops in closed form determine."""
JOINTS: dict[str, JointKind] = {
    "Revolute": "revolute",
    "Prismatic": "prismatic",
    "Screw": "screw",
    "QuaternionBall": "spherical",
}
COMPOUNDS = ("Universal", "Cylindrical", "Planar", "Free", "FreePoint")
"""Joints made of several, with nothing but joints in them."""
WITHOUT_FORCE = ("Shape", "Mesh", "Sensor")


def library_classes(component: Component) -> tuple[str, ...]:
    """Names of the classes of stdlib/mbs* that an instance's class is or inherits, from its own upward."""
    return tuple([name for name, file in component.lineage if _is_multibody(file)])


def is_inertial(classes: tuple[str, ...]) -> bool:
    """True for inertial frames."""
    return "Inertial" in classes


def is_link(classes: tuple[str, ...]) -> bool:
    """True for joints and rigid links."""
    return "Ends" in classes


def is_rigid(classes: tuple[str, ...]) -> bool:
    """True for links without a degree of freedom."""
    return "Rigid" in classes


def is_body(classes: tuple[str, ...]) -> bool:
    """True for mass elements."""
    return "Body" in classes


def joint_kind(classes: tuple[str, ...]) -> JointKind:
    """The kind of a joint; `general` for one whose motion the user's class describes."""
    return next((kind for name, kind in JOINTS.items() if name in classes), "general")


def closure_kind(classes: tuple[str, ...]) -> ClosureKind | None:
    """The kind of a closing class or cut joint; None for other classes."""
    return next((kind for name, kind in CLOSURES.items() if name in classes), None)


def force_class(classes: tuple[str, ...]) -> str | None:
    """The library's class of an element that acts by a force; None for pictures, sensors and all else."""
    if not classes or classes[0] in WITHOUT_FORCE or not {"Force", "Load"} & set(classes):
        return None
    return classes[0]


def is_compound(classes: tuple[str, ...]) -> bool:
    """True for joints made of several."""
    return any(name in classes for name in COMPOUNDS)


def _is_multibody(file: str) -> bool:
    path = PurePath(file)
    return path.name.startswith("mbs") and path.suffix in (".inc", ".lib")
