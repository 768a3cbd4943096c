"""Robot -> lines of model text: a class with a submodel for each joint, body and drawing."""

from collections.abc import Iterator

from acausal.base.frozen import dataclass
from acausal.imports.text.identifiers import identifier
from acausal.imports.text.lines import comment, plain, wrapped
from acausal.imports.text.numbers import arguments, nonzero
from acausal.imports.text.remarks import Remarks
from acausal.imports.urdf.drawings import MeshFolders, drawing, drawn
from acausal.imports.urdf.joints import damping_lines, joint_lines, limit_lines, mimic_class, mimic_lines
from acausal.imports.urdf.names import Names
from acausal.imports.urdf.robot import Geometry, Inertial, Joint, Robot
from acausal.imports.urdf.rotation import turned_inertia

BASES: dict[str, str] = {
    "fixed": "submodel (Inertial) {}(ng3=-1)",
    "floating": "submodel (Inertial) {}(ng3=-1)",
    "open": "submodel (Bar) {}",
}


@dataclass(frozen=True, slots=True)
class Written:
    """Lines of the class, and the libraries that it needs."""

    lines: tuple[str, ...]
    libraries: tuple[str, ...]


def write_robot(robot: Robot, base: str, folders: MeshFolders, class_name: str, remarks: Remarks) -> Written:
    """The class of a robot."""
    pictures = {link.name: tuple(drawn(link, remarks)) for link in robot.links}
    names = Names.of(robot, base, pictures)
    _warn_without_inertia(robot, remarks)
    body = [
        *_parameters(robot),
        *_base(robot, names, base),
        *_section("Joints, in the order of the file.", _joints(robot, names)),
        *_section("Bodies of the links.", _bodies(robot, names)),
        *_section("Pictures of the links.", _drawings(pictures, names, folders, remarks)),
        *_section("Axes of the joints.", _cuts(robot, names)),
        *_section("The tree of joints, and what is fixed to each.", _connections(robot, names, base)),
        *_section("Limits of position, speed and effort.", limit_lines(robot, names)),
    ]
    return Written((f"model class {class_name}", *[f"  {line}" for line in body], "end"), _libraries(robot))


def class_name_of(robot: Robot) -> str:
    """The robot's name as that of a class; a name that the standard library has gets a suffix."""
    from acausal.reference.libraries import classes

    name = identifier(robot.name)
    return f"{name}_robot" if name in classes() or name == "Mimic" else name


def _libraries(robot: Robot) -> tuple[str, ...]:
    dry = {joint.turns for joint in robot.joints if joint.has_axis and joint.friction}
    damped = {joint.turns for joint in robot.joints if joint.has_axis and joint.damping}
    names = ["mbsdir.lib"]
    if True in dry:
        names.append("friction.lib")
    elif True in damped:
        names.append("rotational.lib")
    if False in dry | damped:
        names.append("translational.lib")
    return tuple(names)


def _section(title: str, lines: Iterator[str]) -> list[str]:
    found = list(lines)
    return ["", comment(title), *found] if found else []


def _parameters(robot: Robot) -> Iterator[str]:
    if any(joint.limit for joint in robot.joints):
        yield 'parameter boolean limited=false "end a run where a joint leaves its limits of position, speed or effort"'
    if any(joint.mimic for joint in robot.joints):
        yield from mimic_class()


def _base(robot: Robot, names: Names, base: str) -> Iterator[str]:
    frame = comment(f"frame of the link {robot.root}")
    if base == "floating":
        yield BASES[base].format(names.base)
        yield f"submodel (Free) {names.free} {frame}"
    else:
        yield f"{BASES[base].format(names.base)} {frame}"


def _joints(robot: Robot, names: Names) -> Iterator[str]:
    for joint in robot.joints:
        yield from joint_lines(joint, names)
        yield from damping_lines(joint, names)
        yield from mimic_lines(joint, names)


def _bodies(robot: Robot, names: Names) -> Iterator[str]:
    for link in robot.links:
        if link.name in names.bodies and link.inertial is not None:
            name = names.bodies[link.name]
            said = f"line {link.span.line}{'' if name == link.name else f': {link.name}'}"
            yield from wrapped(f"submodel (Body) {name}{_inertia(link.inertial)}", said)


def _inertia(inertial: Inertial) -> str:
    """Arguments of a body: inertia about the center of mass in the axes of the link."""
    x, y, z = inertial.origin.xyz
    xx, yy, zz, xy, xz, yz = turned_inertia(inertial.inertia, inertial.origin.rpy)
    values = {"m": inertial.mass, "r1": x, "r2": y, "r3": z}
    return arguments(nonzero(values | {"I11": xx, "I22": yy, "I33": zz, "I21": xy, "I31": xz, "I32": yz}))


def _drawings(
    pictures: dict[str, tuple[Geometry, ...]], names: Names, folders: MeshFolders, remarks: Remarks
) -> Iterator[str]:
    for link, forms in pictures.items():
        for name, form in zip(names.drawings[link], forms, strict=True):
            kind, values = drawing(form, folders, remarks)
            yield from wrapped(f"submodel ({kind}) {name}{values}", f"line {form.span.line}")


def _cuts(robot: Robot, names: Names) -> Iterator[str]:
    """The axes of the joints as cuts of the class, and the base if it is open."""
    if names.open_base:
        yield f"main cut {names.open_base} = {names.base}:A {comment('to be connected to an Inertial or a body')}"
    axes = [joint for joint in robot.joints if joint.has_axis and joint.mimic is None]
    for joint in axes:
        yield f"cut {names.axes[joint.name]} = {names.joints[joint.name]}:Axis"
    if axes and not names.open_base:
        yield from wrapped(f"main cut {names.all_axes} [{', '.join([names.axes[joint.name] for joint in axes])}]")


def _connections(robot: Robot, names: Names, base: str) -> Iterator[str]:
    if base == "floating":
        yield f"connect {names.base} to {names.free}"
    yield from _at(robot.root, names)
    for joint in robot.joints:
        way = [names.frames[joint.parent]]
        if joint.name in names.origins:
            way.append(names.origins[joint.name])
        yield from _joined([f"{' to '.join([*way, names.joints[joint.name]])}", *_things(joint.child, names)])
        yield from _on_axis(joint, names)


def _at(link: str, names: Names) -> list[str]:
    things = _things(link, names)
    return _joined(things) if things else []


def _joined(parts: list[str]) -> list[str]:
    return wrapped(f"connect {', '.join(parts)}")


def _things(link: str, names: Names) -> list[str]:
    """Connections of a body and its pictures to the frame of their link."""
    body = [names.bodies[link]] if link in names.bodies else []
    return [f"{thing} at {names.frames[link]}" for thing in [*body, *names.drawings.get(link, ())]]


def _on_axis(joint: Joint, names: Names) -> Iterator[str]:
    axis = f"{names.joints[joint.name]}:Axis"
    found = [f"{name}:A at {axis}" for name in names.dampings.get(joint.name, ())]
    if joint.name in names.mimics and joint.mimic is not None:
        leader = names.joints[joint.mimic.joint]
        found.append(f"{leader}:Axis to {names.mimics[joint.name]} to {axis}")
    if found:
        yield from _joined(found)


def _warn_without_inertia(robot: Robot, remarks: Remarks) -> None:
    """A joint that moves nothing has no acceleration."""
    heavy = {link.name for link in robot.links if link.inertial is not None and link.inertial.mass > 0}
    above = {joint.child: joint for joint in robot.joints}
    for name in list(heavy):
        while name in above and above[name].parent not in heavy:
            name = above[name].parent
            heavy.add(name)
    for joint in robot.joints:
        if joint.kind != "fixed" and joint.child not in heavy:
            remarks.warn("a joint moves no mass: its acceleration is not determined", joint.span)


def header(robot: Robot, source: str, libraries: tuple[str, ...], class_name: str, remarks: Remarks) -> list[str]:
    """The comment at the top of the file."""
    lines = [f"{{ {plain(robot.name)}, made from {plain(source)} by acausal import.", ""]
    lines += [
        "  Joints and bodies have the names of the joints and links of that file; the frame of a link is the cut B of",
        "  its joint. Motors connect to the cuts of the joints' axes, which have no torque where they are left open.",
        "  With mbsinv.lib in place of mbsdir.lib known motions give the torques.",
        "",
        f"      acausal simulate FILE --model {class_name} --stop 1 --animate {identifier(class_name)}.html",
    ]
    left_out = remarks.lines()
    if left_out:
        lines += ["", "  Not translated:", *[f"    {line}" for line in left_out]]
    lines[-1] += " }"
    return [*lines, "", *[f"@{library}" for library in libraries], ""]
