"""Connection sets: the ends that statements put at one point, by union-find.

    connect s at bus, load at bus       s:a and load:a at bus[0], s:b and load:b at bus[1]

A node has one shape: a point, or a group of as many parts as the first hierarchical cut that meets it has. Groups are
joined part by part, as terms are unified; a group of one part is this part. C004 where shapes differ.
"""

from acausal.base.frozen import record
from acausal.elaborate.connections.connection_ends import End, GroupEnd, without_group
from acausal.elaborate.connections.cut_shapes import check_places, described, has_scalars, misfit
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
    """Union-find over ends; an end is known by its name and side, a set keeps the statements that built it.

    Ends are numbered as they are named; what is known of a set is kept at the number of its root.
    """

    def __init__(self) -> None:
        self._number: dict[Key, int] = {}
        self._known: dict[int, tuple[Simple, int]] = {}
        self._end: list[Simple] = []
        self._parent: list[int] = []
        self._statements: list[list[Origin]] = []
        self._joined_by: list[Origin] = []
        self._cut: list[int] = []
        self._group: dict[int, _Shape] = {}
        self._fitting: set[tuple[int, int, int, int]] = set()
        self._has_nodes = False

    def join(self, a: End, b: End, origin: Origin) -> None:
        """Put two ends at one point, part by part where they are groups."""
        if not isinstance(a, GroupEnd) and not isinstance(b, GroupEnd):  # nearly all
            pairs = self._join_simple(a, b, origin)
            pairs.reverse()
        else:
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
        root = self._root(self._number_of(end, origin))
        count = len(group.parts) if isinstance(group, GroupEnd) else 0
        found = _Shape(group, origin, tuple([NodeEnd(end.instance, (*end.name, k)) for k in range(count)]))
        known = self._shape(root)
        if known is None:
            known = self._group[root] = found
        if known.parts is None or len(known.parts) != count:
            raise _two_shapes(known, found, origin)
        return known.parts

    def _shape(self, root: int) -> _Shape | None:
        """The shape of a point, by a group or by the first cut there; None where nodes alone have met."""
        found, cut = self._group.get(root), self._cut[root]
        if found is None and cut >= 0:
            return _Shape(self._end[cut], self._joined_by[cut], None)
        return found

    def _join_simple(self, a: Simple, b: Simple, origin: Origin) -> list[Pair]:
        """Merge two points; the parts that meet where both are groups."""
        if isinstance(a, CutEnd) and isinstance(b, CutEnd):
            self._check_places(a, b, origin)
        left, right = self._root(self._number_of(a, origin)), self._root(self._number_of(b, origin))
        statements = self._statements[left]
        one, other = (self._shape(left), self._shape(right)) if self._group and left != right else (None, None)
        if left != right:
            self._parent[right] = left
            statements += self._statements[right]
            self._statements[right] = []
            if self._cut[left] < 0 and left not in self._group:
                self._cut[left] = self._cut[right]
                if right in self._group:
                    self._group[left] = self._group[right]
        if not statements or not _is_same(statements[-1], origin):
            statements.append(origin)
        return [] if one is None or other is None else _part_pairs(one, other, origin)

    def _check_places(self, a: CutEnd, b: CutEnd, origin: Origin) -> None:
        """C004 where two cuts do not fit; of scalar cuts of the same classes this is asked once."""
        pair = (id(a.cut), id(a.instance.template), id(b.cut), id(b.instance.template))  # all outlive this
        if pair not in self._fitting:
            check_places(a, b, origin)
            if has_scalars(a) and has_scalars(b):
                self._fitting.add(pair)

    def _number_of(self, end: Simple, origin: Origin) -> int:
        known = self._known.get(id(end))
        if known is not None:
            return known[1]
        is_cut = isinstance(end, CutEnd)
        key = end.name, isinstance(end, CutEnd) and end.inside
        number = self._number.setdefault(key, len(self._end))
        if number == len(self._end):
            self._end.append(end)
            self._parent.append(number)
            self._statements.append([])
            self._joined_by.append(origin)
            self._cut.append(number if is_cut else -1)
            self._has_nodes = self._has_nodes or not is_cut
        self._known[id(end)] = end, number  # held, so that its identity is not another's
        return number

    def _root(self, number: int) -> int:
        parent = self._parent
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    def finish(self) -> tuple[JoinedSet, ...]:
        """The sets in the order in which their first ends were named; of a node that is a group its parts alone."""
        members: dict[int, list[int]] = {}
        for number in range(len(self._end)):
            members.setdefault(self._root(number), []).append(number)
        made = []
        for root, numbers in members.items():
            if root in self._group:
                continue
            self._check(numbers)
            made.append(JoinedSet(tuple([self._end[k] for k in numbers]), tuple(self._statements[root])))
        return tuple(made)

    def _check(self, numbers: list[int]) -> None:
        """Cuts that meet at a node fit as those that are connected directly."""
        if self._has_nodes:
            cuts = [(end, self._joined_by[k]) for k in numbers if isinstance(end := self._end[k], CutEnd)]
            if len(cuts) == len(numbers):
                return
            for end, origin in cuts[1:]:
                check_places(cuts[0][0], end, origin, cuts[0][1])


def _is_same(one: Origin, other: Origin) -> bool:
    """True if two origins are equal; nearly all differ in where they begin."""
    return one.span.start == other.span.start and one == other


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
