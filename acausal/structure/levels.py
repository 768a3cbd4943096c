"""Vertices of a graph by their distance from one, and one that is far from the others."""

from collections.abc import Sequence

Graph = Sequence[Sequence[int]]
"""For each vertex its neighbours, itself not among them; edges stand at both of their ends."""


def far_vertex(graph: Graph, vertex: int) -> int:
    """A vertex of the same part of the graph from which the others are far."""
    depth = -1
    while True:
        found = levels(graph, vertex)
        if len(found) <= depth:
            return vertex
        depth, vertex = len(found), min(found[-1], key=lambda v: (len(graph[v]), v))


def levels(graph: Graph, root: int) -> list[list[int]]:
    """The vertices by their distance from the root."""
    seen = {root}
    found = [[root]]
    while True:
        following: list[int] = []
        for vertex in found[-1]:
            for other in graph[vertex]:
                if other not in seen:
                    seen.add(other)
                    following.append(other)
        if not following:
            return found
        found.append(following)
