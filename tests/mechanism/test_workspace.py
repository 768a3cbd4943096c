"""Workspace of arms with three hinges, and positions of rest, against closed forms."""

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Array, Numbers, made_tree

UPPER, FORE, M, G = 0.7, 0.5, 2.0, 9.81


def _elbow_arm() -> TreeFunctions:
    """A vertical hinge, shoulder and elbow about horizontal axes: the arm moves in a plane that turns."""
    still = np.eye(3)
    vertical, across = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
    links = (
        Numbers("revolute", -1, still, np.zeros(3), vertical, 0.0, 1.0, np.zeros(3), still),
        Numbers("revolute", 0, still, np.zeros(3), across, 0.0, M, np.array([UPPER / 2, 0, 0]), 0.1 * still),
        Numbers("revolute", 1, still, np.array([UPPER, 0, 0]), across, 0.0, M, np.array([FORE / 2, 0, 0]), 0.1 * still),
    )
    return TreeFunctions(made_tree(links, np.array([0, 0, -G]), (still, np.array([FORE, 0, 0]))).tree)


@pytest.fixture(scope="module")
def arm() -> TreeFunctions:
    return _elbow_arm()


def _from_shoulder(points: Array) -> Array:
    return np.asarray(np.linalg.norm(points, axis=1))


def test_boundary_of_an_arm_with_an_elbow(arm: TreeFunctions) -> None:
    """Spheres with the radii UPPER + FORE and UPPER - FORE; the vertical axis, where the tip does not turn."""
    points = arm.workspace_boundary("tip", 90).points
    radius, distance = _from_shoulder(points), np.hypot(points[:, 0], points[:, 1])
    is_sphere = np.isclose(radius, UPPER + FORE, atol=1e-12) | np.isclose(radius, UPPER - FORE, atol=1e-12)
    assert np.all(is_sphere | (distance < 1e-12))
    assert np.any(np.isclose(radius, UPPER + FORE))
    assert np.any(np.isclose(radius, UPPER - FORE))


def test_samples_stay_within_the_boundary(arm: TreeFunctions) -> None:
    found = arm.workspace("tip", {"j2.q": (-1.0, 1.0)}, count=500)
    radius = _from_shoulder(found.points)
    nearest = np.sqrt(UPPER**2 + FORE**2 + 2 * UPPER * FORE * np.cos(1.0))
    assert radius.max() <= UPPER + FORE
    assert radius.min() >= nearest - 1e-12


def test_rest_of_a_hanging_arm(arm: TreeFunctions) -> None:
    """Hanging it is at rest, stable but for the free vertical hinge; a torque at the elbow deflects it."""
    found = arm.equilibrium([0.0, 1.3, 0.2])
    assert found.found
    np.testing.assert_allclose(found.q[1:], [np.pi / 2, 0.0], atol=1e-8)
    torque = 1.5
    held = arm.equilibrium([0.0, 1.3, 0.2], [0.0, 0.0, torque])
    both = held.q[1] + held.q[2]
    assert -M * G * FORE / 2 * np.cos(both) == pytest.approx(torque, abs=1e-8)


def test_mistakes(arm: TreeFunctions) -> None:
    with pytest.raises(UsageError, match=r"j9\.q is not a position"):
        arm.workspace("tip", {"j9.q": (0, 1)})
    two = made_tree(
        (Numbers("revolute", -1, np.eye(3), np.zeros(3), np.eye(3)[2], 0.0, 1.0, np.zeros(3), np.eye(3)),),
        np.zeros(3),
        (np.eye(3), np.ones(3)),
    )
    with pytest.raises(UsageError, match="not moved by a chain of three hinges"):
        TreeFunctions(two.tree).workspace_boundary("tip")
