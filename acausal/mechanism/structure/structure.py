"""Graph, tree and matrices of a mechanism in one."""

from acausal.base.frozen import dataclass
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.spanning_tree import SpanningTree, spanning_tree
from acausal.mechanism.structure.system_graph import SystemGraph, system_graph
from acausal.mechanism.structure.topology import Topology, topology


@dataclass(frozen=True, slots=True)
class Structure:
    """The system graph, its spanning tree with regular labels, and the matrices in these labels."""

    graph: SystemGraph
    tree: SpanningTree
    matrices: Topology


def structure(mechanism: Mechanism) -> Structure:
    """The structure of a mechanism."""
    graph = system_graph(mechanism)
    tree = spanning_tree(graph)
    return Structure(graph, tree, topology(graph, tree))
