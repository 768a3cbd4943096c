"""Closing classes: where a loop of directed submodels is cut (language page, section 4, rule 9).

    connect i - j1 - j2 - j3 - i      the edges j1, j2, j3; j3 enters the root, so its end is taken out:
                                      {i:B, j1:A, loop1:A}, {j1:B, j2:A}, {j2:B, j3:A}, {j3:B, loop1:B}

A leaf submodel whose main path joins two cuts of one closing class is an edge; the connection
sets, over all levels, are the points. Each point keeps one of the edges that enter it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from acausal.base.frozen import dataclass
from acausal.elaborate.connections.connect import Cutting
from acausal.elaborate.connections.connector_references import cut_end
from acausal.elaborate.connections.cut_shapes import check_places
from acausal.elaborate.connections.spanning_forest import Edge, Graph, around, entering_edges, no_loop
from acausal.elaborate.error_helpers import mistake
from acausal.elaborate.scopes.scope import World
from acausal.ir import ast
from acausal.ir.flat_connections import Loop
from acausal.ir.model.classes import ClassUse, ExportedCut, SimpleCut, Submodel
from acausal.ir.model.instance import CutEnd, Instance, JoinedSet
from acausal.ir.names import Name
from acausal.ir.origin import Origin

Add = Callable[[Submodel], Instance]


def close_loops(
    instances: Sequence[Instance], sets: tuple[JoinedSet, ...], cuttings: Iterable[Cutting], world: World, add: Add
) -> tuple[tuple[JoinedSet, ...], tuple[Loop, ...]]:
    """The sets with an instance of the closing class in each loop; `add` makes a submodel of the model itself.

    C013 and C014 where a direction or a root is missing, C015 where a closing class does not fit,
    C016 for a `close` where no loop is.
    """
    ends = {i: _closing_path(i) for i in instances if i.item is not None and not i.children}
    paths = {i: path for i, path in ends.items() if path is not None}
    cuttings = tuple(cuttings)
    if not paths and not cuttings:
        return sets, ()
    points = _Points(sets)
    removed: list[_Removed] = []
    for closing in dict.fromkeys(first.cut.closing for first, _ in paths.values()):
        assert closing is not None
        edges = [
            Edge(i, points.of(first), points.of(last), last)
            for i, (first, last) in paths.items()
            if first.cut.closing == closing
        ]
        graph = Graph(
            edges, points.roots(closing), points.interface(instances[0], closing, world), _is_undirected(closing)
        )
        wanted = {c.end.name: c for c in cuttings if isinstance(c.end, CutEnd)}
        kept = entering_edges(graph, {name: c.origin.span for name, c in wanted.items()})
        removed += [_Removed(e, around(e, kept), wanted.get(e.end.name)) for e in edges if e not in kept]
    _check_cuttings(cuttings, removed)
    return _with_loops(sets, points.outside, removed, instances[0], add)


@dataclass(frozen=True, slots=True)
class _Removed:
    """An edge whose end is taken out of its set, the edges around the loop, and the statement that asked for it."""

    edge: Edge
    around: tuple[Edge, ...]
    cutting: Cutting | None


def _closing_path(instance: Instance) -> tuple[CutEnd, CutEnd] | None:
    """The ends of the main path, where they are simple cuts with one closing class."""
    path, cuts = instance.template.main_path, instance.template.cuts
    if path is None:
        return None
    named = [r.object[0].name for r in (path.first, path.last) if not r.cut and len(r.object) == 1]
    first, last = [cuts.get(n) for n in named] if len(named) == 2 else (None, None)
    if not isinstance(first, SimpleCut) or not isinstance(last, SimpleCut):
        return None
    if first.closing is None or first.closing != last.closing:
        return None
    return CutEnd(instance, first, False), CutEnd(instance, last, False)


def _is_undirected(closing: ClassUse) -> bool:
    """True if the closing class declares `constant boolean undirected=true`."""
    for item in closing.definition.node.items:
        if isinstance(item, ast.ValueDeclaration) and item.kind == "constant":
            for value in item.declarators:
                if value.name == "undirected":
                    return isinstance(value.value, ast.Boolean) and value.value.value
    return False


class _Points:
    """Connection sets over all levels: sets that share a cut of an enclosing model are one point.

    `outside` gives the number of the set that a cut, seen from outside, belongs to.
    """

    def __init__(self, sets: Sequence[JoinedSet]) -> None:
        self._parent = list(range(len(sets)))
        self._set_of: dict[Name, int] = {}
        self._sets = sets
        self.outside: dict[Name, int] = {}
        for number, joined in enumerate(sets):
            for end in joined.cuts:
                if not end.inside:
                    self.outside[end.name] = number
                self._parent[self._find(number)] = self._find(self._set_of.setdefault(end.name, number))

    def _find(self, number: int) -> int:
        while self._parent[number] != number:
            self._parent[number] = number = self._parent[self._parent[number]]
        return number

    def of(self, end: CutEnd) -> int:
        """The point of an end; an end that nothing is connected to is a point of its own."""
        if end.name not in self._set_of:
            self._set_of[end.name] = len(self._parent)
            self._parent.append(len(self._parent))
        return self._find(self._set_of[end.name])

    def roots(self, closing: ClassUse) -> list[int]:
        """The points that hold a cut declared `closing X root`."""
        cuts = [e for s in self._sets for e in s.cuts if e.cut.root and e.cut.closing == closing]
        return list(dict.fromkeys(self.of(e) for e in cuts))

    def interface(self, model: Instance, closing: ClassUse, world: World) -> list[int]:
        """The points at the cuts of the translated model itself."""
        ends = [CutEnd(model, c, True) for c in model.template.cuts.values() if isinstance(c, SimpleCut)]
        for cut in model.template.cuts.values():
            if isinstance(cut, ExportedCut):
                ends += _exported(model, cut, world)
        return list(dict.fromkeys(self.of(e) for e in ends if e.cut.closing == closing))


def _exported(model: Instance, cut: ExportedCut, world: World) -> list[CutEnd]:
    end = cut_end(model, cut.name, world, inside=False)
    return [end] if isinstance(end, CutEnd) else []


def _check_cuttings(cuttings: Iterable[Cutting], removed: Sequence[_Removed]) -> None:
    done = {r.cutting.origin for r in removed if r.cutting is not None}
    for cutting in cuttings:
        if cutting.origin not in done:
            raise no_loop(cutting.origin.span)


def _with_loops(
    sets: tuple[JoinedSet, ...], set_of: dict[Name, int], removed: Sequence[_Removed], model: Instance, add: Add
) -> tuple[tuple[JoinedSet, ...], tuple[Loop, ...]]:
    loops = []
    changed = list(sets)
    taken = [n for n in model.children if n.startswith("loop")]
    number = 0
    for item in removed:
        end = item.edge.end
        where = set_of[end.name]
        joined = changed[where]
        origin = item.cutting.origin if item.cutting else joined.statements[-1]
        number += 1
        while f"loop{number}" in taken:
            number += 1
        one, other = _closing_ends(f"loop{number}", end, origin, model, add)
        others = tuple([e for e in joined.ends if not (isinstance(e, CutEnd) and e == end)])
        changed[where] = replace(joined, ends=(*others, one))
        changed.append(JoinedSet((end, other), (origin,)))
        loops.append(Loop(other.instance.path, tuple([e.instance.path for e in item.around]), origin))
    return tuple(changed), tuple(loops)


def _closing_ends(name: str, end: CutEnd, origin: Origin, model: Instance, add: Add) -> tuple[CutEnd, CutEnd]:
    """The cuts A and B of a new instance of the closing class, which must have the shape of the end."""
    closing = end.cut.closing
    assert closing is not None
    loop = add(Submodel(name, ast.SubmodelItem(origin.span, name), closing, model.template.use))
    cuts = [loop.template.cuts.get(c) for c in ("A", "B")]
    found = [CutEnd(loop, c, False) for c in cuts if isinstance(c, SimpleCut)]
    if len(found) != 2:
        raise mistake(
            "C015",
            f"class {closing.name} cannot close a loop",
            end.cut.span,
            "named as closing class here",
            others=[(closing.definition.node.name_span, "it has no cuts A and B")],
            hint="a closing class must have two simple cuts A and B of the shape of the cuts that name it",
        )
    for cut in found:
        check_places(end, cut, origin)
    return found[0], found[1]
