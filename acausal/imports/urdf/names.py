"""Names of submodels and cuts of a robot's class: those of joints and links, where these are legal and unique."""

from acausal.base.frozen import dataclass
from acausal.imports.text.identifiers import Identifiers
from acausal.imports.urdf.robot import Geometry, Joint, Link, Robot

_RESERVED_BY_US = ("limited",)


@dataclass(frozen=True, slots=True)
class Names:
    """Identifiers by the names of the file; `frames` are those of the submodels that carry each link."""

    base: str
    free: str
    open_base: str
    all_axes: str
    joints: dict[str, str]
    origins: dict[str, str]
    dampings: dict[str, tuple[str, ...]]
    mimics: dict[str, str]
    axes: dict[str, str]
    bodies: dict[str, str]
    drawings: dict[str, tuple[str, ...]]
    frames: dict[str, str]

    @classmethod
    def of(cls, robot: Robot, base: str, pictures: dict[str, tuple[Geometry, ...]]) -> "Names":
        """The names of a robot; joints come first, then links, then what is made besides."""
        known = Identifiers(_RESERVED_BY_US)
        joints = {joint.name: known.unique(joint.name, "_joint") for joint in robot.joints}
        bodies = {link.name: known.unique(link.name, "_link") for link in robot.links if _has_mass(link)}
        first = known.unique({"open": "root"}.get(base, "world"), "_frame")
        free = known.unique("base", "_motion") if base == "floating" else ""
        frames = {joint.child: joints[joint.name] for joint in robot.joints} | {robot.root: free or first}
        return cls(
            first,
            free,
            known.unique("base", "_frame") if base == "open" else "",
            known.unique("axes", "_of_joints"),
            joints,
            {j.name: known.unique(f"{j.name}_origin") for j in robot.joints if _needs_frame(j)},
            {j.name: tuple([known.unique(f"{j.name}_{word}") for word in _resisting(j)]) for j in robot.joints},
            {j.name: known.unique(f"{j.name}_mimic") for j in robot.joints if j.mimic and j.has_axis},
            {j.name: known.unique(f"{j.name}_axis") for j in robot.joints if j.has_axis},
            bodies,
            {name: tuple([known.unique(f"{name}_visual") for _ in found]) for name, found in pictures.items()},
            frames,
        )


def _has_mass(link: Link) -> bool:
    return link.inertial is not None and (link.inertial.mass > 0 or any(link.inertial.inertia))


def _needs_frame(joint: Joint) -> bool:
    """A joint whose frame is turned against that of its parent; fixed ones turn by themselves."""
    return joint.kind != "fixed" and any(joint.origin.rpy)


def _resisting(joint: Joint) -> list[str]:
    """The resistances of a joint: one submodel for both damping and friction where it turns."""
    if not joint.has_axis:
        return []
    if joint.turns and joint.friction:
        return ["friction"]
    return [word for word, value in (("damping", joint.damping), ("friction", joint.friction)) if value]
