"""Poses: where all frames of a mechanism are, and how a step of the joints moves them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from acausal.base.frozen import dataclass
from acausal.mechanism.model import Joint, Mechanism

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """Rotation matrices (F x 3 x 3, components in the frame to inertial ones) and places [m] (F x 3) of all frames.

    `motions` are the twists (6 x n) of the joints for unit rates, in axes of their frames and about their origins.
    """

    rotations: "Array"
    places: "Array"
    motions: "tuple[Array, ...]"

    @property
    def size(self) -> float:
        """A length [m] of the mechanism, with which torques are compared with forces: its extent, or 1 at a point."""
        extent = float(np.max(np.abs(self.places - self.places[0]), initial=0.0))
        return extent if extent > 0 else 1.0


def pose_of_values(mechanism: Mechanism, value: Callable[[str], float]) -> Pose:
    """The pose that variables of the model have; `value` gives them by name."""
    rotations, places = [], []
    for frame in mechanism.frames:
        name = frame.name
        rotations.append([[value(f"{name}.T[{i},{k}]") for k in (1, 2, 3)] for i in (1, 2, 3)])
        places.append([value(f"{name}.r[{i}]") for i in (1, 2, 3)])
    motions = tuple([_motion(joint, value) for joint in mechanism.joints])
    return Pose(np.array(rotations), np.array(places), motions)


def _motion(joint: Joint, value: Callable[[str], float]) -> "Array":
    axis, none = np.array(joint.axis), np.zeros(3)
    match joint.kind:
        case "revolute":
            return np.concatenate([axis, none])[:, None]
        case "prismatic":
            return np.concatenate([none, axis])[:, None]
        case "screw":
            return np.concatenate([axis, joint.pitch * axis])[:, None]
        case "spherical":
            return np.vstack([np.eye(3), np.zeros((3, 3))])
        case _:
            columns = range(1, joint.degrees_of_freedom + 1)
            return np.array([[value(f"{joint.name}.Phi[{i},{k}]") for k in columns] for i in range(1, 7)])


def can_move(mechanism: Mechanism) -> bool:
    """True if the motion of all joints is known beside the pose itself: none is of a class with a motion of its own."""
    return all(joint.kind != "general" for joint in mechanism.joints)


def moved(mechanism: Mechanism, pose: Pose, step: "Array") -> Pose:
    """The pose after a step of all joints (rates in the order of the joints, times a small time)."""
    rotations, places = np.empty_like(pose.rotations), np.empty_like(pose.places)
    joint_number, start = 0, 0
    for number, frame in enumerate(mechanism.frames):
        if frame.link is None:
            rotations[number], places[number] = pose.rotations[number], pose.places[number]
            continue
        link = mechanism.links[frame.link]
        before = pose.rotations[link.reference]
        turned = _orthonormal(before.T @ pose.rotations[number])
        place = before.T @ (pose.places[number] - pose.places[link.reference])
        if isinstance(link, Joint):
            motion = pose.motions[joint_number]
            twist = motion @ step[start : start + motion.shape[1]]
            place = place + turned @ twist[3:]
            turned = turned @ rotation(twist[:3])
            start += motion.shape[1]
            joint_number += 1
        rotations[number] = rotations[link.reference] @ turned
        places[number] = places[link.reference] + rotations[link.reference] @ place
    return Pose(rotations, places, pose.motions)


def rotation(vector: "Array") -> "Array":
    """The rotation by a rotation vector [rad] (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if angle == 0:
        return np.eye(3)
    k = skew(vector / angle)
    found: Array = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)
    return found


def _orthonormal(turned: "Array") -> "Array":
    """The rotation nearest to a matrix that is off by rounding: else errors of many steps add up."""
    found: Array = turned @ (1.5 * np.eye(3) - 0.5 * (turned.T @ turned))
    return found


def skew(a: "Array") -> "Array":
    """The matrix of the cross product with a vector."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
