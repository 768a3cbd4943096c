"""Functions of trees: closed forms of a planar arm, numbers of Pinocchio for a tree with all kinds of joints."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest

from acausal.base.diagnostics import UsageError
from acausal.mechanism.functions.forward_dynamics import by_mass_matrix, forward_dynamics
from acausal.mechanism.functions.tree_function import TreeFunction
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Array, Numbers, made_tree, random_tree

M1, M2, L1, C1, C2, J1, J2, G = 2.0, 1.5, 0.8, 0.3, 0.4, 0.12, 0.05, 9.81
RNEA = [3.2313727698555, 0.4601987577229, -11.6957209764042, 0.0508794373604, 0.6877851107574]
ABA = [-0.2553577321773, 0.3154427039866, 0.3661966975659, -1.3424100263471, 1.4183581046946]
TIP = [-1.381519500679, 1.6132258643722, -1.3470881045969]
TIP_VELOCITY = [
    *(-1.3514725769568, -0.0703268034108, -2.187626147441),
    *(0.6842138960815, 1.0080501049483, -0.4426141359098),
]
Q, V, A = np.array([0.4, -0.9]), np.array([1.2, 0.7]), np.array([-0.3, 2.0])


def _arm() -> TreeFunctions:
    """Two links that turn about axis 3 in the plane 1, 2; gravity along -2."""
    still, axis = np.eye(3), np.array([0.0, 0.0, 1.0])
    first = Numbers("revolute", -1, still, np.zeros(3), axis, 0.0, M1, np.array([C1, 0, 0]), np.diag([0, 0, J1]))
    second = Numbers(
        "revolute", 0, still, np.array([L1, 0, 0]), axis, 0.0, M2, np.array([C2, 0, 0]), np.diag([0, 0, J2])
    )
    made = made_tree((first, second), np.array([0.0, -G, 0.0]), (still, np.array([0.6, 0.0, 0.0])))
    return TreeFunctions(made.tree)


@pytest.fixture(scope="module")
def arm() -> TreeFunctions:
    return _arm()


def _closed_form() -> tuple[Array, Array, Array]:
    """M, Coriolis and centrifugal terms, gravity: Spong, Vidyasagar, Robot Dynamics and Control (1989), section 6.4."""
    c, s = np.cos(Q[1]), np.sin(Q[1])
    off = M2 * (C2**2 + L1 * C2 * c) + J2
    mass = np.array([[M1 * C1**2 + M2 * (L1**2 + C2**2 + 2 * L1 * C2 * c) + J1 + J2, off], [off, M2 * C2**2 + J2]])
    h = M2 * L1 * C2 * s
    moving = np.array([-h * (2 * V[0] * V[1] + V[1] ** 2), h * V[0] ** 2])
    outer = M2 * C2 * G * np.cos(Q.sum())
    return mass, moving, np.array([(M1 * C1 + M2 * L1) * G * np.cos(Q[0]) + outer, outer])


def test_dynamics_of_a_planar_arm(arm: TreeFunctions) -> None:
    mass, moving, gravity = _closed_form()
    np.testing.assert_allclose(arm.mass_matrix(Q), mass, atol=1e-14)
    np.testing.assert_allclose(arm.gravity(Q), gravity, atol=1e-13)
    np.testing.assert_allclose(arm.nonlinear_effects(Q, V), moving + gravity, atol=1e-13)
    np.testing.assert_allclose(arm.inverse_dynamics(Q, V, A), mass @ A + moving + gravity, atol=1e-13)
    tau = mass @ A + moving + gravity
    np.testing.assert_allclose(arm.forward_dynamics(Q, V, tau), A, atol=1e-12)


def test_energies_of_a_planar_arm(arm: TreeFunctions) -> None:
    mass, _, _ = _closed_form()
    heights = C1 * np.sin(Q[0]), L1 * np.sin(Q[0]) + C2 * np.sin(Q.sum())
    assert arm.kinetic_energy(Q, V) == pytest.approx(V @ mass @ V / 2, abs=1e-14)
    assert arm.potential_energy(Q) == pytest.approx(G * (M1 * heights[0] + M2 * heights[1]), abs=1e-13)
    assert arm.center_of_mass(Q)[1] == pytest.approx((M1 * heights[0] + M2 * heights[1]) / (M1 + M2), abs=1e-14)


def test_jacobian_of_a_planar_arm(arm: TreeFunctions) -> None:
    s1, c1, s12, c12 = np.sin(Q[0]), np.cos(Q[0]), np.sin(Q.sum()), np.cos(Q.sum())
    aligned = arm.frame_jacobian("tip", "local_world_aligned")(Q)
    expected = [[-L1 * s1 - 0.6 * s12, -0.6 * s12], [L1 * c1 + 0.6 * c12, 0.6 * c12]]
    np.testing.assert_allclose(aligned[:2], expected, atol=1e-14)
    np.testing.assert_allclose(aligned[2:], [[0, 0], [0, 0], [0, 0], [1, 1]], atol=1e-14)
    rate = arm.frame_jacobian_rate("tip", "local_world_aligned")(Q, V)
    w = V.sum()
    expected = [[-L1 * c1 * V[0] - 0.6 * c12 * w, -0.6 * c12 * w], [-L1 * s1 * V[0] - 0.6 * s12 * w, -0.6 * s12 * w]]
    np.testing.assert_allclose(rate[:2], expected, atol=1e-14)


def test_derivatives_of_inverse_dynamics_of_a_planar_arm(arm: TreeFunctions) -> None:
    by_q, by_v = arm.inverse_dynamics_derivatives(Q, V, A)
    h, c = M2 * L1 * C2, np.cos(Q[1])
    outer = -M2 * C2 * G * np.sin(Q.sum())
    turned = -h * np.sin(Q[1]) * (2 * A[0] + A[1]) - h * c * (2 * V[0] * V[1] + V[1] ** 2)
    expected = [
        [-(M1 * C1 + M2 * L1) * G * np.sin(Q[0]) + outer, turned + outer],
        [outer, -h * np.sin(Q[1]) * A[0] + h * c * V[0] ** 2 + outer],
    ]
    np.testing.assert_allclose(by_q, expected, atol=1e-13)
    swing = h * np.sin(Q[1])
    np.testing.assert_allclose(
        by_v, [[-2 * swing * V[1], -2 * swing * (V[0] + V[1])], [2 * swing * V[0], 0]], atol=1e-13
    )


def test_a_tree_as_pinocchio_has_it() -> None:
    """Ball joint, screw and hinge behind it: numbers of Pinocchio 4.1.0 (more: `tests/long/pinocchio_trees`)."""
    made = random_tree(Random("recorded 3"), most=6)
    assert [joint.kind for joint in made.joints] == ["spherical", "screw", "revolute"]
    rng = np.random.default_rng(7)
    q = made.configuration(rng)
    v, a = rng.normal(size=(2, 5))
    functions = TreeFunctions(made.tree)
    np.testing.assert_allclose(functions.inverse_dynamics(q, v, a), RNEA, rtol=1e-11)
    np.testing.assert_allclose(functions.forward_dynamics(q, v, a), ABA, rtol=1e-10)
    np.testing.assert_allclose(functions.frame_placement("tip")(q)[:3, 3], TIP, rtol=1e-12)
    np.testing.assert_allclose(functions.frame_jacobian("tip", "local")(q) @ v, TIP_VELOCITY, rtol=1e-11)


@pytest.mark.parametrize("seed", range(3))
def test_forward_dynamics_by_either_algorithm(seed: int) -> None:
    """Of random trees: both give the same accelerations, and the function takes the shorter one."""
    made = random_tree(Random(f"accelerations {seed}"), most=7)
    functions, rng = TreeFunctions(made.tree), np.random.default_rng(seed)
    q, (v, tau) = made.configuration(rng), rng.normal(size=(2, len(made.tree.velocities)))
    arguments, counts, found = [functions.q, functions.v, functions.tau], [], []
    for results in (by_mass_matrix(made.tree), forward_dynamics(made.tree, made.tree.velocities, made.tree.efforts)):
        size = (len(results),)
        function = TreeFunction("a", made.tree.pool, arguments, size, results, made.tree.parameters)
        counts.append(function.operations)
        found.append(function(q, v, tau))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-10, atol=1e-10 * np.abs(found[1]).max())
    assert functions.forward_dynamics.operations in counts
    sizes = [count.mul + count.add for count in (*counts, functions.forward_dynamics.operations)]
    assert sizes[2] <= 1.02 * min(sizes)


def test_batches_are_the_same_rows(arm: TreeFunctions) -> None:
    rows = np.random.default_rng(1).normal(size=(13, 2))
    found = arm.nonlinear_effects.batch(rows, 2 * rows)
    np.testing.assert_allclose(found, [arm.nonlinear_effects(q, 2 * q) for q in rows], atol=1e-14)
    assert arm.mass_matrix.batch(rows).shape == (13, 2, 2)


def test_calls_with_arrays_of_the_caller(arm: TreeFunctions) -> None:
    """For what they hold when they are called; lists, integers and strided arrays give the same."""
    q, v, out = Q.copy(), V.copy(), np.zeros(2)
    h = arm.nonlinear_effects.bind(q, v, out=out)
    assert h() is out
    assert np.array_equal(out, arm.nonlinear_effects(Q, V))
    q[:], v[:] = [1.0, 2.0], [3.0, 4.0]
    wide = np.array([[1, 9], [2, 9]])
    for equal in (wide[:, 0], wide.astype(float)[:, 0], [1, 2], wide[:, :1]):
        assert np.array_equal(h(), arm.nonlinear_effects(equal, v))
    first, second = arm.mass_matrix(q), arm.mass_matrix(v)
    assert not np.array_equal(first, second)
    assert arm.kinetic_energy(q, v) == arm.kinetic_energy.bind(q, v)()
    assert isinstance(arm.kinetic_energy(q, v), float)


def test_sympy_has_the_closed_form(arm: TreeFunctions) -> None:
    import sympy

    mass = arm.mass_matrix.to_sympy()
    (turn,) = mass[0, 1].atoms(sympy.cos)
    assert sympy.simplify(mass[0, 1] - (M2 * (C2**2 + L1 * C2 * turn) + J2)).evalf() == pytest.approx(0, abs=1e-12)


def test_python_text_gives_the_same(arm: TreeFunctions, tmp_path: Path) -> None:
    (tmp_path / "effects.py").write_text(arm.nonlinear_effects.to_python(), encoding="utf-8")
    call = f"import effects; print(*effects.nonlinear_effects({Q.tolist()}, {V.tolist()}).tolist())"
    done = subprocess.run([sys.executable, "-c", call], cwd=tmp_path, capture_output=True, text=True, check=True)
    _, moving, gravity = _closed_form()
    np.testing.assert_allclose([float(x) for x in done.stdout.split()], moving + gravity, atol=1e-13)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda f: f.mass_matrix(Q, V), "mass_matrix takes q; the number of arguments given is 2"),
        (lambda f: f.mass_matrix(V[:1]), "q of mass_matrix: the shape is (1,), required is (2,)"),
        (lambda f: f.mass_matrix("q"), "arguments of mass_matrix are not numbers"),
        (lambda f: f.mass_matrix(1.0), "q of mass_matrix: the shape is (1,), required is (2,)"),
        (lambda f: f.mass_matrix.bind([1.0, 2.0]), "q cannot be bound"),
        (lambda f: f.mass_matrix.bind(), "mass_matrix takes q; the number of arguments given is 0"),
        (lambda f: f.mass_matrix.bind(Q, out=np.zeros(2)), "out of mass_matrix: the shape is (2,), required is (2, 2)"),
        (lambda f: f.constraint_jacobian(Q), "random tree has no closed loops"),
        (lambda f: f.frame_jacobian("tib"), "random tree has no frame tib"),
        (lambda f: f.frame_jacobian("tip", "body"), "unknown reference 'body' of a Jacobian"),
    ],
)
def test_mistakes(arm: TreeFunctions, call: Callable[[TreeFunctions], object], message: str) -> None:
    with pytest.raises(UsageError) as found:
        call(arm)
    assert found.value.report.diagnostics[0].message == message
    assert found.value.report.diagnostics[0].help
