"""Reactions of elastic joints: of all that the bodies cannot tell apart, those with the least strain energy."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from acausal.mechanism.kinematics.constraint_matrix import ConstraintMatrix
from acausal.mechanism.structure.system_graph import SystemGraph

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def elastic_wrenches(
    graph: SystemGraph,
    matrix: ConstraintMatrix,
    wrenches: "Sequence[Array]",
    compliances: Mapping[str, tuple[float, float]],
) -> "list[Array]":
    """Torques and forces of joints with compliances (force [m/N], torque [rad/(N.m)]); joints without are rigid.

    With a state of self-stress N*z added to one solution, the complementary energy w'*F*w/2 of the compliances F is
    least where N'*F*(w + N*z) = 0 (Castigliano). What compliances leave open is chosen by the smallest z.
    """
    scale = np.array([matrix.size] * 3 + [1.0] * 3)
    open_ = [matrix.undetermined(number) * scale[:, None] for number in range(len(graph.edges))]
    width = matrix.null_space.shape[1]
    left, right = np.zeros((width, width)), np.zeros(width)
    for edge, wrench, space in zip(graph.edges, wrenches, open_, strict=True):
        along, about = compliances.get(edge.name, (0.0, 0.0))
        weights = np.array([about] * 3 + [along] * 3)
        left += space.T @ (weights[:, None] * space)
        right -= space.T @ (weights * wrench)
    z = np.linalg.lstsq(left, right, rcond=1e-12)[0]
    return [wrench + space @ z for wrench, space in zip(wrenches, open_, strict=True)]
