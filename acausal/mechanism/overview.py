"""Bodies, joints, loops and force elements of a mechanism as tables and as plain data."""

from collections.abc import Sequence

from acausal.analyses.linear_systems.text_tables import table
from acausal.mechanism.model import Body, Closure, ForceElement, Joint, Mechanism, Vector


def overview(mechanism: Mechanism) -> str:
    """Tables of bodies, joints, loops and force elements."""
    bodies = [[b.name, f"{_mass(mechanism, b):g}", _frames(mechanism, b)] for b in mechanism.bodies]
    joints = [
        [j.name, j.kind, _axis(j.axis), mechanism.body_name(j.reference), mechanism.body_name(j.frame)]
        for j in mechanism.joints
    ]
    lines = [
        *table(["body", "mass [kg]", "frames"], bodies),
        "",
        *table(["joint", "kind", "axis", "from body", "to body"], joints),
    ]
    if mechanism.closures:
        loops = [
            [c.name, c.kind, mechanism.body_name(c.first), mechanism.body_name(c.second), str(c.instance.span)]
            for c in mechanism.closures
        ]
        lines += ["", *table(["loop closed by", "kind", "from body", "to body", "where"], loops)]
    if mechanism.forces:
        forces = [[f.name, f.library_class, ", ".join(_ends(mechanism, f))] for f in mechanism.forces]
        lines += ["", *table(["force element", "class", "on bodies"], forces)]
    return "\n".join(lines)


def overview_data(mechanism: Mechanism) -> dict[str, object]:
    """Bodies, joints, loops and force elements."""
    return {
        "model": mechanism.model,
        "library": mechanism.library,
        "gravity": list(mechanism.gravity),
        "bodies": [_body_data(mechanism, b) for b in mechanism.bodies],
        "joints": [_joint_data(mechanism, j) for j in mechanism.joints],
        "loops": [_loop_data(mechanism, c) for c in mechanism.closures],
        "forces": [
            {"name": f.name, "class": f.library_class, "bodies": _ends(mechanism, f), "where": str(f.instance.span)}
            for f in mechanism.forces
        ],
    }


def _body_data(mechanism: Mechanism, body: Body) -> dict[str, object]:
    return {
        "name": body.name,
        "mass": _mass(mechanism, body),
        "frames": [mechanism.frames[f].name for f in body.frames],
        "mass_elements": [mechanism.elements[e].name for e in body.elements],
    }


def _joint_data(mechanism: Mechanism, joint: Joint) -> dict[str, object]:
    return {
        "name": joint.name,
        "class": joint.instance.class_name,
        "kind": joint.kind,
        "from": mechanism.body_name(joint.reference),
        "to": mechanism.body_name(joint.frame),
        "axis": list(joint.axis),
        "placement": list(joint.placement),
        "degrees_of_freedom": joint.degrees_of_freedom,
        "locked": joint.locked,
        "where": str(joint.instance.span),
    }


def _loop_data(mechanism: Mechanism, closure: Closure) -> dict[str, object]:
    return {
        "name": closure.name,
        "kind": closure.kind,
        "from": mechanism.body_name(closure.first),
        "to": mechanism.body_name(closure.second),
        "around": [".".join(map(str, path)) for path in closure.around],
        "where": str(closure.instance.span),
    }


def _ends(mechanism: Mechanism, force: ForceElement) -> list[str]:
    return [mechanism.body_name(frame) for frame in force.frames]


def _mass(mechanism: Mechanism, body: Body) -> float:
    return sum(mechanism.elements[e].mass for e in body.elements)


def _frames(mechanism: Mechanism, body: Body) -> str:
    return ", ".join([mechanism.frames[f].name for f in body.frames])


def _axis(axis: Vector) -> str:
    return _numbers(axis) if any(axis) else "-"


def _numbers(values: Sequence[float]) -> str:
    return f"({', '.join([f'{x:g}' for x in values])})"
