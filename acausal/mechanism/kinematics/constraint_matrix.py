"""The constraint matrix C of all joints, in velocities of the bodies, with its rank and left null space."""

from typing import TYPE_CHECKING

import numpy as np
import scipy.linalg

from acausal.base.frozen import dataclass
from acausal.mechanism.kinematics.pose import Pose
from acausal.mechanism.kinematics.wrenches import Transmitted, transmitted
from acausal.mechanism.model import Mechanism
from acausal.mechanism.structure.system_graph import SystemGraph

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SMALLEST = 1e-8
"""Diagonal elements of R below this share of the first are zero: loops are closed to 1e-12."""


@dataclass(frozen=True, slots=True, eq=False)
class ConstraintMatrix:
    """C*V = 0 for the twists V of the bodies besides the ground, at one pose, with C = Q*R.

    `edges` are the wrenches of each edge of the graph, `starts` where its rows begin. Rows have unit length where
    lengths count in units of `size` [m]; `scales` are their lengths before. `null_space` (rows x p) is orthonormal:
    multipliers of the rows that no body feels.
    """

    edges: tuple[Transmitted, ...]
    starts: tuple[int, ...]
    size: float
    scales: "Array"
    rank: int
    null_space: "Array"

    @property
    def rows(self) -> int:
        """The number of constraints, holonomic and nonholonomic."""
        return len(self.scales)

    def undetermined(self, edge: int) -> "Array":
        """Wrenches (6 x p) in the edge's own frame that its reaction may have besides; torques count in force*size."""
        rows = self.edges[edge].rows
        part = slice(self.starts[edge], self.starts[edge] + len(rows))
        wrenches: Array = rows.T @ (self.null_space[part] / self.scales[part, None])
        wrenches[:3] /= self.size
        return wrenches


def constraint_matrix(mechanism: Mechanism, graph: SystemGraph, pose: Pose) -> ConstraintMatrix:
    """The matrix of a graph at a pose with closed loops, its rank by QR decomposition with pivoting.

    Rows of the left null space are those of Q behind the rank (Wojtyra and Fraczek 2013).
    """
    edges = tuple([transmitted(mechanism, edge, pose) for edge in graph.edges])
    size = pose.size
    width = 6 * (len(graph.vertices) - 1)
    blocks, starts, count = [np.zeros((0, width))], [], 0
    for edge, found in zip(graph.edges, edges, strict=True):
        block = np.zeros((len(found.rows), width + 6))
        wrenches = found.about_origin / np.array([size] * 3 + [1.0] * 3)
        block[:, 6 * edge.second : 6 * edge.second + 6] += wrenches
        block[:, 6 * edge.first : 6 * edge.first + 6] -= wrenches
        blocks.append(block[:, 6:])
        starts.append(count)
        count += len(block)
    matrix = np.vstack(blocks)
    scales = np.linalg.norm(matrix, axis=1)
    scales[scales == 0] = 1.0
    rank, null_space = left_null_space(matrix / scales[:, None])
    return ConstraintMatrix(edges, tuple(starts), size, scales, rank, null_space)


def left_null_space(matrix: "Array") -> "tuple[int, Array]":
    """The rank of a matrix, and orthonormal columns that are zero when multiplied with it from the left."""
    if not matrix.size:
        return 0, np.eye(len(matrix))
    q, r, _ = scipy.linalg.qr(matrix, pivoting=True)
    diagonal = np.abs(np.diag(r))
    rank = int(np.count_nonzero(diagonal > SMALLEST * max(float(diagonal[0]), SMALLEST)))
    return rank, q[:, rank:]
