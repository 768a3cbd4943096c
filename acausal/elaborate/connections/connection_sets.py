"""Connection sets: the ends that statements put at one point, by union-find.

    connect s at bus, load at bus       s:a and load:a at bus[0], s:b and load:b at bus[1]

A node has one shape: a point, or a group of as many parts as the first hierarchical cut that meets it has. Groups are
joined part by part, as terms are unified; a group of one part is this part. C004 where shapes differ.
"""

from acausal.base.frozen import record
from acausal.elaborate.connections.connector_references import End, GroupEnd, without_group
from acausal.elaborate.connections.cut_shapes import check_places, described, misfit
from acausal.ir.model.instance import CutEnd, JoinedSet, NodeEnd
from acausal.ir.names import Name, show_name
from acausal.ir.origin import Origin

Simple = CutEnd | NodeEnd
Key = tuple[Name, bool]
Pair = tuple[End, End]


@record(frozen=True, slots=True)
class _Shape:
    """Shape of a point: the end and the statement that determined it; `parts` for a group."""

    end: End
    origin: Origin
    parts: tuple[NodeEnd, ...] | None


class ConnectionSets:
    """Union-find over ends; an end is known by its name and side, a set keeps the statements that built it."""

    def __init__(self) -> None:
        self._parent: dict[Key, Key] = {}
        self._end: dict[Key, Simple] = {}
        self._statements: dict[Key, list[Origin]] = {}
        self._shape: dict[Key, _Shape] = {}
        self._joined_by: dict[Key, Origin] = {}
        self._has_nodes = False

    def join(self, a: End, b: End, origin: Origin) -> None:
        """Put two ends at one point, part by part where they are groups."""
        pairs = [(a, b)]
        while pairs:
            left, right = map(without_group, pairs.pop())
            if isinstance(left, GroupEnd) or isinstance(right, GroupEnd):
                pairs += reversed(self._join_groups(left, right, origin))
            else:
                pairs += reversed(self._join_simple(left, right, origin))

    def _join_groups(self, a: End, b: End, origin: Origin) -> list[Pair]:
        """The parts that meet, one of the ends being a group."""
        group = a if isinstance(a, GroupEnd) else b
        parts, others = (self._parts(end, group, origin) for end in (a, b))
        if len(parts) != len(others):
            raise misfit(origin.span, [(origin.span, described(end)) for end in (a, b)])
        return list(zip(parts, others, strict=True))

    def _parts(self, end: End, group: End, origin: Origin) -> tuple[End, ...]:
        """The parts of an end where a group meets it."""
        if isinstance(end, GroupEnd):
            return end.parts
        root = self._root(self._key(end, origin))
        count = len(group.parts) if isinstance(group, GroupEnd) else 0
        found = _Shape(group, origin, tuple([NodeEnd(end.instance, (*end.name, k)) for k in range(count)]))
        known = self._shape.setdefault(root, found)
        if known.parts is None or len(known.parts) != count:
            raise _two_shapes(known, found, origin)
        return known.parts

    def _join_simple(self, a: Simple, b: Simple, origin: Origin) -> list[Pair]:
        """Merge two points; the parts that meet where both are groups."""
        if isinstance(a, CutEnd) and isinstance(b, CutEnd):
            check_places(a, b, origin)
        left, right = self._root(self._key(a, origin)), self._root(self._key(b, origin))
        one, other = self._shape.get(left), self._shape.get(right)
        if left != right:
            self._parent[right] = left
            self._statements[left] += self._statements.pop(right)
        if origin not in self._statements[left][-1:]:
            self._statements[left].append(origin)
        if one is None and other is not None:
            self._shape[left] = other
        if one is None or other is None or one is other:
            return []
        return _part_pairs(one, other, origin)

    def _key(self, end: Simple, origin: Origin) -> Key:
        key = (end.name, isinstance(end, CutEnd) and end.inside)
        if key not in self._end:
            self._end[key] = end
            self._parent[key] = key
            self._statements[key] = []
            self._joined_by[key] = origin
            if isinstance(end, CutEnd):
                self._shape[key] = _Shape(end, origin, None)
            else:
                self._has_nodes = True
        return key

    def _root(self, key: Key) -> Key:
        while self._parent[key] != key:
            self._parent[key] = key = self._parent[self._parent[key]]
        return key

    def finish(self) -> tuple[JoinedSet, ...]:
        """The sets in the order in which their first ends were named; of a node that is a group its parts alone."""
        members: dict[Key, list[Key]] = {}
        for key in self._end:
            members.setdefault(self._root(key), []).append(key)
        made = []
        for root, keys in members.items():
            if root in self._shape and self._shape[root].parts is not None:
                continue
            self._check(keys)
            made.append(JoinedSet(tuple([self._end[key] for key in keys]), tuple(self._statements[root])))
        return tuple(made)

    def _check(self, keys: list[Key]) -> None:
        """Cuts that meet at a node fit as those that are connected directly."""
        if self._has_nodes:
            cuts = [(end, self._joined_by[key]) for key in keys if isinstance(end := self._end[key], CutEnd)]
            if len(cuts) == len(keys):
                return
            for end, origin in cuts[1:]:
                check_places(cuts[0][0], end, origin, cuts[0][1])


def _part_pairs(one: _Shape, other: _Shape, origin: Origin) -> list[Pair]:
    """The parts that meet where two points become one; C004 where there are not as many."""
    if one.parts is None and other.parts is None:
        return []
    if one.parts is None or other.parts is None or len(one.parts) != len(other.parts):
        raise _two_shapes(one, other, origin)
    return list(zip(one.parts, other.parts, strict=True))


def _two_shapes(one: _Shape, other: _Shape, origin: Origin) -> Exception:
    """C004 at the statement that joins two shapes, one of which it may have brought itself."""
    if origin.span == one.origin.span:
        one, other = other, one
    places = [(shape.origin.span, described(shape.end)) for shape in (one, other)]
    groups = [shape.end for shape in (one, other) if isinstance(shape.end, GroupEnd)]
    return misfit(origin.span, places, _part_by_part(groups[0]) if len(groups) == 1 else None)


def _part_by_part(group: GroupEnd) -> str | None:
    """A hint to connect the parts of a submodel's hierarchical cut, where they meet a simple one."""
    if not group.path:
        return None
    name, places = show_name(group.path), ", ".join([f"n{k + 1}" for k in range(len(group.parts))])
    part = group.parts[0]
    label = part.label if isinstance(part, GroupEnd) else part.name[-1]
    return f"name a place for each part, `{name} at ({places})`, or one part, `{name}:{label}`"
