"""Matrices of a system graph with a spanning tree: incidence, paths, fundamental cutsets and circuits."""

from acausal.base.frozen import dataclass
from acausal.mechanism.structure.spanning_tree import SpanningTree
from acausal.mechanism.structure.system_graph import SystemGraph

Integers = tuple[tuple[int, ...], ...]
"""A matrix, row by row."""


@dataclass(frozen=True, slots=True)
class Topology:
    """Integer matrices of a graph with n bodies besides the ground, n joints in its tree, and c chords.

    S0 (1 x n) and S (n x n) are the incidence matrix of the tree: +1 where joint a points away from body i, -1 where it
    points to it. T (n x n) is the path matrix: +1 where joint a is on the path from the ground to body i and points to
    the ground, -1 where it points away from it; T*S = 1 and S0*T = (-1, ..., -1). `chords` (n + 1 x c) is the incidence
    matrix of the chords. Fundamental cutsets are [1, A_c], fundamental circuits [B_b, 1]: A_c (n x c) and B_b (c x n)
    with B_b = -transpose(A_c). Rows of S are bodies, columns joints by label; rows of T are joints, columns bodies.
    """

    S0: tuple[int, ...]
    S: Integers
    T: Integers
    chords: Integers
    A_c: Integers
    B_b: Integers


def topology(graph: SystemGraph, tree: SpanningTree) -> Topology:
    """The matrices; source: Wittenburg 1977, section 5.2, McPhee, Ishac and Andrews 1996, section 2.

    What flows through a joint of the tree and through the chords across the same cut adds up to zero: A_c = T*chords,
    without the row of the ground. The circuit of a chord runs along the chord, then back through the tree.
    """
    size = len(tree.joints)
    label = {vertex: number for number, vertex in enumerate(tree.bodies)}
    signs = [1 if forward else -1 for forward in tree.forward]
    whole = [[0] * size for _ in range(size + 1)]
    for joint, (inner, sign) in enumerate(zip(tree.inboard, signs, strict=True)):
        whole[inner][joint] += sign
        whole[joint + 1][joint] -= sign
    paths = [[0] * size for _ in range(size)]
    for body in range(1, size + 1):
        inner = tree.inboard[body - 1]
        for row in paths:
            row[body - 1] = row[inner - 1] if inner else 0
        paths[body - 1][body - 1] = -signs[body - 1]
    chords = [[0] * len(tree.chords) for _ in range(size + 1)]
    for column, number in enumerate(tree.chords):
        edge = graph.edges[number]
        if edge.first in label and edge.second in label:
            chords[label[edge.first]][column] += 1
            chords[label[edge.second]][column] -= 1
    cutsets = [_row_times(row, chords[1:]) for row in paths]
    circuits = [tuple([-row[column] for row in cutsets]) for column in range(len(tree.chords))]
    return Topology(
        tuple(whole[0]), _frozen(whole[1:]), _frozen(paths), _frozen(chords), tuple(cutsets), tuple(circuits)
    )


def _row_times(row: list[int], matrix: list[list[int]]) -> tuple[int, ...]:
    return tuple([sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*matrix, strict=True)])


def _frozen(matrix: list[list[int]]) -> Integers:
    return tuple(map(tuple, matrix))
