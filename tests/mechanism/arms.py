"""Arms by their parameters of Denavit and Hartenberg as Khalil modified them, with random inertias.

Joint k: turn by alpha and shift by d about and along the axis 1 of the frame before, then by r along the axis 3 of the
joint.
"""

import numpy as np

from acausal.mechanism.rigid_trees.rigid_tree import JointKind
from tests.mechanism.random_trees import Numbers, RandomTree, made_tree

H = np.pi / 2
PUMA = ((0, 0, 0), (-H, 0, 0.2435), (0, 0.4318, -0.0934), (H, -0.0203, 0.4331), (-H, 0, 0), (H, 0, 0))
"""PUMA 560: Armstrong, Khatib, Burdick, The explicit dynamic model and inertial parameters of the PUMA 560 arm, IEEE
International Conference on Robotics and Automation (1986) 510-518."""
STANFORD = ((0, 0, 0.4), (-H, 0, 0.15), (H, 0, 0), (0, 0, 0.3), (-H, 0, 0), (H, 0, 0))
"""Stanford arm: Paul, Robot Manipulators (1981); joint 3 slides."""
PLANAR = ((0, 0, 0), (0, 1.0, 0), (0, 0.8, 0))


def arm(
    rows: tuple[tuple[float, float, float], ...], gravity: tuple[float, float, float], sliding: tuple[int, ...] = ()
) -> RandomTree:
    """The arm; `sliding` are the numbers of joints that slide, from 0."""
    rng = np.random.default_rng(0)
    joints = []
    for number, (alpha, d, r) in enumerate(rows):
        c, s = np.cos(alpha), np.sin(alpha)
        rotation = np.array([[1, 0, 0], [0, c, -s], [0, s, c]]).round(12)
        root = rng.normal(size=(3, 3))
        kind: JointKind = "prismatic" if number in sliding else "revolute"
        joints.append(
            Numbers(
                kind=kind,
                parent=number - 1,
                rotation=rotation,
                origin=rotation @ np.array([0, 0, r]) + np.array([d, 0, 0]),
                axis=np.array([0.0, 0.0, 1.0]),
                pitch=0.0,
                mass=float(rng.uniform(1, 3)),
                center=0.3 * rng.normal(size=3),
                inertia=0.1 * (root @ root.T + np.eye(3)),
            )
        )
    return made_tree(tuple(joints), np.array(gravity, dtype=float), (np.eye(3), np.zeros(3)))
