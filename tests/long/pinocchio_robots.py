"""Functions of ten robots against Pinocchio: `pip install pin example-robot-data`, whose descriptions both import."""

import re
from dataclasses import dataclass
from importlib.metadata import files
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import acausal
from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Array

ROBOTS = (
    *("panda", "ur3_robot", "ur5_robot", "ur10_robot", "kinova"),
    *("z1", "so100", "xarm7", "finger_edu", "solo12"),
)
TOLERANCE = 1e-10
"""Of the largest element, at least 1."""


@dataclass(frozen=True)
class Robot:
    """A robot as functions and in Pinocchio; `order` are the places there of our velocities."""

    functions: TreeFunctions
    model: Any
    data: Any
    order: Array

    def in_pinocchio(self, values: Array) -> Array:
        """Velocities in the order of Pinocchio."""
        found = np.zeros(self.model.nv)
        found[self.order] = values
        return found

    def configuration(self, q: Array) -> Array:
        """Positions; joints without limits have cosine and sine there."""
        import pinocchio

        found = pinocchio.neutral(self.model)
        for joint, x in zip([self.model.joints[int(k)] for k in self._numbers], q, strict=True):
            found[joint.idx_q : joint.idx_q + joint.nq] = [x] if joint.nq == 1 else [np.cos(x), np.sin(x)]
        return found

    @property
    def _numbers(self) -> list[int]:
        names = [name.rsplit(".", 1)[0] for name in self.functions.positions]
        return [self.model.getJointId(name) for name in names]


def robot(name: str) -> Robot:
    """The robot with that description."""
    import pinocchio

    place = _description(name)
    text = acausal.import_model(place).text
    found = re.search(r"^model class (\w+)", text, re.MULTILINE)
    assert found
    functions = acausal.translate(text, model=found[1]).mechanism().functions
    model = pinocchio.buildModelFromUrdf(str(place))
    names = [name.rsplit(".", 1)[0] for name in functions.positions]
    order = np.array([model.joints[model.getJointId(name)].idx_v for name in names])
    return Robot(functions, model, model.createData(), order)


def _description(name: str) -> Path:
    return next(Path(str(f.locate())) for f in files("example-robot-data") or () if f.name == f"{name}.urdf")


def robots_as_in_pinocchio(random: Random) -> None:
    """Dynamics, energies and the kinematics of the last joint of ten robots at random states."""
    rng = np.random.default_rng(random.getrandbits(32))
    for name in ROBOTS:
        r = robot(name)
        q, v, x = rng.normal(size=(3, len(r.order)))
        for what, ours, theirs in (*_dynamics(r, q, v, x), *_energies(r, q, v), *_kinematics(r, q, v)):
            error = np.max(np.abs(ours - theirs)) / max(1.0, np.max(np.abs(theirs)))
            assert error < TOLERANCE, f"{name}, {what}: {error:.1e}"


def _dynamics(r: Robot, q: Array, v: Array, x: Array) -> list[tuple[str, Any, Any]]:
    import pinocchio as pin

    f, model, data, order = r.functions, r.model, r.data, r.order
    of_q, of_v, of_x, square = r.configuration(q), r.in_pinocchio(v), r.in_pinocchio(x), np.ix_(order, order)
    upper = np.triu(pin.crba(model, data, of_q))
    by_rnea = pin.computeRNEADerivatives(model, data, of_q, of_v, of_x)
    found = [
        ("M", f.mass_matrix(q), (upper + np.triu(upper, 1).T)[square]),
        ("h", f.nonlinear_effects(q, v), pin.nonLinearEffects(model, data, of_q, of_v)[order]),
        ("g", f.gravity(q), pin.computeGeneralizedGravity(model, data, of_q)[order]),
        ("tau", f.inverse_dynamics(q, v, x), pin.rnea(model, data, of_q, of_v, of_x)[order]),
        ("dtau", f.inverse_dynamics_derivatives(q, v, x), np.array([part[square] for part in by_rnea[:2]])),
        ("a", f.forward_dynamics(q, v, x), pin.aba(model, data, of_q, of_v, of_x)[order]),
    ]
    by_aba = pin.computeABADerivatives(model, data, of_q, of_v, of_x)
    derivatives = np.array([part[square] for part in by_aba[:2]])
    return [*found, ("da", f.forward_dynamics_derivatives(q, v, x), derivatives)]


def _energies(r: Robot, q: Array, v: Array) -> list[tuple[str, Any, Any]]:
    """Potential energies differ by that of bodies that do not move."""
    import pinocchio as pin

    f, model, data = r.functions, r.model, r.data
    of_q, of_v, still = r.configuration(q), r.in_pinocchio(v), r.configuration(np.zeros(len(q)))
    height = pin.computePotentialEnergy(model, data, of_q) - pin.computePotentialEnergy(model, data, still)
    return [
        ("kinetic energy", f.kinetic_energy(q, v), pin.computeKineticEnergy(model, data, of_q, of_v)),
        ("potential energy", f.potential_energy(q) - f.potential_energy(0 * q), height),
        ("center of mass", f.center_of_mass(q), np.array(pin.centerOfMass(model, data, of_q))),
        ("its Jacobian", f.center_of_mass_jacobian(q), pin.jacobianCenterOfMass(model, data, of_q)[:, r.order]),
        ("momentum", f.centroidal_momentum(q, v), pin.computeCentroidalMomentum(model, data, of_q, of_v).vector),
    ]


def _kinematics(r: Robot, q: Array, v: Array) -> list[tuple[str, Any, Any]]:
    """Of the frame of the joint that has the last velocity; derivatives of Jacobians by those along v."""
    import pinocchio as pin

    f, model, data, order = r.functions, r.model, r.data, r.order
    joint = f.positions[-1].rsplit(".", 1)[0]
    number = model.getJointId(joint)
    of_q, of_v = r.configuration(q), r.in_pinocchio(v)
    pin.computeJointJacobiansTimeVariation(model, data, of_q, of_v)
    found = [("placement", f.frame_placement(joint)(q), data.oMi[number].homogeneous)]
    for ours, theirs in (("local", pin.LOCAL), ("world", pin.WORLD), ("local_world_aligned", pin.LOCAL_WORLD_ALIGNED)):
        jacobian = pin.getJointJacobian(model, data, number, theirs)[:, order]
        rate = pin.getJointJacobianTimeVariation(model, data, number, theirs)[:, order]
        found += [
            (f"J {ours}", f.frame_jacobian(joint, ours)(q), jacobian),
            (f"dJ/dt {ours}", f.frame_jacobian_rate(joint, ours)(q, v), rate),
            (f"dJ/dq {ours}", f.frame_jacobian_derivatives(joint, ours)(q) @ v, rate),
        ]
    return found
