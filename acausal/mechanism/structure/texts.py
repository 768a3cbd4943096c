"""Structure of a mechanism as text and as plain data."""

from acausal.analyses.linear_systems.text_tables import table
from acausal.mechanism.structure.structure import Structure
from acausal.mechanism.structure.topology import Integers


def structure_text(found: Structure) -> str:
    """The spanning tree, the chords, and the matrices S, T and B_b."""
    graph, tree = found.graph, found.tree
    bodies = [graph.vertices[vertex] for vertex in tree.bodies]
    joints = [graph.edges[number].name for number in tree.joints]
    chords = [graph.edges[number].name for number in tree.chords]
    rows = [
        [str(label + 1), joint, bodies[inner], bodies[label + 1]]
        for label, (joint, inner) in enumerate(zip(joints, tree.inboard, strict=True))
    ]
    lines = table(["label", "joint of the tree", "inboard body", "body"], rows)
    if chords:
        loops = [[name, _around(found, column)] for column, name in enumerate(chords)]
        lines += ["", *table(["chord", "its loop"], loops)]
    lines += ["", "S (rows: bodies, columns: joints)", *_matrix([found.matrices.S0, *found.matrices.S], bodies, joints)]
    lines += ["", "T (rows: joints, columns: bodies)", *_matrix(found.matrices.T, joints, bodies[1:])]
    if chords:
        lines += [
            "",
            "B_b (rows: chords, columns: joints)",
            *_matrix(found.matrices.B_b, chords, joints),
        ]
    return "\n".join(lines)


def structure_data(found: Structure) -> dict[str, object]:
    """Names by label, and the matrices as lists of rows."""
    graph, tree, matrices = found.graph, found.tree, found.matrices
    return {
        "bodies": [graph.vertices[vertex] for vertex in tree.bodies],
        "joints": [graph.edges[number].name for number in tree.joints],
        "inboard": list(tree.inboard),
        "chords": [graph.edges[number].name for number in tree.chords],
        "S0": list(matrices.S0),
        "S": _lists(matrices.S),
        "T": _lists(matrices.T),
        "A_c": _lists(matrices.A_c),
        "B_b": _lists(matrices.B_b),
    }


def _around(found: Structure, column: int) -> str:
    """Names of the joints of a loop."""
    graph, tree = found.graph, found.tree
    row = found.matrices.B_b[column]
    return " - ".join([graph.edges[number].name for number, sign in zip(tree.joints, row, strict=True) if sign])


def _matrix(matrix: "Integers | list[tuple[int, ...]]", rows: list[str], columns: list[str]) -> list[str]:
    cells = [[name, *[str(x) if x else "." for x in row]] for name, row in zip(rows, matrix, strict=True)]
    return table(["", *columns], cells)


def _lists(matrix: Integers) -> list[list[int]]:
    return [list(row) for row in matrix]
