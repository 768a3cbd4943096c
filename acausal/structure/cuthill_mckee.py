"""An order of the vertices of a graph in which neighbours stand close together (reverse Cuthill-McKee).

    0 - 3 - 1 - 4 - 2      order 2 4 1 3 0: every edge joins two that stand side by side

A matrix whose rows and columns are put into this order is a band about its diagonal.
"""

from collections.abc import Sequence

from acausal.structure.levels import Graph, far_vertex


def reverse_cuthill_mckee(graph: Graph) -> list[int]:
    """The vertices in their new order. Deterministic; O(edges * log(degree)), in practice linear.

    Source: E. Cuthill, J. McKee, Proc. 24th ACM National Conference, 1969, p. 157; the start by A. George, J. W. H.
    Liu, ACM Trans. Math. Softw. 5, 1979, p. 284.
    """
    order: list[int] = []
    done = bytearray(len(graph))
    for vertex in range(len(graph)):
        if not done[vertex]:
            order += _breadth_first(graph, far_vertex(graph, vertex), done)
    order.reverse()
    return order


def symmetric(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """The graph of a square matrix: i and j are neighbours where an entry (i, j) or (j, i) is; rows list columns."""
    found: list[dict[int, None]] = [{} for _ in rows]
    for i, columns in enumerate(rows):
        for j in columns:
            if i != j:
                found[i][j] = None
                found[j][i] = None
    return [list(neighbours) for neighbours in found]


def width(rows: Sequence[Sequence[int]], place: Sequence[int]) -> tuple[int, int]:
    """Diagonals below and above the main one where rows and columns stand at these places."""
    lower = upper = 0
    for i, columns in enumerate(rows):
        here = place[i]
        for j in columns:
            distance = place[j] - here
            upper, lower = max(upper, distance), max(lower, -distance)
    return lower, upper


def _breadth_first(graph: Graph, root: int, done: bytearray) -> list[int]:
    """All that the root is joined with, those with few neighbours first."""
    done[root] = 1
    found = [root]
    for vertex in found:
        new = [v for v in graph[vertex] if not done[v]]
        for other in new:
            done[other] = 1
        new.sort(key=lambda v: (len(graph[v]), v))
        found += new
    return found
