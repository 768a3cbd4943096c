"""Check that links and joints are a tree: every link but one is the child of one joint."""

from difflib import get_close_matches

from acausal.imports.text.elements import Element
from acausal.imports.urdf.robot import Joint, Link

_TREE = (
    "in URDF every link but the root is the child of exactly one joint; close loops in the model that uses the robot"
)


def root_of(robot: Element, links: tuple[Link, ...], joints: tuple[Joint, ...]) -> str:
    """The link that is no child; F030 for unknown and repeated names, several parents, cycles, several roots."""
    named = {tag: _by_name(robot, tag) for tag in ("link", "joint")}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in named["link"]:
                raise named["joint"][joint.name].fault(
                    f"the {role} {name} is not a link", _similar(name, named["link"])
                )
        if joint.mimic is not None:
            _check_mimic(joint, {j.name: j for j in joints}, named["joint"])
    above: dict[str, Joint] = {}
    for joint in joints:
        if joint.child in above:
            before = named["joint"][above[joint.child].name]
            raise named["joint"][joint.name].fault(f"the link {joint.child} has a second parent", _TREE, before)
        above[joint.child] = joint
    roots = [link.name for link in links if link.name not in above]
    if len(roots) > 1:
        first, second = [named["link"][name] for name in roots[:2]]
        raise second.fault(f"{roots[0]} and {roots[1]} are both no child of a joint", _TREE, first)
    _check_cycles(links, above, named["joint"])
    return roots[0]


def _by_name(robot: Element, tag: str) -> dict[str, Element]:
    found: dict[str, Element] = {}
    for element in robot.all(tag):
        name = element.attributes["name"].strip()
        if name in found:
            raise element.fault(f"a second {tag} has the name {name}", None, found[name])
        found[name] = element
    return found


def _check_cycles(links: tuple[Link, ...], above: dict[str, Joint], elements: dict[str, Element]) -> None:
    """Follow the parents of each link; links that are known to lead to the root are not followed again."""
    safe: set[str] = set()
    for link in links:
        way: list[str] = []
        name = link.name
        seen: set[str] = set()
        while name in above and name not in safe:
            if name in seen:
                message = f"the joint {above[name].name} closes a cycle of links"
                raise elements[above[name].name].fault(message, _TREE)
            seen.add(name)
            way.append(name)
            name = above[name].parent
        safe.update(way)


def _check_mimic(joint: Joint, joints: dict[str, Joint], elements: dict[str, Element]) -> None:
    """A joint follows one that has a coordinate; the chain of those followed has an end."""
    seen = {joint.name}
    leader = joint
    while leader.mimic is not None:
        name = leader.mimic.joint
        if name not in joints:
            raise elements[leader.name].fault(f"the joint {name} to mimic does not exist", _similar(name, elements))
        leader = joints[name]
        if name in seen:
            raise elements[name].fault(f"the joint {name} follows itself")
        if not leader.has_axis:
            raise elements[joint.name].fault(f"the joint {name} to mimic is {leader.kind}: it has no single coordinate")
        seen.add(name)


def _similar(name: str, known: dict[str, Element]) -> str | None:
    found = get_close_matches(name, known, 1)
    return f"did you mean {found[0]}?" if found else None
