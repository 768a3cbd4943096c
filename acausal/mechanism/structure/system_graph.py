"""The system graph: rigid bodies as vertices, joints and cut joints as edges."""

from acausal.base.frozen import dataclass
from acausal.base.source import Span
from acausal.ir.names import Name, show_name
from acausal.mechanism.model import Closure, ClosureKind, Joint, Mechanism

CONSTRAINTS: dict[ClosureKind, tuple[int, int]] = {
    "rigid": (6, 0),
    "spherical": (3, 0),
    "rod": (1, 0),
    "revolute": (5, 0),
    "planar": (2, 0),
    "parallel": (2, 0),
    "universal": (4, 0),
    "prismatic": (5, 0),
    "knife edge": (0, 1),
    "rolling wheel": (1, 2),
    "level wheel": (0, 1),
    "rolling sphere": (1, 2),
}
"""Numbers of holonomic and of nonholonomic constraints."""
COMPOUND_KINDS = {
    ("revolute", "revolute"): "universal",
    ("prismatic", "revolute"): "cylindrical",
    ("prismatic", "prismatic", "revolute"): "planar",
    ("prismatic", "prismatic", "prismatic"): "free point",
    ("prismatic", "prismatic", "prismatic", "spherical"): "free",
}
"""Kinds of compound joints by those of their joints in a row."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A joint between two bodies (numbers of vertices): joints of the mechanism in a row, or one closure.

    `holonomic` and `nonholonomic` count its constraints.
    """

    name: str
    kind: str
    span: Span
    first: int
    second: int
    joints: tuple[int, ...]
    closure: int | None
    holonomic: int
    nonholonomic: int

    @property
    def constraints(self) -> int:
        """The number of its constraints on velocities."""
        return self.holonomic + self.nonholonomic


@dataclass(frozen=True, slots=True)
class SystemGraph:
    """Names of the bodies, body 0 is the ground, and the joints between them."""

    vertices: tuple[str, ...]
    edges: tuple[Edge, ...]


def system_graph(mechanism: Mechanism) -> SystemGraph:
    """The graph. Compound joints (Universal, Planar, Free, ...) are one edge where nothing is fixed inside them."""
    body_of = mechanism.body_of
    joints = mechanism.joints
    inside = _inside_compounds(mechanism)
    kept = [number for number in range(len(mechanism.bodies)) if number not in inside]
    vertex = {body: number for number, body in enumerate(kept)}
    rows = _rows(joints, {j.compound for j in joints if j.compound is not None and j.compound in inside.values()})
    edges = []
    for row in rows:
        first, last = joints[row[0]], joints[row[-1]]
        ends = vertex[body_of[first.reference]], vertex[body_of[last.frame]]
        edges.append(_joint_edge(joints, row, ends))
    for number, closure in enumerate(mechanism.closures):
        if closure.kind != "rigid":
            ends = vertex[body_of[closure.first]], vertex[body_of[closure.second]]
            edges.append(_closure_edge(closure, number, ends))
    return SystemGraph(tuple([mechanism.bodies[body].name for body in kept]), tuple(edges))


def _inside_compounds(mechanism: Mechanism) -> dict[int, Name]:
    """Bodies without mass that only joints of one compound touch, with the compound."""
    body_of = mechanism.body_of
    touching: dict[int, list[Name | None]] = {}
    for joint in mechanism.joints:
        for frame in (joint.reference, joint.frame):
            touching.setdefault(body_of[frame], []).append(joint.compound)
    for closure in mechanism.closures:
        for frame in (closure.first, closure.second):
            touching.setdefault(body_of[frame], []).append(None)
    for force in mechanism.forces:
        for frame in force.frames:
            touching.setdefault(body_of[frame], []).append(None)
    found = {}
    for body, compounds in touching.items():
        first = compounds[0]
        is_passed = len(compounds) == 2 and compounds[1] == first
        if first is not None and is_passed and body and not mechanism.bodies[body].elements:
            found[body] = first
    return found


def _rows(joints: tuple[Joint, ...], merged: set[Name]) -> list[list[int]]:
    """Numbers of joints, those of one compound together."""
    rows: list[list[int]] = []
    of: dict[Name, list[int]] = {}
    for number, joint in enumerate(joints):
        if joint.compound in merged and joint.compound in of:
            of[joint.compound].append(number)
            continue
        rows.append([number])
        if joint.compound in merged and joint.compound is not None:
            of[joint.compound] = rows[-1]
    return rows


def _joint_edge(joints: tuple[Joint, ...], row: list[int], ends: tuple[int, int]) -> Edge:
    joint = joints[row[0]]
    free = sum(0 if joints[n].locked else joints[n].degrees_of_freedom for n in row)
    name = joint.name if len(row) == 1 or joint.compound is None else show_name(joint.compound)
    kinds = tuple([joints[n].kind for n in row])
    kind = kinds[0] if len(row) == 1 else COMPOUND_KINDS.get(kinds, " + ".join(kinds))
    return Edge(name, kind, joint.instance.span, *ends, tuple(row), None, 6 - free, 0)


def _closure_edge(closure: Closure, number: int, ends: tuple[int, int]) -> Edge:
    holonomic, nonholonomic = CONSTRAINTS[closure.kind]
    return Edge(closure.name, closure.kind, closure.instance.span, *ends, (), number, holonomic, nonholonomic)
