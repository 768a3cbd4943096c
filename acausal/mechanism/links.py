"""Links of a mechanism: joints, and frames at constant places."""

from acausal.ir.names import Name
from acausal.mechanism.model import IDENTITY, ZERO, Instance, Joint, Link, RigidLink, Vector
from acausal.mechanism.recognize import is_rigid, joint_kind
from acausal.mechanism.values import ModelValues, as_matrix, as_vector

Ends = tuple[int, int]
"""Numbers of the reference frame and of the own frame."""
Names = tuple[Name, ...]


def link_of(
    instance: Instance, classes: tuple[str, ...], ends: Ends, values: ModelValues, compound: Name | None
) -> Link:
    """The link of an instance that inherits the library's classes."""
    if is_rigid(classes):
        return _rigid_link(instance, ends, values)
    path, kind = instance.path, joint_kind(classes)
    size = round(values.number(path, "n", 1.0))
    ball = kind == "spherical"
    one = "JointQ" in classes
    coordinates, rates, efforts = _names(path, ball=ball, one=one)
    return Joint(
        instance=instance,
        kind=kind,
        reference=ends[0],
        frame=ends[1],
        placement=values.vector(path, "r1", "r2", "r3"),
        axis=_unit(values.vector(path, "n1", "n2", "n3")) if one else ZERO,
        pitch=values.number(path, "pitch"),
        degrees_of_freedom=3 if ball else size,
        coordinates=coordinates,
        rates=rates,
        efforts=efforts,
        lockable=bool(values.number(path, "lockable")),
        locked=bool(values.number(path, "lockable")) and values.constant((*path, "lock")) == 1,
        compound=compound,
    )


def _rigid_link(instance: Instance, ends: Ends, values: ModelValues) -> RigidLink:
    place = values.elements(instance.parameter_name("rri"))
    turned = values.elements(instance.parameter_name("Tri"))
    return RigidLink(
        instance=instance,
        reference=ends[0],
        frame=ends[1],
        placement=ZERO if place is None else as_vector(place),
        rotation=IDENTITY if turned is None else as_matrix(turned),
    )


def _names(path: Name, *, ball: bool, one: bool) -> tuple[Names, Names, Names]:
    """Names of coordinates, rates and efforts."""
    if ball:
        efforts = tuple([(*path, f"t{i}") for i in (1, 2, 3)])
        return _elements(path, "Q", 4), _elements(path, "w", 3), efforts
    return (((*path, "q"),), ((*path, "w"),), ((*path, "t"),)) if one else ((), (), ())


def _elements(path: Name, name: str, count: int) -> Names:
    return tuple([(*path, name, i) for i in range(1, count + 1)])


def _unit(axis: Vector) -> Vector:
    """The axis, which may be off by the rounding that the library accepts."""
    length = sum(x * x for x in axis) ** 0.5
    x, y, z = [x / length if length else 0.0 for x in axis]
    return x, y, z
