"""Degrees of freedom of a mechanism by counting and by rank, and why they differ."""

import numpy as np

from acausal.base.frozen import dataclass
from acausal.mechanism.kinematics.constraint_matrix import ConstraintMatrix, constraint_matrix, left_null_space
from acausal.mechanism.kinematics.loops import away, closed
from acausal.mechanism.kinematics.pose import Pose, can_move
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.system_graph import Edge, SystemGraph

SEEDS = (1, 2, 3)
DISTANCE = 0.4
"""Length of the way [rad, m] to random poses."""
ALIGNED = 1e-9


@dataclass(frozen=True, slots=True)
class Mobility:
    """Degrees of freedom of velocities: `count` = 6*bodies - constraints (Gruebler), `rank` = 6*bodies - rank(C).

    `constraints` counts holonomic ones (m) and nonholonomic ones (h) of all joints; `redundancy` = m + h - rank(C) at
    generic poses, `redundancy_here` the same at the given pose: it is larger in a singular pose, such as a dead center.
    `poses` says at how many random consistent poses the rank was computed besides the given one. `reasons` are
    sentences on where the difference comes from.
    """

    bodies: int
    holonomic: int
    nonholonomic: int
    count: int
    rank: int
    redundancy: int
    redundancy_here: int
    poses: int
    reasons: tuple[str, ...]

    @property
    def constraints(self) -> int:
        """The number of all constraints."""
        return self.holonomic + self.nonholonomic


def mobility(mechanism: Mechanism, graph: SystemGraph, pose: Pose) -> Mobility:
    """Degrees of freedom at the pose and at seeded random poses beside it, all with closed loops.

    Off the constraints an overconstrained loop looks regular: all poses are brought to closed loops first.
    """
    start = closed(mechanism, pose) or pose
    here = constraint_matrix(mechanism, graph, start)
    others = []
    if can_move(mechanism):
        for seed in SEEDS:
            found = away(mechanism, start, seed, DISTANCE)
            if found is not None:
                others.append(constraint_matrix(mechanism, graph, found))
    rank = max([here.rank, *[other.rank for other in others]])
    bodies = len(graph.vertices) - 1
    holonomic = sum(edge.holonomic for edge in graph.edges)
    nonholonomic = sum(edge.nonholonomic for edge in graph.edges)
    total = holonomic + nonholonomic
    count = 6 * bodies - total
    reasons = [*_reasons(mechanism, graph, start, total - rank), *_here(here, rank)]
    reasons += _idle(graph, here, 6 * bodies - rank)
    return Mobility(
        *(bodies, holonomic, nonholonomic, count, 6 * bodies - rank, total - rank, here.rows - here.rank),
        *(len(others), tuple(reasons)),
    )


def _idle(graph: SystemGraph, here: ConstraintMatrix, rank: int) -> list[str]:
    """Bodies within loops that can move while all others rest, as a rod between two balls turns about itself.

    Where nothing else moves, this is what the mechanism is for.
    """
    inner = {end for edge in _in_loops(graph) for end in (edge.first, edge.second)} - {0}
    found, idle = [], 0
    for vertex in sorted(inner):
        touching = [number for number, edge in enumerate(graph.edges) if vertex in (edge.first, edge.second)]
        wrenches = np.vstack([here.edges[number].about_origin for number in touching])
        free = 6 - left_null_space(wrenches.T)[0]
        idle += free
        if free == 1:
            name = graph.vertices[vertex]
            found.append(f"The body {name} can move while all others rest: 1 degree of freedom is idle.")
    return found if idle < rank else []


def _here(here: ConstraintMatrix, rank: int) -> list[str]:
    less = rank - here.rank
    if not less:
        return []
    return [f"The given pose is singular: the rank of the constraints is lower there by {less}."]


def _reasons(mechanism: Mechanism, graph: SystemGraph, pose: Pose, redundancy: int) -> list[str]:
    """Sentences on the difference of rank and count."""
    if redundancy == 0:
        return ["All constraints are independent: counting is right."]
    axes = _axes(mechanism, graph, pose)
    text = "constraint follows" if redundancy == 1 else "constraints follow"
    first = f"{redundancy} {text} from the others, which counting does not see: the rank is right."
    if axes is None:
        return [first]
    turning, sliding = axes
    if not sliding and _coincide(turning):
        why = "All hinges in closed loops turn about one line: each beyond the first adds five redundant constraints."
    elif _is_planar(turning, sliding):
        why = (
            "All axes of hinges in closed loops are parallel and all slides move across them: the motion is planar. "
            "Each independent loop of spatial joints has three redundant constraints: a force and two torques."
        )
    elif not sliding and _meet(turning):
        why = (
            "All axes of hinges in closed loops meet in one point: the motion is spherical; some forces are redundant."
        )
    else:
        why = "The loops move because of their dimensions, as an overconstrained linkage of Bricard or Bennett does."
    return [first, why]


Line = tuple[np.ndarray, np.ndarray]


def _axes(mechanism: Mechanism, graph: SystemGraph, pose: Pose) -> tuple[list[Line], list[Line]] | None:
    """Axes of hinges and slides in loops (direction, point); None where loops have other joints."""
    turning: list[Line] = []
    sliding: list[Line] = []
    for edge in _in_loops(graph):
        if edge.closure is not None:
            closure = mechanism.closures[edge.closure]
            if closure.kind not in ("revolute", "prismatic"):
                return None
            axis = pose.rotations[closure.first] @ np.array(closure.axis), pose.places[closure.first]
            (turning if closure.kind == "revolute" else sliding).append(axis)
        for number in edge.joints:
            joint = mechanism.joints[number]
            axis = pose.rotations[joint.frame] @ np.array(joint.axis), pose.places[joint.frame]
            if joint.kind == "revolute":
                turning.append(axis)
            elif joint.kind == "prismatic":
                sliding.append(axis)
            else:
                return None
    return (turning, sliding) if turning or sliding else None


def _in_loops(graph: SystemGraph) -> list[Edge]:
    """The edges that are part of a loop: those that are left when ends of open chains are taken away."""
    edges = list(graph.edges)
    while True:
        ends = [end for edge in edges for end in (edge.first, edge.second)]
        kept = [edge for edge in edges if min(ends.count(edge.first), ends.count(edge.second)) > 1]
        if len(kept) == len(edges):
            return kept
        edges = kept


def _is_planar(turning: list[Line], sliding: list[Line]) -> bool:
    if not turning:
        return False
    normal = turning[0][0]
    parallel = all(np.linalg.norm(np.cross(normal, axis)) < ALIGNED for axis, _ in turning)
    return parallel and all(abs(normal @ axis) < ALIGNED for axis, _ in sliding)


def _coincide(turning: list[Line]) -> bool:
    """True if all axes are one line."""
    axis, place = turning[0]
    ways = [np.cross(axis, other) for other, _ in turning] + [np.cross(axis, point - place) for _, point in turning]
    return all(np.linalg.norm(way) < ALIGNED for way in ways)


def _meet(turning: list[Line]) -> bool:
    """True if all axes pass through one point."""
    projections = [np.eye(3) - np.outer(axis, axis) for axis, _ in turning]
    whole = np.sum(projections, axis=0)
    right = np.sum([p @ place for p, (_, place) in zip(projections, turning, strict=True)], axis=0)
    point = np.linalg.lstsq(whole, right, rcond=None)[0]
    size = max([1e-300, *[float(np.linalg.norm(place - point)) for _, place in turning]])
    gaps = [np.linalg.norm(p @ (place - point)) for p, (_, place) in zip(projections, turning, strict=True)]
    return bool(max(gaps) < ALIGNED * size)
