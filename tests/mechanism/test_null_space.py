"""Null space of the joints' constraints: pendulum, satellite of four bodies, rotorcraft, wind turbine."""

import numpy as np
import pytest

import acausal
from acausal.mechanism.formulations.formulation import formulation
from acausal.mechanism.functions.tree_functions import TreeFunctions

HEAD = "@mbsdir.lib\nmodel M\n  submodel (Inertial) i"
MODELS = {
    "pendulum": f"""{HEAD}(ng2=-1)
  submodel (Revolute) j(n3=1)
  submodel (Body) b(m=2, r1=0.5, I33=0.1)
  connect i to j, b at j
end""",
    "satellite of four bodies": f"""{HEAD}
  submodel (Free) free
  submodel (Revolute) left(n1=1, r2=0.6), right(n1=1, r2=-0.6), dish(n2=1, r3=0.5)
  submodel (Body) hub(m=400, I11=120, I22=90, I33=110, I21=3), wing(m=20, r2=1.2, I11=10, I22=0.5, I33=10.5),
    other(m=20, r2=-1.2, I11=10, I22=0.5, I33=10.5), mirror(m=8, r3=0.2, I11=1, I22=1, I33=1.6)
  connect i to free to left, free to right, free to dish
  connect hub at free, wing at left, other at right, mirror at dish
end""",
    "rotorcraft": f"""{HEAD}(ng3=-1)
  submodel (Free) free
  submodel (Revolute) shaft(n3=1, r3=1.5), flap1(n2=1, r1=0.3), lag1(n3=1), pitch1(n1=1)
  submodel (Fixed) half(n3=1, angle=3.14159265358979)
  submodel (Revolute) flap2(n2=1, r1=0.3), lag2(n3=1), pitch2(n1=1)
  submodel (Body) fuselage(m=2000, I11=1200, I22=8000, I33=7500, I31=300), head(m=60, I33=5),
    blade1(m=40, r1=2.5, I11=0.8, I22=90, I33=91), blade2(m=40, r1=2.5, I11=0.8, I22=90, I33=91)
  connect i to free to shaft to flap1 to lag1 to pitch1, shaft to half to flap2 to lag2 to pitch2
  connect fuselage at free, head at shaft, blade1 at pitch1, blade2 at pitch2
end""",
    "wind turbine": f"""{HEAD}(ng3=-1)
  submodel (Prismatic) sway(n1=1), heave(n3=1, r3=80)
  submodel (Revolute) yaw(n3=1), rotor(n1=1, r1=-4)
  submodel (Fixed) third(n1=1, angle=2.0943951023932), last(n1=1, angle=-2.0943951023932)
  submodel (Revolute) flap1(n2=1, r3=1.5), flap2(n2=1, r3=1.5), flap3(n2=1, r3=1.5)
  submodel (Body) tower(m=9e4), nacelle(m=7e4, r1=1, r3=1, I11=1e5, I22=4e5, I33=4e5, I31=2e4), hub(m=2e4, I11=3e4)
  submodel (Body) b1(m=6e3, r3=12, I11=9e5, I22=9e5, I33=5e3), b2(m=6e3, r3=12, I11=9e5, I22=9e5, I33=5e3),
    b3(m=6e3, r3=12, I11=9e5, I22=9e5, I33=5e3)
  connect i to sway to heave to yaw to rotor to flap1, rotor to third to flap2, rotor to last to flap3
  connect tower at heave, nacelle at yaw, hub at rotor, b1 at flap1, b2 at flap2, b3 at flap3
end""",
}


def _state(functions: TreeFunctions) -> tuple[np.ndarray, ...]:
    rng = np.random.default_rng(4)
    parts = [rng.normal(size=len(joint.positions)) for joint in functions.tree.joints]
    parts = [part / np.linalg.norm(part) if len(part) == 4 else part for part in parts]
    return (np.concatenate(parts), *rng.normal(size=(2, len(functions.velocities))))


@pytest.mark.parametrize("name", MODELS)
def test_null_space(name: str) -> None:
    """phi_q H2 = 0, with as many columns as the rank leaves; the motion is that by multipliers."""
    functions = acausal.translate(MODELS[name]).mechanism().functions
    q, v, tau = _state(functions)
    found = functions.null_space
    constraints, basis = found.constraints(q), found.basis(q)
    assert np.abs(constraints @ basis).max() < 1e-13 * max(1.0, np.abs(basis).max())
    assert basis.shape[1] == basis.shape[0] - np.linalg.matrix_rank(constraints)
    step = 1e-6 * np.linalg.solve(found.mass(q), tau - found.rest(q, v))
    by_multipliers = formulation(functions.tree, "absolute").accelerations(q, v, tau)
    np.testing.assert_allclose(step, 1e-6 * by_multipliers, rtol=1e-9, atol=1e-9 * np.abs(step).max())


def test_rate_of_the_basis() -> None:
    """Central differences of the basis along the motion."""
    functions = acausal.translate(MODELS["wind turbine"]).mechanism().functions
    q, v, _ = _state(functions)
    found, h = functions.null_space, 1e-6
    slope = (found.basis(q + h * v) - found.basis(q - h * v)) / (2 * h)
    np.testing.assert_allclose(found.rate(q, v), slope, atol=1e-6)
