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
    """Mass matrix, h, inverse and forward dynamics of ten robots at random states."""
    import pinocchio as pin

    rng = np.random.default_rng(random.getrandbits(32))
    for name in ROBOTS:
        r = robot(name)
        f, model, data, order = r.functions, r.model, r.data, r.order
        q, v, x = rng.normal(size=(3, len(order)))
        of_q, of_v, of_x = r.configuration(q), r.in_pinocchio(v), r.in_pinocchio(x)
        upper = np.triu(pin.crba(model, data, of_q))
        pairs = [
            (f.mass_matrix(q), (upper + np.triu(upper, 1).T)[np.ix_(order, order)]),
            (f.nonlinear_effects(q, v), pin.nonLinearEffects(model, data, of_q, of_v)[order]),
            (f.inverse_dynamics(q, v, x), pin.rnea(model, data, of_q, of_v, of_x)[order]),
            (f.forward_dynamics(q, v, x), pin.aba(model, data, of_q, of_v, of_x)[order]),
        ]
        for number, (ours, theirs) in enumerate(pairs):
            error = np.max(np.abs(ours - theirs)) / max(1.0, np.max(np.abs(theirs)))
            assert error < TOLERANCE, f"{name}, function {number}: {error:.1e}"
