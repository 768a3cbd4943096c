"""Boxes of the same mass and inertia, and rotations as quaternions."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from acausal.results.animation.geometry.equivalent import STEEL, equivalent_box, steel_diameter
from acausal.results.animation.geometry.rotations import combined, quaternions, rotated, toward


@pytest.mark.parametrize("edges", [(0.5, 0.06, 0.06), (1.0, 2.0, 3.0), (3.0, 0.2, 1.0)])
def test_box_of_its_own_inertia(edges: tuple[float, float, float]) -> None:
    """I = m/12*(b^2 + c^2) of a homogeneous box, turned anyhow: its edges and axes come back."""
    a, b, c = edges
    turn = Rotation.from_rotvec([0.3, -0.2, 0.4])
    inertia = np.diag([b * b + c * c, c * c + a * a, a * a + b * b]) * 7 / 12
    found = equivalent_box(7.0, turn.as_matrix() @ inertia @ turn.as_matrix().T, (0.0, 0.0, 0.0))
    assert found is not None
    size, q = found
    assert sorted(size) == pytest.approx(sorted(edges))
    back = Rotation.from_quat(q).as_matrix()
    cubes = back @ np.diag(np.square(size)) @ back.T
    assert cubes == pytest.approx(turn.as_matrix() @ np.diag(np.square(edges)) @ turn.as_matrix().T)


def test_rod_in_a_plane() -> None:
    """Only the moment across the plane is given, m*l^2/12: a rod along the way to its center, of steel."""
    found = equivalent_box(2.0, np.diag([0, 0, 2 * 0.6**2 / 12]), (0.0, 0.3, 0.0))
    assert found is not None
    (length, *cross), q = found
    assert length == pytest.approx(0.6)
    assert np.prod([length, *cross]) * STEEL == pytest.approx(2.0)
    assert abs(Rotation.from_quat(q).apply([1, 0, 0])) == pytest.approx([0, 1, 0], abs=1e-12)


def test_plate_and_point() -> None:
    """A plate without thickness has that of steel; a point mass has no box."""
    found = equivalent_box(3.0, 3 / 12 * np.diag([1.0, 4.0, 5.0]), (0.0, 0.0, 0.0))
    assert found is not None
    assert sorted(found[0]) == pytest.approx(sorted([2.0, 1.0, 3 / STEEL / 2]))
    assert equivalent_box(3.0, np.zeros((3, 3)), (0.0, 0.0, 0.0)) is None
    assert equivalent_box(0.0, np.eye(3), (0.0, 0.0, 0.0)) is None
    assert equivalent_box(3.0, -np.eye(3), (0.0, 0.0, 0.0)) is None
    assert STEEL * np.pi / 6 * steel_diameter(5.0) ** 3 == pytest.approx(5.0)


def test_quaternions_of_all_rotations() -> None:
    """Also near half turns, and without jumps of sign along a motion of several turns."""
    turns = Rotation.random(200, random_state=1)
    assert Rotation.from_quat(quaternions(turns.as_matrix())).as_matrix() == pytest.approx(turns.as_matrix())
    about = Rotation.from_rotvec(np.outer(np.linspace(0, 20, 400), [0.6, 0.0, 0.8]))
    found = quaternions(about.as_matrix())
    assert (found[1:] * found[:-1]).sum(axis=1).min() > 0.99
    assert Rotation.from_quat(found).as_matrix() == pytest.approx(about.as_matrix())


def test_products_and_directions() -> None:
    a, b = Rotation.random(50, random_state=2), Rotation.random(50, random_state=3)
    both = combined(a.as_quat(), b.as_quat())
    assert Rotation.from_quat(both).as_matrix() == pytest.approx((a * b).as_matrix())
    points = np.random.default_rng(4).normal(size=(50, 3))
    assert rotated(a.as_quat(), points) == pytest.approx(a.apply(points))
    ways = np.vstack([points, [[-2, 0, 0], [3, 0, 0], [0, 0, -1]]])
    turned = rotated(toward(ways), np.array([[1.0, 0.0, 0.0]]))
    assert turned == pytest.approx(ways / np.linalg.norm(ways, axis=1, keepdims=True), abs=1e-12)
    assert toward(np.zeros((1, 3)))[0] == pytest.approx([0, 0, 0, 1])
