"""The levels of a model: the submodels of each composite class, and the connection sets between them."""

from collections.abc import Iterator

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir.flat import FlatModel
from acausal.ir.flat_connections import Component, ConnectionSet
from acausal.ir.names import Name, show_name


@dataclass(frozen=True, slots=True)
class Box:
    """A submodel, or with `port` a cut or node of the model around it."""

    name: str
    kind: str
    span: Span | None
    port: bool = False


@dataclass(frozen=True, slots=True)
class Joint:
    """A connection set: its boxes by number with the cuts that belong to it, its statements, the name of its node."""

    ends: tuple[tuple[int, str], ...]
    statements: tuple[Span, ...]
    node: str = ""


@dataclass(frozen=True, slots=True)
class Level:
    """The inside of a model or submodel."""

    title: str
    boxes: tuple[Box, ...]
    joints: tuple[Joint, ...]


def levels(flat: FlatModel) -> Iterator[Level]:
    """The model, then every class of its submodels that has submodels itself, once each."""
    components = {component.path: component for component in flat.components}
    inside: dict[Name, list[Component]] = {}
    for component in flat.components:
        inside.setdefault(_around(component.path, components), []).append(component)
    sets: dict[Name, list[ConnectionSet]] = {}
    for found in flat.connection_sets:
        if found.statements:
            sets.setdefault(found.statements[0].path, []).append(found)
    outside = {(*cut.path, cut.cut) for cut in flat.open_cuts}
    outside |= {m for found in flat.connection_sets for m in found.members if found.statements and _is_outer(m, found)}
    done: set[str] = set()
    for path in dict.fromkeys([(), *inside]):
        kind = components[path].class_name if path else flat.name
        if kind in done or path not in inside:
            continue
        done.add(kind)
        title = f"{kind} ({show_name(path)})" if path else kind
        yield _level(title, path, inside[path], sets.get(path, []), outside)


def _around(path: Name, components: dict[Name, Component]) -> Name:
    """The submodel that a submodel is in; () for the model itself."""
    for length in range(len(path) - 1, 0, -1):
        if path[:length] in components:
            return path[:length]
    return ()


def _level(title: str, path: Name, inside: list[Component], sets: list[ConnectionSet], outside: set[Name]) -> Level:
    """One level; of the model's own places, those that are `outside` are cuts, the others nodes."""
    boxes = [Box(show_name(c.path[len(path) :]), c.class_name, c.span) for c in inside]
    number = {c.path: i for i, c in enumerate(inside)}
    ports: dict[Name, int] = {}
    joints = []
    for found in sets:
        ends: dict[tuple[int, str], None] = {}
        nodes: list[str] = []
        for member in found.members:
            owner = next((member[:k] for k in range(len(path) + 1, len(member)) if member[:k] in number), None)
            if owner is not None:
                ends[number[owner], show_name(member[len(owner) :])] = None
            elif member in outside or not path:
                if member not in ports:
                    ports[member] = len(boxes)
                    boxes.append(Box(show_name(member[len(path) :]), "", None, port=True))
                ends[ports[member], ""] = None
            else:
                nodes.append(show_name(member[len(path) :]))
        spans = tuple(dict.fromkeys([origin.span for origin in found.statements]))
        joints.append(Joint(tuple(ends), spans, ", ".join(nodes)))
    return Level(title, tuple(boxes), tuple(joints))


def _is_outer(member: Name, found: ConnectionSet) -> bool:
    """True for a member that lies deeper than the statements: a cut, seen from outside of what it belongs to."""
    return len(member) > len(found.statements[0].path) + 1
