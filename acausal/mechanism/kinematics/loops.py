"""Closed loops in coordinates of the joints: gaps, their Jacobian, and poses at which the loops are closed."""

from typing import TYPE_CHECKING

import numpy as np

from acausal.mechanism.kinematics.pose import Pose, moved, skew
from acausal.mechanism.kinematics.wrenches import Transmitted, across, closure_rows
from acausal.mechanism.model import Closure, Joint, Mechanism
from acausal.mechanism.structure.system_graph import CONSTRAINTS

if TYPE_CHECKING:
    from acausal.codegen.executable import Array

MOST_STEPS = 40
CLOSED = 1e-12
"""Gaps below this share of the mechanism's size count as closed."""
LONGEST_STEP, PART = 0.5, 0.05
"""Of Newton's method, and of a way along closed poses [rad, m]."""
SMALLEST = 1e-6
"""Singular values of the Jacobian below this share of the largest are zero: poses of runs are closed to about 1e-9."""


def joint_twists(mechanism: Mechanism, pose: Pose) -> "Array":
    """Twists (F x 6 x n) of all frames for unit rates of the joints of the tree, about the origin."""
    width = sum(motion.shape[1] for motion in pose.motions)
    found = np.zeros((len(mechanism.frames), 6, width))
    joint_number, start = 0, 0
    for link in mechanism.links:
        found[link.frame] = found[link.reference]
        if isinstance(link, Joint):
            motion = pose.motions[joint_number]
            turned, place = pose.rotations[link.frame], pose.places[link.frame]
            angular, linear = turned @ motion[:3], turned @ motion[3:]
            if not link.locked:
                columns = np.vstack([angular, linear + skew(place) @ angular])
                found[link.frame][:, start : start + motion.shape[1]] += columns
            start += motion.shape[1]
            joint_number += 1
    return found


def loop_jacobian(mechanism: Mechanism, pose: Pose) -> "Array":
    """Rates of the gaps (rows, holonomic constraints alone) for unit rates of the joints."""
    twists = joint_twists(mechanism, pose)
    rows = [np.zeros((0, twists.shape[2]))]
    for closure in mechanism.closures:
        wrenches = Transmitted(
            closure_rows(closure, pose), pose.rotations[closure.first], pose.places[closure.second]
        ).about_origin
        rows.append(wrenches[: CONSTRAINTS[closure.kind][0]] @ (twists[closure.second] - twists[closure.first]))
    return np.vstack(rows)


def loop_gaps(mechanism: Mechanism, pose: Pose) -> "Array":
    """Gaps of the closures, in the order of the rows of `loop_jacobian`."""
    return np.concatenate([np.zeros(0), *[_gap(closure, pose) for closure in mechanism.closures]])


def closed(mechanism: Mechanism, pose: Pose, rank: int | None = None) -> Pose | None:
    """A pose near the given one at which all loops are closed, by Newton's method; None where it finds none.

    `rank` is that of the Jacobian where loops are closed: beside such poses the constraints of an overconstrained loop
    are independent, and steps along the further directions lead astray.
    """
    for _ in range(MOST_STEPS):
        gaps = loop_gaps(mechanism, pose)
        if float(np.max(np.abs(gaps), initial=0.0)) < CLOSED * pose.size:
            return pose
        step = _solved(loop_jacobian(mechanism, pose), -gaps, rank)
        length = float(np.max(np.abs(step), initial=0.0))
        pose = moved(mechanism, pose, step * min(1.0, LONGEST_STEP / length) if length else step)
    return None


def away(mechanism: Mechanism, pose: Pose, seed: int, distance: float) -> Pose | None:
    """A seeded random pose with closed loops, `distance` [rad, m] away from one; None where the loops come apart."""
    random = np.random.default_rng(seed)
    direction = random.standard_normal(sum(motion.shape[1] for motion in pose.motions))
    found: Pose | None = pose
    rank = _rank(loop_jacobian(mechanism, pose))
    parts = max(1, round(distance / PART))
    for _ in range(parts):
        if found is None:
            return None
        free = direction - _row_space_part(loop_jacobian(mechanism, found), direction, rank)
        length = float(np.linalg.norm(free))
        if length < SMALLEST:
            return found
        direction = free / length
        found = closed(mechanism, moved(mechanism, found, direction * (distance / parts)), rank)
    return found


def _rank(matrix: "Array") -> int:
    s = np.linalg.svd(matrix, compute_uv=False)
    return int(np.count_nonzero(s > SMALLEST * np.max(s, initial=0.0)))


def _solved(matrix: "Array", right: "Array", rank: int | None) -> "Array":
    """The shortest solution within the largest `rank` singular values (None: those that are not close to zero)."""
    u, s, v = np.linalg.svd(matrix, full_matrices=False)
    count = _rank(matrix) if rank is None else rank
    found: Array = v[:count].T @ ((u[:, :count].T @ right) / s[:count])
    return found


def _row_space_part(matrix: "Array", vector: "Array", rank: int) -> "Array":
    v = np.linalg.svd(matrix, full_matrices=False)[2][:rank]
    found: Array = v.T @ (v @ vector)
    return found


def _gap(closure: Closure, pose: Pose) -> "Array":
    """The gap of a closure: a value for each of its holonomic constraints."""
    a, b = pose.rotations[closure.first], pose.rotations[closure.second]
    turned = a.T @ b
    way = a.T @ (pose.places[closure.second] - pose.places[closure.first])
    twist = np.array([turned[2, 1] - turned[1, 2], turned[0, 2] - turned[2, 0], turned[1, 0] - turned[0, 1]]) / 2
    axis = np.array(closure.axis)
    match closure.kind:
        case "rigid":
            return np.concatenate([way, twist])
        case "spherical":
            return np.asarray(way)
        case "rod":
            return np.array([np.linalg.norm(way) - closure.size])
        case "revolute":
            return np.concatenate([way, across(axis) @ np.cross(axis, turned @ axis)])
        case "planar":
            return np.asarray(across(axis) @ way)
        case "parallel":
            return np.asarray(across(axis) @ np.cross(axis, turned @ axis))
        case "universal":
            return np.append(way, _angle_gap(axis, np.array(closure.second_axis), turned))
        case "prismatic":
            return np.concatenate([across(axis) @ way, twist])
        case "rolling wheel":
            lean = float(turned @ axis @ np.array([0.0, 0.0, 1.0]))
            return np.array([way[2] - closure.size * np.sqrt(1 - lean * lean)])
        case "rolling sphere":
            return np.array([way[2] - closure.size])
        case _:
            return np.zeros(0)


def _angle_gap(axis: "Array", other: "Array", turned: "Array") -> float:
    """Change of the angle between the axes of a universal joint."""
    there = turned @ other
    return float(axis @ there - axis @ other) / float(np.linalg.norm(np.cross(there, axis)))
