"""System graphs and their matrices: an example by hand, and random mechanisms beside networkx."""

from itertools import pairwise
from pathlib import Path
from random import Random

import networkx as nx
import numpy as np
import pytest

from acausal.base.options import TranslateOptions
from acausal.base.source import SourceFile, Span
from acausal.elaborate.classes.library import load
from acausal.elaborate.model.flatten import flatten
from acausal.elaborate.model.instantiate import instantiate
from acausal.mechanism.extract import extract_mechanism
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.spanning_tree import spanning_tree
from acausal.mechanism.structure.structure import structure
from acausal.mechanism.structure.system_graph import Edge, SystemGraph
from acausal.mechanism.structure.topology import Topology, topology
from tests.mechanism.random_texts import kind_of, random_text

NOWHERE = Span(SourceFile("m.mdl", ""), 0, 0)
RANDOM = 200
FROM_TEXT = 8


def graph_of(count: int, ends: list[tuple[int, int]]) -> SystemGraph:
    """A graph of hinges."""
    edges = [Edge(f"j{k}", "revolute", NOWHERE, a, b, (k,), None, 5, 0) for k, (a, b) in enumerate(ends)]
    return SystemGraph(tuple([f"b{k}" for k in range(count)]), tuple(edges))


def test_matrices_by_hand() -> None:
    """A four-bar linkage with a pendulum at its coupler; the third joint points to the ground, the last is the chord.

    Wittenburg's definitions: a joint has +1 at the body that it points away from, -1 at the other (also in the review
    of The path matrix of a graph, 1984, https://portal.mardi4nfdi.de/wiki/Item:Q793752); T has +1 for a joint on the
    way from the ground to a body that points to the ground. The circuit of the chord is 2 -> 3 -> 0 -> 1 -> 2.
    """
    graph = graph_of(5, [(0, 1), (1, 2), (3, 0), (2, 4), (2, 3)])
    tree = spanning_tree(graph)
    assert (tree.joints, tree.chords, tree.inboard) == ((0, 1, 2, 3), (4,), (0, 1, 0, 2))
    found = topology(graph, tree)
    assert found.S0 == (1, 0, -1, 0)
    assert found.S == ((-1, 1, 0, 0), (0, -1, 0, 1), (0, 0, 1, 0), (0, 0, 0, -1))
    assert found.T == ((-1, -1, 0, -1), (0, -1, 0, -1), (0, 0, 1, 0), (0, 0, 0, -1))
    assert found.chords == ((0,), (0,), (1,), (-1,), (0,))
    assert found.A_c == ((-1,), (-1,), (-1,), (0,))
    assert found.B_b == ((1, 1, 1, 0),)


def test_matrices_of_two_loops_by_hand() -> None:
    """A six-bar linkage: crank 1, coupler 2, rocker 3 make a four-bar, link 4 and rocker 5 a second loop there.

    Cutsets and circuits of the system graph as in McPhee, On the use of linear graph theory in multibody system
    dynamics, Nonlinear Dynamics 9 (1996) 73-90: A_f = [1 A_c], B_f = [B_b 1], A_f B_f^T = 0. His own example could not
    be had: stored copies hold the first page of the paper (pdfslide.net), the contents of his lecture notes SD 652
    (scribd, fdocuments, sciencedocbox), and no matrices in works that cite it. So this follows from the definitions.

    The circuit of chord 2 -> 3 goes back along joint 2, then along 0 and 1; that of 4 -> 5 back along joint 4, then
    along 0, 1 and 3. The cutset of a joint separates all behind it: 1 has bodies 2 and 4, so both chords leave.
    """
    graph = graph_of(6, [(0, 1), (1, 2), (0, 3), (2, 4), (0, 5), (2, 3), (4, 5)])
    tree = spanning_tree(graph)
    assert (tree.joints, tree.chords, tree.inboard) == ((0, 1, 2, 3, 4), (5, 6), (0, 1, 0, 2, 0))
    found = topology(graph, tree)
    assert found.S0 == (1, 0, 1, 0, 1)
    assert found.S == (
        (-1, 1, 0, 0, 0),
        (0, -1, 0, 1, 0),
        (0, 0, -1, 0, 0),
        (0, 0, 0, -1, 0),
        (0, 0, 0, 0, -1),
    )
    assert found.T == (
        (-1, -1, 0, -1, 0),
        (0, -1, 0, -1, 0),
        (0, 0, -1, 0, 0),
        (0, 0, 0, -1, 0),
        (0, 0, 0, 0, -1),
    )
    assert found.chords == ((0, 0), (0, 0), (1, 0), (-1, 0), (0, 1), (0, -1))
    assert found.B_b == ((1, 1, -1, 0, 0), (1, 1, 0, 1, -1))
    assert found.A_c == ((-1, -1), (-1, -1), (1, 0), (0, -1), (0, 1))
    cutsets, circuits = np.hstack([np.eye(5), found.A_c]), np.hstack([found.B_b, np.eye(2)])
    assert not (cutsets @ circuits.T).any()


def random_ends(seed: int) -> tuple[int, list[tuple[int, int]]]:
    """Bodies and joints: a random tree, then up to four joints that close loops; a third of them point inward."""
    random = Random(seed)
    count = random.randint(2, 9)
    ends = [(random.randrange(k), k) for k in range(1, count)]
    for _ in range(random.randint(0, 4)):
        a, b = random.sample(range(count), 2)
        ends.append((a, b))
    return count, [(b, a) if random.random() < 1 / 3 else (a, b) for a, b in ends]


def check_with_networkx(graph: SystemGraph) -> None:
    """Every matrix against what networkx finds in the graph."""
    tree = spanning_tree(graph)
    found = topology(graph, tree)
    size = len(tree.joints)
    label = {vertex: k for k, vertex in enumerate(tree.bodies)}
    ends = [(label[e.first], label[e.second]) for e in graph.edges]
    tree_edges, chords = [ends[k] for k in tree.joints], [ends[k] for k in tree.chords]
    plain = nx.Graph(tree_edges)
    assert nx.is_tree(plain)
    assert len(plain) == len(graph.vertices)
    assert all(inner < number for number, inner in enumerate(tree.inboard, start=1))
    directed = nx.DiGraph(tree_edges)
    incidence = -nx.incidence_matrix(directed, range(size + 1), tree_edges, oriented=True).toarray()
    assert np.array_equal([found.S0, *found.S], incidence)
    assert np.array_equal(np.array(found.T) @ np.array(found.S), np.eye(size))
    assert np.array_equal(np.array(found.S0) @ np.array(found.T), -np.ones(size))
    paths = nx.single_source_shortest_path(plain, 0)
    for body in range(1, size + 1):
        way = list(pairwise(paths[body]))
        column = [(-1 if e in way else 0) + (1 if e[::-1] in way else 0) for e in tree_edges]
        assert [row[body - 1] for row in found.T] == column
    check_cutsets(plain, tree_edges, chords, found)


def check_cutsets(
    plain: "nx.Graph[int]", tree_edges: list[tuple[int, int]], chords: list[tuple[int, int]], found: Topology
) -> None:
    """A cutset: the joint falls out, and the chords between the parts count by their direction; circuits by paths."""
    for joint, (a, b) in enumerate(tree_edges):
        parts = plain.copy()
        parts.remove_edge(a, b)
        behind = nx.node_connected_component(parts, b)
        row = [(y in behind) - (x in behind) for x, y in chords]
        assert list(found.A_c[joint]) == row
    for chord, (a, b) in enumerate(chords):
        back = nx.shortest_path(plain, b, a)
        way = list(pairwise(back))
        assert list(found.B_b[chord]) == [(e in way) - (e[::-1] in way) for e in tree_edges]
    if chords:
        assert np.array_equal(np.array(found.B_b), -np.array(found.A_c).T)


def test_random_graphs_with_networkx() -> None:
    for seed in range(RANDOM):
        check_with_networkx(graph_of(*random_ends(seed)))


def mechanism_of(text: str) -> Mechanism:
    """The mechanism in a text, whose loops need not fit together."""
    options = TranslateOptions(text=text)
    tree, world = instantiate(load(Path("m.mdl"), options), options)
    return extract_mechanism(flatten(tree, world))


def structure_as_built(random: Random) -> None:
    """Joints of a text between the bodies that they were put, whatever end of a loop the translator cuts."""
    made = random_text(random)
    graph = structure(mechanism_of(made.text)).graph
    found = {e.name: (e.kind, graph.vertices[e.first], graph.vertices[e.second]) for e in graph.edges}
    assert found == {n: (kind_of(k), made.bodies[a], made.bodies[b]) for n, (k, a, b) in made.joints.items()}
    assert 6 * (len(graph.vertices) - 1) - sum(e.constraints for e in graph.edges) == made.count
    check_with_networkx(graph)


@pytest.mark.parametrize("seed", range(FROM_TEXT))
def test_random_mechanisms_have_the_graph_of_their_text(seed: int) -> None:
    """`tests/long` has 200."""
    structure_as_built(Random(f"mechanisms, structure {seed}"))
