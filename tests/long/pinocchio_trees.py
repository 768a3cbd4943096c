"""Functions of random trees against Pinocchio (https://github.com/stack-of-tasks/pinocchio), `pip install pin`."""

from random import Random
from typing import Any

import numpy as np

from acausal.mechanism.functions.tree_functions import TreeFunctions
from tests.mechanism.random_trees import Array, RandomTree, random_tree

TOLERANCE = 1e-10
"""Of the largest element, at least 1."""


def a_tree_as_in_pinocchio(random: Random) -> None:
    """All functions of a random tree at a random state."""
    made = random_tree(random)
    peer = Peer(made)
    rng = np.random.default_rng(random.getrandbits(32))
    q = made.configuration(rng)
    v, a, tau = rng.normal(size=(3, len(made.tree.velocities)))
    functions = TreeFunctions(made.tree)
    for name, found, expected in (*_dynamics(functions, peer, q, v, a, tau), *_others(functions, peer, q, v)):
        error = np.max(np.abs(np.asarray(found) - expected)) / max(1.0, np.max(np.abs(expected)))
        assert error < TOLERANCE, f"{name}: {error:.1e}"


class Peer:
    """The tree in Pinocchio, whose joints have to be added depth first; arrays are in our order."""

    def __init__(self, made: RandomTree) -> None:
        import pinocchio

        self.pin: Any = pinocchio
        self.model: Any = pinocchio.Model()
        numbers = [0] * len(made.joints)
        stack = [i for i, joint in reversed(list(enumerate(made.joints))) if joint.parent < 0]
        while stack:
            i = stack.pop()
            numbers[i] = self._add(made, i, numbers)
            stack += [k for k, joint in reversed(list(enumerate(made.joints))) if joint.parent == i]
        place = pinocchio.SE3(*made.tip)
        frame = pinocchio.Frame("tip", numbers[-1], 0, place, pinocchio.FrameType.OP_FRAME)
        self.tip = self.model.addFrame(frame)
        self.model.gravity.linear = made.gravity
        self.data = self.model.createData()
        joints = [self.model.joints[k] for k in numbers]
        self.of_q = np.concatenate([np.arange(j.idx_q, j.idx_q + j.nq) for j in joints])
        self.of_v = np.concatenate([np.arange(j.idx_v, j.idx_v + j.nv) for j in joints])

    def _add(self, made: RandomTree, number: int, numbers: list[int]) -> int:
        pin, joint = self.pin, made.joints[number]
        if joint.kind == "spherical":
            kind = pin.JointModelSpherical()
        elif joint.kind == "screw":
            kind = pin.JointModelHelicalUnaligned(joint.axis, joint.pitch)
        else:
            turns = joint.kind == "revolute"
            kind = (pin.JointModelRevoluteUnaligned if turns else pin.JointModelPrismaticUnaligned)(joint.axis)
        parent = numbers[joint.parent] if joint.parent >= 0 else 0
        added: int = self.model.addJoint(parent, kind, pin.SE3(joint.rotation, joint.origin), f"j{number}")
        self.model.appendBodyToJoint(added, pin.Inertia(joint.mass, joint.center, joint.inertia), pin.SE3.Identity())
        return added

    def to_peer(self, places: Array, values: Array) -> Array:
        """In the order of Pinocchio."""
        found = np.empty(len(values))
        found[places] = values
        return found


def _dynamics(f: TreeFunctions, peer: Peer, q: Array, v: Array, a: Array, tau: Array) -> list[tuple[str, Any, Any]]:
    pin, model, data, order = peer.pin, peer.model, peer.data, peer.of_v
    square = np.ix_(order, order)
    of_q, of_v, of_a, of_tau = peer.to_peer(peer.of_q, q), *[peer.to_peer(order, x) for x in (v, a, tau)]
    upper = np.triu(pin.crba(model, data, of_q))
    by_rnea = pin.computeRNEADerivatives(model, data, of_q, of_v, of_a)
    found = [
        ("M", f.mass_matrix(q), (upper + np.triu(upper, 1).T)[square]),
        ("h", f.nonlinear_effects(q, v), pin.nonLinearEffects(model, data, of_q, of_v)[order]),
        ("g", f.gravity(q), pin.computeGeneralizedGravity(model, data, of_q)[order]),
        ("tau", f.inverse_dynamics(q, v, a), pin.rnea(model, data, of_q, of_v, of_a)[order]),
        ("a", f.forward_dynamics(q, v, tau), pin.aba(model, data, of_q, of_v, of_tau)[order]),
        ("dtau", f.inverse_dynamics_derivatives(q, v, a), np.array([x[square] for x in by_rnea[:2]])),
    ]
    by_aba = pin.computeABADerivatives(model, data, of_q, of_v, of_tau)
    return [*found, ("da", f.forward_dynamics_derivatives(q, v, tau), np.array([x[square] for x in by_aba[:2]]))]


def _others(f: TreeFunctions, peer: Peer, q: Array, v: Array) -> list[tuple[str, Any, Any]]:
    pin, model, data, order = peer.pin, peer.model, peer.data, peer.of_v
    of_q, of_v = peer.to_peer(peer.of_q, q), peer.to_peer(order, v)
    pin.computeJointJacobiansTimeVariation(model, data, of_q, of_v)
    pin.framesForwardKinematics(model, data, of_q)
    found = [
        ("placement", f.frame_placement("tip")(q), data.oMf[peer.tip].homogeneous),
        ("kinetic energy", f.kinetic_energy(q, v), pin.computeKineticEnergy(model, data, of_q, of_v)),
        ("potential energy", f.potential_energy(q), pin.computePotentialEnergy(model, data, of_q)),
        ("center of mass", f.center_of_mass(q), pin.centerOfMass(model, data, of_q)),
        ("its Jacobian", f.center_of_mass_jacobian(q), pin.jacobianCenterOfMass(model, data, of_q)[:, order]),
        ("momentum", f.centroidal_momentum(q, v), pin.computeCentroidalMomentum(model, data, of_q, of_v).vector),
    ]
    pin.computeJointJacobiansTimeVariation(model, data, of_q, of_v)
    pin.framesForwardKinematics(model, data, of_q)
    for ours, theirs in (("local", pin.LOCAL), ("world", pin.WORLD), ("local_world_aligned", pin.LOCAL_WORLD_ALIGNED)):
        jacobian = pin.getFrameJacobian(model, data, peer.tip, theirs)[:, order]
        rate = pin.getFrameJacobianTimeVariation(model, data, peer.tip, theirs)[:, order]
        found += [
            (f"J {ours}", f.frame_jacobian("tip", ours)(q), jacobian),
            (f"dJ {ours}", f.frame_jacobian_rate("tip", ours)(q, v), rate),
            (f"dJ/dq {ours}", f.frame_jacobian_derivatives("tip", ours)(q) @ v, rate),
        ]
    return found
