"""Lines for joints: the joint, its frame, damping and friction, the joints that follow others, limits."""

from collections.abc import Iterator

from acausal.imports.text.lines import comment, plain, string, wrapped
from acausal.imports.text.numbers import angle, arguments, nonzero, number
from acausal.imports.urdf.names import Names
from acausal.imports.urdf.robot import ZERO, Joint, Robot, Vector
from acausal.imports.urdf.rotation import across, axis_angle

_CLASS = {"revolute": "Revolute", "continuous": "Revolute", "prismatic": "Prismatic", "planar": "Planar"}


def joint_lines(joint: Joint, names: Names) -> Iterator[str]:
    """The joint, and before it the frame of its origin where that is turned."""
    name, place = names.joints[joint.name], joint.origin.xyz
    said = f"line {joint.span.line}{'' if name == joint.name else f': {joint.name}'}, {joint.parent} to {joint.child}"
    rotation = _rotation(joint.origin.rpy)
    if joint.kind == "fixed":
        kind, values = ("Fixed" if rotation else "Bar"), rotation | _place(place)
    else:
        if rotation:
            frame = f"submodel (Fixed) {names.origins[joint.name]}{arguments(rotation | _place(place))}"
            yield from wrapped(frame, _angles(joint.origin.rpy))
            place = ZERO
        kind, values = _CLASS.get(joint.kind, "Free"), _axes(joint) | _place(place)
    yield from wrapped(f"submodel ({kind}) {name}{arguments(values)}", said)


def _angles(rpy: Vector) -> str:
    """Roll, pitch and yaw as in the file, where axis and angle do not tell them."""
    return f"rpy {' '.join([number(x) for x in rpy])}" if sum(x != 0 for x in rpy) > 1 else ""


def _rotation(rpy: Vector) -> dict[str, str]:
    """Axis and angle of a turned frame; nothing for one that is not turned."""
    axis, turned = axis_angle(rpy)
    if turned == 0.0:
        return {}
    return _vector("n", axis) | {"angle": angle(turned)}


def _axes(joint: Joint) -> dict[str, str]:
    if joint.kind == "floating":
        return {}
    return _vector("n", joint.axis) | (_vector("m", across(joint.axis)) if joint.kind == "planar" else {})


def _place(xyz: Vector) -> dict[str, str]:
    return _vector("r", xyz)


def _vector(letter: str, values: Vector) -> dict[str, str]:
    return nonzero({f"{letter}{k}": x for k, x in enumerate(values, 1)})


def damping_lines(joint: Joint, names: Names) -> Iterator[str]:
    """Viscous and dry friction of a joint with one coordinate."""
    for name in names.dampings[joint.name]:
        if joint.turns and joint.friction:
            values = {"T0": joint.friction, "T1": joint.damping}
            yield f"submodel (bearingfriction) {name}{arguments(nonzero(values))}"
        elif joint.turns:
            yield f"submodel (bearing) {name}(d={number(joint.damping)})"
        elif name.endswith("damping"):
            yield f"submodel (guide) {name}(d={number(joint.damping)})"
        else:
            yield f"submodel (linearfriction) {name}(F0={number(joint.friction)})"


def mimic_class() -> Iterator[str]:
    """The class of a coupling that leads the motion of one joint to another, without loss of power."""
    yield "{ B follows A: q = multiplier*qa + offset; no power is lost. }"
    yield "model class Mimic"
    yield '  parameter multiplier=1 "displacement for each displacement of A", offset=0 "displacement where A is at 0"'
    yield "  terminal qa, q, ta, t"
    yield "  cut A (qa, der(qa), der(qa, 2) / ta), B (q, der(q), der(q, 2) / t)"
    yield "  main path <A - B>"
    yield "  q = multiplier*qa + offset"
    yield "  ta + multiplier*t = 0"
    yield "end"


def mimic_lines(joint: Joint, names: Names) -> Iterator[str]:
    """The coupling of a joint that follows another."""
    if joint.mimic is not None and joint.name in names.mimics:
        values = {}
        if joint.mimic.multiplier != 1.0:
            values["multiplier"] = number(joint.mimic.multiplier)
        values |= nonzero({"offset": joint.mimic.offset})
        said = comment(f"line {joint.mimic.span.line}: follows {joint.mimic.joint}")
        yield f"submodel (Mimic) {names.mimics[joint.name]}{arguments(values)} {said}"


def limit_lines(robot: Robot, names: Names) -> Iterator[str]:
    """Assertions of the limits, which hold with limited=true."""
    found = [line for joint in robot.joints for line in _assertions(joint, names)]
    if found:
        yield "if limited then"
        yield from [f"  {line}" for line in found]
        yield "endif"


def _assertions(joint: Joint, names: Names) -> Iterator[str]:
    limit, name = joint.limit, names.joints[joint.name]
    if limit is None or not joint.has_axis:
        return
    said = plain(joint.name)
    q, w, t = ("rad", "rad/s", "N.m") if joint.turns else ("m", "m/s", "N")
    if limit.lower is not None and limit.upper is not None:
        low, high = angle(limit.lower), angle(limit.upper)
        text = string(f"{said} is between {low} and {high} {q}")
        yield f"assert({name}.q >= {low} and {name}.q <= {high}, {text})"
    if limit.velocity:
        text = string(f"the speed of {said} is at most {number(limit.velocity)} {w}")
        yield f"assert(abs({name}.w) <= {number(limit.velocity)}, {text})"
    if limit.effort:
        what = "torque" if joint.turns else "force"
        text = string(f"the {what} of {said} is at most {number(limit.effort)} {t}")
        yield f"assert(abs({name}.t) <= {number(limit.effort)}, {text})"
