"""Trees of rigid bodies: what the functions of a mechanism are made from.

Every number is an expression of one pool. Joints stand in an order in which each comes after its parent. A frame of a
joint is fixed to the body behind it; at zero positions it coincides with the frame `placement` in the parent's body.
"""

from typing import Literal

from acausal.base.frozen import dataclass
from acausal.ir.expr import Expr
from acausal.ir.flat import Parameter
from acausal.ir.pool import Pool
from acausal.mechanism.rigid_trees.vectors import Matrix, Vector

JointKind = Literal["revolute", "prismatic", "screw", "spherical"]
BASE = -1
"""The parent of joints at the inertial frame."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A frame in another: `rotation` takes components from it to the other, `origin` is resolved in the other [m]."""

    rotation: Matrix
    origin: Vector


@dataclass(frozen=True, slots=True)
class Inertia:
    """A rigid body in a frame: mass [kg], first moments m*r [kg.m], inertia about the frame's origin [kg.m2]."""

    mass: Expr
    moment: Vector
    inertia: Matrix


@dataclass(frozen=True, slots=True)
class TreeJoint:
    """A joint and the body behind it.

    `axis` is a unit vector, the same in both frames; a screw moves by `pitch` [m/rad] along it. A spherical joint has
    the quaternion (x, y, z, w) of its frame in the placement as positions and as velocities the angular velocity in
    axes of its own frame. `effort` is the torque [N.m] or force [N] of each velocity.
    """

    name: str
    parent: int
    kind: JointKind
    placement: Placement
    axis: Vector
    body: Inertia
    positions: tuple[Expr, ...]
    velocities: tuple[Expr, ...]
    accelerations: tuple[Expr, ...]
    effort: tuple[Expr, ...]
    pitch: Expr | None = None


@dataclass(frozen=True, slots=True)
class TreeFrame:
    """A named frame fixed to the body of a joint, or to the base."""

    name: str
    body: int
    placement: Placement


@dataclass(frozen=True, slots=True)
class TreeClosure:
    """A closure of a loop between two frames; kind, axes and size are those of `acausal.mechanism.model.Closure`."""

    name: str
    kind: str
    first: TreeFrame
    second: TreeFrame
    axis: Vector
    second_axis: Vector
    size: Expr


@dataclass(frozen=True, slots=True)
class RigidTree:
    """Joints, frames and the acceleration of gravity [m/s2] in the inertial frame; `parameters` of the expressions.

    `closures` are those of closed loops, whose constraints the functions of the tree alone do not know.
    """

    name: str
    pool: Pool
    joints: tuple[TreeJoint, ...]
    frames: tuple[TreeFrame, ...]
    gravity: Vector
    parameters: tuple[Parameter, ...] = ()
    closures: tuple[TreeClosure, ...] = ()

    @property
    def positions(self) -> tuple[Expr, ...]:
        """All positions q, joint by joint."""
        return tuple([x for joint in self.joints for x in joint.positions])

    @property
    def velocities(self) -> tuple[Expr, ...]:
        """All velocities v, joint by joint."""
        return tuple([x for joint in self.joints for x in joint.velocities])

    @property
    def accelerations(self) -> tuple[Expr, ...]:
        """The derivatives of the velocities."""
        return tuple([x for joint in self.joints for x in joint.accelerations])

    @property
    def efforts(self) -> tuple[Expr, ...]:
        """Torques and forces of the joints, one for each velocity."""
        return tuple([x for joint in self.joints for x in joint.effort])

    @property
    def first_velocity(self) -> tuple[int, ...]:
        """For each joint the place of its first velocity."""
        places, count = [], 0
        for joint in self.joints:
            places.append(count)
            count += len(joint.velocities)
        return tuple(places)

    def path(self, body: int) -> tuple[int, ...]:
        """The joints between the base and a body, from the body inward."""
        found = []
        while body != BASE:
            found.append(body)
            body = self.joints[body].parent
        return tuple(found)
