"""Inverse kinematics: closed forms of a planar arm; poses that forward kinematics gives."""

from random import Random

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Numbers, made_tree, random_tree

L1, L2 = 0.8, 0.6


@pytest.fixture(scope="module")
def arm() -> TreeFunctions:
    still, axis = np.eye(3), np.array([0.0, 0.0, 1.0])
    links = [
        Numbers("revolute", k - 1, still, np.array([way, 0, 0]), axis, 0.0, 1.0, np.zeros(3), np.eye(3))
        for k, way in enumerate((0.0, L1))
    ]
    return TreeFunctions(made_tree(tuple(links), np.zeros(3), (still, np.array([L2, 0, 0]))).tree)


@pytest.mark.parametrize("elbow", [1, -1])
def test_both_elbows_of_a_planar_arm(arm: TreeFunctions, elbow: int) -> None:
    """The law of cosines gives the second angle."""
    x, y = 0.7, 0.9
    cosine = (x**2 + y**2 - L1**2 - L2**2) / (2 * L1 * L2)
    second = elbow * np.arccos(cosine)
    first = np.arctan2(y, x) - np.arctan2(L2 * np.sin(second), L1 + L2 * cosine)
    limits = {"j1.q": (0.0, 3.0) if elbow > 0 else (-3.0, 0.0)}
    found = arm.inverse_kinematics("tip", [x, y, 0.0], limits=limits)
    assert found.reached
    np.testing.assert_allclose(np.cos(found.q - [first, second]), 1.0, atol=1e-12)


def test_a_point_out_of_reach(arm: TreeFunctions) -> None:
    """The arm points at it, stretched."""
    found = arm.inverse_kinematics("tip", [1.5, 2.0, 0.0], start=[0.1, 0.2])
    assert not found.reached
    assert found.position_error == pytest.approx(2.5 - L1 - L2, abs=1e-6)


def test_limits_hold(arm: TreeFunctions) -> None:
    """With the elbow nearly stretched no point near the shoulder is reached: the nearest is at the limit."""
    found = arm.inverse_kinematics("tip", [0.5, 0.0, 0.0], limits={"j1.q": (-0.5, 0.5)})
    assert not found.reached
    assert abs(found.q[1]) == pytest.approx(0.5, abs=1e-9)
    nearest = np.sqrt(L1**2 + L2**2 + 2 * L1 * L2 * np.cos(0.5))
    assert found.position_error == pytest.approx(nearest - 0.5, abs=1e-6)


@pytest.mark.parametrize("number", range(3))
def test_poses_of_random_chains(number: int) -> None:
    """The pose that forward kinematics gives at random positions is found again."""
    made = random_tree(Random(f"chain {number}"), most=3)
    functions = TreeFunctions(made.tree)
    rng = np.random.default_rng(number)
    pose = functions.frame_placement("tip")(made.configuration(rng))
    found = functions.inverse_kinematics("tip", pose)
    assert found.reached
    np.testing.assert_allclose(functions.frame_placement("tip")(found.q), pose, atol=1e-9)


def test_mistakes(arm: TreeFunctions) -> None:
    with pytest.raises(UsageError, match=r"j7\.q is not a position"):
        arm.inverse_kinematics("tip", [1, 0, 0], limits={"j7.q": (0, 1)})
    with pytest.raises(UsageError, match="required is \\(4, 4\\) or \\(3,\\)"):
        arm.inverse_kinematics("tip", [1, 0])
