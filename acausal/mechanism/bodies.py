"""Rigid bodies: frames that rigid links and closed loops hold together."""

from collections.abc import Sequence

from acausal.mechanism.model import IDENTITY, ZERO, Body, Closure, Frame, Link, MassElement, Matrix, RigidLink, Vector

Pose = tuple[Vector, Matrix]


def rigid_bodies(
    frames: Sequence[Frame], links: Sequence[Link], closures: Sequence[Closure], elements: Sequence[MassElement]
) -> tuple[Body, ...]:
    """The bodies in the order of their first frames: the ground, which holds all inertial frames, then the others."""
    first = [0 if frame.link is None else number for number, frame in enumerate(frames)]
    for link in links:
        if isinstance(link, RigidLink):
            _unite(first, link.reference, link.frame)
    for closure in closures:
        if closure.kind == "rigid":
            _unite(first, closure.first, closure.second)
    members: dict[int, list[int]] = {}
    for number in range(len(frames)):
        members.setdefault(_find(first, number), []).append(number)
    poses = {link.frame: link for link in links if isinstance(link, RigidLink)}
    return tuple([_body(own, frames, poses, elements) for own in members.values()])


def _find(first: list[int], number: int) -> int:
    while first[number] != number:
        number = first[number]
    return number


def _unite(first: list[int], one: int, other: int) -> None:
    low, high = sorted((_find(first, one), _find(first, other)))
    first[high] = low


def _body(
    own: list[int], frames: Sequence[Frame], links: dict[int, RigidLink], elements: Sequence[MassElement]
) -> Body:
    placed: dict[int, Pose] = {own[0]: (ZERO, IDENTITY)}
    for number in own:
        if frames[number].link is None:
            placed[number] = ZERO, IDENTITY
        link = links.get(number)
        if link is not None and link.reference in placed:
            placed[number] = _pose_of(placed[link.reference], link)
    masses = [number for number, element in enumerate(elements) if element.frame in own]
    poses = [placed.get(number) for number in own]
    return Body(
        name=_name(own, masses, frames, elements),
        frames=tuple(own),
        placements=tuple([None if pose is None else pose[0] for pose in poses]),
        rotations=tuple([None if pose is None else pose[1] for pose in poses]),
        elements=tuple(masses),
    )


def _name(own: list[int], masses: list[int], frames: Sequence[Frame], elements: Sequence[MassElement]) -> str:
    """The ground; the name of the first mass element, else that of the first frame."""
    if 0 in own:
        return "ground"
    return elements[masses[0]].name if masses else frames[own[0]].name


def _pose_of(pose: Pose, link: RigidLink) -> Pose:
    place, turned = pose
    x, y, z = [a + _dot(row, link.placement) for a, row in zip(place, turned, strict=True)]
    columns = list(zip(*link.rotation, strict=True))
    rows = [_row(row, columns) for row in turned]
    return (x, y, z), (rows[0], rows[1], rows[2])


def _row(row: Vector, columns: "list[Vector]") -> Vector:
    x, y, z = [_dot(row, column) for column in columns]
    return x, y, z


def _dot(one: Vector, other: Vector) -> float:
    return sum([a * b for a, b in zip(one, other, strict=True)])
