"""Layered layout of an undirected graph: every node in the layer of its distance from a border of the graph.

Edges then join neighboring layers or nodes of one layer. Nodes of a layer are ordered by the means of their
neighbors' places, in sweeps forth and back. Sugiyama, Tagawa, Toda: Methods for visual understanding of hierarchical
system structures, 1981 (barycenters); Gibbs, Poole, Stockmeyer, 1976 (a node at the border).
"""

from collections.abc import Sequence

from acausal.structure.levels import far_vertex, levels

SWEEPS = 8


def layers(count: int, edges: Sequence[tuple[int, int]]) -> list[list[list[int]]]:
    """The nodes 0 to count - 1 by connected parts, and in these by layers."""
    neighbors: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        if a != b:
            neighbors[a].append(b)
            neighbors[b].append(a)
    made: list[list[list[int]]] = []
    placed = [False] * count
    for node in range(count):
        if not placed[node]:
            found = levels(neighbors, far_vertex(neighbors, node))
            for layer in found:
                for other in layer:
                    placed[other] = True
            made.append(_ordered(found, neighbors))
    return made


def _ordered(found: list[list[int]], neighbors: Sequence[Sequence[int]]) -> list[list[int]]:
    """The same with fewer crossings."""
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for i in range(1, len(found)) if forth else range(len(found) - 2, -1, -1):
            fixed, own = _heights(found[i - 1 if forth else i + 1]), _heights(found[i])
            means = {}
            for node in found[i]:
                near = [fixed[other] for other in neighbors[node] if other in fixed]
                means[node] = sum(near) / len(near) if near else own[node]
            found[i] = [node for _, _, node in sorted((means[node], own[node], node) for node in found[i])]
    return found


def _heights(layer: Sequence[int]) -> dict[int, float]:
    """Places of the nodes of a layer around its middle."""
    return {node: k - (len(layer) - 1) / 2 for k, node in enumerate(layer)}
