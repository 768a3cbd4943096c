"""Spanning forest: the edge that enters a point has the fewest edges from a root, then is the first in the text.

root -a-> 1 -b-> 2, root -c-> 2       a enters 1, c enters 2; b closes a loop
"""

from collections import deque
from collections.abc import Iterable, Mapping

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.elaborate.error_helpers import mistake
from acausal.ir.model.instance import CutEnd, Instance
from acausal.ir.names import Name, show_name


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """A submodel whose main path leads from one point to another; `end` is the cut at `target`."""

    instance: Instance
    source: int
    target: int
    end: CutEnd

    @property
    def span(self) -> Span:
        """Declaration of the submodel."""
        item = self.instance.item
        assert item is not None
        return item.span


@dataclass(frozen=True, slots=True)
class Graph:
    """Edges in the order of the text; `roots` are entered by no edge, `interface` points may be roots."""

    edges: list[Edge]
    roots: list[int]
    interface: list[int]
    undirected: bool


def entering_edges(graph: Graph, closed: Mapping[Name, Span]) -> frozenset[Edge]:
    """The edges that stay; those whose end is in `closed` do not. C013, C014 or C016 where a point is not reached."""
    open_edges = [e for e in graph.edges if e.end.name not in closed]
    kept: dict[int, Edge | None] = dict.fromkeys(graph.roots)
    _reach(open_edges, graph, kept, graph.roots)
    for start in _further_roots(graph, open_edges, kept):
        if start not in kept:
            kept[start] = None
            _reach(open_edges, graph, kept, [start])
    for edge in graph.edges:
        if edge.target not in kept and edge.end.name in closed:
            raise no_loop(closed[edge.end.name])
    for edge in graph.edges:
        if edge.source not in kept or edge.target not in kept:
            raise _not_reached(edge, graph, kept)
    return frozenset([e for e in kept.values() if e is not None])


def around(closing: Edge, kept: Iterable[Edge]) -> tuple[Edge, ...]:
    """The edges of the loop that an edge closes, from the point where it parts."""
    entering = {e.target: e for e in kept}

    def from_root(point: int) -> list[Edge]:
        way: list[Edge] = []
        while point in entering and entering[point] not in way:
            way.append(entering[point])
            point = way[-1].source
        return way[::-1]

    one, other = [*from_root(closing.source), closing], from_root(closing.target)
    while one and other and one[0] is other[0]:
        del one[0], other[0]
    return (*one, *reversed(other))


def no_loop(span: Span) -> Exception:
    """C016: a `close` statement where there is no loop."""
    hint = "`close X at Y` disconnects X, the end of a main path that closes a loop; otherwise write connect"
    return mistake("C016", "there is no loop to cut here", span, hint=hint)


def _reach(edges: Iterable[Edge], graph: Graph, kept: dict[int, Edge | None], starts: Iterable[int]) -> None:
    """Breadth first: a point is entered by an edge from a point as near to the root as can be."""
    leaving: dict[int, list[tuple[Edge, int]]] = {}
    for edge in edges:
        leaving.setdefault(edge.source, []).append((edge, edge.target))
        if graph.undirected:
            leaving.setdefault(edge.target, []).append((edge, edge.source))
    rank = {edge: number for number, edge in enumerate(edges)}
    level = list(starts)
    while level:
        steps = sorted((step for point in level for step in leaving.get(point, ())), key=lambda s: rank[s[0]])
        level = []
        for edge, point in steps:
            if point not in kept:
                kept[point] = edge
                level.append(point)


def _further_roots(graph: Graph, edges: Iterable[Edge], kept: dict[int, Edge | None]) -> list[int]:
    """Cuts of the model itself stand for what a root outside leads to, first those that no edge enters."""
    if graph.undirected:
        return [*graph.interface, *(e.source for e in graph.edges)]
    entered = {e.target for e in edges}
    unreached = [p for p in graph.interface if p not in kept]
    return [*(p for p in unreached if p not in entered), *(p for p in unreached if p in entered)]


def _not_reached(edge: Edge, graph: Graph, kept: dict[int, Edge | None]) -> Exception:
    """C013 names the edge that comes from an unreached part to a reached one, C014 a part without root."""
    for wrong in graph.edges:
        if wrong.source not in kept and wrong.target in kept:
            name = show_name(wrong.instance.path)
            return mistake(
                "C013",
                f"{name} has the wrong orientation: its main path begins at a point that no root reaches",
                wrong.span,
                "to be reversed",
                hint=f"reverse it where it is connected: write \\{wrong.instance.path[-1]}, or remove the \\",
            )
    part = _part_of(edge, graph)
    names = ", ".join(show_name(e.instance.path) for e in part[:3]) + (" ..." if len(part) > 3 else "")
    return mistake(
        "C014",
        f"no path leads from a root to {names}",
        edge.span,
        "not reached from a root",
        hint="connect the first submodel to one whose cut is a root, such as Inertial",
    )


def _part_of(edge: Edge, graph: Graph) -> list[Edge]:
    """The edges that hang together with one, in the order of the text."""
    touching: dict[int, list[Edge]] = {}
    for other in graph.edges:
        touching.setdefault(other.source, []).append(other)
        touching.setdefault(other.target, []).append(other)
    seen, queue = {edge}, deque([edge])
    while queue:
        current = queue.popleft()
        for other in (*touching[current.source], *touching[current.target]):
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return [e for e in graph.edges if e in seen]
