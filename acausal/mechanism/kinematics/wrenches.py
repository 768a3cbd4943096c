"""Wrenches that joints and closures can transmit: a row for each constraint."""

from typing import TYPE_CHECKING

import numpy as np

from acausal.base.frozen import dataclass
from acausal.mechanism.kinematics.pose import Pose, skew
from acausal.mechanism.model import Closure, Mechanism
from acausal.mechanism.structure.system_graph import Edge

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

SMALLEST = 1e-9
"""Singular values of a joint's twists below this share of the largest are zero."""


@dataclass(frozen=True, slots=True, eq=False)
class Transmitted:
    """Wrenches on the second body of an edge (k x 6), in the axes and about the origin of a frame.

    `rotation` and `place` are those of the frame: B of a joint; of a closure the axes of A and the origin of B. The
    holonomic ones come first.
    """

    rows: "Array"
    rotation: "Array"
    place: "Array"

    @property
    def about_origin(self) -> "Array":
        """The rows in axes of the inertial frame, about its origin."""
        torque, force = self.rows[:, :3] @ self.rotation.T, self.rows[:, 3:] @ self.rotation.T
        return np.hstack([torque + np.cross(self.place, force), force])


def transmitted(mechanism: Mechanism, edge: Edge, pose: Pose) -> Transmitted:
    """The constraints of a joint or closure at a pose: as many rows as the edge counts."""
    if edge.closure is not None:
        closure = mechanism.closures[edge.closure]
        rows = closure_rows(closure, pose)
        return Transmitted(rows, pose.rotations[closure.first], pose.places[closure.second])
    last = mechanism.joints[edge.joints[-1]].frame
    turned, place = pose.rotations[last], pose.places[last]
    columns = []
    for number in edge.joints:
        if mechanism.joints[number].locked:
            continue
        frame = mechanism.joints[number].frame
        angular = turned.T @ pose.rotations[frame] @ pose.motions[number][:3]
        linear = turned.T @ pose.rotations[frame] @ pose.motions[number][3:]
        away = turned.T @ (place - pose.places[frame])
        columns.append(np.vstack([angular, linear + skew(-away) @ angular]))
    return Transmitted(_complement(np.hstack(columns) if columns else np.zeros((6, 0))), turned, place)


def _complement(twists: "Array") -> "Array":
    """Wrenches that do no work on the twists (6 x n)."""
    if twists.shape[1] == 0:
        return np.eye(6)
    u, s, _ = np.linalg.svd(twists)
    rank = int(np.count_nonzero(s > SMALLEST * float(s[0])))
    found: Array = u[:, rank:].T
    return found


def closure_rows(closure: Closure, pose: Pose) -> "Array":
    """Wrenches of a closure on its frame B, in axes of A, about the origin of B (`stdlib/mbs_cuts.inc`)."""
    a, b = pose.rotations[closure.first], pose.rotations[closure.second]
    way = a.T @ (pose.places[closure.second] - pose.places[closure.first])
    axis = np.array(closure.axis)
    force, torque = np.hstack([np.zeros((3, 3)), np.eye(3)]), np.hstack([np.eye(3), np.zeros((3, 3))])
    match closure.kind:
        case "rigid":
            return np.vstack([force, torque])
        case "spherical":
            return force
        case "rod":
            return np.vstack([way @ force / np.linalg.norm(way)])
        case "revolute":
            return np.vstack([force, across(axis) @ torque])
        case "planar":
            return np.vstack([across(axis) @ force])
        case "parallel":
            return np.vstack([across(axis) @ torque])
        case "universal":
            other = np.cross(a.T @ b @ np.array(closure.second_axis), axis)
            return np.vstack([force, other @ torque / np.linalg.norm(other)])
        case "prismatic":
            return np.vstack([across(axis) @ force, torque])
        case "knife edge":
            return np.vstack([(a.T @ b @ axis) @ force])
        case _:
            return _wheel_rows(closure, a.T @ b)


def _wheel_rows(closure: Closure, turned: "Array") -> "Array":
    """Forces of the ground at the contact point: all three, the normal one first, or that ahead (`mbs_wheels.inc`)."""
    axle, up = turned @ np.array(closure.axis), np.array([0.0, 0.0, 1.0])
    directions = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    touch = -closure.size * up
    if closure.kind == "level wheel":
        directions = np.cross(axle, up)[None, :]
    elif closure.kind == "rolling wheel":
        lean = float(axle @ up)
        touch = -closure.size * (up - lean * axle) / np.sqrt(1 - lean * lean)
    return np.hstack([np.cross(touch, directions), directions])


def across(axis: "Array") -> "Array":
    """Two unit vectors across a unit vector, as rows."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(axis[0]) < 0.6 else np.array([0.0, 1.0, 0.0])
    first = np.cross(axis, helper)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])
