"""Connect statements become connection sets.

    connect U - R - (C1 // C2) - G        {U:B, R:A}, {R:B, C1:A, C2:A}, {C1:B, C2:B, G:A}

An end is a simple cut seen from one side, or a node. Joining two ends merges their sets; a
set keeps the statements that built it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from acausal.elaborate.ends import End, GroupEnd, Thing, thing
from acausal.elaborate.mistakes import mistake
from acausal.elaborate.scope import InstanceScope, World
from acausal.elaborate.statements import expanded
from acausal.ir import ast
from acausal.ir.classes import Place, SimpleCut
from acausal.ir.instance import CutEnd, Instance, JoinedSet, NodeEnd
from acausal.ir.names import Name, show_name
from acausal.ir.origin import How, Origin
from acausal.source import Span

Simple = CutEnd | NodeEnd
Key = tuple[Name, bool]


@dataclass(frozen=True, slots=True)
class Cutting:
    """`close X at Y`: the end X, where a loop is to be cut."""

    end: End
    origin: Origin


def connect(instances: Iterable[Instance], world: World) -> tuple[tuple[JoinedSet, ...], tuple[Cutting, ...]]:
    """All connection sets of the instances, and what `close` statements say."""
    sets = _Sets()
    cuttings = []
    for instance in instances:
        for statement in instance.template.connections:
            scope = InstanceScope(world, instance, statement.home)
            for node, inner in expanded(statement.node, scope):
                for a, b, span in _joins(node, inner):
                    origin = Origin(span, instance.path, How.CONNECTED)
                    sets.join(a, b, origin)
                    if isinstance(node, ast.Close):
                        cuttings.append(Cutting(a, origin))
    return sets.finish(), tuple(cuttings)


def _joins(node: ast.Item, scope: InstanceScope) -> Iterator[tuple[End, End, Span]]:
    if isinstance(node, ast.Close):
        yield _alone(thing(node.item, scope)), _alone(thing(node.at, scope)), node.span
    if isinstance(node, ast.Connect):
        for connection in node.connections:
            yield from _connection(connection, scope)


def _connection(connection: ast.Connection, scope: InstanceScope) -> Iterator[tuple[End, End, Span]]:
    joins: list[tuple[End, End, Span]] = []
    value = _value(connection.item, scope, joins)
    yield from joins
    if connection.at is None:
        return
    places = [thing(place, scope) for place in connection.at]
    if len(places) == 1 and not connection.grouped:
        yield _alone(value), _alone(places[0]), connection.span
    elif isinstance(value.main, GroupEnd) and len(value.main.parts) == len(places):
        for part, place in zip(value.main.parts, places, strict=True):
            yield part, _alone(place), connection.span
    elif len(places) == 2 and value.is_path:
        yield value.first, _alone(places[0]), connection.span
        yield value.last, _alone(places[1]), connection.span
    elif len(places) == 1:
        yield _alone(value), _alone(places[0]), connection.span
    else:
        group = value.main.parts if isinstance(value.main, GroupEnd) else ()
        parts = len(group) or (2 if value.is_path else 1)
        named = ", ".join([end.cut.name for end in group if isinstance(end, CutEnd)])
        raise mistake(
            "C006",
            f"{len(places)} places are given for {parts} cut{'s' * (parts != 1)}",
            connection.span,
            hint=f"give a place for each of {named}"
            if named
            else "give as many places as the main cut has parts, or two for the ends of the main path",
        )


def _alone(value: Thing) -> End:
    """The cut that stands for a thing: its main cut, else the last of its path."""
    return value.last if value.main is None else value.main


def _value(item: ast.ConnectExpression, scope: InstanceScope, joins: list[tuple[End, End, Span]]) -> Thing:
    """The path that a connect expression is; what it joins is added to `joins`. Nesting is limited by the parser."""
    if isinstance(item, ast.CutReference):
        return thing(item, scope)
    if isinstance(item, ast.Reversed):
        inner = _value(item.item, scope, joins)
        return replace(inner, first=inner.last, last=inner.first, main=None)
    if isinstance(item, ast.Loop):
        inner = _value(item.item, scope, joins)
        joins.append((inner.last, inner.first, item.span))
        return inner
    values = [_value(i, scope, joins) for i in item.items]
    if isinstance(item, ast.Series):
        for left, right in pairwise(values):
            joins.append((left.last, right.first, left.span.to(right.span)))
        return Thing(values[0].first, values[-1].last, item.span)
    for other in values[1:]:
        joins.append((values[0].first, other.first, values[0].span.to(other.span)))
        if isinstance(item, ast.Parallel):
            joins.append((values[0].last, other.last, values[0].span.to(other.span)))
    return Thing(values[0].first, values[0].last, item.span, is_path=isinstance(item, ast.Parallel))


class _Sets:
    """Union-find over ends; an end is known by its name and side."""

    def __init__(self) -> None:
        self._parent: dict[Key, Key] = {}
        self._end: dict[Key, Simple] = {}
        self._statements: dict[Key, list[Origin]] = {}

    def join(self, a: End, b: End, origin: Origin) -> None:
        """Put two ends at one point, part by part where they are groups."""
        pairs = [(a, b)]
        while pairs:
            left, right = pairs.pop()
            if isinstance(left, GroupEnd) or isinstance(right, GroupEnd):
                pairs += reversed(_part_pairs(left, right, origin))
            else:
                self._join_simple(left, right, origin)

    def _join_simple(self, a: Simple, b: Simple, origin: Origin) -> None:
        if isinstance(a, CutEnd) and isinstance(b, CutEnd):
            check_places(a, b, origin)
        left, right = self._root(self._key(a)), self._root(self._key(b))
        if left != right:
            self._parent[right] = left
            self._statements[left] += self._statements.pop(right)
        if origin not in self._statements[left][-1:]:
            self._statements[left].append(origin)

    def _key(self, end: Simple) -> Key:
        key = (end.name, isinstance(end, CutEnd) and end.inside)
        if key not in self._end:
            self._end[key] = end
            self._parent[key] = key
            self._statements[key] = []
        return key

    def _root(self, key: Key) -> Key:
        while self._parent[key] != key:
            self._parent[key] = key = self._parent[self._parent[key]]
        return key

    def finish(self) -> tuple[JoinedSet, ...]:
        """The sets in the order in which their first ends were named."""
        members: dict[Key, list[Simple]] = {}
        for key, end in self._end.items():
            members.setdefault(self._root(key), []).append(end)
        sets = tuple([JoinedSet(tuple(ends), tuple(self._statements[root])) for root, ends in members.items()])
        for joined in sets:
            _check_set(joined)
        return sets


def _part_pairs(a: End, b: End, origin: Origin) -> list[tuple[End, End]]:
    if isinstance(a, NodeEnd) and isinstance(b, GroupEnd):
        return [(NodeEnd(a.instance, (*a.name, k)), part) for k, part in enumerate(b.parts)]
    if isinstance(b, NodeEnd) and isinstance(a, GroupEnd):
        return [(part, NodeEnd(b.instance, (*b.name, k))) for k, part in enumerate(a.parts)]
    if isinstance(a, GroupEnd) and isinstance(b, GroupEnd) and len(a.parts) == len(b.parts):
        return list(zip(a.parts, b.parts, strict=True))
    raise _misfit(origin, f"{_described(a)}", f"{_described(b)}")


def _check_set(joined: JoinedSet) -> None:
    """Cuts that meet at a node fit as those that are connected directly."""
    if len(joined.cuts) < len(joined.ends):
        first, *rest = joined.cuts or [None]
        for end in rest:
            if first is not None and end is not None:
                check_places(first, end, joined.statements[-1])


def check_places(a: CutEnd, b: CutEnd, origin: Origin) -> None:
    """C004 where two cuts have different shapes."""
    if not _fit(a, b):
        raise _misfit(origin, _described(a), _described(b), _other_cut(a, b) or _other_cut(b, a))


def _fit(a: CutEnd, b: CutEnd) -> bool:
    values, others = a.instance.values, b.instance.values
    for mine, theirs in ((a.cut.across, b.cut.across), (a.cut.through, b.cut.through)):
        if len(mine) != len(theirs):
            return False
        for p, q in zip(mine, theirs, strict=True):
            if p.name is not None and q.name is not None:
                shape, other = values[p.name].shape, others[q.name].shape
                if shape != other and not (_is_one(shape) and _is_one(other)):
                    return False
    return True


def _other_cut(end: CutEnd, other: CutEnd) -> str | None:
    """A hint to another cut of the same thing, one that fits."""
    for cut in end.instance.template.cuts.values():
        if isinstance(cut, SimpleCut) and cut is not end.cut and _fit(replace(end, cut=cut), other):
            path = show_name(end.instance.path)
            return f"did you mean {path}:{cut.name}?" if path else f"did you mean {cut.name}?"
    return None


def _is_one(shape: tuple[int, ...]) -> bool:
    """Whether it is that of a scalar, or of an array of one element, which fits a scalar."""
    return shape.count(1) == len(shape)


def _misfit(origin: Origin, a: str, b: str, hint: str | None = None) -> Exception:
    hint = hint or "connect cuts with as many variables of the same shapes on each side of the `/`"
    return mistake("C004", "cuts of different shape are connected", origin.span, f"{a}; {b}", hint=hint)


def _described(end: End) -> str:
    if isinstance(end, GroupEnd):
        return f"{end.label} has {len(end.parts)} parts"
    if isinstance(end, NodeEnd):
        return f"node {show_name(end.name)}"
    across, through = (_names(end.instance, side) for side in (end.cut.across, end.cut.through))
    counts = f"{len(end.cut.across)} across / {len(end.cut.through)} through"
    return f"{show_name(end.instance.path) or 'the model'}:{end.cut.name} has {counts} ({across} / {through})"


def _names(instance: Instance, places: tuple[Place, ...]) -> str:
    names = []
    for place in places:
        shape = instance.values[place.name].shape if place.name else ()
        text = "." if place.name is None else f"{place.name}{list(shape) if shape else ''}"
        names.append(f"der({text})" if place.order == 1 else f"der({text}, {place.order})" if place.order else text)
    return ", ".join(names)
