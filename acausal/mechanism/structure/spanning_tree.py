"""A spanning tree of a system graph with regular labels."""

from acausal.base.frozen import dataclass
from acausal.mechanism.structure.system_graph import SystemGraph


@dataclass(frozen=True, slots=True)
class SpanningTree:
    """Vertices and edges of a graph by their labels.

    `bodies[i]` is the vertex with label i (0 is the ground). `joints[i - 1]` is the edge that leads to body i, from the
    body `inboard[i - 1]`, whose label is smaller; `forward` is False where the edge points from body i inward.
    `chords` are the other edges: each closes one loop.
    """

    bodies: tuple[int, ...]
    joints: tuple[int, ...]
    inboard: tuple[int, ...]
    forward: tuple[bool, ...]
    chords: tuple[int, ...]


def spanning_tree(graph: SystemGraph) -> SpanningTree:
    """The tree along the joints in the order of the graph, from the ground outward; bodies that float have none.

    Joints come before cut joints in a graph, so that chords are cut joints and the last joints of loops, which is where
    the translator closes them.
    """
    label = {0: 0}
    bodies, joints, inboard, forward = [0], [], [], []
    remaining = list(range(len(graph.edges)))
    grown = True
    while grown:
        grown = False
        later = []
        for number in remaining:
            edge = graph.edges[number]
            known = edge.first in label, edge.second in label
            if known[0] == known[1]:
                later.append(number)
                continue
            inner, outer = (edge.first, edge.second) if known[0] else (edge.second, edge.first)
            label[outer] = len(bodies)
            bodies.append(outer)
            joints.append(number)
            inboard.append(label[inner])
            forward.append(known[0])
            grown = True
        remaining = later
    return SpanningTree(tuple(bodies), tuple(joints), tuple(inboard), tuple(forward), tuple(remaining))
