"""Reactions of joints at a pose: their values, and which of them the equations of motion of rigid bodies determine."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

import numpy as np

from acausal.base.frozen import dataclass
from acausal.mechanism.kinematics.constraint_matrix import ConstraintMatrix, constraint_matrix
from acausal.mechanism.kinematics.pose import Pose
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.system_graph import Edge, SystemGraph

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

Axes = Literal["joint", "inertial"]
Value = Callable[[str], float]
"""The value of a variable at the pose, by name."""
COMPONENTS = ("t1", "t2", "t3", "f1", "f2", "f3")
TORQUES = 3
ZERO = 1e-7
"""Parts of unit wrenches below this are zero: the rank has a tolerance of 1e-8."""


@dataclass(frozen=True, slots=True)
class Reaction:
    """A component of the force [N] or torque [N.m] that a joint exerts on its second body, about the joint's origin.

    `unique` says that the equations of motion determine it at this pose. Where they do not, `value` is one of many: the
    run's (minimum norm), or that of elastic joints. None: not computed.
    """

    joint: str
    component: str
    unit: str
    unique: bool
    value: float | None


@dataclass(frozen=True, slots=True)
class Reactions:
    """Reactions at the pose of a time [s], with its coordinates [rad, m] by name.

    `redundancy` p = m + h - rank(C) is that of the constraints at this pose. `axes` are those of the components: of the
    joint's frame B (of a cut joint: of its frame A), or of the inertial frame. `elastic` says that values that are
    not unique are those of elastic joints.
    """

    time: float
    coordinates: Mapping[str, float]
    axes: Axes
    redundancy: int
    components: tuple[Reaction, ...]
    elastic: bool = False

    def __getitem__(self, name: str) -> Reaction:
        """The component of a name: `reactions["crank.f1"]`."""
        return {f"{c.joint}.{c.component}": c for c in self.components}[name]

    @property
    def undetermined(self) -> tuple[str, ...]:
        """Names of the components that are not unique."""
        return tuple([f"{c.joint}.{c.component}" for c in self.components if not c.unique])


@dataclass(frozen=True, slots=True)
class ReactionRequest:
    """Time and axes of reactions; compliances of joints [m/N, rad/(N.m)] by the names of joints, None without."""

    time: float
    coordinates: Mapping[str, float]
    axes: Axes
    compliances: Mapping[str, tuple[float, float]] | None = None


def reactions(
    mechanism: Mechanism, graph: SystemGraph, pose: Pose, asked: ReactionRequest, value: Value | None
) -> Reactions:
    """All reactions; values where `value` gives those of variables.

    A component X is unique where no combination of multipliers that the bodies do not feel changes it: with the
    constraint matrix C = Q*R and the columns Q2 of Q behind the rank, B_X = C_X^T*Q2_X = 0 (M. Wojtyra, J. Fraczek,
    Solvability of reactions in rigid multibody systems with redundant nonholonomic constraints, Multibody System
    Dynamics 30 (2013) 153-171).
    """
    matrix = constraint_matrix(mechanism, graph, pose)
    wrenches = None if value is None else [_wrench(mechanism, edge, pose, value) for edge in graph.edges]
    if wrenches is not None and asked.compliances is not None:
        from acausal.mechanism.statics.elastic import elastic_wrenches

        wrenches = elastic_wrenches(graph, matrix, wrenches, asked.compliances)
    found = []
    for number, edge in enumerate(graph.edges):
        found += _components(edge, number, matrix, None if wrenches is None else wrenches[number], asked.axes)
    free = matrix.rows - matrix.rank
    elastic = wrenches is not None and asked.compliances is not None
    return Reactions(asked.time, asked.coordinates, asked.axes, free, tuple(found), elastic)


def _components(
    edge: Edge, number: int, matrix: ConstraintMatrix, wrench: "Array | None", axes: Axes
) -> list[Reaction]:
    """The components in directions in which the joint transmits something."""
    transmitted = matrix.edges[number]
    rows, open_ = transmitted.rows, matrix.undetermined(number)
    if axes == "inertial":
        turn = np.kron(np.eye(2), transmitted.rotation)
        rows, open_ = rows @ turn.T, turn @ open_
        wrench = None if wrench is None else turn @ wrench
    found = []
    for k, component in enumerate(COMPONENTS):
        if np.max(np.abs(rows[:, k]), initial=0.0) < ZERO:
            continue
        unique = bool(np.max(np.abs(open_[k]), initial=0.0) < ZERO)
        unit = "N.m" if k < TORQUES else "N"
        found.append(Reaction(edge.name, component, unit, unique, None if wrench is None else float(wrench[k])))
    return found


def _wrench(mechanism: Mechanism, edge: Edge, pose: Pose, value: Value) -> "Array":
    """Torque and force on the second body as the run has them, in axes of the joint's frame."""
    if edge.closure is None:
        name = mechanism.joints[edge.joints[-1]].name
        return np.array([value(f"{name}.f[{i}]") for i in range(1, 7)])
    closure = mechanism.closures[edge.closure]
    turned = pose.rotations[closure.first].T @ pose.rotations[closure.second]
    wrench = np.array([value(f"{closure.name}.fb[{i}]") for i in range(1, 7)])
    return np.concatenate([turned @ wrench[:3], turned @ wrench[3:]])
