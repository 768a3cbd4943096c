"""Functions of the mechanism of a model against the model itself, whose equations have another origin."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import acausal
from acausal.base.diagnostics import ModelError, UsageError
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Array

CHAIN = """
@mbsdir.lib
model Chain
  submodel (Inertial) i(ng2=-1)
  submodel (Prismatic) slide(n1=1, r2=0.1) (ic q=0.3, w=0.2)
  submodel (Revolute) hinge(n3=1, r1=0.2) (ic q=0.5, w=-1)
  submodel (Fixed) elbow(n1=1, angle=0.7, r1=0.6)
  submodel (Screw) screw(n2=1, pitch=0.05, r2=0.3) (ic q=0.4, w=2)
  submodel (Revolute) cross(n1=1, r3=0.2) (ic q=0.2, w=0.7), fork(n2=1) (ic q=-0.3, w=-0.4)
  submodel (Body) a(m=2), b(m=1.5, r1=0.3, r2=0.1, I11=0.1, I22=0.2, I33=0.3, I21=0.02),
    c(m=0.7, r2=0.2, I11=0.05, I22=0.04, I33=0.03), d(m=0.4, r3=0.1, I11=0.02, I22=0.02, I33=0.01, I32=0.004)
  submodel (Body) e(m=0.3, r1=0.1, I22=0.01, I33=0.02)
  connect i to slide to hinge to elbow to screw to cross to fork
  connect a at slide, b at hinge, c at screw, d at fork, e at elbow
end
"""
BALL = """
@mbsdir.lib
model Thrown
  submodel (Inertial) i(ng3=-1)
  submodel (Free) f(r1=0.4)
  submodel (Revolute) j(n1=1, r2=0.3)
  submodel (Body) b(m=2, r1=0.1, r3=-0.2, I11=0.2, I22=0.3, I33=0.15, I31=0.02), c(m=1, r2=0.2, I11=0.1, I33=0.05)
  connect i to f to j, b at f, c at j
end
"""
OWN = """
@mbsdir.lib
model class (JointQ) Curve
  Tri = identity(3)
  rri = [q, q^2, 0]
  Phi = [zeros(3); 1; 2*q; 0]
  c = accelerated(Tri, rri, ar, vr) + [zeros(3); 0; 2*w^2; 0] + [zeros(3); 2*cross(vr[1:3], [1, 2*q, 0]*w)]
end
model M
  submodel (Inertial) i(ng2=-1)
  submodel (Curve) s(n1=1)
  submodel (Body) b(m=1)
  connect i to s, b at s
end
"""


def _rates(translation: acausal.Translation, names: Sequence[str], values: Array) -> dict[str, float]:
    """The derivatives of the states where these have the values."""
    derivative = translation.derivative
    known = dict(zip(names, values, strict=True))
    found = derivative(0.0, np.array([known[name] for name in derivative.states]))
    return dict(zip(derivative.states, found, strict=True))


def _named(functions: TreeFunctions, q: Array, v: Array) -> tuple[list[str], Array]:
    return [*functions.positions, *functions.velocities], np.concatenate([q, v])


def test_a_chain_as_the_model_has_it() -> None:
    translation = acausal.translate(CHAIN)
    functions = translation.mechanism().functions
    q, v = np.array([0.3, 0.5, 0.4, 0.2, -0.3]), np.array([0.2, -1.0, 2.0, 0.7, -0.4])
    rates = _rates(translation, *_named(functions, q, v))
    found = functions.forward_dynamics(q, v, np.zeros(5))
    np.testing.assert_allclose(found, [rates[name] for name in functions.velocities], rtol=1e-10)


def test_a_free_body_with_a_hinge_as_the_model_has_it() -> None:
    translation = acausal.translate(BALL)
    functions = translation.mechanism().functions
    assert functions.positions[3:7] == ("f.ball.Q[2]", "f.ball.Q[3]", "f.ball.Q[4]", "f.ball.Q[1]")
    q = np.array([0.1, 0.2, 0.3, 0.5, -0.1, 0.7, 0.5, 0.9])
    assert q[3:7] @ q[3:7] == pytest.approx(1.0)
    v = np.array([0.5, -0.4, 0.3, 1.0, -2.0, 0.7, 0.2])
    rates = _rates(translation, *_named(functions, q, v))
    found = functions.forward_dynamics(q, v, np.zeros(7))
    np.testing.assert_allclose(found, [rates[name] for name in functions.velocities], rtol=1e-10)


def test_parameters_by_name() -> None:
    """A pendulum: m r^2 + I about its hinge."""
    text = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng2=-1)\n  submodel (Revolute) j(n3=1)\n"
    text += "  submodel (Body) b(m=2, r1=0.5, I33=0.1)\n  connect i to j, b at j\nend"
    functions = acausal.translate(text).mechanism().functions
    mass = functions.mass_matrix
    assert mass([0.0]) == pytest.approx(np.array([[0.6]]))
    assert mass([0.0], parameters={"b.m": 3.0, "b.r1": 0.2}) == pytest.approx(np.array([[0.22]]))
    rows = mass.batch(np.zeros((3, 1)), parameters={"b.m": [1.0, 2.0, 3.0]})
    np.testing.assert_allclose(rows[:, 0, 0], [0.35, 0.6, 0.85])
    assert functions.gravity([0.0], parameters={"i.g": 1.62}) == pytest.approx(1.62)


def test_a_joint_of_its_own_class() -> None:
    mechanism = acausal.translate(OWN).mechanism()
    with pytest.raises(ModelError) as found:
        mechanism.functions  # noqa: B018
    assert found.value.report.diagnostics[0].code == "M020"
    assert found.value.report.diagnostics[0].primary is not None


FOUR_BAR = """
@mbsdir.lib
model FourBar
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=1.2, w=6), knee(n3=1, r1=1), rocker(n3=1, r1=2)
  submodel (Bar) coupler(r1=2), arm(r1=1.5)
  submodel (Body) b1(m=1, r1=0.5, I33=0.1), b2(m=2, r1=1, I33=0.3), b3(m=1, r1=0.7, I33=0.2)
  submodel (CLOSURE) pin(n3=1)
  connect i to crank to knee to coupler, i to rocker to arm, pin at (coupler:B, arm:B)
  connect b1 at crank, b2 at knee, b3 at rocker
end
"""


def test_a_joint_that_stays_locked() -> None:
    """Functions would let it move."""
    text = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng2=-1)\n  submodel (Revolute) j(n3=1, lockable=true)\n"
    text += "  submodel (Body) b(m=2, r1=0.5, I33=0.1)\n  connect i to j, b at j\n  j.lock = 1\nend"
    with pytest.raises(ModelError, match="j is locked from the start to the end"):
        acausal.translate(text).mechanism().functions  # noqa: B018


@pytest.mark.parametrize(("closure", "count"), [("CutPlanar", 2), ("CutRevolute", 5)])
def test_a_closed_loop_as_the_model_has_it(closure: str, count: int) -> None:
    """Positions and velocities of a run satisfy the constraints, whose multipliers give its accelerations.

    Three of the five constraints of a hinge are redundant.
    """
    translation = acausal.translate(FOUR_BAR.replace("CLOSURE", closure))
    functions = translation.mechanism().functions
    result = translation.simulate(stop=0.01)
    q, v = [np.array([result[name][-1] for name in names]) for names in (functions.positions, functions.velocities)]
    jacobian = functions.constraint_jacobian(q)
    assert jacobian.shape == (count, 3)
    assert np.linalg.matrix_rank(jacobian, tol=1e-10) == 2
    np.testing.assert_allclose(functions.constraints(q), 0.0, atol=1e-9)
    np.testing.assert_allclose(jacobian @ v, 0.0, atol=1e-9)
    found = functions.constrained_dynamics(q, v, np.zeros(3))
    expected = [result[f"{name}.wd"][-1] for name in ("crank", "knee", "rocker")]
    np.testing.assert_allclose(found, expected, rtol=1e-8)


CRANK = """
@mbsdir.lib
model Crank
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) crank(n3=1) (ic q=0.5, w=1), knee(n3=1, r1=1), pin(n3=1, r1=3)
  submodel (Prismatic) piston(n1=1)
  submodel (Body) a(m=1, r1=0.5, I33=0.1), b(m=2, r1=1.5, I33=0.5), c(m=3)
  connect i to crank to knee to pin, i to piston, piston:B at pin:B
  connect a at crank, b at knee, c at piston
end
"""


def test_searches_keep_loops_closed() -> None:
    """A slider-crank is highest and lowest with the crank upright; the hinge of its rod is on a circle."""
    functions = acausal.translate(CRANK).mechanism().functions

    def pose(angle: float) -> NDArray[np.float64]:
        rod = -np.arcsin(np.sin(angle) / 3)
        return np.array([angle, rod - angle, -rod, np.cos(angle) + 3 * np.cos(rod)])

    q = pose(0.5)
    for start, angle, stable in ((q, np.pi / 2, False), (pose(-1.0), -np.pi / 2, True)):
        found = functions.equilibrium(start)
        assert found.found
        assert found.stable == stable
        np.testing.assert_allclose(found.q, pose(angle), atol=1e-8)
        np.testing.assert_allclose(functions.constraints(found.q), 0.0, atol=1e-9)
    assert not functions.equilibrium(q, [30.0, 0.0, 0.0, 0.0]).found  # the weight has 14.7 N.m at most
    reached = functions.inverse_kinematics("knee", [np.cos(0.9), np.sin(0.9), 0.0], start=q)
    assert reached.reached
    np.testing.assert_allclose(reached.q, pose(0.9), atol=1e-9)
    assert not functions.inverse_kinematics("knee", [0.9, 0.1, 0.0]).reached
    v, tau = np.zeros(4), np.array([2.0, 0.0, 0.0, 0.0])
    np.testing.assert_array_equal(
        functions.forward_dynamics(reached.q, v, tau), functions.constrained_dynamics(reached.q, v, tau)
    )
    for use in (lambda: functions.forward_dynamics_derivatives, lambda: functions.workspace("knee", {})):
        with pytest.raises(UsageError, match="has closed loops"):
            use()


def test_a_wheel_constrains_velocities() -> None:
    """A function of positions has no place for its constraint."""
    text = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i(ng3=-1)\n  submodel (Planar) p(n3=1, m1=1)\n"
    text += "  submodel (Body) b(m=50, r1=0.3, I33=5)\n  submodel (KnifeEdge) e(n2=1)\n"
    text += "  connect i to p, b at p, e from i:B to p:B\nend"
    with pytest.raises(UsageError, match="constrains velocities, not positions"):
        acausal.translate(text).mechanism().functions.constraints  # noqa: B018
