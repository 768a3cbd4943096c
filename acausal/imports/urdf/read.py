"""A robot description -> Robot, with remarks on what is left out."""

import math

from acausal.base.options import Limits
from acausal.base.source import SourceFile
from acausal.imports.text.elements import Document, Element, read_elements
from acausal.imports.text.remarks import Remarks
from acausal.imports.urdf.attributes import child_of, number_of, optional_number, origin_of, text_of, vector_of
from acausal.imports.urdf.geometry import materials, visuals
from acausal.imports.urdf.robot import Inertial, Joint, Limit, Link, Mimic, Robot, Vector
from acausal.imports.urdf.tree import root_of

KINDS = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
_INERTIA = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
_OF_LINKS = {"inertial", "visual", "collision"}
_OF_JOINTS = {"origin", "parent", "child", "axis", "limit", "dynamics", "mimic"}


_DOCUMENT = Document("F030", "a robot description", "robot")


def read_robot(file: SourceFile, limits: Limits, remarks: Remarks) -> Robot:
    """The robot of a file; ModelError F030 where it is none."""
    root = read_elements(file, _DOCUMENT, limits)
    if root.tag != "robot":
        hint = "the root element of a robot description is <robot>"
        hint = "SDF and MJCF are other formats; convert the file to URDF" if root.tag in ("sdf", "mujoco") else hint
        raise root.fault(f"the root element is <{root.tag}>, not <robot>", hint)
    _reject_xacro(root)
    known = materials(root)
    links = tuple([_link(element, known, remarks) for element in root.all("link")])
    joints = tuple([_joint(element, remarks) for element in root.all("joint")])
    if not links:
        raise root.fault("the robot has no <link>")
    for child in root.children:
        if child.tag not in ("link", "joint", "material"):
            remarks.note(f"<{child.tag}> is not translated", child.span)
    name = root.attributes.get("name", "").strip() or "robot"
    return Robot(name, root.span, links, joints, root_of(root, links, joints))


def _reject_xacro(root: Element) -> None:
    """Macros have to be expanded before."""
    for child in root.children:
        if child.tag.startswith("xacro:"):
            raise child.fault(f"<{child.tag}> is a macro of xacro", "run xacro first: xacro arm.xacro > arm.urdf")


def _link(element: Element, known: dict[str, Vector], remarks: Remarks) -> Link:
    inertial = child_of(element, "inertial")
    for child in element.children:
        if child.tag == "collision":
            remarks.note("<collision> is not translated: there is no contact between bodies", child.span)
        elif child.tag not in _OF_LINKS:
            remarks.note(f"<{child.tag}> of a link is not translated", child.span)
    return Link(
        text_of(element, "name"),
        element.span,
        None if inertial is None else _inertial(inertial),
        visuals(element, "visual", known, remarks),
        visuals(element, "collision", known, None),
    )


def _inertial(element: Element) -> Inertial:
    mass, inertia = child_of(element, "mass"), child_of(element, "inertia")
    if mass is None:
        raise element.fault("<inertial> has no <mass>")
    value = number_of(mass, "value")
    if value < 0:
        raise mass.fault(f"the mass {value:g} is negative")
    xx, yy, zz, xy, xz, yz = [0.0 if inertia is None else number_of(inertia, name, 0.0) for name in _INERTIA]
    return Inertial(element.span, origin_of(element), value, (xx, yy, zz, xy, xz, yz))


def _joint(element: Element, remarks: Remarks) -> Joint:
    kind, ends = text_of(element, "type"), [child_of(element, tag) for tag in ("parent", "child")]
    if kind not in KINDS:
        raise element.fault(f"unknown type of joint: {kind}", f"known types: {', '.join(KINDS)}")
    for child in element.children:
        if child.tag not in _OF_JOINTS:
            remarks.note(f"<{child.tag}> of a joint is not translated", child.span)
    for end, tag in zip(ends, ("parent", "child"), strict=True):
        if end is None:
            raise element.fault(f"the joint has no <{tag}>")
    above, below = [text_of(end, "link") for end in ends if end is not None]
    dynamics, mimic = child_of(element, "dynamics"), child_of(element, "mimic")
    joint = Joint(
        text_of(element, "name"),
        element.span,
        kind,
        above,
        below,
        origin_of(element),
        _axis(element, kind),
        _limit(element, kind),
        0.0 if dynamics is None else number_of(dynamics, "damping", 0.0),
        0.0 if dynamics is None else number_of(dynamics, "friction", 0.0),
        None if mimic is None else _mimic(mimic),
    )
    if min(joint.damping, joint.friction) < 0 and dynamics is not None:
        raise dynamics.fault("damping and friction are not negative")
    if (joint.damping or joint.friction or mimic) and not joint.has_axis and kind != "fixed":
        for part in (dynamics, mimic):
            if part is not None:
                remarks.warn(f"<{part.tag}> of a {kind} joint is not translated", part.span)
    return joint


def _axis(element: Element, kind: str) -> Vector:
    found = child_of(element, "axis")
    if found is None:
        return 1.0, 0.0, 0.0
    x, y, z = vector_of(found, "xyz")
    length = math.hypot(x, y, z)
    if kind in ("fixed", "floating"):
        return 1.0, 0.0, 0.0
    if length == 0.0:
        raise found.fault("the axis has no direction")
    return (x, y, z) if length == 1.0 else (x / length, y / length, z / length)


def _limit(element: Element, kind: str) -> Limit | None:
    found = child_of(element, "limit")
    if found is None:
        return None
    velocity, effort = optional_number(found, "velocity"), optional_number(found, "effort")
    if kind not in ("revolute", "prismatic"):
        return Limit(None, None, velocity, effort)
    lower, upper = number_of(found, "lower", 0.0), number_of(found, "upper", 0.0)
    if lower > upper:
        raise found.fault(f"the lower limit {lower:g} is above the upper one {upper:g}")
    return Limit(lower, upper, velocity, effort)


def _mimic(element: Element) -> Mimic:
    multiplier, offset = number_of(element, "multiplier", 1.0), number_of(element, "offset", 0.0)
    return Mimic(element.span, text_of(element, "joint"), multiplier, offset)
