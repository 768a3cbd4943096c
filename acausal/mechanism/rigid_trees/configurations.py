"""Positions of a tree as numbers: moved by velocities."""

from typing import TYPE_CHECKING

from acausal.mechanism.rigid_trees.rigid_tree import RigidTree

if TYPE_CHECKING:
    from acausal.codegen.executable import Array


def integrate(tree: RigidTree, q: "Array", velocity: "Array") -> "Array":
    """Positions (..., nq) reached from q with constant velocities (..., nv) in unit time; quaternions keep length 1."""
    import numpy as np
    from scipy.spatial.transform import Rotation

    parts, place = [], 0
    for joint, first in zip(tree.joints, tree.first_velocity, strict=True):
        count = len(joint.positions)
        part, moved = q[..., place : place + count], velocity[..., first : first + len(joint.velocities)]
        if joint.kind == "spherical":
            parts.append((Rotation.from_quat(part) * Rotation.from_rotvec(moved)).as_quat())
        else:
            parts.append(part + moved)
        place += count
    return np.concatenate([*parts, np.zeros((*q.shape[:-1], 0))], axis=-1)
